"""A server of a lake, with TLS or without, and what its access log says of bytes."""

import json
import os
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import trustme


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def certificate(folder: Path) -> list[str]:
    """Arguments for a certificate of an authority that engines of this process trust from now on."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    issued = authority.issue_cert("localhost")
    issued.cert_chain_pems[0].write_to_path(folder / "server.pem")
    issued.private_key_pem.write_to_path(folder / "server.key")
    os.environ["SSL_CERT_FILE"] = str(folder / "authority.pem")
    return ["--tls-cert", str(folder / "server.pem"), "--tls-key", str(folder / "server.key")]


class Served:
    def __init__(self, origin: str, log: Path, snapshots: str):
        self.origin, self.log, self.snapshots = origin, log, snapshots

    def json(self, path: str):
        with urllib.request.urlopen(self.origin + path) as answer:
            return json.load(answer)["data"]

    def url(self, snapshot: str, table: str) -> str:
        return f"{self.origin}{self.snapshots}/{snapshot}/tables/{table}.parquet"

    @contextmanager
    def counted(self):
        """A dict that has, after the block, the requests and bytes of files that were answered in it."""
        before, counts = len(self.log.read_bytes()), {}
        yield counts
        # The server writes its log when an answer is over: on a busy machine, a moment later.
        size = -1
        while size != (size := self.log.stat().st_size):
            time.sleep(2)
        lines = [json.loads(line) for line in self.log.read_bytes()[before:].splitlines()]
        files = [line for line in lines if line["operation"] == "snapshot_table_file"]
        counts["requests"] = len(files)
        counts["bytes"] = sum(line["bytes"] for line in files)


@contextmanager
def serving(program: str, lake: str, folder: Path, tls: bool = False, snapshots: str = "/v1/mma/snapshots"):
    folder.mkdir(parents=True, exist_ok=True)
    port, log = free_port(), folder / "access.log"
    # The certificate is of a name, and the name may be another address than that of a listener.
    arguments = [*certificate(folder)] if tls else []
    origin = f"https://localhost:{port}" if tls else f"http://127.0.0.1:{port}"
    if snapshots.startswith("/v1/catalog"):
        arguments.append("--catalog")
    command = [program, "serve", "--quiet", "--lake", lake, "--listen", f"127.0.0.1:{port}", "--access-log", str(log)]
    with open(folder / "serve.log", "w") as output:
        server = subprocess.Popen([*command, *arguments], stdout=output, stderr=output)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(origin + "/readyz")
                break
            except OSError:
                assert server.poll() is None, (folder / "serve.log").read_text()
                time.sleep(0.1)
        yield Served(origin, log, snapshots)
    finally:
        server.terminate()
        server.wait()

"""Servers for the tests: programs of the product, and a relay before one that damages, cuts and refuses."""

from __future__ import annotations

import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

_SENT = ("Range", "If-Range", "Authorization")
_PASSED = ("Content-Range", "Content-Type", "X-Snapshot-Id", "Retry-After")


@contextmanager
def serving(*arguments: str | Path, ready: str = "/readyz") -> Iterator[str]:
    """The address of a program that serves, once it answers."""
    command = [os.environ["FIGHTDNA_BIN"], *map(str, arguments), "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            while not (found := re.search(r"http://[0-9.:]+", "".join(lines[-1:]))):
                line = process.stdout.readline()
                assert line, "".join(lines)
                lines.append(line)
            wait_for(found[0] + ready)
            yield found[0]
        finally:
            process.kill()


def wait_for(url: str) -> None:
    # A minute: the machine may be busy with other checks.
    for _ in range(1200):
        try:
            urllib.request.urlopen(url).close()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return
        except OSError:
            pass
        else:
            return
        time.sleep(0.05)
    raise AssertionError(f"{url} does not answer")


class Relay:
    """Passes requests on to `upstream`, and its answers back as `change` leaves them."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.change: Callable[[str, bytes], bytes] = lambda path, body: body
        self.pause_seconds = 0.0
        self.ignores_ranges = False
        self.drops = 0
        self.redirect: str | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def files(self) -> list[dict[str, str]]:
        """Headers of the requests for files."""
        return [headers for path, headers in self.asked if path.endswith(".parquet")]


def _handler(relay: Relay) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent = {name: self.headers[name] for name in _SENT if name in self.headers}
            relay.asked.append((self.path, sent))
            if relay.drops and len(relay.files()) > 1:
                relay.drops -= 1
                return
            if relay.redirect:
                self.send_response(302)
                self.send_header("Location", relay.redirect)
                self.end_headers()
                return
            status, headers, body = _ask(relay, self.path, sent)
            self.send_response(status)
            for name in _PASSED:
                if name in headers:
                    self.send_header(name, headers[name])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            changed = relay.change(self.path, body)
            for at in range(0, len(changed), 1 << 16):
                self.wfile.write(changed[at : at + (1 << 16)])
                time.sleep(relay.pause_seconds)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


def _ask(relay: Relay, path: str, sent: dict[str, str]) -> tuple[int, Any, bytes]:
    headers = {name: text for name, text in sent.items() if not (relay.ignores_ranges and name == "Range")}
    try:
        with urllib.request.urlopen(urllib.request.Request(relay.upstream + path, headers=headers)) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()

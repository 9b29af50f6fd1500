"""What is asked: servers of a lake over HTTP, and lakes of invented captures."""

import json
import re
import subprocess
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
KEY = "a-key-of-the-contract-check"


@contextmanager
def started(program: str, *arguments: str):
    """The address that a server prints, as long as it runs."""
    server = subprocess.Popen([program, *arguments, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, (arguments, line)
        yield found[0]
    finally:
        server.terminate()
        assert server.wait() == 0, arguments


@contextmanager
def tools_over_http(program: str, lake: str, work: Path, *arguments: str):
    key_file = work / "keys"
    key_file.write_text(KEY + "\n")
    with started(program, "mcp", "--lake", lake, "--key-file", str(key_file), *arguments) as origin:
        yield origin + "/mcp"


def request(url: str, method: str = "GET", body: bytes | None = None, **headers: str):
    """Status, headers and body of an answer, whatever it is."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asked = urllib.request.Request(url, data=body, method=method, headers=named)
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


class Api:
    """The HTTP API of the same lake."""

    def __init__(self, origin: str):
        self.origin = origin

    def get(self, path: str) -> dict:
        status, _, body = request(self.origin + path)
        return {"status": status, **json.loads(body)}

    def data(self, path: str):
        answer = self.get(path)
        assert answer["status"] == 200, (path, answer)
        return answer["data"]


def run(program: str, *arguments: str):
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)


def catalog_lake(program: str, work: Path) -> str:
    """A lake of the multi-sport catalog, of some invented matches."""
    folder, lake = work / "captures" / "2025-04-01", str(work / "catalog")
    folder.mkdir(parents=True)
    head = "date,home_team,away_team,home_score,away_score,tournament,city,country,neutral"
    teams = ["Aland", "Borduria", "Carpania"]
    rows = [f"2010-03-{at + 1:02},{teams[at % 3]},{teams[(at + 1) % 3]},{at % 4},{at % 3},Friendly,Portwick,Aland,FALSE" for at in range(28)]
    (folder / "results.csv").write_text("\n".join([head, *rows]) + "\n")
    run(program, "catalog", "run", "--quiet", "--lake", lake, "--source", f"soccer-internationals={folder}")
    return lake


def two_snapshots(work: Path):
    """Arguments of a first and a second run of a lake."""
    lake = str(work / "followed")
    first = f"statsdb={ROOT}/tests/fixtures/few-events/2025-11-01"
    second = f"feed={ROOT}/data/sample/feed/2025-11-01"
    return lake, [["run", "--quiet", "--lake", lake, "--source", source] for source in (first, second)]


def current(lake: str) -> str:
    return json.loads((Path(lake) / "current.json").read_text())["snapshot_id"]

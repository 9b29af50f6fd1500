"""The cache of a server's files: damage, interruption, and work without the server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import fightdna as fd
from fightdna import progress
from servers import Relay, serving
from test_lake import flip

TABLE = "dna_versions"


@pytest.fixture(scope="module")
def sample_url(sample_lake: Path) -> Iterator[str]:
    with serving("serve", "--lake", sample_lake) as url:
        yield url


@pytest.fixture
def relay(sample_url: str) -> Iterator[Relay]:
    relay = Relay(sample_url)
    yield relay
    relay.stop()


def is_of(folder: fd.Snapshot, over_http: fd.Snapshot) -> bool:
    return over_http.scan(TABLE).collect().equals(folder.scan(TABLE).collect())


@pytest.mark.parametrize("place", [0, 0.5, 1])
def test_a_byte_that_is_flipped_on_the_way_is_refused(relay: Relay, tmp_path: Path, place: float) -> None:
    def flipped(path: str, body: bytes) -> bytes:
        at = int(place * (len(body) - 1))
        return body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :] if path.endswith(".parquet") else body

    snapshot = fd.open(relay.url, cache=tmp_path)
    relay.change = flipped
    with pytest.raises(fd.DamageError) as error:
        snapshot.scan(TABLE)
    expected = snapshot.manifest.tables[TABLE].sha256
    assert all(part in str(error.value) for part in (f"`{TABLE}`", relay.url, f"expected {expected}", "not used"))
    assert not list(tmp_path.glob("*.parquet"))
    relay.change = lambda _, body: body
    snapshot.scan(TABLE)
    # Nothing of the damaged bytes was kept.
    assert [headers.get("Range") for headers in relay.files()] == [None, None]


@pytest.mark.parametrize("place", [0, 0.5, 1])
def test_a_byte_that_is_flipped_in_the_cache_is_downloaded_again(
    relay: Relay, sample: fd.Snapshot, tmp_path: Path, place: float
) -> None:
    snapshot = fd.open(relay.url, cache=tmp_path)
    path = snapshot.manifest.table_file(TABLE)
    flip(path, int(place * (path.stat().st_size - 1)))
    os.utime(path, ns=(1, 1))
    with pytest.warns(fd.CacheWarning, match=f"`{TABLE}` in the cache, `{path}`, is damaged.*downloaded again"):
        assert is_of(sample, snapshot)
    flip(path, 100)
    os.utime(path, ns=(1, 1))
    relay.stop()
    with pytest.warns(fd.CacheWarning), pytest.raises(fd.ServerError, match="cannot be reached"):
        snapshot.scan(TABLE)


def test_an_interrupted_download_goes_on_where_it_ended(relay: Relay, sample: fd.Snapshot, tmp_path: Path) -> None:
    cuts = iter([1000, 70_000])
    relay.change = lambda path, body: body[: next(cuts, None)] if path.endswith(".parquet") else body
    snapshot = fd.open(relay.url, cache=tmp_path)
    assert is_of(sample, snapshot)
    tag = f'"{snapshot.manifest.tables[TABLE].sha256}"'
    assert relay.files() == [
        {},
        {"Range": "bytes=1000-", "If-Range": tag},
        {"Range": "bytes=71000-", "If-Range": tag},
    ]
    assert not list(tmp_path.glob("*.part"))


def test_a_server_that_restarts_meanwhile_is_waited_for(relay: Relay, sample: fd.Snapshot, tmp_path: Path) -> None:
    cuts = iter([1000])
    relay.change = lambda path, body: body[: next(cuts, None)] if path.endswith(".parquet") else body
    relay.drops = 2
    assert is_of(sample, fd.open(relay.url, cache=tmp_path))
    assert relay.drops == 0
    assert [headers.get("Range") for headers in relay.files()] == [None, *["bytes=1000-"] * 3]


def test_a_server_that_sends_the_whole_again_is_understood(relay: Relay, sample: fd.Snapshot, tmp_path: Path) -> None:
    cuts = iter([1000])
    relay.change = lambda path, body: body[: next(cuts, None)] if path.endswith(".parquet") else body
    relay.ignores_ranges = True
    assert is_of(sample, fd.open(relay.url, cache=tmp_path))
    assert len(relay.files()) == 2


def test_what_stays_broken_says_how_far_it_came_and_is_kept(
    relay: Relay, sample: fd.Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    cuts = iter([5000])
    relay.change = lambda path, body: body[: next(cuts, 0)] if path.endswith(".parquet") else body
    snapshot = fd.open(relay.url, cache=tmp_path)
    with pytest.raises(fd.ServerError, match=f"table `{TABLE}` broke off at byte 5000 of .*the next try goes on there"):
        snapshot.scan(TABLE)
    relay.change = lambda _, body: body
    assert is_of(sample, snapshot)
    assert relay.files()[-1]["Range"] == "bytes=5000-"


def test_a_damaged_beginning_is_not_gone_on_with(relay: Relay, sample: fd.Snapshot, tmp_path: Path) -> None:
    snapshot = fd.open(relay.url, cache=tmp_path)
    entry = snapshot.manifest.tables[TABLE]
    for beginning in (b"PAR1" + bytes(5000), bytes(1 << 24)):
        (tmp_path / f"{entry.sha256}.part").write_bytes(beginning)
        assert is_of(sample, snapshot)
        (tmp_path / f"{entry.sha256}.parquet").unlink()
    ranges = [headers.get("Range") for headers in relay.files()]
    assert ranges == ["bytes=5004-", None, None]


def test_a_killed_process_leaves_a_beginning_that_the_next_goes_on_with(
    relay: Relay, sample: fd.Snapshot, tmp_path: Path
) -> None:
    relay.pause_seconds = 0.1
    script = "import sys, fightdna as fd; fd.open(sys.argv[1], cache=sys.argv[2]).scan(sys.argv[3])"
    with subprocess.Popen([sys.executable, "-c", script, relay.url, str(tmp_path), TABLE]) as process:
        while not any(path.stat().st_size for path in tmp_path.glob("*.part")):
            time.sleep(0.02)
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    relay.pause_seconds = 0
    size = next(tmp_path.glob("*.part")).stat().st_size
    assert is_of(sample, fd.open(relay.url, cache=tmp_path))
    assert relay.files()[-1]["Range"] == f"bytes={size}-"


def test_what_was_opened_once_opens_without_the_server(relay: Relay, sample: fd.Snapshot, tmp_path: Path) -> None:
    snapshot = fd.open(relay.url, cache=tmp_path)
    snapshot.scan(TABLE)
    relay.stop()
    pinned = fd.open(relay.url, snapshot=snapshot.id, cache=tmp_path)
    assert is_of(sample, pinned)
    assert pinned.tables().equals(snapshot.tables())
    with pytest.warns(
        fd.OfflineWarning, match=rf"cannot be reached.*Opened {snapshot.id}, which was current .* at 2\d+-"
    ):
        assert is_of(sample, fd.open(relay.url, cache=tmp_path))
    with pytest.raises(fd.ServerError, match="cannot be reached"):
        pinned.scan("bouts")
    with pytest.raises(fd.ServerError, match="cannot be reached"):
        fd.open(relay.url, product="catalog", cache=tmp_path)
    # A list that was damaged is as one that was never seen.
    flip(next(tmp_path.glob(f"lists/*/{snapshot.id}.json")), 500)
    with pytest.warns(fd.CacheWarning, match="is damaged, and not used"), pytest.raises(fd.ServerError):
        fd.open(relay.url, snapshot=snapshot.id, cache=tmp_path)


def test_a_person_sees_how_far_a_long_download_is(
    relay: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_SECONDS_UNTIL_SHOWN", 0)
    fd.open(relay.url, cache=tmp_path / "1").scan(TABLE)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    relay.pause_seconds = 0.02
    fd.open(relay.url, cache=tmp_path / "2").scan(TABLE)
    assert re.search(rf"{TABLE}: +[1-9]\d?%", capsys.readouterr().err)
    relay.pause_seconds = 0
    monkeypatch.setitem(sys.modules, "tqdm", None)
    fd.open(relay.url, cache=tmp_path / "3").scan(TABLE)
    assert capsys.readouterr().err == ""

"""Snapshots of a server: the same results as of the folder, and what its refusals say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import fightdna as fd
from conftest import ends, program, republish
from fightdna.panel import FIELDS
from servers import Relay, serving


@pytest.fixture(scope="module")
def served(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[fd.Snapshot]:
    """The snapshot of `snapshot`, over a server."""
    with serving("serve", "--lake", lake) as url:
        yield fd.open(url, cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def sample_url(sample_lake: Path) -> Iterator[str]:
    with serving("serve", "--lake", sample_lake) as url:
        yield url


def some_fighter(snapshot: fd.Snapshot) -> str:
    newest = snapshot.scan("dna_versions").filter(pl.col("version") == pl.max("version")).select("fighter_id")
    return str(newest.first().collect().item())


def some_rows(snapshot: fd.Snapshot) -> pl.DataFrame:
    first, last = ends(snapshot)
    fighters = snapshot.scan("fighters").select("fighter_id").collect()
    return fighters.join(pl.DataFrame({"date": [first, first + (last - first) / 2, last]}), how="cross")


def as_of_days(snapshot: fd.Snapshot, table: str) -> pl.DataFrame:
    first, last = ends(snapshot)
    return snapshot.scan(table, as_of=first + (last - first) / 2).collect()


OF_DAYS = ("dna_versions", "splits", "baselines", "round_profiles", "finish_profiles", "bouts", "results", "ratings")
RESULTS: dict[str, Callable[[fd.Snapshot], pl.DataFrame]] = {
    "tables": lambda s: s.tables(),
    # The files of data format 2 do not state it, and servers do.
    "describe": lambda s: pl.concat(s.describe(table).drop("null_means") for table in s.manifest.tables),
    "columns": lambda s: pl.DataFrame([str(s.columns(table)) for table in s.manifest.tables]),
    "metrics": lambda s: s.metrics,
    "dna": lambda s: s.dna(some_fighter(s)),
    "dna as of a day": lambda s: s.dna(some_fighter(s), as_of=ends(s)[1] - timedelta(days=3)),
    "matchup": lambda s: s.matchup(
        *s.scan("dna_versions").select("fighter_id").collect()["fighter_id"].unique().sort()[:2]
    ),
    "panel": lambda s: s.panel(some_rows(s), metrics=["sig_accuracy", "win_streak"], fields=FIELDS),
    "panel of a vintage": lambda s: s.panel(some_rows(s), metrics=["layoff_days"], vintage=s.id),
    "bouts": lambda s: s.bouts(metrics=["sig_diff_per_min", "house_rating"], fields=["value", "confidence"]),
    "diff": lambda s: s.diff(s.id),
    **{f"{table} as of a day": lambda s, t=table: as_of_days(s, t) for table in OF_DAYS},  # type: ignore[misc]
}


@pytest.mark.parametrize("result", RESULTS)
def test_results_over_a_server_are_those_of_the_folder(snapshot: fd.Snapshot, served: fd.Snapshot, result: str) -> None:
    over_http, of_folder = RESULTS[result](served), RESULTS[result](snapshot)
    assert of_folder.height > 0
    assert_frame_equal(over_http, of_folder, check_exact=True)


def test_every_table_and_its_key_are_those_of_the_folder(snapshot: fd.Snapshot, served: fd.Snapshot) -> None:
    assert (served.id, served.facts_until, served.product) == (snapshot.id, snapshot.facts_until, "mma")
    for table in snapshot.manifest.tables:
        assert served.scan(table).collect().equals(snapshot.scan(table).collect())
        said, stated = served.notes(table), snapshot.notes(table)
        assert (said.key, said.grain, said.meaning) == (stated.key, stated.grain, stated.meaning)
        meanings = served.describe(table)
        assert (meanings["null_means"].is_not_null() == meanings["nullable"]).all()
    assert repr(served).endswith(f"{served.origin})") and "server `http" in repr(served)
    assert served.path is None
    assert served.diff(snapshot).select(pl.sum("added", "removed", "changed")).row(0) == (0, 0, 0)


def test_an_older_snapshot_is_opened_by_its_id(sample: fd.Snapshot, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    _, last = ends(sample)
    edits = {"dna_versions": lambda frame: frame.filter(pl.col("valid_from") < last)}
    older = republish(sample, lake, edits, facts_until=str(last - timedelta(days=2)))
    (lake / "snapshots" / sample.id).symlink_to(sample.manifest.folder.resolve())
    assert sample.path is not None
    shutil.copy(sample.path / "current.json", lake)
    with serving("serve", "--lake", lake) as url:
        now = fd.open(url, cache=tmp_path / "cache")
        before = fd.open(url, snapshot=older.id, cache=tmp_path / "cache")
        assert (now.id, before.id) == (sample.id, older.id)
        assert (now.facts_until, before.facts_until) == (sample.facts_until, older.facts_until)
        expected = sample.diff(older)
        assert expected["added"].sum() > 0
        assert now.diff(older.id).equals(expected)
        rows, metrics = some_rows(sample), ["sig_accuracy"]
        assert now.panel(rows, metrics, vintage=older.id).equals(older.panel(rows, metrics))
        assert not now.panel(rows, metrics).equals(older.panel(rows, metrics))


def test_nothing_is_downloaded_before_it_is_needed(sample_url: str, tmp_path: Path) -> None:
    relay = Relay(sample_url)
    snapshot = fd.open(relay.url, cache=tmp_path, key="some-key")
    assert snapshot.tables().height == len(snapshot.manifest.tables)
    assert snapshot.describe("bouts").height > 0
    assert relay.files() == []
    snapshot.scan("bouts")
    fd.open(relay.url, snapshot=snapshot.id, cache=tmp_path).scan("bouts")
    assert len(relay.files()) == 1
    assert {headers["Authorization"] for _, headers in relay.asked} == {"Bearer some-key"}
    digest = snapshot.manifest.tables["bouts"].sha256
    assert [path.name for path in tmp_path.glob("*.p*")] == [f"{digest}.parquet"]
    relay.stop()


def test_the_cache_is_where_the_users_caches_are(
    sample_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    snapshot = fd.open(sample_url)
    assert snapshot.manifest.table_file("bouts").parent == tmp_path / "xdg/fightdna/tables"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert fd.open(sample_url).manifest.table_file("bouts").parent == tmp_path / "home/.cache/fightdna/tables"
    (tmp_path / "file").write_text("")
    for pinned in ("current", snapshot.id):
        with pytest.raises(fd.LakeError, match=r"cannot use the cache `.*file/tables`: .*another folder with cache="):
            fd.open(sample_url, snapshot=pinned, cache=tmp_path / "file/tables")


@pytest.fixture(scope="module")
def gateway(sample_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """A gateway before the server, and a key of each plan."""
    keys = tmp_path_factory.mktemp("keys") / "keys.db"
    issue = ("keys", "--keys", keys, "--by", "test", "issue", "--product", "mma")
    secrets = {}
    for plan in ("developer", "scale"):
        found = re.search(r"fdk_\w+", program(*issue, "--account", plan, "--plan", plan))
        assert found is not None
        secrets[plan] = found[0]
    with serving("gateway", "--no-webhooks", "--keys", keys, "--upstream", sample_url) as url:
        yield url, secrets


def test_a_gateway_says_what_the_key_lacks(
    gateway: tuple[str, dict[str, str]], sample: fd.Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, secrets = gateway
    monkeypatch.delenv("FIGHTDNA_API_KEY", raising=False)
    with pytest.raises(
        fd.ServerError, match=r"401 unauthorized.*no key was given: give one as key= or in FIGHTDNA_API_KEY"
    ):
        fd.open(url, cache=tmp_path)
    with pytest.raises(fd.ServerError, match=r"401 unauthorized.*the key is not valid") as refused:
        fd.open(url, cache=tmp_path, key=secrets["scale"][:-1] + ("1" if secrets["scale"][-1] == "0" else "0"))
    assert (refused.value.status, refused.value.code) == (401, "unauthorized")
    assert secrets["scale"][:-1] not in str(refused.value)
    # Every plan has the list, and `scale` the files.
    listed = fd.open(url, cache=tmp_path, key=secrets["developer"])
    assert listed.tables().equals(sample.tables())
    with pytest.raises(fd.ServerError, match=r"403 plan_required.*scale.*the plan of the key does not include tables"):
        listed.scan("bouts")
    monkeypatch.setenv("FIGHTDNA_API_KEY", secrets["scale"])
    snapshot = fd.open(url, cache=tmp_path)
    assert snapshot.scan("bouts").collect().equals(sample.scan("bouts").collect())
    assert secrets["scale"] not in repr(snapshot.origin)
    with pytest.raises(fd.LakeError, match="the key has characters"):
        fd.open(url, cache=tmp_path, key="a\nb")


def test_refusals_say_what_to_do(sample_url: str, tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"snapshot": "0" * 32}, "404 snapshot_not_found.*the snapshot was removed there"),
        ({"product": "catalog"}, "404 .*no tables of the product"),
        ({"snapshot": "../x"}, "ids are 32 hex digits"),
        ({"product": "tennis"}, "no product `tennis`"),
    ]
    for arguments, why in cases:
        with pytest.raises(fd.FightdnaError, match=why):
            fd.open(sample_url, cache=tmp_path, **arguments)
    with pytest.raises(fd.ServerError, match=r"`http://127.0.0.1:9` cannot be reached: .*refused; check the address"):
        fd.open("http://127.0.0.1:9", cache=tmp_path)
    with pytest.raises(fd.LakeError, match=r"`http://\[::1` is no address of a server"):
        fd.open("http://[::1", cache=tmp_path)
    with pytest.raises(fd.LakeError, match="no address of a server") as error:
        fd.open("http://me:secret@host", cache=tmp_path)
    assert "secret" not in str(error.value)
    with pytest.raises(fd.LakeError, match="is a folder: key= and cache= are for addresses"):
        fd.open(tmp_path, key="k")
    with pytest.raises(
        fd.LakeError, match=r"does not say which snapshot is of what was known at 2020-01-01: .*vintage="
    ):
        fd.open(sample_url, cache=tmp_path).panel(
            {"fighter_id": ["a"], "date": [date(2020, 1, 1)]}, vintage=date(2020, 1, 1)
        )


def test_a_server_without_a_snapshot_is_named_with_its_code(tmp_path: Path) -> None:
    command = ("serve", "--wait", "--lake", tmp_path / "empty")
    with serving(*command, ready="/healthz") as url, pytest.raises(fd.ServerError, match=r"503 \w+") as error:
        fd.open(url, cache=tmp_path / "cache")
    assert error.value.status == 503 and error.value.code


def test_a_redirect_does_not_get_the_key(sample_url: str, tmp_path: Path) -> None:
    relay, other = Relay(sample_url), Relay(sample_url)
    relay.redirect = f"{other.url}/v1/mma/snapshots/current/tables"
    with pytest.raises(fd.ServerError, match=r"302.*the key is for this address alone"):
        fd.open(relay.url, cache=tmp_path, key="secret")
    assert other.asked == []
    relay.stop()
    other.stop()


def test_what_is_no_server_of_fightdna_says_so(sample_url: str, tmp_path: Path) -> None:
    relay = Relay(sample_url)
    for other in (b"<html>", b'{"data":[{"name":"x"}]}', b'{"data":[1]}', b"[]"):
        relay.change = lambda _, body, other=other: other.ljust(len(body))  # type: ignore[misc]
        with pytest.raises(fd.ServerError, match="is no answer of fightdna: check the address"):
            fd.open(relay.url, cache=tmp_path)
    relay.stop()


def test_a_table_of_a_contract_that_the_server_does_not_know_is_described_by_its_file(
    sample_url: str, sample: fd.Snapshot, tmp_path: Path
) -> None:
    def without_contract(path: str, body: bytes) -> bytes:
        if not path.endswith("/tables"):
            return body
        said = json.loads(body)
        bouts = next(table for table in said["data"] if table["name"] == "bouts")
        bouts |= dict.fromkeys(("grain", "meaning", "key", "columns"))
        return json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode().ljust(len(body))

    relay = Relay(sample_url)
    relay.change = without_contract
    snapshot = fd.open(relay.url, cache=tmp_path)
    assert snapshot.manifest.listed["bouts"]["columns"] is None  # type: ignore[attr-defined]
    assert snapshot.describe("bouts").equals(sample.describe("bouts"))
    assert snapshot.notes("bouts").key == sample.notes("bouts").key
    assert snapshot.tables().equals(sample.tables())
    relay.stop()


def test_processes_share_the_cache_and_one_downloads(sample_url: str, tmp_path: Path) -> None:
    relay = Relay(sample_url)
    relay.pause_seconds = 0.02
    script = (
        "import sys, fightdna as fd; s = fd.open(sys.argv[1], cache=sys.argv[2]); "
        "print(s.scan('dna_versions').collect().hash_rows().sum())"
    )
    command = [sys.executable, "-c", script, relay.url, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    sums = {process.communicate()[0] for process in started}
    assert len(sums) == 1 and sums.pop().strip()
    assert [process.returncode for process in started] == [0, 0, 0]
    assert len(relay.files()) == 1
    relay.stop()

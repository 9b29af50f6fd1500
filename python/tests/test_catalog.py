"""The catalog and properties: versions as of a day as in the program's panels, and the same over a server."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path

import polars as pl
import pytest

import fightdna as fd
from conftest import program
from servers import serving


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    captures = os.environ.get("FIGHTDNA_REAL_DATA")
    if not captures:
        pytest.skip("FIGHTDNA_REAL_DATA names no folder of real captures")
    lake = tmp_path_factory.mktemp("catalog") / "lake"
    sources = [f"--source=wnba-{folder.name}={folder}" for folder in sorted((Path(captures) / "sports/wnba").iterdir())]
    licences = ("--licences", "A,B,B?,T,NC")
    program("catalog", "run", "--quiet", "--lake", lake, "--captured-at", "2026-08-25", *licences, *sources)
    return lake


def test_versions_as_of_a_day_are_the_programs_panel(catalog: Path) -> None:
    snapshot = fd.open(catalog, product="catalog")
    dna = "wnba_player_dna"
    span = ("--from", "2023-06-01", "--to", "2025-10-01", "--every", "quarter")
    program("backfill", "--quiet", "--lake", catalog, "--dna", dna, *span)
    made = sorted((catalog / "panels" / dna).glob("as_of=*/*.parquet"))
    assert len(made) == 10
    for path in made:
        panel = pl.read_parquet(path, hive_partitioning=False).drop("as_of")
        day = date.fromisoformat(path.parent.name.removeprefix("as_of="))
        held = snapshot.scan(dna, as_of=day).select(panel.columns).collect()
        assert held.height > 0
        assert held.sort("player_id", "metric").equals(panel.sort("player_id", "metric"))


def test_tables_without_a_rule_name_their_dates(catalog: Path) -> None:
    snapshot = fd.open(catalog, product="catalog")
    with pytest.raises(fd.AsOfError, match="on=, of league_date"):
        snapshot.scan("wnba_games", as_of=date(2024, 1, 1))
    games = snapshot.scan("wnba_games", as_of=date(2024, 1, 1), on="league_date").collect()
    assert 0 < games.height < snapshot.manifest.tables["wnba_games"].rows


def assert_same(over_http: fd.Snapshot, of_folder: fd.Snapshot) -> None:
    """All that is not of Fight DNA alone."""
    assert (over_http.id, over_http.product) == (of_folder.id, of_folder.product)
    assert over_http.facts_until is of_folder.facts_until is None
    assert over_http.tables().equals(of_folder.tables())
    for table in of_folder.manifest.tables:
        assert over_http.notes(table).key == of_folder.notes(table).key
        assert over_http.describe(table).drop("null_means").equals(of_folder.describe(table).drop("null_means"))
        assert over_http.columns(table) == of_folder.columns(table)
    smallest = over_http.tables().filter(pl.col("rows") > 0).sort("rows")["name"].head(20)
    for table in smallest:
        assert over_http.scan(table).collect().equals(of_folder.scan(table).collect())
    with pytest.raises(fd.LakeError, match="bouts is of Fight DNA"):
        over_http.bouts()


def test_the_catalog_is_the_same_over_a_server(catalog: Path, tmp_path: Path) -> None:
    with serving("serve", "--catalog", "--lake", catalog) as url:
        over_http, of_folder = fd.open(url, product="catalog", cache=tmp_path), fd.open(catalog, product="catalog")
        assert_same(over_http, of_folder)
        as_of = {"table": "wnba_player_dna", "as_of": date(2024, 6, 1)}
        held = [snapshot.scan(**as_of).collect() for snapshot in (over_http, of_folder)]  # type: ignore[arg-type]
        assert held[0].height > 0 and held[0].equals(held[1])


def test_properties_are_the_same_over_a_server(tmp_path: Path) -> None:
    captures = os.environ.get("FIGHTDNA_REAL_DATA")
    if not captures:
        pytest.skip("FIGHTDNA_REAL_DATA names no folder of real captures")
    lake, keys, some = tmp_path / "lake", tmp_path / "keys.db", tmp_path / "captures"
    some.mkdir()
    (some / "sacramento-list").symlink_to(Path(captures).resolve() / "properties/sacramento-list")
    program("properties", "--quiet", "--lake", lake, "run", "--all", some, "--licences", "A,B,T")
    account = ("--product", "leads", "--account", "test", "--plan", "developer")
    issued = program("keys", "--keys", keys, "--by", "test", "issue", *account)
    key = re.search(r"fdk_\w+", issued)
    assert key is not None
    command = ("leads", "--store", tmp_path / "leads.db", "serve", "--keys", keys, "--properties-lake", lake)
    with serving(*command) as url:
        over_http = fd.open(url, product="properties", key=key[0], cache=tmp_path / "cache")
        assert_same(over_http, fd.open(lake, product="properties"))

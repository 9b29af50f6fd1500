"""The multi-sport catalog: its versions as of a day are those of the panels that the program makes."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import polars as pl
import pytest

import fightdna as fd
from conftest import program


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

"""Assets of Dagster over a lake that the program makes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

import fightdna as fd
from conftest import program
from fightdna.dagster import snapshot_assets


@pytest.fixture
def own_lake(tmp_path: Path) -> Path:
    program("run", "--quiet", "--lake", tmp_path / "lake")
    return tmp_path / "lake"


def test_a_run_makes_every_table_with_the_digest_of_its_file_as_version(own_lake: Path) -> None:
    assets = snapshot_assets(str(own_lake), [os.environ["FIGHTDNA_BIN"], "run", "--lake", str(own_lake)])
    done = dg.materialize([assets])
    assert done.success
    snapshot = fd.open(own_lake)
    made: dict[str, Any] = {e.asset_key.path[1]: e for e in done.get_asset_materialization_events() if e.asset_key}
    assert set(made) == set(snapshot.manifest.tables)
    bouts = made["bouts"].materialization
    assert bouts.tags["dagster/data_version"] == snapshot.manifest.entry("bouts").sha256
    assert bouts.metadata["snapshot"].value == snapshot.id
    assert bouts.metadata["dagster/row_count"].value == snapshot.manifest.entry("bouts").rows
    columns = bouts.metadata["dagster/column_schema"].value.columns
    assert [column.name for column in columns] == snapshot.columns("bouts").names()
    assert columns[0].description


def test_a_run_that_fails_says_why_and_materialises_nothing(own_lake: Path) -> None:
    command = [os.environ["FIGHTDNA_BIN"], "run", "--lake", str(own_lake), "--source", "statsdb=/nowhere"]
    done = dg.materialize([snapshot_assets(str(own_lake), command)], raise_on_error=False)
    assert not done.success and not done.get_asset_materialization_events()
    failure = done.failure_data_for_node("fightdna_mma")
    assert failure is not None and failure.error is not None and "/nowhere" in failure.error.message


def test_the_tables_of_a_lake_that_does_not_exist_yet_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(fd.LakeError):
        snapshot_assets(str(tmp_path / "lake"), ["true"])
    assets = snapshot_assets(str(tmp_path / "lake"), ["true"], tables=["bouts"])
    assert [key.path for key in assets.keys] == [["mma", "bouts"]]

"""The document of sources, by dbt itself: keys hold, a model reads them, old captures are not fresh."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import fightdna as fd
from fightdna.dbt import source_document, to_yaml

_PROJECT = """\
name: fights
version: "1.0"
profile: fights
"""
_PROFILE = """\
fights: {target: dev, outputs: {dev: {type: duckdb, path: fights.duckdb}}}
"""


def dbt(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": str(project)}
    run = [os.environ["FIGHTDNA_DBT"], *command]
    return subprocess.run(run, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def project(sample: fd.Snapshot, tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    (tmp_path / "dbt_project.yml").write_text(_PROJECT)
    (tmp_path / "profiles.yml").write_text(_PROFILE)
    written = subprocess.run(
        [sys.executable, "-m", "fightdna.dbt", str(sample.path), "--table", "sources", "--table", "bouts"],
        capture_output=True,
        text=True,
        check=True,
    )
    (tmp_path / "models" / "fightdna.yml").write_text(written.stdout)
    model = "select status, count(*) as bouts from {{ source('fightdna', 'bouts') }} group by status"
    (tmp_path / "models" / "bouts_by_status.sql").write_text(model)
    return tmp_path


def test_dbt_builds_a_model_of_a_table_and_its_key_holds(sample: fd.Snapshot, project: Path) -> None:
    built = dbt(project, "build")
    assert built.returncode == 0, built.stdout
    results = json.loads((project / "target" / "run_results.json").read_text())["results"]
    assert {r["unique_id"].split(".")[2] for r in results if r["unique_id"].startswith("test.")} >= {
        "source_unique_fightdna_bouts_bout_id",
        "source_not_null_fightdna_bouts_bout_id",
    }
    with duckdb.connect(str(project / "fights.duckdb")) as base:
        rows = dict(base.execute("select status, bouts from bouts_by_status").fetchall())
    expected = sample.scan("bouts").group_by("status").len().collect()
    assert rows == dict(expected.rows())


def test_freshness_is_the_age_of_the_newest_capture(sample: fd.Snapshot, project: Path) -> None:
    asked = dbt(project, "source", "freshness", "--select", "source:fightdna.bouts")
    found = json.loads((project / "target" / "sources.json").read_text())["results"]
    newest = sample.scan("sources").select(pl.max("last_captured_at")).collect().item()
    assert [r["max_loaded_at"][:19] for r in found] == [newest.strftime("%Y-%m-%dT%H:%M:%S")]
    # The captures of the sample are of a year ago and more.
    assert [r["status"] for r in found] == ["error"] and asked.returncode == 1


def test_every_text_of_every_table_is_read_back_as_it_was(sample: fd.Snapshot, tmp_path: Path) -> None:
    yaml: Any = importlib.import_module("yaml")
    document = source_document(sample, 'a "name": #1')
    assert yaml.safe_load(to_yaml(document)) == document
    tables = {table["name"]: table for table in document["sources"][0]["tables"]}
    assert list(tables) == sample.tables()["name"].to_list()
    assert [c["name"] for c in tables["bouts"]["columns"]] == sample.columns("bouts").names()


def test_a_table_that_is_not_there_is_an_error_that_names_it(sample: fd.Snapshot) -> None:
    with pytest.raises(fd.UnknownNameError, match="bout"):
        source_document(sample, "fightdna", ["bout"])

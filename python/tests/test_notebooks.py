"""The notebooks run as a reader runs them, on the sample and on real captures, and say what is so."""

from __future__ import annotations

import importlib.util
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import fightdna as fd
from conftest import republish, write_sealed

pytest.importorskip("marimo")
NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Runs a notebook on a lake, and gives what its cells define."""

    def run(name: str, lake: Path | str) -> dict[str, Any]:
        monkeypatch.setenv("FIGHTDNA_LAKE", str(lake))
        spec = importlib.util.spec_from_file_location(name, NOTEBOOKS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _, defined = module.app.run()
        return dict(defined)

    return run


def test_the_model_is_measured_on_later_bouts(run: Callable[..., dict[str, Any]], lake: Path) -> None:
    said = run("model", lake)
    train, held_out = said["train"], said["held_out"]
    assert train["event_date"].max() < said["cut"] <= held_out["event_date"].min()
    assert len(train) + len(held_out) == len(said["gaps"])
    expected = [-math.log(p if won else 1 - p) for p, won in zip(said["shares"], held_out["won"], strict=True)]
    assert said["log_loss"] == pytest.approx(sum(expected) / len(expected))
    assert said["calibration"]["bouts"].sum() == len(held_out)
    if lake == Path(os.environ.get("FIGHTDNA_REAL_LAKE", "")):
        assert 0.6 < said["log_loss"] < 0.68


def test_the_matchup_is_of_the_newest_bout(run: Callable[..., dict[str, Any]], lake: Path) -> None:
    said = run("matchup", lake)
    pair = said["pair"]
    assert pair.equals(fd.open(lake).matchup(pair["a_fighter_id"][0], pair["b_fighter_id"][0], said["as_of"]))
    assert len(said["edges"]) + said["reasons"]["len"].sum() == len(pair)
    assert said["chart"].count("<circle") == 2 * said["shown"].height > 0
    assert "nan" not in said["chart"]


def test_last_night_is_the_difference_of_two_snapshots(
    run: Callable[..., dict[str, Any]], sample: fd.Snapshot, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    results = sample.scan("results").join(sample.scan("bouts"), on="bout_id").select(pl.max("event_date"))
    last = results.collect().item()
    night = sample.scan("bouts").filter(event_date=last).select("bout_id")
    edits: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]] = {
        "results": lambda frame: frame.join(night, on="bout_id", how="anti"),
        "dna_versions": lambda frame: frame.filter(pl.col("last_bout_date") < last),
    }
    republish(sample, lake, edits)
    (lake / "snapshots" / sample.id).symlink_to(sample.manifest.folder.resolve())
    write_sealed(lake / "current.json", {"format": 2, "snapshot_id": sample.id})
    said = run("last_night", lake)
    assert said["changes"]["table"].to_list() == ["dna_versions", "results"]
    assert said["results"]["event_date"].unique().to_list() == [last]
    count = said["changes"].rows_by_key("table", named=True, unique=True)
    assert said["results"].height == count["results"]["added"] > 0
    assert said["fighters"].height == count["dna_versions"]["added"] > 0
    assert said["results"]["a"].null_count() == 0


def test_a_notebook_is_exported_as_a_page(sample_lake: Path, tmp_path: Path) -> None:
    page = tmp_path / "matchup.html"
    # Of a copy: marimo keeps the outputs of an export beside the notebook.
    notebook = shutil.copy(NOTEBOOKS / "matchup.py", tmp_path)
    command = [sys.executable, "-m", "marimo", "-q", "export", "html", "--no-include-code"]
    subprocess.run(
        [*command, str(notebook), "-o", str(page)],
        env=os.environ | {"FIGHTDNA_LAKE": str(sample_lake)},
        check=True,
    )
    assert "Intervals of both" in page.read_text()

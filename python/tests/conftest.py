"""Lakes for the tests: the synthetic sample, made by the program that FIGHTDNA_BIN names, and where FIGHTDNA_REAL_LAKE
names one, a lake of real captures."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import fightdna as fd
from fightdna.lake import _id_of


def program(*arguments: str | Path) -> str:
    """What the program prints."""
    binary = os.environ.get("FIGHTDNA_BIN")
    if not binary:
        pytest.fail("FIGHTDNA_BIN names the program that makes the sample lake")
    return subprocess.run([binary, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def sample_lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lake = tmp_path_factory.mktemp("sample") / "lake"
    program("run", "--quiet", "--lake", lake)
    return lake


@pytest.fixture(scope="session", params=["sample", "real"])
def lake(request: pytest.FixtureRequest) -> Path:
    """Each of the lakes in turn."""
    if request.param == "sample":
        return Path(request.getfixturevalue("sample_lake"))
    real = os.environ.get("FIGHTDNA_REAL_LAKE")
    if not real:
        pytest.skip("FIGHTDNA_REAL_LAKE names no lake of real captures")
    return Path(real)


@pytest.fixture(scope="session")
def snapshot(lake: Path) -> fd.Snapshot:
    return fd.open(lake)


@pytest.fixture(scope="session")
def sample(sample_lake: Path) -> fd.Snapshot:
    return fd.open(sample_lake)


@pytest.fixture
def copy(sample_lake: Path, tmp_path: Path) -> Path:
    """A copy of the sample's current snapshot that a test may damage."""
    target = tmp_path / "lake"
    shutil.copytree(sample_lake / "snapshots", target / "snapshots")
    shutil.copy(sample_lake / "current.json", target)
    return target


def write_sealed(path: Path, said: dict[str, Any]) -> None:
    """A JSON file of the lake with its digest of itself."""
    fields = {name: value for name, value in said.items() if name != "sha256"}
    rest = (json.dumps(fields, indent=2) + "\n").removeprefix("{\n")
    path.write_text('{\n  "sha256": "' + hashlib.sha256(rest.encode()).hexdigest() + '",\n' + rest)


def republish(
    source: fd.Snapshot, target: Path, edits: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]], **fields: Any
) -> fd.Snapshot:
    """A lake whose current snapshot has other rows in some tables, or other fields in its manifest."""
    said = json.loads((source.manifest.folder / "manifest.json").read_text())
    tables = target / "fresh" / "tables"
    shutil.copytree(source.manifest.folder.resolve() / "tables", tables, copy_function=os.symlink)
    for entry in said["tables"]:
        if edit := edits.get(entry["name"]):
            frame, path = edit(source.scan(entry["name"])).collect(), tables / f"{entry['name']}.parquet"
            path.unlink()
            key = ",".join(source.notes(entry["name"]).key)
            frame.write_parquet(path, metadata={"fightdna.key": key})
            data = path.read_bytes()
            entry |= {"rows": len(frame), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    said |= fields
    said["id"] = _id_of(said)
    write_sealed(target / "fresh" / "manifest.json", said)
    (target / "snapshots").mkdir()
    (target / "fresh").rename(target / "snapshots" / said["id"])
    write_sealed(target / "current.json", {"format": 2, "snapshot_id": said["id"]})
    return fd.open(target)


def bits(frame: pl.DataFrame) -> list[list[str | None]]:
    """The cells of each column, floats by their bits."""
    return [
        [value.hex() if isinstance(value, float) else None if value is None else str(value) for value in column]
        for column in frame
    ]


def ends(snapshot: fd.Snapshot) -> tuple[date, date]:
    """First and last day on which a version begins."""
    days = snapshot.scan("dna_versions").select(first=pl.col("valid_from").min(), last=pl.col("valid_from").max())
    first, last = days.collect().row(0)
    return first, last

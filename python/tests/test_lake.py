"""What is opened is what was published, and nothing that was damaged is read."""

from __future__ import annotations

import json
import os
import shutil
from datetime import date
from pathlib import Path

import pytest

import fightdna as fd
from conftest import republish, write_sealed
from fightdna import lake as lakes


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("place", [0, 0.5, 1])
def test_one_flipped_byte_of_a_table_is_refused(copy: Path, place: float) -> None:
    snapshot = fd.open(copy)
    path = snapshot.manifest.folder / "tables" / "dna_versions.parquet"
    flip(path, int(place * (path.stat().st_size - 1)))
    for read in (
        snapshot.bouts,
        lambda: snapshot.scan("dna_versions"),
        lambda: snapshot.describe("dna_versions"),
    ):
        with pytest.raises(fd.DamageError) as error:
            read()
    said = str(error.value)
    expected = snapshot.manifest.tables["dna_versions"].sha256
    found = lakes.file_digest(path)
    assert all(part in said for part in ("`dna_versions`", str(path), expected, found, "`fightdna repair`"))
    assert snapshot.scan("bouts").collect().height > 0


def test_a_byte_that_is_flipped_after_the_first_use_is_noticed(copy: Path) -> None:
    snapshot = fd.open(copy)
    snapshot.scan("bouts")
    path = snapshot.manifest.folder / "tables" / "bouts.parquet"
    flip(path, 100)
    os.utime(path, ns=(1, 1))
    with pytest.raises(fd.DamageError):
        snapshot.scan("bouts")


@pytest.mark.parametrize("name", ["current.json", "manifest.json"])
def test_one_flipped_bit_of_a_json_file_is_refused(copy: Path, name: str) -> None:
    path = next(copy.rglob(name))
    for at in range(0, path.stat().st_size, 37):
        flip(path, at)
        with pytest.raises(fd.FightdnaError):
            fd.open(copy)
        flip(path, at)
    assert fd.open(copy).id


def test_tables_of_another_snapshot_do_not_pass_under_an_id(copy: Path) -> None:
    path = next(copy.rglob("manifest.json"))
    said = json.loads(path.read_text())
    said["tables"][0]["sha256"] = "0" * 64
    write_sealed(path, said)
    with pytest.raises(fd.DamageError, match="checksum mismatch"):
        fd.open(copy)


def test_the_id_is_pinned(copy: Path, sample: fd.Snapshot) -> None:
    snapshot = fd.open(copy)
    write_sealed(copy / "current.json", {"format": 2, "snapshot_id": "0" * 32})
    assert snapshot.id == sample.id
    assert snapshot.scan("bouts").collect().height > 0
    assert fd.open(copy, snapshot=sample.id).id == sample.id
    with pytest.raises(fd.LakeError, match="no snapshot 0000"):
        fd.open(copy)
    shutil.rmtree(snapshot.manifest.folder)
    with pytest.raises(fd.LakeError, match="is missing, which its manifest names"):
        snapshot.scan("results")


def test_what_is_no_lake_says_so(tmp_path: Path) -> None:
    with pytest.raises(fd.LakeError, match="not a folder"):
        fd.open(tmp_path / "nowhere")
    with pytest.raises(fd.LakeError, match=r"no current snapshot .* `fightdna run --lake"):
        fd.open(tmp_path)
    with pytest.raises(fd.LakeError, match=r"no snapshot \.\./x"):
        fd.open(tmp_path, snapshot="../x")
    write_sealed(tmp_path / "current.json", {"format": 3, "snapshot_id": "0" * 32})
    with pytest.raises(fd.LakeError, match="has format 3, and this package knows up to 2"):
        fd.open(tmp_path)


def test_another_product_is_named(sample: fd.Snapshot, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    with pytest.raises(fd.LakeError, match='a lake of properties, not of mma: open it with product="properties"'):
        republish(sample, lake, {}, contract_version="properties-1", facts_until=None)
    snapshot = fd.open(lake, product="properties")
    assert snapshot.facts_until is None
    assert snapshot.tables().height == len(snapshot.manifest.tables)
    assert snapshot.scan("bouts", as_of=date(2020, 1, 1)).collect().height > 0
    for method, arguments in (("bouts", ()), ("panel", ({},)), ("dna", ("x",)), ("matchup", ("x", "y"))):
        with pytest.raises(fd.LakeError, match="a snapshot of properties"):
            getattr(snapshot, method)(*arguments)

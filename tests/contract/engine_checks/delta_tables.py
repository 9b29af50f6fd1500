"""Exported Delta tables: every version by every reader is the snapshot that was current then; a rollback is a new version.

python delta_tables.py PROGRAM LAKE FOLDER
"""

import functools
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable
from engines import DuckDB, as_rows, sail_session


def run(program: str, *arguments: str, code: int = 0) -> str:
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


class Exported:
    """A lake, the folder of its export, and what was current when, in the order of versions."""

    def __init__(self, program: str, lake: Path, out: Path):
        self.program, self.lake, self.out = program, lake, out
        self.expected: list[str] = []

    def current(self) -> str:
        return json.loads((self.lake / "current.json").read_text())["snapshot_id"]

    def export(self, *arguments: str) -> dict:
        if not self.expected or self.expected[-1] != self.current():
            self.expected.append(self.current())
        done = run(self.program, "export", "--json", "--lake", str(self.lake), "--out", str(self.out), *arguments)
        return json.loads(done)

    def manifest(self, snapshot: str) -> dict:
        return json.loads((self.lake / "snapshots" / snapshot / "manifest.json").read_text())

    def reference(self, version: int, table: str) -> pa.Table | None:
        path = self.lake / "snapshots" / self.expected[version] / "tables" / f"{table}.parquet"
        return pq.read_table(path) if path.exists() else None

    def files(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.out)): path.read_bytes() for path in self.out.rglob("*") if path.is_file()}


def assert_same(read: pa.Table, reference: pa.Table, what: tuple) -> None:
    """The same rows in any order: a table of Delta has none."""
    rows = as_rows(read, reference.schema)
    assert rows.num_rows == reference.num_rows, (*what, rows.num_rows, reference.num_rows)
    for name in reference.column_names:
        assert rows[name].combine_chunks().equals(reference[name].combine_chunks()), (*what, name)


def from_deltalake(path: str, version: int) -> pa.Table:
    return DeltaTable(path, version=version).to_pyarrow_table()


def from_polars(path: str, version: int) -> pa.Table:
    return pl.read_delta(path, version=version).to_arrow()


def from_duckdb(engine: DuckDB, path: str, version: int) -> pa.Table:
    return engine.connection.sql(f"FROM delta_scan('{path}', version => {version})").to_arrow_table()


def from_sail(spark, path: str, version: int) -> pa.Table:
    return spark.read.format("delta").option("versionAsOf", version).load(path).toArrow()


def three_versions(program: str, lake: str, folder: Path) -> Exported:
    """The sample as it is published, another snapshot without some of its captures, and the first again."""
    copied = folder / "lake"
    shutil.copytree(lake, copied)
    exported = Exported(program, copied, folder / "out")
    exported.export()
    assert exported.export()["commits"] == 0, "nothing new"
    captures = json.loads(run(program, "captures", "--json", "--lake", str(copied), "list"))
    newest = max((found for found in captures if found["source"] == "rankings"), key=lambda found: found["captured_at"])
    withdraw = ["captures", "withdraw", "rankings", newest["id"], "--reason", "a test", "--by", "test"]
    run(program, *withdraw, "--lake", str(copied))
    run(program, "run", "--quiet", "--lake", str(copied), "--accept", "volume:rankings")
    exported.export()
    run(program, "rollback", "--lake", str(copied), "--hold")
    exported.export()
    assert len(exported.expected) == 3 and exported.expected[0] == exported.expected[2] != exported.expected[1]
    return exported


def readers(spark) -> dict:
    return {
        "deltalake": from_deltalake,
        "Polars": from_polars,
        "DuckDB": functools.partial(from_duckdb, DuckDB()),
        "Sail": functools.partial(from_sail, spark),
    }


def check_versions(exported: Exported, spark) -> None:
    tables = sorted(table["name"] for table in exported.manifest(exported.expected[0])["tables"])
    assert len(tables) > 20
    for name, read in readers(spark).items():
        for version in range(len(exported.expected)):
            for table in tables:
                reference = exported.reference(version, table)
                assert_same(read(str(exported.out / table), version), reference, (name, version, table))
        print(f"{name}: {len(tables)} tables in {len(exported.expected)} versions are the snapshots")


def check_history(exported: Exported) -> None:
    first = DeltaTable(str(exported.out / "rankings"))
    operations = [(entry["version"], entry["operation"]) for entry in reversed(first.history())]
    assert operations == [(0, "PUBLISH"), (1, "PUBLISH"), (2, "ROLLBACK")], operations
    assert first.version() == 2 and len(first.file_uris()) == 1
    schema = json.loads(first.schema().to_json())["fields"]
    assert all(field["metadata"]["comment"] for field in schema), schema
    assert first.metadata().description and first.metadata().name == "rankings"


def check_added_column(exported: Exported, folder: Path, spark) -> None:
    """A column that came with a version: what is read of the one before is without it."""
    out, table = folder / "added", "events"
    shutil.copytree(exported.out, out)
    versions = [out / "_snapshots" / f"{version:020}.json" for version in range(3)]
    records = [json.loads(path.read_text()) for path in versions]
    first, second = ({found["name"]: found for found in record["tables"]}[table] for record in records[:2])
    full = exported.reference(0, table)
    fewer = full.drop_columns([full.column_names[-1]])
    pq.write_table(fewer, out / "written.parquet")
    second["schema"] = json.loads(json.dumps(first["schema"]))
    first["schema"]["columns"].pop()
    written = (out / "written.parquet").read_bytes()
    first.update(sha256=hashlib.sha256(written).hexdigest(), bytes=len(written))
    (out / "written.parquet").rename(out / table / f"{first['sha256']}.parquet")
    for path, record in zip(versions, records):
        path.write_text(json.dumps(record))
    shutil.rmtree(out / table / "_delta_log")
    run(exported.program, "export", "--lake", str(exported.lake), "--out", str(out))
    for name, read in readers(spark).items():
        for version, reference in [(0, fewer), (1, full)]:
            assert_same(read(str(out / table), version), reference, (name, version, "added column"))


def check_copies(exported: Exported, folder: Path) -> None:
    """A copy reads as the first does, wherever that has gone: every path is relative."""
    copied = folder / "copied"
    shutil.copytree(exported.out, copied)
    moved = folder / "elsewhere"
    exported.out.rename(moved)
    reference = exported.reference(1, "rankings")
    assert_same(from_deltalake(str(copied / "rankings"), 1), reference, ("copied",))
    moved.rename(exported.out)


def check_faults(exported: Exported) -> None:
    """What a killed export left is completed, from what is there; another program's commit stops it."""
    whole = exported.files()
    logs = [path for path in whole if "_delta_log" in path and path.endswith("2.json")]
    for path in [*logs[::2], "croissant.json"]:
        (exported.out / path).unlink()
    assert exported.export()["commits"] == len(logs[::2])
    assert exported.files() == whole
    again = Exported(exported.program, exported.lake, exported.out.with_name("again"))
    again.export()
    assert again.files() == whole, "an export that begins later has the same bytes"
    DeltaTable(str(exported.out / "rankings")).create_checkpoint()
    assert exported.export()["commits"] == 0, "checkpoints of others are no commits"
    assert DeltaTable(str(exported.out / "rankings")).to_pyarrow_table().num_rows > 0
    foreign = exported.out / "rankings" / "_delta_log" / f"{3:020}.json"
    foreign.write_text("{}\n")
    run(exported.program, "export", "--lake", str(exported.lake), "--out", str(exported.out), code=65)
    foreign.unlink()
    inside = exported.lake / "delta"
    run(exported.program, "export", "--lake", str(exported.lake), "--out", str(inside), code=2)
    assert not inside.exists()


def check_removal(exported: Exported) -> None:
    """Files that the newest version does not need may go; one that is needed again comes back."""
    table, path = "rankings", str(exported.out / "rankings")
    done = exported.export("--keep-days", "0")
    assert done["removed"] >= 1 and done["commits"] == 0 and exported.export("--keep-days", "0")["removed"] == 0
    assert_same(from_deltalake(path, 2), exported.reference(2, table), ("kept",))
    run(exported.program, "rollback", "--lake", str(exported.lake), "--to", exported.expected[1])
    exported.export()
    assert_same(from_deltalake(path, 3), exported.reference(3, table), ("needed again",))


def main(program: str, lake: str, folder: Path) -> None:
    folder.mkdir(parents=True)
    exported = three_versions(program, lake, folder)
    with sail_session() as spark:
        check_versions(exported, spark)
        check_added_column(exported, folder, spark)
    check_history(exported)
    check_copies(exported, folder)
    check_faults(exported)
    check_removal(exported)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))

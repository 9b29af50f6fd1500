"""Frames as other libraries read them: the same rows, values, days and nulls, without code of this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import fightdna as fd
from conftest import ends

duckdb = pytest.importorskip("duckdb")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")


def fighters(snapshot: fd.Snapshot) -> list[str]:
    ids = snapshot.scan("dna_versions").sort("version").select("fighter_id").collect()["fighter_id"]
    return [str(fighter) for fighter in ids.unique(maintain_order=True).tail(5)]


def panel(snapshot: fd.Snapshot) -> pl.DataFrame:
    rows = pl.DataFrame({"fighter_id": [*fighters(snapshot), "nobody"]}).with_columns(date=ends(snapshot)[1])
    return snapshot.panel(rows, metrics=["sig_accuracy", "win_streak"], fields=["value", "confidence"])


RESULTS: dict[str, Callable[[fd.Snapshot], pl.DataFrame]] = {
    "tables": lambda s: s.tables(),
    "dna": lambda s: s.dna(fighters(s)[0]),
    "matchup": lambda s: s.matchup(fighters(s)[0], fighters(s)[1]),
    "panel": panel,
    "bouts": lambda s: s.bouts(metrics=["sig_accuracy"]),
    "instants": lambda s: s.scan("sources").collect(),
}


@pytest.fixture(params=RESULTS)
def frame(request: pytest.FixtureRequest, sample: fd.Snapshot) -> pl.DataFrame:
    frame = RESULTS[request.param](sample)
    assert frame.height > 0
    return frame


def nulls(frame: pl.DataFrame) -> list[int]:
    return list(frame.null_count().row(0))


def test_pyarrow_reads_the_arrow_stream(frame: pl.DataFrame) -> None:
    table = pyarrow.table(frame)
    assert [column.null_count for column in table.columns] == nulls(frame)
    assert pl.DataFrame(table).equals(frame)
    batches = pyarrow.RecordBatchReader.from_stream(frame)
    assert sum(batch.num_rows for batch in batches) == frame.height


@pytest.mark.parametrize("convert", [pandas.DataFrame.from_arrow, pl.DataFrame.to_pandas])
def test_pandas_reads_the_arrow_stream(frame: pl.DataFrame, convert: Callable[[pl.DataFrame], Any]) -> None:
    read = convert(frame)
    assert list(read.columns) == frame.columns and len(read) == frame.height
    assert read.isna().sum().to_list() == nulls(frame)
    for name, dtype in frame.schema.items():
        if dtype == pl.Float64:
            assert read[name].sum() == pytest.approx(frame[name].sum(), rel=1e-12)
        elif dtype == pl.String:
            assert [None if pandas.isna(text) else text for text in read[name]] == frame[name].to_list()


def test_duckdb_queries_a_frame_by_its_name(frame: pl.DataFrame) -> None:
    relation = duckdb.sql("from frame")
    assert relation.columns == frame.columns
    counted = duckdb.sql("select count(columns(*)) from frame").fetchall()[0]
    assert [frame.height - count for count in counted] == nulls(frame)
    # Instants are of microseconds in DuckDB.
    assert relation.pl().cast(dict(frame.schema)).equals(frame)


def test_a_relation_of_duckdb_is_taken_as_rows(sample: fd.Snapshot) -> None:
    asked = panel(sample).select("fighter_id", "date")
    rows = duckdb.sql("from asked")
    assert sample.panel(rows, metrics=["sig_accuracy"]).equals(sample.panel(asked, metrics=["sig_accuracy"]))

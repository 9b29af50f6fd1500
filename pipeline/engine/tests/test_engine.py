"""What the engine derives of a lake's facts is what `fightdna derive` wrote there. FIGHTDNA_LAKES names lakes that have
a current snapshot, separated by colons."""

from __future__ import annotations

import ast
import inspect
import io
import json
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import fightdna_engine as engine
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

DERIVED = (
    *("baselines", "dna_versions", "finish_profiles", "finish_times", "metrics"),
    *("ratings", "round_profiles", "splits", "validity"),
)
LAKES = os.environ["FIGHTDNA_LAKES"].split(":")
STUB = Path(__file__).parents[1] / "fightdna_engine.pyi"
PAGE = Path(__file__).parents[3] / "docs/src/scale/engine.md"

Tables = dict[str, pa.Table]


@pytest.fixture(scope="session", params=LAKES)
def folder(request: pytest.FixtureRequest) -> Path:
    """The tables of a current snapshot."""
    lake = Path(request.param)
    current = str(json.loads((lake / "current.json").read_text())["snapshot_id"])
    return lake / "snapshots" / current / "tables"


@pytest.fixture(scope="session")
def published(folder: Path) -> Tables:
    return {name: pq.read_table(folder / f"{name}.parquet") for name in DERIVED}


@pytest.fixture(scope="session")
def facts(folder: Path) -> Tables:
    return {name: pq.read_table(folder / f"{name}.parquet") for name in engine.FACTS_TABLES}


def derive(tables: Mapping[str, Any], **asked: Any) -> Tables:
    return {name: pa.table(table) for name, table in engine.derive(tables, **asked).items()}


def parquet_bytes(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table.combine_chunks(), file)
    return file.getvalue()


def versions_in_process(facts: Tables) -> pa.Table:
    return derive(facts, threads=2)["dna_versions"]


def test_the_tables_are_those_of_the_program_byte_for_byte(facts: Tables, published: Tables) -> None:
    derived = derive(facts)
    assert sorted(derived) == sorted(published)
    for name, table in derived.items():
        assert table.num_rows > 0
        assert table.schema.equals(published[name].schema, check_metadata=True), name
        assert parquet_bytes(table) == parquet_bytes(published[name]), name


def test_a_value_that_differs_is_seen(facts: Tables, published: Tables) -> None:
    stats = facts["round_stats"]
    place = stats.column_names.index("sig_landed")
    one_more = pc.if_else(pa.array([row == 0 for row in range(stats.num_rows)]), 1, 0).cast(pa.int32())
    stats = stats.set_column(place, stats.field(place), pc.add(stats["sig_landed"], one_more))
    derived = derive(facts | {"round_stats": stats})
    assert parquet_bytes(derived["dna_versions"]) != parquet_bytes(published["dna_versions"])


@pytest.mark.parametrize("library", ["polars", "duckdb", "reader", "dictionaries"])
def test_tables_of_any_library_give_the_same(facts: Tables, folder: Path, published: Tables, library: str) -> None:
    def texts_as_dictionaries(table: pa.Table) -> pa.Table:
        fields = [
            pa.field(f.name, pa.dictionary(pa.int32(), f.type) if f.type == pa.string() else f.type)
            for f in table.schema
        ]
        return table.cast(pa.schema(fields))

    connection = duckdb.connect()
    to_library: dict[str, Callable[[str], object]] = {
        "polars": lambda name: pl.read_parquet(folder / f"{name}.parquet"),
        "duckdb": lambda name: connection.sql(f"from '{folder / name}.parquet'"),
        "reader": lambda name: facts[name].to_reader(max_chunksize=100),
        "dictionaries": lambda name: texts_as_dictionaries(facts[name]),
    }
    derived = derive({name: to_library[library](name) for name in engine.FACTS_TABLES})
    assert all(derived[name].equals(published[name]) for name in DERIVED)


def test_the_order_of_rows_and_columns_that_nothing_reads_change_nothing(facts: Tables, published: Tables) -> None:
    reversed_rows = {name: table.take(list(range(table.num_rows))[::-1]) for name, table in facts.items()}
    bouts = reversed_rows["bouts"]
    reversed_rows["bouts"] = bouts.append_column("note", pa.nulls(bouts.num_rows))
    assert derive(reversed_rows)["dna_versions"].equals(published["dna_versions"])


def test_derived_tables_go_into_any_library_and_as_often_as_wanted(facts: Tables) -> None:
    table = engine.derive(facts, metrics=["sig_accuracy"])["dna_versions"]
    frames = [pl.DataFrame(table), pl.DataFrame(table), pl.from_arrow(pa.table(table)), duckdb.from_arrow(table).pl()]
    for frame in frames:
        assert isinstance(frame, pl.DataFrame)
        assert frame.shape == (len(table), len(table.column_names))
        assert frame.equals(frames[0])
    assert repr(table) == f"DerivedTable(dna_versions: {len(table)} rows, {len(table.column_names)} columns)"


def test_shards_of_metrics_days_and_fighters_make_the_whole(facts: Tables, published: Tables) -> None:
    """As `mapInArrow` would: each partition is derived by itself."""
    whole = published["dna_versions"]
    metrics = [column.removesuffix("__value") for column in whole.column_names if column.endswith("__value")]
    assert len(metrics) == 81
    days = sorted(set(whole["valid_from"].to_pylist()))
    cuts = [None, days[len(days) // 3], days[2 * len(days) // 3], None]
    by_metric: list[pa.Table] = []
    for group in (metrics[::2], metrics[1::2]):
        parts: list[Tables] = []
        for after, as_of in pairwise(cuts):
            parts += [derive(facts, metrics=group, after=after, as_of=as_of, shard=(i, 2)) for i in (1, 2)]
        assert all(0 < part["dna_versions"].num_rows < whole.num_rows for part in parts)
        for name in ("finish_profiles", "finish_times", "round_profiles", "ratings"):
            joined = pa.concat_tables([part[name] for part in parts])
            keys = [
                (column, "ascending")
                for column in joined.column_names
                if joined.schema.field(column).type != pa.float64()
            ]
            assert joined.sort_by(keys).equals(published[name].sort_by(keys)), name
        joined = pa.concat_tables([part["dna_versions"] for part in parts])
        by_metric.append(joined.sort_by([("fighter_id", "ascending"), ("version", "ascending")]))
        joined = pa.concat_tables([part["baselines"] for part in parts[::2]])
        assert joined.equals(published["baselines"].select(joined.column_names))
    for column in whole.column_names:
        assert any(column in part.column_names and part[column].equals(whole[column]) for part in by_metric), column


def test_as_of_a_day_its_bouts_are_the_future(facts: Tables, published: Tables) -> None:
    whole = published["dna_versions"]
    days = sorted(set(whole["valid_from"].to_pylist()))
    day = days[len(days) // 2]
    on_day = derive(facts, as_of=day)["dna_versions"]
    assert on_day.equals(whole.filter(pc.less_equal(whole["valid_from"], day)))
    day_before = derive(facts, as_of=day - timedelta(days=1))["dna_versions"]
    assert day_before.equals(whole.filter(pc.less(whole["valid_from"], day)))


def test_definitions_of_the_lake_choose_metrics_and_are_held_against_those_of_the_engine(
    facts: Tables, published: Tables
) -> None:
    assert pa.table(engine.metric_definitions()).equals(published["metrics"])
    rows = published["metrics"].slice(10, 5)
    derived = derive(facts, definitions=rows)
    assert derived["metrics"].equals(rows)
    assert derived["validity"].num_rows == 5
    other = pl.DataFrame(rows).with_columns(min_sample=pl.col("min_sample") + 1)
    name = rows["metric"][0].as_py()
    with pytest.raises(engine.InputError, match=f"`min_sample` of metric `{name}` is .* use the version"):
        engine.derive(facts, definitions=other)


def test_threads_and_processes_derive_the_same(facts: Tables, published: Tables) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(versions_in_process, [facts, facts]))
    assert all(versions.equals(published["dna_versions"]) for versions in both)
    # A forked process has none of the threads of its parent, which has derived before.
    for method in ("fork", "spawn") if sys.platform == "linux" else ("spawn",):
        with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as processes:
            both = list(processes.map(versions_in_process, [facts, facts]))
        assert all(versions.equals(published["dna_versions"]) for versions in both), method


def test_other_threads_run_while_it_derives(facts: Tables) -> None:
    with ThreadPoolExecutor(1) as pool:
        derived, steps = pool.submit(engine.derive, facts, threads=1), 0
        while not derived.done():
            steps += 1
    assert steps > 1000


def wrong_inputs(facts: Tables) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    bouts, results = facts["bouts"], facts["results"]

    def replace(table: pa.Table, column: str, values: Any) -> pa.Table:
        return table.set_column(table.column_names.index(column), column, values)

    missing = {name: table for name, table in facts.items() if name != "results"}
    outcome = pa.array(["lost"] * results.num_rows)
    nulls = pa.nulls(bouts.num_rows, pa.date32())
    ids = pa.array(["7"] * bouts.num_rows)
    return [
        ("the table `results` is missing", missing, {}),
        ("`boots` is no table of facts", facts | {"boots": bouts}, {}),
        ("no column `event_id` in table `bouts`", facts | {"bouts": bouts.drop_columns("event_id")}, {}),
        (
            "`bouts.event_date` is Utf8, not date",
            facts | {"bouts": replace(bouts, "event_date", bouts["event_date"].cast("string"))},
            {},
        ),
        ("`bouts.event_date` is null in row 0", facts | {"bouts": replace(bouts, "event_date", nulls)}, {}),
        ("`7` in `bouts.bout_id`, row 0, is no id", facts | {"bouts": replace(bouts, "bout_id", ids)}, {}),
        (
            "`outcome` of bout .* is `lost`, which is none",
            facts | {"results": replace(results, "outcome", outcome)},
            {},
        ),
        ("no metric `luck`; metric_definitions", facts, {"metrics": ["luck"]}),
        ("no metric `luck` in this build", facts, {"definitions": pa.table({"metric": ["luck"]})}),
        ("no column `metric`", facts, {"definitions": pa.table({"name": ["luck"]})}),
        (r"`shard` is \(3, 2\)", facts, {"shard": (3, 2)}),
        ("no version begins after", facts, {"after": date(2100, 1, 1)}),
    ]


def test_what_nothing_can_be_derived_from_is_named(facts: Tables) -> None:
    for message, tables, asked in wrong_inputs(facts):
        with pytest.raises(engine.InputError, match=message):
            engine.derive(tables, **asked)
    with pytest.raises(TypeError, match="list has no method __arrow_c_stream__"):
        engine.derive(facts | {"bouts": []})
    with pytest.raises(TypeError, match="date"):
        engine.derive(facts, as_of="2024-01-01")  # type: ignore[arg-type]


def test_without_bouts_there_are_no_versions(facts: Tables) -> None:
    derived = derive({name: table.slice(0, 0) for name, table in facts.items()})
    assert derived["dna_versions"].num_rows == 0
    assert derived["metrics"].num_rows == 81


def test_the_docstrings_are_those_of_the_stub() -> None:
    stub = ast.parse(STUB.read_text())
    of_stub = {"": ast.get_docstring(stub)}
    of_stub |= {
        node.name: ast.get_docstring(node) for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    assert inspect.getdoc(engine) == of_stub[""]
    for name in ("DerivedTable", "derive", "metric_definitions"):
        assert inspect.getdoc(getattr(engine, name)) == of_stub[name], name


def test_the_examples_of_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 2
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lake").symlink_to(Path(LAKES[0]).resolve())
    names: dict[str, Any] = {"__name__": "book"}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)

"""The tables of a snapshot as sources of dbt (adapter dbt-duckdb), with their meanings, tests of keys and freshness.

    python -m fightdna.dbt LAKE > models/fightdna.yml

The file names one snapshot: make it anew after each run, before `dbt build`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from . import FightdnaError, open

if TYPE_CHECKING:
    from .snapshot import Snapshot


def source_document(snapshot: Snapshot, name: str, tables: Sequence[str] | None = None) -> dict[str, Any]:
    """The document of a dbt source of this name, with all tables of the snapshot or these.

    Columns have meaning, unit and what a null means; those of the key are tested. A snapshot of fights has freshness by
    its newest capture: a warning after the shortest interval that a source promises, an error after twice that.
    """
    known = snapshot.tables()
    for table in tables or ():
        snapshot.manifest.entry(table)
    chosen = known if tables is None else known.filter(pl.col("name").is_in(tables))
    config: dict[str, Any] = {"meta": {"fightdna_snapshot": snapshot.id}}
    if "sources" in known["name"]:
        config |= _freshness(snapshot)
    source = {
        "name": name,
        "description": f"fightdna, {snapshot.product}: snapshot {snapshot.id}, facts until {snapshot.facts_until}",
        "config": config,
        "tables": [_table(snapshot, row) for row in chosen.iter_rows(named=True)],
    }
    return {"version": 2, "sources": [source]}


def _freshness(snapshot: Snapshot) -> dict[str, Any]:
    sources = snapshot.scan("sources").drop_nulls(["last_captured_at", "expected_every_hours"])
    hours = sources.select(pl.min("expected_every_hours")).collect().item()
    if hours is None:
        return {}
    after = {f"{level}_after": {"count": n * hours, "period": "hour"} for n, level in ((1, "warn"), (2, "error"))}
    newest = f"select max(last_captured_at) from {_location(snapshot, 'sources')}"
    return {"loaded_at_query": newest, "freshness": after}


def _location(snapshot: Snapshot, table: str) -> str:
    path = str(snapshot.manifest.table_file(table).absolute())
    return "read_parquet('{}')".format(path.replace("'", "''"))


def _table(snapshot: Snapshot, table: dict[str, Any]) -> dict[str, Any]:
    name = table["name"]
    key = snapshot.notes(name).key
    # dbt-duckdb fills in `{name}` and the like.
    location = _location(snapshot, name).replace("{", "{{").replace("}", "}}")
    columns = snapshot.describe(name).iter_rows(named=True)
    return {
        "name": name,
        "description": f"{table['meaning']} Grain: {table['grain']}.",
        "config": {"meta": {"external_location": location}},
        "columns": [_column(column, key) for column in columns],
    }


def _column(column: dict[str, Any], key: Sequence[str]) -> dict[str, Any]:
    unit = f" ({column['unit']})" if column["unit"] else ""
    null = f"; null: {column['null_means']}" if column["null_means"] else ""
    stated = {"name": column["column"], "description": f"{column['meaning']}{unit}{null}"}
    if column["column"] not in key:
        return stated
    return stated | {"data_tests": ["not_null", "unique"] if len(key) == 1 else ["not_null"]}


def to_yaml(document: dict[str, Any]) -> str:
    """A document of mappings, lists, texts and numbers as YAML; texts are quoted as in JSON, which is YAML too."""
    return "\n".join(_lines(document)) + "\n"


def _lines(node: Any) -> Iterator[str]:
    items = node.items() if isinstance(node, dict) else ((None, item) for item in node)
    for key, item in items:
        head = "-" if key is None else f"{key}:"
        if not isinstance(item, (dict, list)):
            yield f"{head} {json.dumps(item, ensure_ascii=False)}"
        elif key is None:
            first, *rest = _lines(item)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
        else:
            yield head
            yield from (f"  {line}" for line in _lines(item))


def main() -> int:
    """Prints the sources of a lake."""
    parser = argparse.ArgumentParser(prog="python -m fightdna.dbt", description="Sources of dbt of a lake's snapshot.")
    parser.add_argument("lake", help="folder of a lake, or URL of a server")
    parser.add_argument("--product", default="mma", help="mma, catalog or properties (default: mma)")
    parser.add_argument("--snapshot", default="current", help="id of a snapshot (default: current)")
    parser.add_argument("--name", default="fightdna", help="name of the source in dbt (default: fightdna)")
    parser.add_argument("--table", action="append", metavar="TABLE", help="this table alone; may be repeated")
    given = parser.parse_args()
    try:
        snapshot = open(given.lake, given.snapshot, product=given.product)
        print(to_yaml(source_document(snapshot, given.name, given.table)), end="")
    except FightdnaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

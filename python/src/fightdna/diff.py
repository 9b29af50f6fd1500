"""What differs between two snapshots, table by table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class DiffSide:
    """A table of one of the snapshots; it is read only where the digests differ."""

    sha256: str
    scan: Callable[[], pl.LazyFrame]
    key: Callable[[], tuple[str, ...]]


def compare(old: Mapping[str, DiffSide], new: Mapping[str, DiffSide], table: str | None) -> pl.DataFrame:
    """See `Snapshot.diff`."""
    if table is not None:
        return _keys(old.get(table), new.get(table))[0]
    rows = []
    for name in sorted({*old, *new}):
        keys, columns = _keys(old.get(name), new.get(name))
        counts = (keys.filter(change=change).height for change in ("added", "removed", "changed"))
        rows.append((name, *counts, columns))
    types = {"table": pl.String} | dict.fromkeys(("added", "removed", "changed"), pl.Int64)
    return pl.DataFrame(rows, schema={**types, "columns_of_one_alone": pl.List(pl.String)}, orient="row")


def _keys(old: DiffSide | None, new: DiffSide | None) -> tuple[pl.DataFrame, list[str]]:
    """Keys of the rows that differ, with `change`; columns that one side alone has."""
    there = new or old
    if there is None or (old and new and old.sha256 == new.sha256):
        return pl.DataFrame(schema={"change": pl.String}), []
    before, after = (side.scan().collect() if side else None for side in (old, new))
    before = before if before is not None else pl.DataFrame(schema=after.schema if after is not None else None)
    after = after if after is not None else before.clear()
    common = [name for name in after.columns if name in before.columns]
    alone = sorted(set(after.columns) ^ set(before.columns))
    key = [name for name in there.key() if name in common] or common
    place = pl.int_range(pl.len(), dtype=pl.UInt32)
    sides = before.select(*key, old=place), after.select(*key, new=place)
    both = sides[0].join(sides[1], on=key, how="full", nulls_equal=True, coalesce=True)
    met = both.drop_nulls(["old", "new"])
    differs = pl.Series([False]).new_from_index(0, met.height)
    for name in common:
        # A column at a time: the widest table has two thousand.
        differs |= before[name].gather(met["old"]).ne_missing(after[name].gather(met["new"]))
    kinds = {
        "added": both.filter(pl.col("old").is_null()),
        "removed": both.filter(pl.col("new").is_null()),
        "changed": met.filter(differs),
    }
    changes = [rows.select(*key, change=pl.lit(kind)) for kind, rows in kinds.items()]
    return pl.concat(changes).sort(key), alone

"""What differs between two snapshots, table by table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

_CHANGES = ("added", "removed", "changed")


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
    rows: list[tuple[object, ...]] = []
    for name in sorted({*old, *new}):
        sides = old.get(name), new.get(name)
        if sides[0] and sides[1] and sides[0].sha256 == sides[1].sha256:
            rows.append((name, 0, 0, 0, []))
            continue
        keys, columns = _keys(*sides)
        rows.append((name, *(keys.filter(change=change).height for change in _CHANGES), columns))
    types = {"table": pl.String} | dict.fromkeys(_CHANGES, pl.Int64)
    return pl.DataFrame(rows, schema={**types, "columns_of_one_alone": pl.List(pl.String)}, orient="row")


def _keys(old: DiffSide | None, new: DiffSide | None) -> tuple[pl.DataFrame, list[str]]:
    """Keys of the rows that differ, with `change`; columns that one side alone has."""
    before, after = (side.scan().collect() if side else None for side in (old, new))
    before = before if before is not None else pl.DataFrame(schema=after.schema if after is not None else None)
    after = after if after is not None else before.clear()
    common = [name for name in after.columns if name in before.columns]
    alone = sorted(set(after.columns) ^ set(before.columns))
    there = new or old
    key = [name for name in (there.key() if there else ()) if name in common] or common
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

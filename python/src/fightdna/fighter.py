"""One fighter as of a day. The values are those of a panel's row; here one version is read and no join is made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import polars as pl

from .errors import NoVersionError
from .moving import MOVING, History, latest_bouts, moving_metrics
from .panel import FIELDS, add_shrunk_values, metric_names, stored_columns

if TYPE_CHECKING:
    from .snapshot import Snapshot

# What a version states of a metric beside the fields of panels.
_STATED = ("status", "bouts", "interval_low", "interval_high", "percentile", "pool_size")
_TYPES: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("confidence", "status"), pl.String),
    **dict.fromkeys(("bouts", "pool_size"), pl.Int32),
}


@dataclass(frozen=True)
class FighterDna:
    """The metrics of one fighter on a day, and the class of his version."""

    fighter_id: str
    weight_class: str | None
    frame: pl.DataFrame


def read_dna(snapshot: Snapshot, fighter: str, day: date) -> FighterDna:
    """See `Snapshot.dna`."""
    fighter_id = snapshot.find_fighter(fighter)
    number = snapshot.fighter_numbers.row(by_predicate=pl.col("fighter_id") == fighter_id, named=True)["fighter"]
    fields = (*FIELDS, *_STATED)
    stored = [f"{m}__{f}" for m in metric_names(snapshot, None) if m not in MOVING for f in fields]
    versions = snapshot.versions(stored_columns(stored))
    place = _place(versions, number, day)
    if place is None:
        first = versions.filter(fighter=number).select(pl.min("valid_from")).item()
        why = f"the first version is valid from {first}" if first else "no bout of his has statistics"
        raise NoVersionError(f"no DNA of `{fighter}` as of {day}: {why}")
    version = add_shrunk_values(snapshot, versions.slice(place, 1), stored).row(0, named=True)
    cells = version | _on_the_day(snapshot, number, day)
    if cells["fought"] is not None and cells["fought"] > version["last_bout_date"]:
        # No value is more than of medium confidence that the newest bouts are not in.
        stale = [name for name in stored if name.endswith("__confidence") and cells[name] == "high"]
        cells |= dict.fromkeys(stale, "medium")
    known = snapshot.metrics.select("metric", "family", "unit", "direction", "validity_class")
    names = known["metric"].to_list()
    head = {"as_of": pl.Date, "version": pl.Int32, "valid_from": pl.Date}
    first_columns = [
        pl.Series(name, [value], dtype).new_from_index(0, len(names))
        for (name, dtype), value in zip(head.items(), (day, version["version"], version["valid_from"]), strict=True)
    ]
    columns = [pl.Series(f, [cells.get(f"{name}__{f}") for name in names], _TYPES.get(f, pl.Float64)) for f in fields]
    frame = pl.DataFrame([*first_columns, *known.get_columns(), *columns])
    return FighterDna(fighter_id, version["weight_class"], frame)


def _place(versions: pl.DataFrame, number: int, day: date) -> int | None:
    """The row of the version that holds on a day."""
    days = versions.select("fighter", "valid_from").with_row_index("place")
    begun = days.filter((pl.col("fighter") == number) & (pl.col("valid_from") <= day)).sort("valid_from")
    return begun["place"][-1] if len(begun) else None


def _on_the_day(snapshot: Snapshot, number: int, day: date) -> dict[str, Any]:
    """Cells of the metrics that move with the days, and the day of the newest bout as `fought`."""
    past = snapshot.history
    own = History(*(rows.filter(fighter=number) for rows in (past.fought, past.unknown, past.rated)))
    asked = pl.DataFrame({"fighter": [number], "date": [day]}, schema_overrides={"fighter": pl.UInt32})
    newest = latest_bouts(asked, own)
    return moving_metrics(asked, own, newest).row(0, named=True) | {"fought": newest["fought"][0]}

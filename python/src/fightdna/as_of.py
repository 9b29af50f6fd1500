"""Rows of a table that were known before a day began."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import TYPE_CHECKING

import polars as pl

from .errors import AsOfError, unknown

if TYPE_CHECKING:
    from .snapshot import Snapshot

# The column that says on which day the fact of a row happened.
_DAY_COLUMNS = {
    "bouts": "event_date",
    "events": "event_date",
    "ratings": "event_date",
    "rankings": "snapshot_date",
    "stated_careers": "stated_on",
}
# Facts of a bout, on the day of the bout.
_OF_A_BOUT = {
    *("results", "round_stats", "scorecards", "judge_cards", "round_scorecards"),
    *("deductions", "short_notices", "weigh_ins"),
}
# What a DNA version has besides its own row, complete for each version.
_OF_A_VERSION = {"finish_profiles", "finish_times", "round_profiles"}


def cut(snapshot: Snapshot, table: str, day: date, on: str | None) -> pl.LazyFrame:
    """The rows of a table as of a day; `Snapshot.scan` says what that means for each kind of table."""
    frame, columns = snapshot.scan(table), snapshot.columns(table)
    if on is not None or table in _DAY_COLUMNS:
        return frame.filter(_before(columns, on or _DAY_COLUMNS[table], day))
    key = list(snapshot.notes(table).key)
    if "version" in key and "valid_from" in columns:
        return _newest(frame, [k for k in key if k != "version"], day)
    if "valid_from" in key:
        return _newest(frame, [k for k in key if k != "valid_from"], day)
    if table in _OF_A_BOUT:
        return frame.join(cut(snapshot, "bouts", day, None), on="bout_id", how="semi", maintain_order="left")
    if table in _OF_A_VERSION:
        held = cut(snapshot, "dna_versions", day, None).select("fighter_id", "version")
        return frame.join(held, on=["fighter_id", "version"], how="semi", maintain_order="left")
    days = [name for name, dtype in columns.items() if dtype.is_temporal()]
    hint = f"name the column to go by with on=, of {', '.join(days)}" if days else "it has no dates"
    raise AsOfError(f"table `{table}` has no rule for as_of: {hint}; without as_of all its rows are scanned")


def _newest(frame: pl.LazyFrame, identity: list[str], day: date) -> pl.LazyFrame:
    """Of each identity the row with the newest `valid_from` up to the day; rows stay in their order."""
    begun = frame.filter(pl.col("valid_from") <= day)
    return begun.filter(pl.col("valid_from") == pl.col("valid_from").max().over(identity))


def _before(columns: pl.Schema, column: str, day: date) -> pl.Expr:
    if column not in columns:
        raise unknown("column", column, columns.names())
    dtype = columns[column]
    if dtype == pl.Date:
        return pl.col(column) < day
    if isinstance(dtype, pl.Datetime):
        return pl.col(column) < datetime(day.year, day.month, day.day, tzinfo=timezone.utc)
    raise AsOfError(f"column `{column}` has type {dtype}, and as_of goes by dates and instants")

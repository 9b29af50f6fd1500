"""Point-in-time joins: Fight DNA of given fighters as it stood on given days."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from .errors import RowsError, unknown
from .moving import MOVING, bouts_up_to, latest_bouts, moving_metrics

if TYPE_CHECKING:
    from .snapshot import Snapshot

_ROWS_AT_ONCE = 1 << 16
FIELDS = ("value", "raw_value", "weight", "confidence", "shrunk_value")
# What a shrunk value is made of.
_OF_SHRUNK = ("value", "raw_value", "weight", "prior_mean")
# Estimators that shrink nothing: counts and Elo ratings.
_NOT_SHRUNK = ("CT", "EL")
_OF_VERSION = (
    *("version", "valid_from", "definition_version", "weight_class"),
    *("eligible_bouts", "last_bout_date", "days_since_last_bout"),
)
_OF_DAY = ("bouts_without_statistics", "has_version", "absence")


def join_panel(snapshot: Snapshot, rows: Any, metrics: Sequence[str] | None, fields: Sequence[str]) -> pl.DataFrame:
    """See `Snapshot.panel`."""
    given, names = _given(rows), metric_names(snapshot, metrics)
    if isinstance(fields, str):
        raise RowsError(f'fields is a list of names: ["{fields}"]')
    for field in fields:
        if field not in FIELDS:
            raise unknown("field of metrics", field, FIELDS)
    made = [f"{name}__{field}" for name in names for field in fields]
    taken = [name for name in (*_OF_VERSION, *_OF_DAY, *made) if name in given.columns]
    if taken:
        raise RowsError(f"rows have columns that the panel makes: {', '.join(taken)}; rename them")
    of_versions = [name for name in made if name.split("__")[0] not in MOVING]
    versions = add_shrunk_values(snapshot, snapshot.versions(stored_columns(of_versions)), of_versions)
    fought = bouts_up_to(versions.select("fighter", day="last_bout_date"), snapshot.history)
    versions = versions.with_columns(fought_bouts=fought)
    # In slices: what a join needs beside its answer is then a small part of the answer.
    slices = list(given.iter_slices(_ROWS_AT_ONCE)) or [given]
    return pl.concat(rows.hstack(_features(snapshot, versions, rows, made)) for rows in slices)


def _features(snapshot: Snapshot, versions: pl.DataFrame, rows: pl.DataFrame, made: list[str]) -> pl.DataFrame:
    """What the panel has beside these rows."""
    keys = rows.select("fighter_id", "date").with_row_index("row")
    keys = keys.join(snapshot.fighter_numbers, on="fighter_id", how="left", maintain_order="left")
    asked = keys.select("row", "fighter", "date").sort("date")
    index = versions.select("fighter", "valid_from").with_row_index("place").sort("valid_from")
    held = asked.join_asof(
        index, left_on="date", right_on="valid_from", by="fighter", strategy="backward", check_sortedness=False
    )
    parts = [held.select("row", "fighter", "date", "place")]
    newest = latest_bouts(asked, snapshot.history)
    moved = [name for name in made if name.split("__")[0] in MOVING]
    if moved:
        # Who has no version has no row in a panel either: no metric of his is stated.
        has_version = pl.lit(held["place"].is_not_null())
        moving = moving_metrics(asked, snapshot.history, newest)
        parts.append(moving.select(pl.when(has_version).then(pl.col(moved))))
    stored = [name for name in made if name.endswith("__confidence") and name.split("__")[0] not in MOVING]
    parts.append(newest)
    chosen = pl.concat(parts, how="horizontal").sort("row")
    columns = versions.drop("fighter").select(pl.all().gather(pl.lit(chosen["place"])))
    absence = (
        pl.when(pl.col("fighter").is_null())
        .then(pl.lit("unknown_fighter"))
        .when(pl.col("place").is_null())
        .then(pl.lit("no_version_yet"))
    )
    since = (pl.col("date") - pl.col("last_bout_date")).dt.total_days().cast(pl.Int32)
    both = pl.concat([chosen, columns], how="horizontal")
    # No value is more than of medium confidence that the newest bouts are not in.
    without = pl.col("bouts").fill_null(0) - pl.col("fought_bouts").fill_null(0)
    lacks_newest = without > 0
    both = both.with_columns(
        pl.when((pl.col(name) == "high") & lacks_newest).then(pl.lit("medium")).otherwise(pl.col(name)).alias(name)
        for name in stored
    )
    has_version = pl.col("place").is_not_null()
    both = both.with_columns(
        days_since_last_bout=since,
        bouts_without_statistics=without.cast(pl.Int32),
        has_version=has_version,
        absence=absence,
    )
    return both.select(*_OF_VERSION, *_OF_DAY, *made)


def stored_columns(columns: Sequence[str]) -> list[str]:
    """The columns of the versions that these columns are made of."""
    shrunk = [name.split("__")[0] for name in columns if name.endswith("__shrunk_value")]
    stored = (name for name in columns if not name.endswith("__shrunk_value"))
    return list(dict.fromkeys((*stored, *(f"{name}__{part}" for name in shrunk for part in _OF_SHRUNK))))


def add_shrunk_values(snapshot: Snapshot, versions: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Versions with the shrunk values among these columns."""
    shrunk = [name.split("__")[0] for name in columns if name.endswith("__shrunk_value")]
    not_shrunk = snapshot.metrics.filter(pl.col("estimator").is_in(_NOT_SHRUNK))["metric"].to_list()
    return versions.with_columns(_shrunk_value(name, name not in not_shrunk) for name in shrunk)


def _shrunk_value(metric: str, is_shrunk: bool) -> pl.Expr:
    value, raw, weight, mean = (pl.col(f"{metric}__{part}") for part in _OF_SHRUNK)
    # Of sums without a denominator, nothing is the fighter's own.
    drawn = pl.coalesce(weight * raw + (1.0 - weight) * mean, mean) if is_shrunk else raw
    return pl.coalesce(value, drawn).alias(f"{metric}__shrunk_value")


def metric_names(snapshot: Snapshot, metrics: Sequence[str] | None) -> list[str]:
    """These metrics, or all in the order of their definitions."""
    known = snapshot.metrics["metric"].to_list()
    if metrics is None:
        return known
    if isinstance(metrics, str):
        raise RowsError(f'metrics is a list of names: ["{metrics}"]')
    for name in metrics:
        if name not in known:
            raise unknown("metric", name, known)
    return list(dict.fromkeys(metrics))


def _given(rows: Any) -> pl.DataFrame:
    """Rows as a frame, with `fighter_id` as text and `date` as a date, neither of them null."""
    frame = rows.collect() if isinstance(rows, pl.LazyFrame) else rows
    if not isinstance(frame, pl.DataFrame):
        try:
            frame = pl.DataFrame(frame)
        except (TypeError, ValueError) as error:
            raise RowsError(f"rows of type {type(rows).__name__} cannot be read as a table: {error}") from error
    missing = [name for name in ("fighter_id", "date") if name not in frame.columns]
    if missing:
        raise RowsError(f"rows have no column {' and no '.join(f'`{n}`' for n in missing)}")
    frame = frame.with_columns(_text("fighter_id", frame), _day("date", frame))
    for name in ("fighter_id", "date"):
        nulls = frame[name].is_null().arg_true()
        if len(nulls):
            first = ", ".join(str(row) for row in nulls.head(5))
            raise RowsError(f"`{name}` is null in {len(nulls)} of {len(frame)} rows, counted from 0: {first}")
    return frame


def _text(name: str, frame: pl.DataFrame) -> pl.Expr:
    dtype = frame.schema[name]
    if dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise RowsError(f"`{name}` has type {dtype}; ids are text")
    return pl.col(name).cast(pl.String)


def _day(name: str, frame: pl.DataFrame) -> pl.Expr:
    dtype, day = frame.schema[name], pl.col(name).cast(pl.Date)
    if dtype not in (pl.Date, pl.Null) and not (isinstance(dtype, pl.Datetime) and dtype.time_zone is None):
        raise RowsError(f"`{name}` has type {dtype}; cast it to dates")
    if isinstance(dtype, pl.Datetime) and not frame.select((day.cast(dtype) == pl.col(name)).all()).item():
        raise RowsError(f"`{name}` has times of day; a panel is as of days: cast it to dates")
    return day

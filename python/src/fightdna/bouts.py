"""A training set: a row for each side of each bout, with the DNA of both sides before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from .panel import join_panel, metric_names

if TYPE_CHECKING:
    from .snapshot import Snapshot

_OF_BOUT = ("bout_id", "event_id", "event_date", "weight_class", "scheduled_rounds", "is_title", "status")
# Of the version, what is also asked of the opponent.
_OF_VERSION = (
    "version",
    "eligible_bouts",
    "days_since_last_bout",
    "bouts_without_statistics",
    "has_version",
    "absence",
)


def join_bouts(snapshot: Snapshot, metrics: Sequence[str] | None, fields: Sequence[str]) -> pl.DataFrame:
    """See `Snapshot.bouts`."""
    bouts = snapshot.scan("bouts").select(*_OF_BOUT, "fighter_a_id", "fighter_b_id").sort("event_date", "bout_id")
    results = snapshot.scan("results").select("bout_id", "outcome", "winner_id")
    known = bouts.join(results, on="bout_id", how="left", maintain_order="left").collect()
    sides = pl.concat([_side(known, "a", "b"), _side(known, "b", "a")])
    asked = sides.select("fighter_id", date="event_date")
    features = join_panel(snapshot, asked, metrics, fields).select(
        *_OF_VERSION, *(f"{name}__{f}" for name in metric_names(snapshot, metrics) for f in fields)
    )
    # Side b stands as far behind side a as there are bouts.
    count = len(known)
    of_opponent = pl.concat([features.slice(count), features.slice(0, count)])
    of_opponent = of_opponent.rename({name: f"opponent_{name}" for name in features.columns})
    joined = pl.concat([sides, features, of_opponent], how="horizontal")
    # Made once: an expression within `gather` is computed for every column.
    row = pl.int_range(2 * count, dtype=pl.UInt32, eager=True)
    return joined.select(pl.all().gather(pl.lit(row // 2 + row % 2 * count)))


def _side(bouts: pl.DataFrame, own: str, other: str) -> pl.DataFrame:
    is_own = pl.col("winner_id") == pl.col(f"fighter_{own}_id")
    outcome = (
        pl.when((pl.col("outcome") == "win") & is_own)
        .then(pl.lit("won"))
        .when((pl.col("outcome") == "win") & ~is_own)
        .then(pl.lit("lost"))
        .when(pl.col("outcome") == "draw")
        .then(pl.lit("draw"))
        .when(pl.col("outcome") == "no_contest")
        .then(pl.lit("nc"))
    )
    return bouts.select(
        *_OF_BOUT,
        pl.lit(own).alias("side"),
        pl.col(f"fighter_{own}_id").alias("fighter_id"),
        pl.col(f"fighter_{other}_id").alias("opponent_id"),
        outcome.alias("outcome"),
    )

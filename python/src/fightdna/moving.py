"""Metrics that move with the days between bouts, on any day: what a version holds of them is of its first day.

The rules are those of `pipeline/compare/src/the_day.rs`, and the same facts give the same bits. A bout on the day is
the future.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

_TOO_FEW = "insufficient_sample"
MOVING = ("layoff_days", "bouts_last_36m", "house_rating", "rating_change_365d", "win_streak")


@dataclass(frozen=True)
class History:
    """What fighters have been through; each frame has `fighter` and `day`, and is sorted by day."""

    fought: pl.DataFrame
    """Days of completed bouts, with statistics or without, again as `fought`; `bouts` counts them up to the day."""
    unknown: pl.DataFrame
    """Those without a known result, again as `unknown`."""
    rated: pl.DataFrame
    """`rating` after the day, `rated` bouts and `wins` in a row up to it, `unwon`: latest day not won."""

    @classmethod
    def of(cls, bouts: pl.DataFrame, results: pl.DataFrame, ratings: pl.DataFrame) -> History:
        """Made of tables whose fighters are numbers in a column `fighter`; bouts have a row a side."""
        fought = bouts.filter(pl.col("status") == "completed").rename({"event_date": "day"})
        unknown = fought.join(results, on="bout_id", how="anti").with_columns(unknown="day")
        return cls(
            fought=fought.select(
                "fighter", "day", fought="day", bouts=pl.int_range(1, pl.len() + 1).over("fighter", order_by="day")
            ).sort("day", "bouts"),
            unknown=unknown.select("fighter", "day", "unknown").sort("day"),
            rated=_rated(ratings),
        )


def _rated(ratings: pl.DataFrame) -> pl.DataFrame:
    ordered = ratings.sort("event_date", maintain_order=True).rename({"event_date": "day"})
    counted = ordered.with_columns(
        rated=pl.int_range(1, pl.len() + 1).over("fighter"),
        unwon=pl.when(pl.col("score") < 1.0).then("day").forward_fill().over("fighter"),
    )
    # Of a day with a bout that was not won, that one counts as the last.
    ended = pl.when(pl.col("unwon") == pl.col("day")).then("rated").forward_fill().over("fighter")
    streaks = counted.with_columns(wins=pl.col("rated") - pl.coalesce(ended, 0))
    days = streaks.unique(["fighter", "day"], keep="last", maintain_order=True)
    return days.select("fighter", "day", "rated", "wins", "unwon", rating="rating_after")


def moving_metrics(asked: pl.DataFrame, history: History, newest: pl.DataFrame) -> pl.DataFrame:
    """The moving metrics of rows with `fighter` and `date`, sorted by date: fields of panels, `status`, `bouts`.

    `newest` are the `latest_bouts` of the same rows.
    """
    earlier = asked.select("fighter", past=pl.col("date").dt.offset_by("-365d"))
    since = asked.select("fighter", past=pl.col("date").dt.offset_by("-36mo"))
    past = pl.concat(
        [
            asked.select("date"),
            newest,
            _latest(asked, "date", history.unknown).select("unknown"),
            _latest(since, "past", history.fought).select(bouts_then="bouts"),
            _latest(asked, "date", history.rated).select("rated", "wins", "unwon", "rating"),
            _latest(earlier, "past", history.rated).select(rating_then="rating"),
        ],
        how="horizontal",
    )
    return past.select(*_columns())


def latest_bouts(asked: pl.DataFrame, history: History) -> pl.DataFrame:
    """The day of the newest bout before the date of each row as `fought`, `bouts` up to it; rows are sorted by date."""
    return _latest(asked, "date", history.fought).select("fought", "bouts")


def bouts_up_to(days: pl.DataFrame, history: History) -> pl.Series:
    """The bouts of each `fighter` up to the `day` and on it."""
    rows = days.with_row_index("row").sort("day")
    counted = rows.join_asof(history.fought, on="day", by="fighter", check_sortedness=False)
    return counted.sort("row")["bouts"]


def _latest(asked: pl.DataFrame, day: str, events: pl.DataFrame) -> pl.DataFrame:
    """The newest event strictly before the day of each row."""
    return asked.join_asof(
        events,
        left_on=day,
        right_on="day",
        by="fighter",
        strategy="backward",
        allow_exact_matches=False,
        check_sortedness=False,
    )


def _columns() -> list[pl.Expr]:
    rated, rating = pl.col("rated").fill_null(0), pl.col("rating")
    fought = pl.col("bouts").fill_null(0)
    layoff = (pl.col("date") - pl.col("fought")).dt.total_days()
    # A count of none is known to be none: these zeros are facts.
    lately = fought - pl.col("bouts_then").fill_null(0)
    is_unknown = pl.col("unknown").is_not_null() & (pl.col("unwon") <= pl.col("unknown")).fill_null(True)
    streak = pl.when(~is_unknown).then(pl.col("wins").fill_null(0))
    # Their validity was not measured, which keeps them from being high.
    at_least_low = pl.when(rated >= 3).then(pl.lit("medium")).when(rated == 2).then(pl.lit("low"))
    sure = at_least_low.otherwise(pl.lit("insufficient"))
    change = rating - pl.col("rating_then")
    sure_change = pl.when(change.is_not_null()).then(sure).otherwise(pl.lit("insufficient"))
    no_earlier = pl.when((rated > 0) & change.is_null()).then(pl.lit("not_applicable"))
    return [
        *_cells("layoff_days", layoff, _counted(layoff), fought),
        *_cells("bouts_last_36m", lately, _counted(lately), fought),
        *_cells("house_rating", rating, sure, rated),
        *_cells("rating_change_365d", change, sure_change, rated, no_earlier.otherwise(pl.lit(_TOO_FEW))),
        *_cells("win_streak", streak, _counted(streak), rated, pl.lit("not_recorded")),
    ]


def _counted(value: pl.Expr) -> pl.Expr:
    return pl.when(value.is_not_null()).then(pl.lit("medium")).otherwise(pl.lit("insufficient"))


def _cells(
    metric: str, raw: pl.Expr, confidence: pl.Expr, bouts: pl.Expr, status_without: pl.Expr | None = None
) -> list[pl.Expr]:
    """All that is stated of a metric; `status_without` is that without a value."""
    raw, is_ok = raw.cast(pl.Float64), confidence != "insufficient"
    without = status_without if status_without is not None else pl.lit(_TOO_FEW)
    return [
        pl.when(is_ok).then(raw).alias(f"{metric}__value"),
        raw.alias(f"{metric}__raw_value"),
        raw.alias(f"{metric}__shrunk_value"),
        pl.lit(None, dtype=pl.Float64).alias(f"{metric}__weight"),
        confidence.alias(f"{metric}__confidence"),
        pl.when(is_ok).then(pl.lit("ok")).otherwise(without).alias(f"{metric}__status"),
        bouts.cast(pl.Int32).alias(f"{metric}__bouts"),
    ]

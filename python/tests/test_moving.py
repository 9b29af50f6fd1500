"""Metrics that move with the days: the cases of `pipeline/compare/src/the_day.rs`, and results that are not known."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from fightdna.moving import History, latest_bouts, moving_metrics


def history(rated: list[tuple[str, float]], unknown: str | None) -> History:
    fought = ["2015-01-01", "2016-08-20", "2016-11-12", "2017-02-01", "2019-05-01"]
    ids = pl.DataFrame({"fighter": 0, "bout_id": fought, "event_date": fought, "status": "completed"})
    cancelled = ids.head(1).with_columns(event_date=pl.lit("2018-10-04"), status=pl.lit("cancelled"))
    bouts = pl.concat([ids, cancelled]).cast({"fighter": pl.UInt32}).with_columns(pl.col("event_date").str.to_date())
    ratings = pl.DataFrame(
        [(0, day, score, rating) for (day, score), rating in zip(rated, (1560.0, 1580.0, 1570.0), strict=False)],
        schema={"fighter": pl.UInt32, "event_date": pl.String, "score": pl.Float64, "rating_after": pl.Float64},
        orient="row",
    )
    return History.of(
        bouts=bouts,
        results=bouts.filter(pl.col("bout_id") != (unknown or "")).select("bout_id"),
        ratings=ratings.with_columns(pl.col("event_date").str.to_date()),
    )


def ask(metric: str, day: str, past: History) -> tuple[float | None, str]:
    asked = pl.DataFrame({"fighter": [0], "date": [date.fromisoformat(day)]}, schema_overrides={"fighter": pl.UInt32})
    value, confidence = (
        moving_metrics(asked, past, latest_bouts(asked, past))
        .select(f"{metric}__value", f"{metric}__confidence")
        .row(0)
    )
    return value, confidence


PAST = history([("2015-01-01", 1.0), ("2016-08-20", 1.0), ("2017-02-01", 0.0)], unknown="2019-05-01")


@pytest.mark.parametrize(
    ("metric", "day", "expected"),
    [
        ("layoff_days", "2018-10-05", (611.0, "medium")),
        ("layoff_days", "2017-02-01", (81.0, "medium")),
        ("layoff_days", "2015-01-01", (None, "insufficient")),
        ("bouts_last_36m", "2018-10-05", (3.0, "medium")),
        ("bouts_last_36m", "2018-01-01", (4.0, "medium")),
        ("bouts_last_36m", "2030-01-01", (0.0, "medium")),
        ("house_rating", "2017-02-01", (1580.0, "low")),
        ("house_rating", "2017-02-02", (1570.0, "medium")),
        ("house_rating", "2015-06-01", (None, "insufficient")),
        ("rating_change_365d", "2015-06-01", (None, "insufficient")),
        ("rating_change_365d", "2017-02-02", (10.0, "medium")),
        ("rating_change_365d", "2018-10-05", (0.0, "medium")),
        ("rating_change_365d", "2014-01-01", (None, "insufficient")),
        ("win_streak", "2015-01-01", (0.0, "medium")),
        ("win_streak", "2017-02-01", (2.0, "medium")),
        ("win_streak", "2017-02-02", (0.0, "medium")),
        ("win_streak", "2019-05-01", (0.0, "medium")),
        ("win_streak", "2019-05-02", (None, "insufficient")),
    ],
)
def test_the_cases_of_the_program(metric: str, day: str, expected: tuple[float | None, str]) -> None:
    assert ask(metric, day, PAST) == expected


def test_a_loss_after_a_result_that_is_not_known_makes_the_streak_known_again() -> None:
    lost_later = history([("2015-01-01", 1.0), ("2017-02-01", 0.0)], unknown="2016-11-12")
    assert ask("win_streak", "2016-11-13", lost_later) == (None, "insufficient")
    assert ask("win_streak", "2017-02-02", lost_later) == (0.0, "medium")
    same_day = history([("2015-01-01", 1.0), ("2017-02-01", 0.0)], unknown="2017-02-01")
    assert ask("win_streak", "2017-02-02", same_day) == (None, "insufficient")


@pytest.mark.parametrize("scores", [(0.0, 1.0), (1.0, 0.0), (0.5, 1.0)])
def test_of_a_day_with_a_bout_that_was_not_won_that_one_counts_as_the_last(scores: tuple[float, float]) -> None:
    past = history([("2015-01-01", 1.0), *(("2016-08-20", score) for score in scores)], unknown=None)
    assert ask("win_streak", "2016-08-21", past) == (0.0, "medium")
    assert ask("house_rating", "2016-08-21", past) == (1570.0, "medium")

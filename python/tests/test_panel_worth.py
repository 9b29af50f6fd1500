"""The bench of what a panel is worth: it sees nothing of the day itself, and the order of the sides says nothing."""

from __future__ import annotations

import importlib
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import fightdna as fd

pytest.importorskip("sklearn", reason="the bench needs scikit-learn")
np = pytest.importorskip("numpy")
BENCH = Path(__file__).resolve().parents[2] / "tests" / "bench"


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("panel_judge")


@pytest.fixture
def worth(judge: Any) -> Any:
    return importlib.import_module("panel_worth")


def contests(count: int = 400) -> tuple[Any, ...]:
    """Made contests of twenty sides, the better one mostly wins: sides, days, margins, and whether the first won."""
    draw = np.random.default_rng(3)
    first = draw.integers(0, 20, count)
    second = (first + draw.integers(1, 20, count)) % 20
    margin = (first - second) / 10 + draw.normal(0, 1, count)
    return first, second, np.sort(draw.integers(0, 3650, count)), margin[:, None], (margin > 0).astype(float)


def made_pairs(judge: Any, won: Any, day: Any) -> Any:
    return judge.Pairs(won, 2010 + day // 365, day, np.full(len(won), True))


def test_values_of_the_day_itself_are_not_known_on_it(judge: Any) -> None:
    # A version of a contest on the 10th is valid from the 11th.
    values = pl.DataFrame({"id": ["x", "x"], "valid_from": [date(2020, 1, 2), date(2020, 1, 11)], "value": [1.0, 2.0]})
    days = [date(2020, 1, 11), date(2020, 1, 10), date(2020, 1, 1)]
    asked = pl.DataFrame({"id": ["x", "x", "x"], "date": days})
    assert judge.as_of(values, asked, "id")["value"].to_list() == [2.0, 1.0, None]
    assert judge.of_today(values, asked, "id")["value"].to_list() == [2.0, 2.0, 2.0]


def test_strengths_rest_on_earlier_days_alone(judge: Any) -> None:
    first, second, day, margins, _ = contests()
    today = day[200]
    whole = judge.strengths(first, second, day, margins)
    assert np.abs(whole[day == today]).max() > 0
    changed = np.where((day >= today)[:, None], 9.0, margins)
    assert np.array_equal(judge.strengths(first, second, day, changed)[day <= today], whole[day <= today])
    changed = np.where((day == day[199])[:, None], 9.0, margins)
    assert not np.allclose(judge.strengths(first, second, day, changed)[day > day[199]], whole[day > day[199]])


def test_ratings_wait_until_a_result_is_known(judge: Any) -> None:
    # Both matches of an event are asked on its first day; the result of the first is known on the fourth.
    gaps = judge.elo(["a"] * 3, ["b"] * 3, [1.0] * 3, np.array([1, 1, 4]), np.array([4, 8, 8]), lambda _: 20)
    assert gaps[:, 0].tolist() == [0.0, 0.0, 20.0]


def test_swapped_sides_have_the_other_share(judge: Any) -> None:
    first, second, day, margins, won = contests()
    own, swapped = judge.strengths(first, second, day, margins), judge.strengths(second, first, day, -margins)
    assert np.allclose(own, -swapped)
    # Most of the earlier winners are listed first, which says nothing of who is listed first later.
    pairs = made_pairs(judge, won, day)
    listed_first = (pairs.year < 2016) & (won == 0) & (np.arange(len(won)) % 4 > 0)
    columns = np.where(listed_first[:, None], swapped, own)
    pairs.won = np.where(listed_first, 1.0, won)
    later = (pairs.year == 2016)[:, None]
    shares, others = (
        judge.predict(pairs, np.where(later, side, columns), [2016])[pairs.year == 2016] for side in (own, swapped)
    )
    assert len(shares) > 20 and np.ptp(shares) > 0.2
    assert np.allclose(shares, 1 - others)


def test_a_model_does_not_see_the_year_it_is_judged_on(judge: Any) -> None:
    first, second, day, margins, won = contests()
    columns = judge.strengths(first, second, day, margins)
    pairs = made_pairs(judge, won, day)
    others = made_pairs(judge, np.where(pairs.year >= 2016, 1 - won, won), day)
    assert np.array_equal(*(judge.predict(each, columns, [2016])[pairs.year == 2016] for each in (pairs, others)))
    assert not np.allclose(*(judge.predict(each, columns, [2017])[pairs.year == 2017] for each in (pairs, others)))


def test_the_calibration_error_of_a_known_case(judge: Any) -> None:
    # Of four at 25 % two were won, of four at 75 % three: .25 off in one half, right in the other.
    shares, won = np.repeat([0.25, 0.75], 4), np.array([1.0, 1, 0, 0, 1, 1, 1, 0])
    assert judge.calibration_error(shares, won) == pytest.approx(0.125)
    assert [row[:2] for row in judge.tenths(shares, won)] == [(2, 4), (7, 4)]


def test_bouts_are_as_they_were_before_their_day(worth: Any, snapshot: fd.Snapshot) -> None:
    bouts = worth.read_bouts(snapshot, date(2100, 1, 1))
    assert len(bouts) == snapshot.scan("results").filter(outcome="win").collect().height
    assert bouts["bout_id"].is_unique().all() and (bouts["bout_id"] == bouts["opponent_bout_id"]).all()
    until = bouts["event_date"].sort()[len(bouts) // 2]
    known = worth.read_bouts(snapshot, until)
    same = bouts.filter(pl.col("event_date") < until)
    assert 0 < len(known) == len(same) < len(bouts)
    assert known.equals(same)


def test_a_ranking_of_the_day_itself_is_not_known(worth: Any) -> None:
    class Lists:
        def scan(self, _: str) -> pl.LazyFrame:
            days, places = [date(2020, 1, 1), date(2020, 1, 8)], [5, 1]
            lists = {"snapshot_date": days, "fighter_id": "x", "rank": places, "is_p4p": False}
            return pl.LazyFrame(lists)

    days = [date(2020, 1, 1), date(2020, 1, 8), date(2020, 1, 9)]
    asked = pl.DataFrame({"bout_id": ["1", "2", "3"], "fighter_id": ["x"] * 3, "event_date": days})
    assert worth.ranks(Lists(), asked)["rank"].to_list() == [0, 11, 15]

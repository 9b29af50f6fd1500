"""Panels: the same bits as the program's own, rows as given, and nothing of the future."""

from __future__ import annotations

import subprocess
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fightdna as fd
from conftest import bits, ends, program, republish, write_sealed
from fightdna.moving import MOVING
from fightdna.panel import FIELDS


@pytest.fixture(scope="session")
def published(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[date], pl.DataFrame, pl.DataFrame]:
    """Days, and the wide and long panels of them that `fightdna backfill` makes."""
    copy = tmp_path_factory.mktemp("panels") / "lake"
    subprocess.run(["cp", "-a", str(lake), str(copy)], check=True)
    subprocess.run(["rm", "-rf", str(copy / "panels")], check=True)
    snapshot = fd.open(copy)
    first, last = ends(snapshot)
    days = [first + timedelta(days=i * (last - first).days // 7) for i in range(8)]
    held = snapshot.scan("bouts").filter(pl.col("event_date").is_between(first, last))
    some = held.select(pl.col("event_date").unique().sort()).collect().to_series()
    # Days of bouts and after them, leap days and ends of months.
    days += [
        some[len(some) // 2],
        some[-1],
        some[-1] + timedelta(days=1),
        date(2024, 2, 29),
        date(2023, 3, 31),
    ]
    days = sorted({day for day in days if day >= first})
    dates = copy / "dates.txt"
    dates.write_text("\n".join(map(str, days)))
    program("backfill", "--quiet", "--lake", copy, "--dates", dates)
    wide, long = (
        pl.concat(
            pl.read_parquet(path, hive_partitioning=False)
            for path in sorted((copy / "panels" / kind).glob("*/*.parquet"))
        )
        for kind in ("wide", "long")
    )
    subprocess.run(["rm", "-rf", str(copy)], check=True)
    assert wide["as_of"].unique().sort().to_list() == days
    return days, wide, long


def test_10000_shuffled_rows_have_the_bits_of_the_published_panels(
    snapshot: fd.Snapshot, published: tuple[list[date], pl.DataFrame, pl.DataFrame]
) -> None:
    _, wide, long = published
    asked = wide.select("fighter_id", date="as_of").sample(10_000, with_replacement=True, shuffle=True, seed=51)
    panel = snapshot.panel(asked, fields=FIELDS)
    assert panel.select("fighter_id", "date").equals(asked)
    assert panel["absence"].null_count() == 10_000
    # What the definition knows of the later world stands in no table of a snapshot.
    of_definition = ("constants_fitted_to", "gates_measured_to")
    expected = asked.join(
        wide.drop(of_definition).rename({"as_of": "date"}), on=["fighter_id", "date"], maintain_order="left"
    )
    assert panel["has_version"].all()
    assert set(panel.drop("absence", "has_version").columns) == set(expected.columns)
    assert bits(panel.select(expected.columns)) == bits(expected)
    one = asked.head(200).unique(maintain_order=True)
    stacked = pl.concat(
        snapshot.panel(one, metrics=[metric], fields=FIELDS).select(
            "fighter_id", "date", *(pl.col(f"{metric}__{f}").alias(f) for f in FIELDS), metric=pl.lit(metric)
        )
        for metric in long["metric"].unique(maintain_order=True)
    )
    expected = long.rename({"as_of": "date"}).join(one, on=["fighter_id", "date"], how="semi")
    key = ["fighter_id", "date", "metric"]
    assert bits(stacked.sort(key).select(*key, *FIELDS)) == bits(expected.sort(key).select(*key, *FIELDS))


def test_absence_is_named_exactly_where_the_published_panel_has_no_row(
    snapshot: fd.Snapshot, published: tuple[list[date], pl.DataFrame, pl.DataFrame]
) -> None:
    days, wide, _ = published
    fighters = snapshot.scan("fighters").select("fighter_id").collect()
    asked = fighters.join(pl.DataFrame({"date": days}), how="cross")
    panel = snapshot.panel(asked, metrics=["sig_accuracy", "house_rating"])
    there = wide.select("fighter_id", date="as_of")
    absent = panel.join(there, on=["fighter_id", "date"], how="anti")
    assert panel["absence"].null_count() == len(there) == len(asked) - len(absent)
    assert set(absent["absence"]) == {"no_version_yet"}
    assert panel["has_version"].equals(panel["absence"].is_null().alias("has_version"))
    made = absent.drop("fighter_id", "date", "absence", "has_version", "bouts_without_statistics")
    assert made.null_count().row(0) == (len(absent),) * made.width


def test_the_day_of_a_bout_does_not_contain_the_bout(snapshot: fd.Snapshot) -> None:
    made = snapshot.scan("dna_versions").select("fighter_id", "version", "last_bout_date").collect()
    same = made.select("fighter_id", date="last_bout_date")
    day, after = (
        snapshot.panel(rows, metrics=["layoff_days"])
        for rows in (same, same.with_columns(pl.col("date") + pl.duration(days=1)))
    )
    assert after["version"].equals(made["version"])
    assert after["layoff_days__value"].min() == 1.0
    assert day["version"].fill_null(0).equals(made["version"] - 1)
    assert (day["last_bout_date"] < day["date"]).drop_nulls().all()


def test_a_shrunk_value_is_the_value_where_it_is_stated_and_known_wherever_there_is_a_prior(
    snapshot: fd.Snapshot,
) -> None:
    made = snapshot.scan("dna_versions").select("fighter_id", date="valid_from").collect()
    panel = snapshot.panel(made, fields=["value", "shrunk_value", "weight"])
    withheld = 0
    for metric in snapshot.metrics["metric"]:
        value, shrunk, weight = (panel[f"{metric}__{field}"] for field in ("value", "shrunk_value", "weight"))
        stated = value.is_not_null()
        assert value.filter(stated).equals(shrunk.filter(stated), check_names=False)
        assert shrunk.filter(weight.is_not_null()).null_count() == 0
        withheld += len(panel.filter(shrunk.is_not_null() & value.is_null()))
    assert withheld > 0


def test_bouts_after_the_newest_version_are_counted(snapshot: fd.Snapshot) -> None:
    bouts = snapshot.bouts(metrics=[])
    held = bouts.filter("has_version").select("fighter_id", "event_date", "bouts_without_statistics", "version")
    fought = snapshot.scan("bouts").filter(status="completed").collect()
    sides = pl.concat(fought.select("event_date", fighter_id=f"fighter_{side}_id") for side in "ab")
    last = snapshot.scan("dna_versions").select("fighter_id", "version", "last_bout_date").collect()
    asked = held.join(last, on=["fighter_id", "version"], how="left", maintain_order="left").with_row_index()
    later = asked.join(sides.rename({"event_date": "day"}), on="fighter_id").filter(
        (pl.col("day") > pl.col("last_bout_date")) & (pl.col("day") < pl.col("event_date"))
    )
    counted = asked.join(later.group_by("index").len(), on="index", how="left", maintain_order="left")["len"].fill_null(
        0
    )
    assert counted.cast(pl.Int32).equals(asked["bouts_without_statistics"], check_names=False)


def test_nothing_changes_on_a_day_when_later_bouts_are_removed(snapshot: fd.Snapshot, tmp_path: Path) -> None:
    first, last = ends(snapshot)
    some = snapshot.scan("bouts").filter(pl.col("event_date") > first + (last - first) * 0.6)
    cut = some.select(pl.col("event_date").min()).collect().item()

    def earlier(column: str) -> object:
        return lambda frame: frame.filter(pl.col(column) < cut)

    before = snapshot.scan("bouts").filter(pl.col("event_date") < cut)
    edits = {
        "dna_versions": earlier("last_bout_date"),
        "ratings": earlier("event_date"),
        "bouts": lambda frame: frame.filter(pl.col("event_date") <= cut),
        "results": lambda frame: frame.join(before, on="bout_id", how="semi"),
    }
    short = republish(snapshot, tmp_path / "lake", edits)  # type: ignore[arg-type]
    fighters = snapshot.scan("fighters").select("fighter_id").collect()
    days = pl.DataFrame({"date": [cut, cut - timedelta(days=1), cut - timedelta(days=400)]})
    asked = fighters.join(days, how="cross")
    assert bits(short.panel(asked, fields=FIELDS)) == bits(snapshot.panel(asked, fields=FIELDS))
    whole = snapshot.bouts().filter(pl.col("event_date") <= cut)
    assert (whole["event_date"] == cut).any()
    # What came of the bouts of that day is the future, and all that differs.
    assert bits(short.bouts().drop("outcome")) == bits(whole.drop("outcome"))


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_rows_in_are_rows_out(sample: fd.Snapshot, data: st.DataObject) -> None:
    known = sample.scan("fighters").select("fighter_id").collect().to_series().to_list()[:6]
    ids = st.sampled_from([*known, "nobody", ""])
    days = st.dates(date(1990, 1, 1), date(2030, 1, 1)) | st.sampled_from([date(2024, 2, 29), date(2020, 6, 1)])
    rows = data.draw(st.lists(st.tuples(ids, days, st.none() | st.integers(0, 9)), max_size=40))
    rows += rows[: len(rows) // 2]
    schema = {"fighter_id": pl.String, "date": pl.Date, "weight_in_kg": pl.Int64}
    asked = pl.DataFrame(rows, schema=schema, orient="row")
    panel = sample.panel(asked, metrics=["win_streak", "sig_accuracy"])
    assert panel.select(asked.columns).equals(asked)
    assert (panel["absence"].is_null() == panel["version"].is_not_null()).all()
    unknown = ~asked["fighter_id"].is_in(known)
    assert ((panel["absence"] == "unknown_fighter").fill_null(False) == unknown).all()
    # A row's answer does not depend on the rows beside it.
    alone = [sample.panel(asked[i], metrics=["win_streak", "sig_accuracy"]) for i in range(min(3, len(asked)))]
    assert pl.concat([panel.clear(), *alone]).equals(panel.head(len(alone)))


def test_null_keys_and_days_are_named(sample: fd.Snapshot) -> None:
    rows = pl.DataFrame({"fighter_id": ["a", None, "b", None], "date": [date(2020, 1, 1)] * 4})
    with pytest.raises(fd.RowsError, match=r"`fighter_id` is null in 2 of 4 rows, counted from 0: 1, 3"):
        sample.panel(rows)
    with pytest.raises(fd.RowsError, match=r"`date` is null in 1 of 1 rows"):
        sample.panel({"fighter_id": ["a"], "date": [None]})


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({"fighter": ["a"]}, "no column `fighter_id` and no `date`"),
        ({"fighter_id": ["a"], "date": ["2020-01-01"]}, "`date` has type String"),
        ({"fighter_id": [1], "date": [date(2020, 1, 1)]}, "`fighter_id` has type Int64"),
        ({"fighter_id": ["a"], "date": [datetime(2020, 1, 1, 12)]}, "times of day"),
        ({"fighter_id": ["a"], "date": [date(2020, 1, 1)], "absence": [1]}, "that the panel makes: absence"),
        (7, "rows of type int"),
    ],
)
def test_rows_that_cannot_be_joined_say_why(sample: fd.Snapshot, rows: object, why: str) -> None:
    with pytest.raises(fd.RowsError, match=why):
        sample.panel(rows)


def test_unknown_metrics_and_fields_name_those_nearby(sample: fd.Snapshot) -> None:
    rows = {"fighter_id": ["a"], "date": [date(2020, 1, 1)]}
    with pytest.raises(fd.UnknownNameError, match="no metric `sig_acuracy`; did you mean `sig_accuracy`"):
        sample.panel(rows, metrics=["sig_acuracy"])
    with pytest.raises(fd.UnknownNameError, match="`values`; did you mean `value`"):
        sample.panel(rows, fields=["values"])
    with pytest.raises(fd.RowsError, match="metrics is a list of names"):
        sample.panel(rows, metrics="sig_accuracy")
    with pytest.raises(fd.RowsError, match="fields is a list of names"):
        sample.panel(rows, fields="value")


def test_frames_of_other_libraries_are_taken_and_given(sample: fd.Snapshot) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    _, last = ends(sample)
    ids = sample.scan("dna_versions").select(pl.col("fighter_id").unique(maintain_order=True)).collect()
    rows = ids.head(5).with_columns(date=last)
    expected = sample.panel(rows)
    frame = rows.to_pandas()
    frame["date"] = pandas.to_datetime(frame["date"])
    assert sample.panel(frame).equals(expected)
    assert sample.panel(pyarrow.table(rows)).equals(expected)
    assert sample.panel(pyarrow.table(rows).to_reader()).equals(expected)
    assert sample.panel(rows.lazy()).equals(expected)
    assert pyarrow.table(expected).num_rows == len(expected.to_pandas()) == 5


def test_an_id_that_was_given_up_is_resolved(sample: fd.Snapshot, tmp_path: Path) -> None:
    _, last = ends(sample)
    entity = sample.scan("dna_versions").select("fighter_id").first().collect().item()
    alias = {"kind": ["fighter"], "alias_id": ["00000000-old"], "entity_id": [entity]}
    edits = {"aliases": lambda frame: pl.concat([frame, pl.LazyFrame(alias)], how="diagonal")}
    edited = republish(sample, tmp_path / "lake", edits)
    old, new = (edited.panel({"fighter_id": [i], "date": [last]}) for i in ("00000000-old", entity))
    assert old["fighter_id"].item() == "00000000-old"
    assert old.drop("fighter_id").equals(new.drop("fighter_id"))
    assert edited.find_fighter("00000000-old") == entity


def test_a_vintage_is_of_the_snapshot_that_was_known_then(sample: fd.Snapshot, tmp_path: Path) -> None:
    first, last = ends(sample)
    middle = first + (last - first) // 2
    lake = tmp_path / "lake"
    edits = {"dna_versions": lambda frame: frame.filter(pl.col("valid_from") < middle)}
    known = republish(sample, lake, edits, known_at=f"{middle}T00:00:00Z")
    newest = lake / "snapshots" / sample.id
    newest.symlink_to(sample.manifest.folder.resolve())
    write_sealed(lake / "current.json", {"format": 2, "snapshot_id": sample.id})
    now = fd.open(lake)
    rows = sample.scan("dna_versions").select("fighter_id", date=pl.lit(last)).unique().collect()
    assert now.panel(rows, vintage=middle).equals(known.panel(rows))
    assert now.panel(rows, vintage=known.id).equals(known.panel(rows))
    assert not now.panel(rows).equals(known.panel(rows))
    with pytest.raises(fd.LakeError, match="`fightdna run --known-at 2001-01-01` makes one"):
        now.panel(rows, vintage=date(2001, 1, 1))


def test_the_moving_metrics_are_those_of_the_catalogue(sample: fd.Snapshot) -> None:
    assert set(MOVING) <= set(sample.metrics["metric"])

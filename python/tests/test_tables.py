"""Tables: what they say of themselves, and their rows as of a day; one fighter, bouts, and two snapshots."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

import fightdna as fd
from conftest import bits, ends, republish
from fightdna.diff import DiffSide, compare
from fightdna.panel import FIELDS


def test_every_table_says_what_it_is(snapshot: fd.Snapshot) -> None:
    tables = snapshot.tables()
    assert tables.null_count().row(0) == (0,) * 5
    for name, rows, columns, _, _ in tables.rows():
        said = snapshot.describe(name)
        assert (snapshot.scan(name).collect().height, said.height) == (rows, columns)
        assert said["column"].to_list() == snapshot.columns(name).names()
        assert said["meaning"].null_count() == 0
        nulls = snapshot.scan(name).select(said.filter(~pl.col("nullable"))["column"].to_list()).null_count()
        assert sum(nulls.collect().row(0)) == 0


def test_units_and_meanings_are_those_of_the_contract(sample: fd.Snapshot) -> None:
    said = sample.describe("round_stats").rows_by_key("column", named=True, unique=True)
    assert said["bout_id"] == {
        "type": "String",
        "unit": None,
        "meaning": "bout",
        "nullable": False,
        "null_means": None,
    }
    assert sample.describe("fighters").filter(column="reach_in")["unit"].item() == "in"
    assert sample.notes("dna_versions").key == ("fighter_id", "version")
    with pytest.raises(fd.UnknownNameError, match="`bout`; did you mean `bouts`"):
        sample.describe("bout")


def test_versions_as_of_a_day_are_those_of_the_panel(snapshot: fd.Snapshot) -> None:
    first, last = ends(snapshot)
    for day in (first - timedelta(days=1), first, first + (last - first) / 2, last):
        held = snapshot.scan("dna_versions", as_of=day).select("fighter_id", "version").collect()
        fighters = snapshot.scan("fighters").select("fighter_id", date=pl.lit(day)).collect()
        panel = snapshot.panel(fighters, metrics=[]).filter(pl.col("absence").is_null())
        assert held.sort("fighter_id").equals(panel.select("fighter_id", "version").sort("fighter_id"))
        for table in ("round_profiles", "finish_profiles"):
            rows = snapshot.scan(table, as_of=day).select("fighter_id", "version").unique().collect()
            assert rows.join(held, on=["fighter_id", "version"], how="anti").is_empty()
        splits = snapshot.scan("splits", as_of=day).collect()
        assert not splits.select("fighter_id", "dimension", "split_key").is_duplicated().any()


def test_facts_as_of_a_day_are_of_earlier_days(snapshot: fd.Snapshot) -> None:
    middle = snapshot.scan("bouts").select(pl.col("event_date").median().cast(pl.Date)).collect().item()
    day = snapshot.scan("bouts").filter(pl.col("event_date") >= middle).select(pl.min("event_date")).collect().item()
    bouts = snapshot.scan("bouts", as_of=day).collect()
    assert bouts.height and bouts["event_date"].max() < day
    later = snapshot.scan("bouts").join(bouts.lazy(), on="bout_id", how="anti").collect()
    for table in ("results", "round_stats", "weigh_ins"):
        rows = snapshot.scan(table, as_of=day).collect()
        rest = snapshot.scan(table).join(rows.lazy(), on="bout_id", how="anti").collect()
        assert rows["bout_id"].is_in(bouts["bout_id"].implode()).all()
        assert rest["bout_id"].is_in(later["bout_id"].implode()).all()
        assert rows.height + rest.height == snapshot.manifest.tables[table].rows
    assert snapshot.scan("bouts", as_of=datetime(day.year, day.month, day.day)).collect().equals(bouts)


def test_a_table_without_a_rule_says_so(sample: fd.Snapshot) -> None:
    with pytest.raises(fd.AsOfError, match=r"`fighters` has no rule .* on=, of date_of_birth"):
        sample.scan("fighters", as_of=date(2020, 1, 1))
    with pytest.raises(fd.AsOfError, match="it has no dates"):
        sample.scan("metrics", as_of=date(2020, 1, 1))
    articles = sample.scan("articles", as_of=date(2030, 1, 1), on="published_at").collect()
    # A row whose day is not known is not known to be earlier.
    assert articles.height == sample.scan("articles").select(pl.col("published_at").count()).collect().item()
    with pytest.raises(fd.UnknownNameError, match="`published`; did you mean `published_at`"):
        sample.scan("articles", as_of=date(2030, 1, 1), on="published")
    with pytest.raises(fd.AsOfError, match="has type String"):
        sample.scan("articles", as_of=date(2030, 1, 1), on="slug")
    for day in ("2020-01-01", datetime(2020, 1, 1, 5)):
        with pytest.raises(fd.AsOfError, match="as_of is a"):
            sample.scan("bouts", as_of=day)  # type: ignore[arg-type]


def test_one_fighter_is_the_row_of_the_panel(snapshot: fd.Snapshot) -> None:
    newest = snapshot.scan("dna_versions").filter(pl.col("version") == pl.max("version")).select("fighter_id")
    fighter = newest.first().collect().item()
    assert snapshot.facts_until is not None
    day = snapshot.facts_until + timedelta(days=1)
    dna = snapshot.dna(fighter)
    assert dna.equals(snapshot.dna(fighter, as_of=day))
    panel = snapshot.panel({"fighter_id": [fighter], "date": [day]}, fields=FIELDS)
    for metric, *cells in dna.select("metric", *FIELDS).rows():
        assert cells == list(panel.select(f"{metric}__{f}" for f in FIELDS).row(0))
    ok = dna.filter(status="ok")
    assert ok.height and ok["value"].null_count() == 0
    assert dna.filter(pl.col("status") != "ok")["value"].drop_nulls().is_empty()


def test_a_fighter_is_found_by_id_name_and_slug(sample: fd.Snapshot, tmp_path: Path) -> None:
    known = sample.scan("fighters").select("fighter_id", "name").collect()
    alone = known.filter(pl.col("name").is_unique()).row(0)
    slug = "-".join([*alone[1].lower().split(), alone[0][:8]])
    assert {sample.find_fighter(name) for name in (*alone, slug)} == {alone[0]}
    with pytest.raises(fd.UnknownNameError, match=f"did you mean `{alone[1]}`"):
        sample.find_fighter(alone[1][:-1])
    same = republish(sample, tmp_path / "lake", {"fighters": lambda f: f.with_columns(name=pl.lit("A B"))})
    with pytest.raises(fd.AmbiguousFighterError, match=f"fighters are named `A B`; give an id of: {known[0, 0]}"):
        same.dna("A B")


def test_a_fighter_before_the_first_version_has_no_dna(sample: fd.Snapshot) -> None:
    fighter, day = sample.scan("dna_versions").select("fighter_id", "valid_from").first().collect().row(0)
    assert sample.dna(fighter, as_of=day).height == sample.metrics.height
    with pytest.raises(fd.NoVersionError, match=f"the first version is valid from {day}"):
        sample.dna(fighter, as_of=day - timedelta(days=1))


def test_bouts_have_two_sides_each_and_the_dna_before_them(snapshot: fd.Snapshot) -> None:
    bouts, stored = snapshot.bouts(), snapshot.scan("bouts").collect()
    assert bouts.height == 2 * stored.height
    pairs = bouts.group_by("bout_id").agg(pl.col("side").sort(), pl.col("fighter_id").n_unique(), pl.len())
    assert set(pairs["side"].list.join("").to_list()) == {"ab"}
    assert pairs["len"].unique().to_list() == pairs["fighter_id"].unique().to_list() == [2]
    assert bouts["side"].head(4).to_list() == ["a", "b", "a", "b"]
    a, b = (bouts.filter(side=side).drop("side") for side in "ab")
    made = [name for name in a.columns if f"opponent_{name}" in a.columns and name != "fighter_id"]
    assert bits(a.select(made)) == bits(b.select(f"opponent_{name}" for name in made))
    assert bits(b.select(made)) == bits(a.select(f"opponent_{name}" for name in made))
    assert (bouts["absence"].is_null() == bouts["version"].is_not_null()).all()
    panel = snapshot.panel(bouts.select("fighter_id", date="event_date"))
    metrics = [name for name in panel.columns if "__" in name]
    assert bits(bouts.select(metrics)) == bits(panel.select(metrics))


def test_the_outcome_is_what_the_results_say(snapshot: fd.Snapshot) -> None:
    bouts = snapshot.bouts(metrics=[]).join(snapshot.scan("results").collect(), on="bout_id", how="left")
    known = {
        ("won", "win", True), ("lost", "win", False), ("draw", "draw", None),
        ("nc", "no_contest", None), (None, None, None),
    }  # fmt: skip
    found = bouts.select("outcome", "outcome_right", won=pl.col("winner_id") == pl.col("fighter_id"))
    assert set(found.unique().rows()) <= known
    assert bouts["outcome"].null_count() == bouts["outcome_right"].null_count()
    counts = dict(bouts["outcome"].value_counts().rows())
    assert counts["won"] == counts["lost"] > 0
    with pytest.raises(fd.AsOfError, match="have features as of"):
        snapshot.bouts(as_of="after")


def test_a_diff_counts_rows_by_key(sample: fd.Snapshot, tmp_path: Path) -> None:
    one = sample.scan("bouts").select("bout_id").first().collect().item()
    edits = {
        "bouts": lambda frame: frame.filter(pl.col("bout_id") != one).with_columns(
            scheduled_rounds=pl.when(pl.int_range(pl.len()) < 3).then(9).otherwise("scheduled_rounds")
        ),
        "metrics": lambda frame: frame.drop("caveats"),
        "events": lambda frame: frame.reverse(),
    }
    other = republish(sample, tmp_path / "lake", edits)
    found = other.diff(sample)
    counts = {name: counts for name, *counts, _ in found.rows()}
    assert counts.pop("bouts") == [0, 1, 3]
    assert set(map(tuple, counts.values())) == {(0, 0, 0)}
    assert found.filter(table="metrics")["columns_of_one_alone"].item().to_list() == ["caveats"]
    assert sample.diff(other).filter(table="bouts").row(0)[1:4] == (1, 0, 3)
    rows = other.diff(sample, table="bouts")
    assert rows.filter(change="removed")["bout_id"].to_list() == [one]
    assert rows.filter(change="changed").height == 3
    none = sample.diff(sample, table="bouts")
    assert (none.columns, none.height) == (["bout_id", "change"], 0)
    assert sample.diff(sample.id).select(pl.sum("added", "removed", "changed")).row(0) == (0, 0, 0)
    with pytest.raises(fd.UnknownNameError):
        sample.diff(other, table="bout")


def test_a_diff_tells_nulls_from_values_in_keys_and_cells() -> None:
    old = pl.DataFrame({"part": ["a", None, "c", "d"], "n": [1, 2, None, 4]})
    new = pl.DataFrame({"part": ["a", None, "c", "d"], "n": [None, 2, 3, 4]})
    before, after = ({"t": DiffSide(sha, rows.lazy, lambda: ("part",))} for sha, rows in (("0", old), ("1", new)))
    rows = compare(before, after, "t")
    assert rows.rows() == [("a", "changed"), ("c", "changed")]

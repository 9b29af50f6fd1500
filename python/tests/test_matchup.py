"""Two fighters beside each other: what the server says of the same pairs and days, and each gate."""

from __future__ import annotations

import json
import random
import urllib.request
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

import fightdna as fd
from conftest import ends, republish
from fightdna.matchup import can_meet
from servers import serving

OF_SIDE = ("value", "raw_value", "weight", "confidence", "status", "bouts")


@pytest.fixture(scope="module")
def url(lake: Path) -> Iterator[str]:
    with serving("serve", "--lake", lake) as url:
        yield url


def pairs(snapshot: fd.Snapshot, count: int) -> list[tuple[str, str, date]]:
    """Pairs that had versions on the day; some days lie after all that is known."""
    generator = random.Random(2026)
    first, last = ends(snapshot)
    span = (last - first).days
    begins = snapshot.scan("dna_versions").group_by("fighter_id").agg(pl.min("valid_from")).sort("fighter_id").collect()
    found: list[tuple[str, str, date]] = []
    while len(found) < count:
        day = first + timedelta(days=generator.randint(span // 4, span + 600))
        ids = begins.filter(pl.col("valid_from") <= day)["fighter_id"].to_list()
        a, b = generator.sample(ids, 2)
        found.append((a, b, day))
    return found


def seasoned(snapshot: fd.Snapshot) -> tuple[str, str, date]:
    """The two with the most versions, on the day on which the last version begins."""
    _, last = ends(snapshot)
    held = snapshot.scan("dna_versions", as_of=last).sort("version", "fighter_id").select("fighter_id").collect()
    return held["fighter_id"][-1], held["fighter_id"][-2], last


def of_server(url: str, a: str, b: str, day: date) -> pl.DataFrame:
    with urllib.request.urlopen(f"{url}/v1/mma/matchups/{a}/{b}/dna?as_of={day}") as answer:
        metrics = json.load(answer)["data"]["metrics"]
    rows = [
        {
            **{name: m[name] for name in ("metric", "family", "unit", "direction")},
            **{f"{side}_{field}": m[side][field] for side in "ab" for field in OF_SIDE},
            **{name: m[name] for name in ("gap", "gap_sd", "z", "edge", "edge_reason")},
            "gate_min_z": m["gate"] and m["gate"]["min_z"],
            "gate_hold_share": m["gate"] and m["gate"]["hold_share"],
            "gate_bouts": m["gate"] and m["gate"]["n"],
        }
        for m in metrics
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def test_matchups_are_those_of_the_server(snapshot: fd.Snapshot, url: str) -> None:
    edges: Counter[str] = Counter()
    for a, b, day in [seasoned(snapshot), *pairs(snapshot, 20)]:
        expected = of_server(url, a, b, day)
        found = snapshot.matchup(a, b, as_of=day)
        assert found.height == expected.height > 70
        for name in expected.columns:
            assert found[name].to_list() == expected[name].to_list(), (a, b, day, name)
        edges.update(expected["edge_reason"].fill_null("edge"))
    assert {"edge", "value_missing", "confidence", "z_below_gate"} <= set(edges)


def test_both_sides_are_their_dna_and_the_swap_is_a_mirror(snapshot: fd.Snapshot) -> None:
    a, b, day = seasoned(snapshot)
    found = snapshot.matchup(a, b, as_of=day)
    for side, fighter in (("a", a), ("b", b)):
        dna = snapshot.dna(fighter, as_of=day)
        assert found[f"{side}_fighter_id"].unique().to_list() == [fighter]
        for name in ("version", "interval_low", "interval_high", "percentile", "pool_size", *OF_SIDE[:3]):
            assert found[f"{side}_{name}"].to_list() == dna[name].to_list()
    swapped = snapshot.matchup(b, a, as_of=day)
    assert (found["z"] + swapped["z"]).drop_nulls().abs().sum() == 0
    mirrored = found["edge"].replace({"a": "b", "b": "a"})
    assert swapped["edge"].to_list() == mirrored.to_list()
    assert swapped["a_value"].to_list() == found["b_value"].to_list()


def test_a_shrunk_value_lies_in_its_interval(snapshot: fd.Snapshot) -> None:
    a, b, day = seasoned(snapshot)
    found = snapshot.matchup(a, b, as_of=day).drop_nulls("a_interval_low")
    assert found.height > 0
    assert found.select(pl.col("a_value").is_between("a_interval_low", "a_interval_high").all()).item()


def test_women_and_men_are_not_rated_against_each_other(sample: fd.Snapshot, tmp_path: Path) -> None:
    a, b, day = seasoned(sample)
    classes = pl.when(pl.col("fighter_id") == a).then(pl.lit("WOMENS_FLYWEIGHT")).otherwise(pl.lit("FLYWEIGHT"))
    apart = republish(sample, tmp_path, {"dna_versions": lambda frame: frame.with_columns(weight_class=classes)})
    found = apart.matchup(a, b, as_of=day)
    assert found.select("edge", "edge_reason").unique().rows() == [("not_rated", "different_populations")]
    assert found["z"].drop_nulls().len() > 0
    assert can_meet(None, "WOMENS_FLYWEIGHT") and can_meet("FLYWEIGHT", "HEAVYWEIGHT")


def test_who_cannot_be_compared_is_named(sample: fd.Snapshot) -> None:
    a, b, _ = seasoned(sample)
    with pytest.raises(fd.FightdnaError, match="are the same fighter: a matchup has two"):
        sample.matchup(a, a)
    first, _ = ends(sample)
    with pytest.raises(fd.NoVersionError):
        sample.matchup(a, b, as_of=first - timedelta(days=1))
    with pytest.raises(fd.UnknownNameError, match="no fighter `nobody`"):
        sample.matchup(a, "nobody")

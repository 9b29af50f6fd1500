"""Two fighters beside each other, by the rules of `pipeline/compare/src/matchup/edge.rs`, and with the same bits."""

from __future__ import annotations

import sys
from datetime import date, timedelta
from typing import TYPE_CHECKING

import polars as pl

from .errors import FightdnaError
from .fighter import FighterDna, read_dna
from .moving import MOVING

if TYPE_CHECKING:
    from .snapshot import Snapshot

_OF_METRIC = ("metric", "family", "unit", "direction", "validity_class")
_OF_SIDE = (
    *("version", "value", "interval_low", "interval_high", "bouts", "confidence"),
    *("raw_value", "weight", "status", "percentile", "pool_size"),
)
_GATE = ("gate_min_z", "gate_hold_share", "gate_bouts")
_TELLING_GROUPS = ("statistics", "schedule")


def compare_fighters(snapshot: Snapshot, a: str, b: str, day: date) -> pl.DataFrame:
    """See `Snapshot.matchup`."""
    one, two = read_dna(snapshot, a, day), read_dna(snapshot, b, day)
    if one.fighter_id == two.fighter_id:
        raise FightdnaError(f"`{a}` and `{b}` are the same fighter: a matchup has two")
    is_told = day <= _told_until(snapshot) + timedelta(days=1)
    frames = [_side("a", one, is_told), _side("b", two, is_told), snapshot.metrics.select("variance", *_GATE)]
    both = pl.concat([one.frame.select("as_of", *_OF_METRIC), *frames], how="horizontal")
    # Each the variance of a posterior.
    a_variance, b_variance = (pl.col("variance") * (1.0 - pl.col(f"{s}_weight")).clip(0.0) for s in "ab")
    gap, gap_sd = pl.col("a_value") - pl.col("b_value"), (a_variance + b_variance).sqrt()
    compared = both.with_columns(gap=gap, gap_sd=gap_sd, z=pl.when(gap_sd > 0.0).then(gap / gap_sd))
    rated = compared.with_columns(edge_reason=_failed_gate(can_meet(one.weight_class, two.weight_class)))
    sides = [f"{side}_{field}" for side in "ab" for field in ("fighter_id", *_OF_SIDE)]
    made = ("gap", "gap_sd", "z", "edge", "edge_reason", *_GATE)
    return rated.with_columns(edge=_edge()).select("as_of", *_OF_METRIC, *sides, *made)


def can_meet(class_a: str | None, class_b: str | None) -> bool:
    """Whether the two could ever meet, as their weight classes tell."""
    known = [c.startswith("WOMENS_") for c in (class_a, class_b) if c is not None]
    return len(set(known)) < 2


def _told_until(snapshot: Snapshot) -> date:
    """The day up to which sources tell of events: that of their newest capture, or of the newest event with facts."""
    telling = snapshot.scan("sources").filter(pl.col("group").is_in(_TELLING_GROUPS))
    captured = telling.select(pl.max("last_captured_at").dt.date()).collect().item()
    return max(day for day in (captured, snapshot.facts_until, date.min) if day is not None)


def _side(name: str, side: FighterDna, is_told: bool) -> pl.DataFrame:
    confidence, moves = pl.col("confidence"), pl.col("metric").is_in(MOVING)
    if not is_told:
        # What goes on after all that sources tell is at most of low confidence, the rest of medium.
        capped = pl.when(moves & (confidence != "insufficient")).then(pl.lit("low"))
        confidence = capped.when(confidence == "high").then(pl.lit("medium")).otherwise(confidence)
    return side.frame.with_columns(confidence=confidence).select(
        pl.lit(side.fighter_id).alias(f"{name}_fighter_id"),
        *(pl.col(field).alias(f"{name}_{field}") for field in _OF_SIDE),
    )


def _failed_gate(is_possible: bool) -> pl.Expr:
    """The first gate that fails; null where none does."""
    smallest = pl.max_horizontal("gate_min_z", pl.lit(sys.float_info.min))
    gates = {
        "different_populations": pl.lit(not is_possible),
        "value_missing": pl.col("gap").is_null(),
        "confidence": ~pl.all_horizontal(pl.col("a_confidence", "b_confidence").is_in(["medium", "high"])),
        "validity_class": ~pl.col("validity_class").is_in(["A", "B"]).fill_null(False),
        "no_gate": pl.col("gate_min_z").is_null(),
        "no_variance": pl.col("z").is_null(),
        # Equal values are no difference, whatever the gate.
        "z_below_gate": pl.col("z").abs() < smallest,
    }
    return pl.coalesce(pl.when(fails).then(pl.lit(name)) for name, fails in gates.items())


def _edge() -> pl.Expr:
    """The side with the better value, or of a neutral metric with the higher."""
    is_a = (pl.col("z") > 0.0) != (pl.col("direction") == "lower")
    return (
        pl.when(pl.col("edge_reason") == "z_below_gate")
        .then(pl.lit("none"))
        .when(pl.col("edge_reason").is_not_null())
        .then(pl.lit("not_rated"))
        .when(is_a)
        .then(pl.lit("a"))
        .otherwise(pl.lit("b"))
    )

"""A snapshot of a lake: its tables, one fighter's DNA, panels and bouts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from . import lake
from .as_of import cut
from .bouts import join_bouts
from .diff import DiffSide, compare
from .errors import AmbiguousFighterError, AsOfError, LakeError, unknown
from .fighter import read_dna
from .matchup import compare_fighters
from .moving import History
from .notes import TableNotes
from .panel import join_panel


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A published snapshot, which never changes. Made by `fightdna.open`.

    Every table is checked against the digest in the manifest before it is first read; nulls are kept as they are.
    """

    origin: lake.Origin
    """The folder or server that it was opened from."""
    manifest: lake.Manifest = field(repr=False)
    _versions: dict[str, pl.DataFrame] = field(default_factory=dict, init=False, repr=False)

    @property
    def path(self) -> Path | None:
        """Folder of the lake; None of a server."""
        return self.origin.path if isinstance(self.origin, lake.Folder) else None

    @property
    def id(self) -> str:
        """The snapshot's name, a digest of its tables."""
        return self.manifest.id

    @property
    def product(self) -> str:
        """`mma`, `catalog` or `properties`."""
        return self.manifest.product

    @property
    def facts_until(self) -> date | None:
        """Date of the last event with facts in it; None where the product does not state it."""
        return self.manifest.facts_until

    def __repr__(self) -> str:
        return f"Snapshot({self.id}, {self.product}, facts until {self.facts_until}, {self.origin})"

    # Tables

    def tables(self) -> pl.DataFrame:
        """The tables: name, rows, columns, grain, meaning. Grain and meaning stand in the Parquet files."""
        entries = [(entry, self.notes(name)) for name, entry in self.manifest.tables.items()]
        rows = [(e.name, e.rows, len(notes.columns), notes.grain, notes.meaning) for e, notes in entries]
        return pl.DataFrame(rows, schema=["name", "rows", "columns", "grain", "meaning"], orient="row")

    def describe(self, table: str) -> pl.DataFrame:
        """The columns of a table: column, type, unit, meaning, nullable, null_means.

        All of it is read from the table's Parquet file. A null in `null_means` says that the file does not
        state it, as those of data format 2 do not: the data dictionary does (`fightdna dictionary`).
        """
        types, notes = self.columns(table), self.notes(table).columns
        names = ("unit", "meaning", "nullable", "null_means")
        rows = [
            (
                column,
                str(dtype),
                n.notes.get("unit"),
                n.notes.get("meaning"),
                n.nullable,
                n.notes.get("null_means"),
            )
            for (column, dtype), n in ((item, notes[item[0]]) for item in types.items())
        ]
        schema = {"column": pl.String, "type": pl.String} | dict.fromkeys(names, pl.String)
        return pl.DataFrame(rows, schema=schema | {"nullable": pl.Boolean}, orient="row")

    def scan(self, table: str, as_of: date | None = None, on: str | None = None) -> pl.LazyFrame:
        """All rows of a table, or those as of a day, which means before that day began.

        - Versions (`dna_versions`, `splits`, `baselines`, and whatever has `valid_from` in its key): the row that
          holds on the day. `round_profiles`, `finish_profiles` and `finish_times`: those of that version.
        - Facts with a day (`bouts`, `events`, `ratings`, `rankings`, `stated_careers`): rows of earlier days.
        - Facts of a bout (`results`, `round_stats`, scorecards and others): those of bouts of earlier days.
        - Any other: rows whose column `on` is before the day (instants: before its 00:00 UTC), and not null. Without
          `on` an `AsOfError`.

        Rows say what is known now: corrections made after the day are in them.
        """
        if as_of is not None:
            return cut(self, table, checked_day(as_of), on)
        return pl.scan_parquet(self.manifest.table_file(table), glob=False, hive_partitioning=False)

    def columns(self, table: str) -> pl.Schema:
        """Names and types of the columns of a table."""
        return self.manifest.columns(table)

    def notes(self, table: str) -> TableNotes:
        """Grain, key and meanings of a table, as its Parquet file states them."""
        return self.manifest.notes(table)

    # Fight DNA

    def dna(self, fighter: str, as_of: date | None = None) -> pl.DataFrame:
        """One fighter's metrics as of a day, a row each; without a day, as of the day after `facts_until`.

        `fighter` is an id, a name as it is written, or a slug. `bouts` is the sample. Metrics that move with the days
        are of the asked day, without interval and percentile; those of the others are of the version's first day.
        """
        self._require_mma("dna")
        day = checked_day(as_of) if as_of is not None else self._day_after()
        return read_dna(self, fighter, day).frame

    def matchup(self, a: str, b: str, as_of: date | None = None) -> pl.DataFrame:
        """Two fighters beside each other as of a day, a row a metric; without a day, as of the day after `facts_until`.

        Of both, in columns `a_` and `b_`, what `dna` says. `gap` is a's value less b's; `gap_sd` its standard
        deviation √(var_a + var_b), each the metric's variance between fighters times (1 - weight); `z` is gap / gap_sd.
        `edge` is a, b, none or not_rated, and `edge_reason` why it is neither a nor b: an edge needs values of medium
        confidence on both sides, validity class A or B, and |z| of at least `gate_min_z`, at which the higher value
        led in `gate_hold_share` of `gate_bouts` past bouts. It is no pick, and no probability of winning.
        """
        self._require_mma("matchup")
        return compare_fighters(self, a, b, checked_day(as_of) if as_of is not None else self._day_after())

    def panel(
        self,
        rows: Any,
        metrics: Sequence[str] | None = None,
        *,
        fields: Sequence[str] = ("value",),
        vintage: date | str | None = None,
    ) -> pl.DataFrame:
        """Fight DNA beside rows of fighters and days: as many rows as were given, in their order.

        Rows are a frame of polars, pandas or pyarrow, or anything with the Arrow C stream, with columns
        `fighter_id` and `date`; other columns are kept. Each gets the version that holds on its date, which rests
        on bouts before that date alone, and columns `METRIC__FIELD` of all metrics or of these: `value` (shrunk; null
        where the sample is too small), `shrunk_value` (also there), `raw_value`, `weight`, `confidence`. Where
        `has_version` is false, `absence` is `unknown_fighter` or `no_version_yet`. `bouts_without_statistics` are
        bouts before the date that are in no value. Ids that were given up are resolved. Metrics that move with the
        days are of the date.

        With a vintage, values are those that were known when that day began: of the snapshot that
        `fightdna run --known-at VINTAGE` made, found by that day or by its id. Without, with today's corrections.
        """
        self._require_mma("panel")
        if vintage is not None:
            if isinstance(vintage, str):
                manifest = self.origin.manifest(vintage)
            else:
                manifest = self.origin.known_at(checked_day(vintage))
            return Snapshot(self.origin, manifest).panel(rows, metrics, fields=fields)
        return join_panel(self, rows, metrics, fields)

    def bouts(
        self,
        metrics: Sequence[str] | None = None,
        as_of: str = "before",
        *,
        fields: Sequence[str] = ("value",),
    ) -> pl.DataFrame:
        """Two rows for each bout, one a side, with the DNA of both before the bout and what came of it.

        Columns of the opponent begin with `opponent_`. `outcome` is won, lost, draw or nc, and null where it is not
        known; it and `status` are what came of the bout, and no features. `has_version` and `opponent_has_version` say
        whether there is DNA, `absence` and `opponent_absence` why not. `as_of` is "before": the state before the day of
        the bout, all that a model may see.
        """
        self._require_mma("bouts")
        if as_of != "before":
            raise AsOfError(f'as_of="{as_of}" is not known: bouts have features as of "before" the day of the bout')
        return join_bouts(self, metrics, fields)

    def find_fighter(self, fighter: str) -> str:
        """The id of a fighter by id, exact name or slug."""
        self._require_mma("dna")
        numbers = self.fighter_numbers
        number = numbers.filter(fighter_id=fighter)["fighter"]
        known = self._fighters
        if len(number):
            return str(known["fighter_id"][number[0]])
        found = known.filter(pl.col("name") == fighter)
        slug = re.fullmatch(r"[a-z0-9-]*-([0-9a-f]{8})", fighter)
        if slug and found.is_empty():
            found = known.filter(pl.col("fighter_id").str.starts_with(slug[1]))
        if found.is_empty():
            raise unknown("fighter", fighter, known["name"].unique())
        if len(found) > 1:
            listed = "; ".join(f"{i} ({n}, “{nick}”, born {born})" for i, n, nick, born in found.rows())
            raise AmbiguousFighterError(f"{len(found)} fighters are named `{fighter}`; give an id of: {listed}")
        return str(found["fighter_id"][0])

    # Two snapshots

    def diff(self, other: Snapshot | str, table: str | None = None) -> pl.DataFrame:
        """What differs between another snapshot and this one, by the keys of the tables.

        A row for each table with how many rows were added, removed and changed since `other` (a snapshot, or an id
        in this lake), and which columns one alone has, which are not compared. With a table: the keys of these rows.
        """
        if isinstance(other, str):
            other = Snapshot(self.origin, self.origin.manifest(other))
        if other.product != self.product:
            raise LakeError(f"snapshots of {other.product} and {self.product} have no tables in common")
        old, new = ({name: _side(s, name) for name in s.manifest.tables} for s in (other, self))
        if table is not None and table not in old and table not in new:
            raise unknown("table", table, {**old, **new})
        return compare(old, new, table)

    # What is read once

    @cached_property
    def _fighters(self) -> pl.DataFrame:
        return self.scan("fighters").select("fighter_id", "name", "nickname", "date_of_birth").collect()

    @cached_property
    def metrics(self) -> pl.DataFrame:
        """The definitions of all metrics, in their order."""
        names = self.scan("metrics").collect()
        order = [c.split("__")[0] for c in self.columns("dna_versions") if c.endswith("__value")]
        places = pl.DataFrame({"metric": order}).with_row_index("place")
        return places.join(names, on="metric", maintain_order="left").drop("place")

    @cached_property
    def fighter_numbers(self) -> pl.DataFrame:
        """Ids of fighters, also those that were given up, with the place of the fighter in its table."""
        numbers = self._fighters.select("fighter_id").with_row_index("fighter")
        aliases = self.scan("aliases").filter(kind="fighter").select("alias_id", fighter_id="entity_id").collect()
        given_up = aliases.join(numbers, on="fighter_id").select(fighter_id="alias_id", fighter="fighter")
        ids = pl.concat([numbers.select("fighter_id", "fighter"), given_up])
        return ids.unique("fighter_id", keep="first", maintain_order=True)

    @cached_property
    def history(self) -> History:
        """What happened between versions."""
        bouts = self.scan("bouts").select("bout_id", "event_date", "status", "fighter_a_id", "fighter_b_id")
        sides = bouts.unpivot(
            on=["fighter_a_id", "fighter_b_id"],
            index=["bout_id", "event_date", "status"],
            value_name="fighter_id",
        )
        ratings = self.scan("ratings").select("fighter_id", "event_date", "score", "rating_after")
        return History.of(
            bouts=self._numbered(sides),
            results=self.scan("results").select("bout_id").collect(),
            ratings=self._numbered(ratings),
        )

    def versions(self, columns: Sequence[str]) -> pl.DataFrame:
        """All DNA versions with these columns, and the numbers of their fighters; kept until others are asked for."""
        fixed = ("version", "valid_from", "definition_version", "weight_class", "eligible_bouts", "last_bout_date")
        wanted = list(dict.fromkeys((*fixed, *columns)))
        held = next(iter(self._versions.values()), None)
        if held is None or not set(wanted) <= set(held.columns):
            self._versions.clear()
            held = self._numbered(self.scan("dna_versions").select("fighter_id", *wanted))
            self._versions["held"] = held
        return held.select(*wanted, "fighter")

    def _numbered(self, frame: pl.LazyFrame) -> pl.DataFrame:
        numbers = self.fighter_numbers.lazy()
        return frame.join(numbers, on="fighter_id", maintain_order="left").drop("fighter_id").collect()

    def _day_after(self) -> date:
        if self.facts_until is None:
            raise AsOfError("this snapshot states no day of its facts: give as_of")
        return self.facts_until + timedelta(days=1)

    def _require_mma(self, method: str) -> None:
        if self.product != "mma":
            raise LakeError(
                f"{method} is of Fight DNA, and this is a snapshot of {self.product}; scan(table, as_of) gives "
                "the versions of its tables that hold on a day"
            )


def _side(snapshot: Snapshot, table: str) -> DiffSide:
    return DiffSide(
        sha256=snapshot.manifest.tables[table].sha256,
        scan=lambda: snapshot.scan(table),
        key=lambda: snapshot.notes(table).key,
    )


def checked_day(day: date) -> date:
    """The day of a date or of an instant at midnight."""
    if isinstance(day, datetime):
        if day != datetime(day.year, day.month, day.day, tzinfo=day.tzinfo):
            raise AsOfError(f"as_of is a day, and {day} has a time of day")
        return day.date()
    if not isinstance(day, date):
        raise AsOfError(f"as_of is a datetime.date, not {type(day).__name__}")
    return day

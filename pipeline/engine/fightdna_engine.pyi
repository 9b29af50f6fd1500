"""Fight DNA in the process that calls it: tables of facts as Arrow in, the tables of `fightdna derive` as Arrow out.

    import polars as pl, fightdna, fightdna_engine

    snapshot = fightdna.open("lake")
    facts = {name: snapshot.scan(name).collect() for name in fightdna_engine.FACTS_TABLES}
    versions = pl.DataFrame(fightdna_engine.derive(facts)["dna_versions"])

Tables go in and out by the C stream interface of Arrow (`__arrow_c_stream__`): those of pyarrow, polars, DuckDB, Sail
and whatever else has it, without a copy. Nothing else is read: no file, clock or setting. The same facts give the same
values in any process, with any number of threads, as `fightdna derive` of the same version writes.

Each table, column and unit is described in the book, under "Derived tables", and in the metadata of the columns.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, Protocol, final, type_check_only

__all__ = ["FACTS_TABLES", "DerivedTable", "InputError", "__version__", "derive", "metric_definitions"]

__version__: Final[str]
"""Version of the engine; that of the program that derives the same values."""

FACTS_TABLES: Final[tuple[str, ...]]
"""Names of the tables of a snapshot that `derive` reads."""

@type_check_only
class ArrowStream(Protocol):
    """Rows that give themselves by the C stream interface of Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any: ...

class InputError(ValueError):
    """Tables or arguments that nothing can be derived from. The message names the table, column, row or metric."""

@final
class DerivedTable:
    """A derived table: `pyarrow.table(t)`, `polars.DataFrame(t)` and `duckdb.from_arrow(t)` take it without a copy.

    Sorted by its key. Each column has its meaning and unit as metadata, `meaning` and `unit`.
    """

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in the order of the table's contract."""

    def __len__(self) -> int:
        """Number of rows."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> Any:
        """All rows as a stream of one batch, as often as it is called. `requested_schema` is ignored."""

def derive(
    tables: Mapping[str, ArrowStream],
    *,
    metrics: Sequence[str] | None = None,
    definitions: ArrowStream | None = None,
    as_of: date | None = None,
    after: date | None = None,
    shard: tuple[int, int] | None = None,
    threads: int = 0,
) -> dict[str, DerivedTable]:
    """Derives Fight DNA of the facts before a day.

    Parameters
    ----------
    tables
        The tables of a snapshot that `FACTS_TABLES` names, by name and whole: `bouts`, `fighters`, `results`,
        `round_stats`, `scorecards`. Priors and percentiles are of all fighters, so a part of the rows gives other values
        and no error. Rows may be in any order; columns that derivation does not read may be
        missing. Text may be of any layout of Arrow, other columns have the types of the published tables: counts int32,
        seconds int32, days date32.
    metrics
        Names of the metrics to derive, in any order; `None` for all 81. Columns and rows of others are left out, and what
        remains has the values that it has among all.
    definitions
        The table `metrics` of a snapshot, or rows of it: derives those metrics, if `metrics` names none, and refuses to if this
        build defines one of them otherwise.
    as_of
        Bouts on and after this day are the future. `None` is the day after the last bout.
    after
        Only rows of what holds from a later day than this on, so that (`after`, `as_of`] are days of a shard.
    shard
        `(i, n)`: only rows of the fighters of shard i, from 1, of n. A fighter is always of the same shard, and costs what all do:
        dates and metrics share out the work, this only what comes of it.
    threads
        Threads of this call; 0 for one for each core.

    Returns
    -------
    By name, as in the book under "Derived tables": `dna_versions` (a row for each fighter and version; for each metric
    status, value, interval, sums, exposure, weight, prior, confidence, reasons, percentile), `baselines` (a row for each
    day and weight class), `splits`, `round_profiles`, `finish_profiles`, `finish_times`, `ratings`, and without shards
    `metrics` and `validity` (a row for each metric). A value is in the metric's `unit`; null is what is not known.

    `validity` is measured over all days before `as_of`: take it of a call without `after`.

    Raises
    ------
    InputError
        A table or column is missing, of another type or null where it must not be; a value is none that its table allows;
        a metric is not defined, or otherwise; a shard is empty.
    TypeError
        A table has no `__arrow_c_stream__`, or an argument is of another type.

    Source: the engine of `fightdna derive`, with its metric definitions.
    """

def metric_definitions() -> DerivedTable:
    """The metric definitions that this build derives with, as the table `metrics` of a snapshot: a row for each metric,
    by name, with meaning, unit, estimator, numerator, denominator, prior, minimum sample and validity class."""

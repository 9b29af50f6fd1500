#!/usr/bin/env python3
"""As-of sums beside other engines: what each fighter and his opponents had done before the day of each of his bouts, 44
columns, from the rounds and bouts of a lake, written as Parquet. Ours is the timeline of the DNA engine; the others are
polars (streaming), DuckDB and DataFusion. Each is a process of its own, in turn; medians. The rows must be equal.

    cargo build --release -p fdna-bench && PYTHON tests/bench/as_of.py LAKE [ROUNDS] [TIMES]

PYTHON has polars and pyarrow, and the others where they are to be compared. With TIMES, the tables are made so many times as
large: each bout and fighter that often, under other ids.
"""
import concurrent.futures
import importlib.util
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release")
COUNTS = """knockdowns sig_landed sig_attempted total_landed total_attempted td_landed td_attempted sub_attempts reversals
    head_landed head_attempted body_landed body_attempted leg_landed leg_attempted distance_landed distance_attempted
    clinch_landed clinch_attempted ground_landed ground_attempted""".split()
VALUES = [*COUNTS, *[f"o_{count}" for count in COUNTS], "rounds", "bouts"]
KEY = ["fighter_id", "event_date", "bout_id"]


def by_polars(rounds, bouts, out):
    import polars as pl

    begun = time.perf_counter()
    own = pl.scan_parquet(rounds).group_by("bout_id", "fighter_id").agg(
        pl.col(COUNTS).cast(pl.Int64).sum(), pl.len().cast(pl.Int64).alias("rounds"), pl.lit(1, pl.Int64).alias("bouts"))
    days = pl.scan_parquet(bouts).select("bout_id", "event_date", "fighter_a_id", "fighter_b_id")
    own = own.join(days, on="bout_id").with_columns(
        pl.when(pl.col("fighter_id") == pl.col("fighter_a_id")).then("fighter_b_id").otherwise("fighter_a_id").alias("opponent_id"))
    theirs = own.select("bout_id", pl.col("fighter_id").alias("opponent_id"), *[pl.col(c).alias(f"o_{c}") for c in COUNTS])
    both = own.join(theirs, on=["bout_id", "opponent_id"])
    day = both.group_by("fighter_id", "event_date").agg(pl.col(VALUES).sum()).sort("fighter_id", "event_date")
    before = day.with_columns([(pl.col(v).cum_sum().over("fighter_id") - pl.col(v)).alias(v) for v in VALUES])
    rows = both.select(KEY).join(before, on=["fighter_id", "event_date"]).select([*KEY, *VALUES]).sort(KEY)
    rows.sink_parquet(out, compression="zstd", engine="streaming")
    return time.perf_counter() - begun


def by_duckdb(rounds, bouts, out):
    import duckdb

    begun = time.perf_counter()
    sums = ", ".join(f"sum({count})::bigint {count}" for count in COUNTS)
    theirs = ", ".join(f"o.{count} o_{count}" for count in COUNTS)
    before = ", ".join(f"coalesce(sum({value}) over before, 0)::bigint {value}" for value in VALUES)
    connection = duckdb.connect()
    connection.execute("set preserve_insertion_order = false")
    connection.execute(f"""
        copy (with own as materialized (
            select r.*, b.event_date, case when r.fighter_id = b.fighter_a_id then b.fighter_b_id else b.fighter_a_id end opponent_id
            from (select bout_id, fighter_id, {sums}, count(*)::bigint rounds, 1::bigint bouts from '{rounds}' group by all) r
            join '{bouts}' b using (bout_id)),
        both_sides as (select a.*, {theirs} from own a join own o on o.bout_id = a.bout_id and o.fighter_id = a.opponent_id)
        select fighter_id, event_date, bout_id, {before} from both_sides
        window before as (partition by fighter_id order by event_date
            range between unbounded preceding and interval 1 day preceding)
        order by all) to '{out}' (format parquet, compression zstd)""")
    return time.perf_counter() - begun


def by_datafusion(rounds, bouts, out):
    import datafusion

    begun = time.perf_counter()
    sums = ", ".join(f"sum({count}) {count}" for count in COUNTS)
    theirs = ", ".join(f"o.{count} o_{count}" for count in COUNTS)
    before = ", ".join(f"coalesce(sum({value}) over before, 0) {value}" for value in VALUES)
    context = datafusion.SessionContext()
    context.register_parquet("round_stats", rounds)
    context.register_parquet("bouts", bouts)
    context.sql(f"""
        copy (with own as (
            select r.*, b.event_date, case when r.fighter_id = b.fighter_a_id then b.fighter_b_id else b.fighter_a_id end opponent_id
            from (select bout_id, fighter_id, {sums}, count(*) rounds, cast(1 as bigint) bouts from round_stats group by all) r
            join bouts b on r.bout_id = b.bout_id),
        both_sides as (select a.*, {theirs} from own a join own o on o.bout_id = a.bout_id and o.fighter_id = a.opponent_id)
        select fighter_id, event_date, bout_id, {before} from both_sides
        window before as (partition by fighter_id order by event_date
            range between unbounded preceding and interval '1 day' preceding)
        order by fighter_id, event_date, bout_id) to '{out}' stored as parquet options ('format.compression' 'zstd(3)')""").collect()
    return time.perf_counter() - begun


PEERS = {"polars": by_polars, "duckdb": by_duckdb, "datafusion": by_datafusion}


def measure(command):
    """Seconds of the work, CPU seconds and peak MiB of the process."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    seconds = json.loads(child.stdout.read() or "null")
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def tables(lake):
    """The files of the snapshot's tables of rounds and bouts."""
    current = json.loads((lake / "current.json").read_text())["snapshot_id"]
    return [lake / f"snapshots/{current}/tables/{name}.parquet" for name in ("round_stats", "bouts")]


def apart(function, *args):
    """The result of a function in a process of its own: what a process has loaded counts in the peak of each that it starts."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *args).result()


def larger(inputs, times, work):
    """The same tables so many times: the ids of each repetition begin with other digits, so that the order stays."""
    import polars as pl
    import pyarrow.parquet as parquet

    files = []
    for file in inputs:
        rows = pl.read_parquet(file)
        ids = [name for name in rows.columns if name.endswith("_id") and rows[name].dtype == pl.String]
        other = lambda name, n: (pl.lit(f"{n:02x}") + pl.col(name).str.slice(0, 6) + pl.col(name).str.slice(8)).alias(name)
        parts = [rows.with_columns([other(name, n) for name in ids]) for n in range(times)]
        files.append(pathlib.Path(work, f"{times}-{file.name}"))
        # As Arrow tables with the types of the lake's, which all engines read.
        parquet.write_table(pl.concat(parts).to_arrow().cast(parquet.read_schema(file)), files[-1], row_group_size=128 << 10)
    return files


def same(files):
    """Whether all files have the same rows."""
    import pyarrow.compute as compute
    import pyarrow.parquet as parquet

    first = parquet.read_table(files[0])
    for file in files[1:]:
        other = parquet.read_table(file).cast(first.schema)
        if other.num_rows != first.num_rows or not all(
            compute.all(compute.equal(first[name], other[name])).as_py() for name in first.column_names
        ):
            return False
    return True


def compare(inputs, rounds, program, work):
    """Medians of each engine that is there, ours first, and whether all rows are the same."""
    names = [name for name in PEERS if importlib.util.find_spec(name)]
    outputs = {name: pathlib.Path(work, f"{name}.parquet") for name in ("ours", *names)}
    measured = {name: [] for name in outputs}
    for _ in range(rounds):
        for name, out in outputs.items():
            command = [program] if name == "ours" else [sys.executable, __file__, name]
            measured[name].append(measure([*command, *inputs, out]))
    medians = {name: [statistics.median(values) for values in zip(*runs)] for name, runs in measured.items()}
    return medians, apart(same, list(outputs.values()))


def main():
    if sys.argv[1] in PEERS:
        print(PEERS[sys.argv[1]](*sys.argv[2:]))
        return
    lake, rounds, times = pathlib.Path(sys.argv[1]), *map(int, [*sys.argv[2:], *["5", "1"][len(sys.argv) - 2:]])
    with tempfile.TemporaryDirectory(prefix="fightdna-as-of-") as work:
        inputs = tables(lake) if times == 1 else apart(larger, tables(lake), times, work)
        medians, equal = compare(inputs, rounds, TARGET / "as-of", work)
    print(f"{'':12}{'work s':>9}{'CPU s':>9}{'peak MiB':>10}   of ours")
    for name, (wall, cpu, peak) in medians.items():
        print(f"{name:12}{wall:9.3f}{cpu:9.2f}{peak:10.0f}{cpu / medians['ours'][1]:10.2f} times the CPU")
    print(f"{'the same' if equal else 'NOT THE SAME'} rows")
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()

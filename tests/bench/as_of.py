#!/usr/bin/env python3
"""As-of sums beside other engines: what each fighter and his opponents had done before the day of each of his bouts, 44
columns, from the rounds and bouts of a lake, written as Parquet. Ours is the timeline of the DNA engine; the others are
polars (streaming) and DuckDB. Each is a process of its own, in turn; medians. The rows must be equal.

    cargo build --release -p fdna-bench && PYTHON tests/bench/as_of.py LAKE [ROUNDS]

PYTHON has polars, duckdb and pyarrow.
"""
import json
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


def main():
    if sys.argv[1] in ("polars", "duckdb"):
        print({"polars": by_polars, "duckdb": by_duckdb}[sys.argv[1]](*sys.argv[2:]))
        return
    lake, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    inputs = tables(lake)
    with tempfile.TemporaryDirectory(prefix="fightdna-as-of-") as work:
        outputs = {name: pathlib.Path(work, f"{name}.parquet") for name in ("ours", "polars", "duckdb")}
        measured = {name: [] for name in outputs}
        for _ in range(rounds):
            for name, out in outputs.items():
                command = [TARGET / "as-of"] if name == "ours" else [sys.executable, __file__, name]
                measured[name].append(measure([*command, *inputs, out]))
        print(f"{'':8}{'work s':>9}{'CPU s':>9}{'peak MiB':>10}   of ours")
        ours = statistics.median(cpu for _, cpu, _ in measured["ours"])
        for name, runs in measured.items():
            wall, cpu, peak = (statistics.median(values) for values in zip(*runs))
            print(f"{name:8}{wall:9.3f}{cpu:9.2f}{peak:10.0f}{cpu / ours:10.2f} times the CPU")
        equal = same(list(outputs.values()))
        print(f"{'the same' if equal else 'NOT THE SAME'} rows")
        sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()

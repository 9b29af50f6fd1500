#!/usr/bin/env python3
"""Panels of what was known, against `run --known-at` and `backfill` of the snapshot that it makes, cell by cell.

    tests/contract/vintage.py PROGRAM LAKE [DAYS]    so many random days of the two years before the newest capture
"""
import datetime
import json
import pathlib
import random
import subprocess
import sys

import polars as pl

PROGRAM, LAKE = sys.argv[1], pathlib.Path(sys.argv[2])
DAYS = int(sys.argv[3]) if len(sys.argv) > 3 else 10


def run(command, *arguments):
    done = subprocess.run([PROGRAM, command, "--lake", LAKE, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (command, arguments, done.stderr[-1000:])
    return done.stdout


def served():
    return json.loads((LAKE / "current.json").read_text())["snapshot_id"]


def read(table, day):
    return pl.read_parquet(LAKE / "panels" / table / f"as_of={day}" / "part.parquet")


def main():
    current = served()
    manifest = json.loads((LAKE / "snapshots" / current / "manifest.json").read_text())
    newest = datetime.date.fromisoformat(max(capture["captured_at"] for capture in manifest["captures"])[:10])
    seed = newest.toordinal()
    back = random.Random(seed).sample(range(730), DAYS)
    days = sorted((newest - datetime.timedelta(days)).isoformat() for days in back)
    asked = [word for day in days for word in ("--as-of", day)]
    dates = json.loads(run("backfill", "--json", "--vintage", *asked))["dates"]
    assert served() == current, "current moved"
    rows = 0
    for date in (date for date in dates if date["state"] != "before_first"):
        day = date["as_of"]
        report = json.loads(run("run", "--json", "--known-at", day))
        made = next(job["made"]["id"] for job in report["jobs"] if job.get("made"))
        # One snapshot stands for all days between two captures; it is named after the first that was asked for.
        run("rollback", "--to", made)
        run("backfill", "--as-of", day)
        for table in ("wide", "long"):
            vintage, known = read(f"vintage_{table}", day), read(table, day)
            assert vintage["known_until"].max() <= datetime.datetime.fromisoformat(day + "T00:00:00+00:00"), day
            assert vintage.drop("known_until").equals(known, null_equal=True), (day, table)
            rows += len(known)
    run("rollback", "--to", current)
    print(f"panels of what was known on {len(days)} days: {rows} rows equal (seed {seed})")


main()

#!/usr/bin/env python3
"""Times the long replay: N weekly captures of a full history, one command; then one more capture, and one more in
which nothing changed. The captures are made of a real one, cut back event by event to what stood on each week.

    cargo build --release --bins && python3 tests/bench/long_replay.py [N] [SOURCE_FOLDER]

Everything it makes is removed at the end; N = 300 takes about 7 GB for a while.
"""
import csv
import datetime
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release")
DATA = pathlib.Path(os.environ.get("FIGHTDNA_REAL_DATA", ROOT.parent / "shared/data"))
N = int(sys.argv[1]) if len(sys.argv) > 1 else 300
SOURCE = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else DATA / "statsdb-csv/2025-11-02"
BY_EVENT = ["ufc_fight_details.csv", "ufc_fight_results.csv", "ufc_fight_stats.csv"]
WHOLE = ["ufc_fighter_details.csv", "ufc_fighter_tott.csv"]


def records(name):
    """Header and records, each as it stands in the file, with its first field."""
    lines = (SOURCE / name).read_text(encoding="utf-8").splitlines(keepends=True)
    found, open_quotes = [], False
    for line in lines:
        if open_quotes:
            found[-1] += line
        else:
            found.append(line)
        open_quotes ^= line.count('"') % 2 == 1
    return found[0], [(next(csv.reader(io.StringIO(record)))[0].strip(), record) for record in found[1:]]


def captures(folder):
    """Makes N + 1 weekly captures below `folder`, the last one of the whole history; gives their folders."""
    header, events = records("ufc_event_details.csv")
    held = {}
    for name, record in events:
        date = next(csv.reader(io.StringIO(record)))[2]
        held[name] = datetime.datetime.strptime(date, "%B %d, %Y").date()
    files = {"ufc_event_details.csv": (header, events)} | {name: records(name) for name in BY_EVENT}
    last = max(held.values()) + datetime.timedelta(days=1)
    made = []
    for week in range(N, -1, -1):
        day = last - datetime.timedelta(weeks=week)
        capture = folder / day.isoformat()
        capture.mkdir(parents=True)
        for name, (header, rows) in files.items():
            stood = [record for event, record in rows if held.get(event, datetime.date.min) < day]
            (capture / name).write_text(header + "".join(stood), encoding="utf-8")
        for name in WHOLE:
            shutil.copy(SOURCE / name, capture / name)
        made.append(capture)
    return made


def measure(command):
    """Wall seconds, CPU seconds, peak MiB, report."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{command} failed: {output.decode()[-2000:]}")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, json.loads(output)


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


def main():
    work = pathlib.Path(tempfile.mkdtemp(prefix="fightdna-replay-", dir=os.environ.get("FIGHTDNA_BENCH_FOLDER")))
    try:
        made = captures(work / "captures")
        run = [TARGET / "fightdna", "run", "--json", "--lake", work / "lake"]
        further, same = work / "further", work / "same"
        further.mkdir()
        made[-1].rename(further / made[-1].name)
        same.mkdir()
        later = datetime.date.fromisoformat(made[-1].name) + datetime.timedelta(weeks=1)
        shutil.copytree(further / made[-1].name, same / later.isoformat())
        print(f"{N} weekly captures of {SOURCE.name}: {size(work / 'captures'):.0f} MiB\n")
        print(f"{'':24}{'wall s':>8}{'CPU s':>8}{'peak MiB':>10}")
        for name, folder in [("all", "captures"), ("nothing new", "captures"), ("one more", "further"), ("one more, unchanged", "same")]:
            wall, cpu, peak, report = measure(run + ["--captures", f"statsdb={work / folder}"])
            jobs = ", ".join(f"{job['job']} {job['seconds']:.2f}" for job in report["jobs"])
            print(f"{name:24}{wall:8.2f}{cpu:8.2f}{peak:10.0f}   {jobs}")
        parts = {part: size(work / "lake" / part) for part in ["raw", "facts", "normalised", "merging", "derived", "snapshots"]}
        print(f"\nlake: {sum(parts.values()):.0f} MiB: " + ", ".join(f"{part} {mib:.0f}" for part, mib in parts.items()))
    finally:
        shutil.rmtree(work)


main()

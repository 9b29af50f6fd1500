#!/usr/bin/env python3
"""Times what a run costs on a lake of all captures: from nothing, with one more event, with one more calendar, and with
nothing new; wall and CPU seconds, and the jobs that did something. Made anew of the same captures and published ids, the
snapshot must be the same.

    cargo build --release --bins && python3 tests/bench/incremental.py [FIGHTDNA [OTHER]]

OTHER, another build, is asked in the same round.
"""
import csv
import datetime
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
FOLDERS = {
    "statsdb-ids": "statsdb-ids", "scorecards": "scorecards", "late-notice": "late-notice", "feed-captures": "feed-captures",
    "news": "news", "career": "career",
}
SOURCES = {
    "feed-tables": "feed-tables/2024-12-14", "feed-history": "feed-tables/2025-08-23", "rankings": "rankings",
}
BY_EVENT = ["ufc_fight_details.csv", "ufc_fight_results.csv", "ufc_fight_stats.csv"]
NEWEST = "statsdb-csv/2025-11-02"


def without_last_event(capture, into):
    """The newest statistics as they stood before the last event."""
    shutil.copytree(capture, into)
    dates = {}
    with open(capture / "ufc_event_details.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            dates[row["EVENT"].strip()] = datetime.datetime.strptime(row["DATE"], "%B %d, %Y").date()
    last = max(dates, key=dates.get)
    for name in [*BY_EVENT, "ufc_event_details.csv"]:
        with open(capture / name, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        with open(into / name, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(row for row in rows if row[0].strip() != last)
    return dates[last]


def run(program, lake, *args):
    """Wall and CPU seconds, peak MiB, snapshot id and the jobs that took the most."""
    begun = time.perf_counter()
    child = subprocess.Popen([program, "run", "--json", "--quiet", "--lake", lake, *args], stdout=subprocess.PIPE)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 65, 75, 79):
        sys.exit(f"{args} failed: {status} {out[-500:]}")
    report = json.loads(out)
    jobs = sorted(report["jobs"], key=lambda job: -job["seconds"])[:4]
    jobs = ", ".join(f"{job['job']} {job['seconds']:.2f}" for job in jobs)
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, report["snapshot_id"], jobs


def arguments(folder):
    """What takes in all captures but the last event and the last calendar, and what takes in each of these."""
    captures = folder / "captures"
    if not captures.exists():
        (captures / "statsdb").mkdir(parents=True)
        for day in ["2024-12-15", "2025-01-12"]:
            shutil.copytree(DATA / "statsdb-csv" / day, captures / "statsdb" / day)
        day = without_last_event(DATA / NEWEST, captures / "without")
        (captures / "without").rename(captures / "statsdb" / day.isoformat())
        shutil.copytree(DATA / "cards-ics", captures / "cards")
        newest = max((captures / "cards").iterdir())
        (captures / "calendar").mkdir()
        newest.rename(captures / "calendar" / newest.name)
    base = ["--captures", f"statsdb={captures / 'statsdb'}", "--captures", f"cards={captures / 'cards'}"]
    for source, name in FOLDERS.items():
        base += ["--captures", f"{source}={DATA / name}"]
    for source, name in SOURCES.items():
        base += ["--source", f"{source}={DATA / name}"]
    return base, ["--source", f"statsdb={DATA / NEWEST}"], ["--captures", f"cards={captures / 'calendar'}"]


def measure(program, folder):
    base, event, calendar = arguments(folder)
    lake = str(folder / f"lake-{abs(hash(program))}")
    print(f"{program}\n{'':<28} {'wall':>7} {'CPU':>7} {'peak':>7}  jobs")
    ids = {}
    for what, args in [
        ("all captures, cold", base), ("one more event", event), ("one more calendar", calendar), ("nothing new", []),
        ("nothing new, again", []),
    ]:
        wall, cpu, peak, ids[what], jobs = run(program, lake, *args)
        print(f"{what:<28} {wall:7.2f} {cpu:7.2f} {peak:7.0f}  {jobs}", flush=True)
    for stage in ["facts", "merging", "normalised", "derived"]:
        shutil.rmtree(f"{lake}/{stage}")
    wall, cpu, peak, cold, jobs = run(program, lake)
    print(f"{'all stages made anew':<28} {wall:7.2f} {cpu:7.2f} {peak:7.0f}  {jobs}", flush=True)
    print(f"snapshot {ids['nothing new']}, made anew {cold}: {'the same' if cold == ids['nothing new'] else 'NOT THE SAME'}")
    shutil.rmtree(lake)


def main():
    programs = sys.argv[1:] or [str(TARGET / "fightdna")]
    with tempfile.TemporaryDirectory(prefix="fightdna-bench") as folder:
        for program in programs:
            measure(program, pathlib.Path(folder))


if __name__ == "__main__":
    main()

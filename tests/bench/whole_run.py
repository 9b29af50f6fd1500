#!/usr/bin/env python3
"""Times the whole run on a real capture, each job, and peak memory, beside the floor: the same files read by
polars and written to Parquet, nothing else. Both are whole processes, interleaved; medians of ROUNDS.

    cargo build --release --bins && python3 tests/bench/whole_run.py [SOURCE_FOLDER] [ROUNDS]
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release")
DATA = pathlib.Path(os.environ.get("FIGHTDNA_REAL_DATA", ROOT.parent / "shared/data"))
SOURCE = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "statsdb-csv/2025-11-02"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5


def measure(command):
    """Wall seconds, CPU seconds, peak MiB, standard output."""
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{command} failed")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def main():
    seconds = {"floor": [], "run": [], "nothing new": []}
    cpu = {name: [] for name in seconds}
    memory = {name: [] for name in seconds}
    jobs = {}
    for _ in range(ROUNDS):
        work = pathlib.Path(tempfile.mkdtemp(prefix="fightdna-bench-"))
        fightdna = [TARGET / "fightdna", "run", "--json", "--lake", work / "lake"]
        source = ["--source", f"statsdb={SOURCE}"]
        commands = {"floor": [TARGET / "floor", SOURCE, work / "floor"], "run": fightdna + source, "nothing new": fightdna + source}
        for name, command in commands.items():
            wall, used, peak, output = measure(command)
            seconds[name].append(wall)
            cpu[name].append(used)
            memory[name].append(peak)
            if name == "run":
                for job in json.loads(output)["jobs"]:
                    jobs.setdefault(job["job"], []).append(job["seconds"])
        shutil.rmtree(work)
    floor = statistics.median(seconds["floor"])
    print(f"{SOURCE.name}, {ROUNDS} rounds, medians\n")
    print(f"{'':14}{'wall s':>8}{'CPU s':>8}{'peak MiB':>10}{'x floor':>9}")
    for name in seconds:
        wall = statistics.median(seconds[name])
        print(f"{name:14}{wall:8.2f}{statistics.median(cpu[name]):8.2f}{statistics.median(memory[name]):10.0f}{wall / floor:9.2f}")
    print()
    for name, times in jobs.items():
        print(f"  {name:12}{statistics.median(times):8.2f} s")


main()

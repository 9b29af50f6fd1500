#!/usr/bin/env python3
"""What a larger history costs: a run on captures 1, 4 and 10 times as large as the real history, stage by stage, with peak
memory; how much faster the cost grows than the data; and the memory of a server over each.

    cargo build --release --bins && python3 tests/bench/scale.py [SCALE…]

Each scale is run three times (FIGHTDNA_BENCH_ROUNDS), the scales in turns, and the round of least CPU is told: what else
the machine does only ever adds to it.

In a virtual machine whose host takes back the memory that it frees, to touch memory anew costs two to three times as much, and
growth looks larger than it is; a `page_reporting_order` of 11 in /sys/module/page_reporting/parameters stops that.

A file of more than 128 MiB is refused, which is some 13 times the real history in the six-file layout; more is allowed by
FIGHTDNA_READ_FILE_MIB.
"""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release")
FIGHTDNA = pathlib.Path(os.environ.get("FIGHTDNA_BIN", TARGET / "fightdna"))
ROUNDS = int(os.environ.get("FIGHTDNA_BENCH_ROUNDS", 3))
STAGES = ["ingest", "normalise", "link", "enrich", "derive", "publish", "ledger"]
ASKED = ["/v1/mma", "/v1/mma/fighters?limit=50", "/v1/mma/events?limit=50", "/v1/mma/dna/query?metric=sig_landed_per_min&limit=50"]

# The allocator gives back what loading took some ten seconds later.
SETTLED_AFTER = 15


def run(lake, capture):
    """CPU seconds, peak MiB of a run, and wall seconds by stage."""
    command = [FIGHTDNA, "run", "--json", "--quiet", "--lake", lake, "--source", f"statsdb={capture}", "--captured-at", "2025-11-02"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    report = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    stages = {job["job"]: job["seconds"] for job in json.loads(report)["jobs"]}
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, stages


def memory(process, what):
    """MiB of a process: `VmRSS` now, `VmHWM` at its peak."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith(what))


def serve(lake, program=FIGHTDNA, asked=ASKED, options=(), core=None, settled=SETTLED_AFTER):
    """Seconds until a server over the lake, on a core where one is named, has loaded all, its CPU seconds until then, its MiB at
    the peak, and those it keeps once it was asked."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    begun = time.perf_counter()
    command = [program, "serve", "--lake", lake, "--listen", address, *options]
    on_core = {"preexec_fn": lambda: os.sched_setaffinity(0, {core})} if core is not None else {}
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **on_core)
    try:
        while time.perf_counter() - begun < 120:
            try:
                if json.load(urllib.request.urlopen(f"http://{address}/readyz")).get("is_complete", True):
                    break
            except OSError:
                pass
            time.sleep(0.02)
        ready = time.perf_counter() - begun
        used = sum(map(int, pathlib.Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")
        for path in asked:
            urllib.request.urlopen(f"http://{address}{path}").read()
        time.sleep(settled)
        return ready, used, memory(server, "VmHWM"), memory(server, "VmRSS")
    finally:
        server.terminate()
        server.wait()


def main():
    scales = [int(scale) for scale in sys.argv[1:]] or [1, 4, 10]
    print(f"{'scale':>6}{'CPU s':>8}{'peak MiB':>10}{'':4}" + "".join(f"{stage:>11}" for stage in STAGES) + f"{'loaded s':>10}{'peak MiB':>10}{'MiB':>7}")
    with tempfile.TemporaryDirectory(prefix="fightdna-scale-") as work:
        captures = {scale: pathlib.Path(work, f"capture-{scale}") for scale in scales}
        for scale, capture in captures.items():
            subprocess.run([FIGHTDNA, "synth", "--scale", str(scale), "--out", capture], check=True, stdout=subprocess.DEVNULL)
        # So that no run pays for writing the captures.
        os.sync()
        lakes = {scale: pathlib.Path(work, f"lake-{scale}") for scale in scales}
        rounds = {scale: [] for scale in scales}
        for _ in range(ROUNDS):
            for scale in scales:
                shutil.rmtree(lakes[scale], ignore_errors=True)
                rounds[scale].append(run(lakes[scale], captures[scale]))
        before = None
        for scale in scales:
            cpu, peak, stages = min(rounds[scale], key=lambda told: told[0])
            ready, _, highest, kept = serve(lakes[scale])
            walls = "".join(f"{stages.get(stage, 0):11.2f}" for stage in STAGES)
            print(f"{scale:6}{cpu:8.1f}{peak:10.0f}{'':4}{walls}{ready:10.1f}{highest:10.0f}{kept:7.0f}")
            if before:
                grown, larger = cpu / before[1], scale / before[0]
                print(f"{'':6}from {before[0]} to {scale}: cost x {grown:.2f}, data x {larger:.2f}: {grown / larger:.2f} times as fast")
            before = (scale, cpu)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A hundred swaps between two snapshots under load, then the end under load: no answer fails, none is mixed.

    cargo build --release --bins && python3 tests/bench/swaps.py LAKE [SWAPS]

LAKE has two snapshots at least; `current` is moved between the last two and left where it was. Needs wrk.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release") / "fightdna"
PORT = 18320
LAKE = sys.argv[1]
SWAPS = int(sys.argv[2]) if len(sys.argv) > 2 else 100


def get(path):
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=10) as reply:
        return json.loads(reply.read())


def served():
    try:
        return get("/readyz")["snapshot_id"]
    except OSError:
        return None


def until(what, done):
    for _ in range(3000):
        if done():
            return
        time.sleep(0.01)
    sys.exit(f"never: {what}")


def point_to(snapshot):
    subprocess.run([PROGRAM, "rollback", "--lake", LAKE, "--to", snapshot, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    until(f"{snapshot} is served", lambda: served() == snapshot)


def load(paths, seconds):
    command = ["wrk", "-t2", "-c16", f"-d{seconds}s", "-s", ROOT / "tests/bench/one_snapshot.lua", f"http://127.0.0.1:{PORT}"]
    return subprocess.Popen(command, env={**os.environ, "PATHS": paths}, stdout=subprocess.PIPE, text=True)


def result(wrk):
    return json.loads(re.search("RESULT (.*)", wrk.communicate()[0]).group(1))


def main():
    server = subprocess.Popen([PROGRAM, "serve", "--lake", LAKE, "--listen", f"127.0.0.1:{PORT}", "--quiet"])
    until("ready", served)
    current = served()
    other = [s["id"] for s in get("/v1/mma/snapshots")["data"] if s["id"] != current][0]
    fighters = [i["fighter"]["id"] for i in get("/v1/mma/dna/query?metric=sig_landed_per_min&limit=50")["data"]]
    with tempfile.NamedTemporaryFile("w", suffix=".paths") as paths:
        paths.write("/v1/mma/events?limit=20\n/v1/mma/dna/query?metric=sig_landed_per_min&limit=50\n")
        paths.writelines(f"/v1/mma/fighters/{id}/dna\n" for id in fighters)
        paths.flush()
        begun = time.time()
        wrk = load(paths.name, 3 + int(SWAPS * 1.2))
        for swap in range(SWAPS):
            point_to(other if swap % 2 == 0 else current)
        took = time.time() - begun
        wrk.send_signal(signal.SIGINT)
        told = result(wrk)
        print(f"{SWAPS} swaps in {took:.0f} s: {told['requests']} requests, {told['bad']} failed, {told['mixed']} mixed, "
              f"{told['sockets']} broken, {len(set(told['seen'].split()))} snapshots seen")
        point_to(current)
        wrk = load(paths.name, 3)
        time.sleep(1)
        server.send_signal(signal.SIGTERM)
        begun = time.time()
        code = server.wait()
        took = time.time() - begun
        told = result(wrk)
        print(f"SIGTERM under load: exit {code} after {took:.2f} s; {told['requests']} requests, {told['bad']} failed, {told['cut']} cut off "
              f"(connections refused afterwards are not counted)")


main()

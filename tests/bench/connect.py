#!/usr/bin/env python3
"""What an external engine adds to the work of its workers: DNA versions by two workers of one core each, beside two shards by hand side
by side and beside one process with two threads, and panels likewise; wall seconds, and peak MiB of a task. All bytes must be the same.

    cargo build --release --bins
    python3 tests/bench/connect.py PYTHON [SCALE…]    PYTHON has pyspark-client; `sail`, if there is one, lies beside it

SPARK_HOME, where it names Apache Spark with Java, adds that. Each is done as often as ROUNDS says (3), in turns, and the best is told.
FROM, TO and EVERY say of which dates panels are (2005-01-01, 2025-01-01, year); FIGHTDNA_BIN names another program, LAKE a lake that is
normalised, instead of those of the scales, ONLY the engines that are asked (such as `cluster`), WHAT of `versions panels` is made, and
TASKS the numbers of tasks for versions (2 8).
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGHTDNA = os.environ.get("FIGHTDNA_BIN", pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "release/fightdna"))
PYTHON = pathlib.Path(sys.argv[1]).absolute()
SCALES = [int(scale) for scale in sys.argv[2:]] or [1, 4, 16]
ROUNDS = int(os.environ.get("ROUNDS", 3))
DATES = ["--from", os.environ.get("FROM", "2005-01-01"), "--to", os.environ.get("TO", "2025-01-01"), "--every", os.environ.get("EVERY", "year")]
WHAT = os.environ.get("WHAT", "versions panels").split()
TASKS = [int(tasks) for tasks in os.environ.get("TASKS", "2 8").split()]
WORKERS = 2
PEAK = re.compile(r"in ([0-9.]+) s, the longest ([0-9.]+) s and ([0-9]+) MiB")
BOUNDS = {"FIGHTDNA_READ_FILE_MIB": "4000", "FIGHTDNA_READ_MEMORY_MB": "12000", "FIGHTDNA_READ_SECONDS": "3600"}


def call(*arguments, threads=None):
    """Standard output, wall seconds and peak MiB of a call of the program."""
    environment = {**os.environ, **BOUNDS, **({"RAYON_NUM_THREADS": str(threads)} if threads else {})}
    begun = time.perf_counter()
    child = subprocess.Popen([FIGHTDNA, *map(str, arguments)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    peak = 0
    with concurrent.futures.ThreadPoolExecutor(2) as readers:
        out, errors = readers.submit(child.stdout.read), readers.submit(child.stderr.read)
        while child.poll() is None:
            try:
                with open(f"/proc/{child.pid}/status", encoding="ascii") as status:
                    peak = next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")), peak)
            except OSError:
                pass
            time.sleep(0.02)
    wall = time.perf_counter() - begun
    if child.returncode:
        sys.exit(f"{' '.join(map(str, arguments))} failed:\n{errors.result()[-3000:]}")
    return out.result(), wall, peak


def digest(folder):
    """Of every file below a folder, but for the names of folders that a run gives."""
    digest = hashlib.sha256()
    for path in sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file()):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def engines(work):
    """Name, and how it is started on a port with two workers of one core each."""
    sail = PYTHON.with_name("sail")
    if sail.exists():
        # Workers that share two cores with the driver come late with their heartbeats, and are lost after two minutes.
        flags = {"SAIL_CLUSTER__WORKER_HEARTBEAT_TIMEOUT_SECS": "1200", "SAIL_CLUSTER__WORKER_TASK_SLOTS": "1", "SAIL_CLUSTER__WORKER_INITIAL_COUNT": str(WORKERS)}
        for mode in ["local", "local-cluster"]:
            yield f"Sail {mode}", lambda port, mode=mode, flags=flags: ([sail, "spark", "server", "--port", str(port)], {"SAIL_MODE": mode, **flags})
    if shutil.which("java") and os.environ.get("SPARK_HOME"):
        submit = [pathlib.Path(os.environ["SPARK_HOME"], "bin/spark-submit"), "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
        conf = ["spark.ui.enabled=false", f"spark.sql.warehouse.dir={work}/warehouse"]
        flags = [part for one in conf for part in ("--conf", one)]
        yield "Spark local-cluster", lambda port, flags=flags: (
            [*submit, "--master", f"local-cluster[{WORKERS},1,1024]", "--conf", f"spark.connect.grpc.binding.port={port}", *flags, "spark-internal"],
            {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": str(PYTHON)},
        )


class Engine:
    def __init__(self, start, log):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command, environment = start(self.port)
        self.server = subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log, start_new_session=True)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.1)

    def options(self, tasks):
        return ["--engine", "connect", "--remote", f"sc://127.0.0.1:{self.port}", "--python", PYTHON, "--tasks", tasks]

    def stop(self):
        os.killpg(self.server.pid, signal.SIGTERM)
        self.server.wait()


class Bench:
    """What is measured of one lake: wall seconds of the part that is shared out, of all, and peak MiB of a process, by name."""

    def __init__(self, lake):
        self.lake, self.found, self.expected = pathlib.Path(lake), {}, {}

    def keep(self, what, name, shared, whole, peak, folder):
        best = self.found.setdefault(what, {}).setdefault(name, (shared, whole, peak))
        self.found[what][name] = tuple(min(pair) for pair in zip(best, (shared, whole, peak)))
        made = digest(self.lake / folder)
        if self.expected.setdefault(what, made) != made:
            sys.exit(f"{what} by {name}: other bytes")
        shutil.rmtree(self.lake / folder)

    def derive(self, *more, threads=None):
        return call("derive", "--quiet", "--json", "--lake", self.lake, *more, threads=threads)

    def backfill(self, *more, threads=None):
        return call("backfill", "--quiet", "--json", "--lake", self.lake, *DATES, *more, threads=threads)

    def native(self):
        for what, run, folder in [("versions", self.derive, "derived"), ("panels", self.backfill, "panels")]:
            if what not in WHAT:
                continue
            if what == "panels":
                self.publish()
            _, wall, peak = run()
            self.keep(what, "one process, two threads", wall, wall, peak, folder)

    def publish(self):
        """Panels are of a snapshot: it is there, and its versions are derived once more by what follows."""
        if not (self.lake / "current.json").exists():
            call("publish", "--quiet", "--lake", self.lake)
            shutil.rmtree(self.lake / "derived")

    def by_hand(self):
        with tempfile.TemporaryDirectory(dir=self.lake.parent) as shards:
            begun = time.perf_counter()
            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                each = [pool.submit(self.derive, "--shard", f"{n}/{WORKERS}", "--into", shards, threads=1) for n in range(1, WORKERS + 1)]
                peak = max(one.result()[2] for one in each)
            shared = time.perf_counter() - begun
            self.derive("--from-shards", shards)
            self.keep("versions", "two shards side by side", shared, time.perf_counter() - begun, peak, "derived")
        if "panels" not in WHAT:
            return
        with tempfile.TemporaryDirectory(dir=self.lake.parent) as parts:
            begun = time.perf_counter()
            with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
                each = [
                    pool.submit(self.backfill, "--shard", f"{n}/{WORKERS}", "--into", f"{parts}/{n}", threads=1) for n in range(1, WORKERS + 1)
                ]
                peak = max(one.result()[2] for one in each)
            shared = time.perf_counter() - begun
            self.backfill(*[option for n in range(1, WORKERS + 1) for option in ("--from-lake", f"{parts}/{n}")])
            self.keep("panels", "two shards side by side", shared, time.perf_counter() - begun, peak, "panels")

    def by_engine(self, name, engine):
        for tasks in TASKS:
            out, wall, _ = self.derive(*engine.options(tasks))
            told = next(PEAK.search(line) for job in json.loads(out)["jobs"] for line in job["lines"] if PEAK.search(line))
            self.keep("versions", f"{name}, {tasks} tasks", float(told[1]), wall, float(told[3]), "derived")
        if "panels" not in WHAT:
            return
        out, wall, _ = self.backfill(*engine.options(WORKERS))
        told = json.loads(out)
        self.keep("panels", f"{name}, {WORKERS} tasks", told["engine_seconds"], wall, told["peak_kib"] / 1024, "panels")


def make_lake(work, scale):
    capture, lake = pathlib.Path(work, "capture"), pathlib.Path(work, f"lake-{scale}")
    call("synth", "--scale", scale, "--out", capture)
    call("ingest", "--quiet", "--lake", lake, "--source", f"statsdb={capture}", "--captured-at", "2025-11-02")
    call("normalise", "--quiet", "--lake", lake)
    shutil.rmtree(capture)
    return lake


def main():
    with tempfile.TemporaryDirectory(prefix="fightdna-connect-", dir=os.environ.get("WORK")) as work:
        given = os.environ.get("LAKE")
        for scale in SCALES if not given else ["given"]:
            lake = given or make_lake(work, scale)
            bench = Bench(lake)
            with open(os.path.join(work, "engine.log"), "ab") as log:
                asked = [(name, start) for name, start in engines(work) if os.environ.get("ONLY", "") in name]
                for _ in range(ROUNDS):
                    bench.native()
                    bench.by_hand()
                    for name, start in asked:
                        engine = Engine(start, log)
                        try:
                            bench.by_engine(name, engine)
                        finally:
                            engine.stop()
            for what, found in bench.found.items():
                print(f"{'':8}{what:34}{'shared out s':>14}{'x by hand':>11}{'whole s':>9}{'x by hand':>11}{'MiB':>7}")
                shared, whole, _ = found["two shards side by side"]
                for name, (own_shared, own_whole, peak) in found.items():
                    print(f"{scale!s:>6}  {name:34}{own_shared:14.1f}{own_shared / shared:11.2f}{own_whole:9.1f}{own_whole / whole:11.2f}{peak:7.0f}", flush=True)
            if not given:
                shutil.rmtree(lake)


main()

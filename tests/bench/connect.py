#!/usr/bin/env python3
"""What panels of ratios cost, made natively and by an engine that speaks Spark Connect, on lakes as large as the real history
and larger: wall seconds, peak MiB of the program and of the engine, and bytes of the panels, which must be the same.

    cargo build --release --bins
    python3 tests/bench/connect.py PYTHON [SCALE…]    PYTHON has pyspark-client; `sail`, if there is one, lies beside it

SPARK_HOME, where it names Apache Spark with Java, adds that. FROM, TO and EVERY say which dates (2005-01-01, 2025-01-01, month);
FIGHTDNA_BIN names another program, FIGHTDNA_MAKES one that makes the lakes.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGHTDNA = os.environ.get("FIGHTDNA_BIN", pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "release/fightdna"))
MAKES = os.environ.get("FIGHTDNA_MAKES", FIGHTDNA)
PYTHON = pathlib.Path(sys.argv[1]).absolute()
SCALES = [int(scale) for scale in sys.argv[2:]] or [1, 10]
DATES = ["--from", os.environ.get("FROM", "2005-01-01"), "--to", os.environ.get("TO", "2025-01-01"), "--every", os.environ.get("EVERY", "month")]


class Peak(threading.Thread):
    """Peak MiB of a process and all below it, looked at ten times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.mib, self.ended = pid, 0.0, threading.Event()

    def run(self):
        while not self.ended.wait(0.1):
            self.mib = max(self.mib, sum(map(resident, tree(self.pid))))


def tree(pid):
    try:
        below = [int(child) for task in os.listdir(f"/proc/{pid}/task") for child in open(f"/proc/{pid}/task/{task}/children").read().split()]
    except OSError:
        return []
    return [pid] + [deep for child in below for deep in tree(child)]


def resident(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS")), 0.0)
    except OSError:
        return 0.0


def backfill(lake, *more):
    """Report, wall seconds and peak MiB of a backfill of all dates."""
    begun = time.perf_counter()
    child = subprocess.Popen([FIGHTDNA, "backfill", "--json", "--quiet", "--lake", lake, *DATES, *more], stdout=subprocess.PIPE)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        return None
    return json.loads(text), time.perf_counter() - begun, usage.ru_maxrss / 1024


def digests(lake):
    return {path.name: path.read_text() for path in pathlib.Path(lake, "panels/manifests/ratios").iterdir()}


def engines(work):
    """Name, and how it is started on a port."""
    sail = PYTHON.with_name("sail")
    if sail.exists():
        for mode in ["local", "local-cluster"]:
            # Workers that share two cores with the driver come late with their heartbeats, and are lost after two minutes.
            flags = {"SAIL_MODE": mode, "SAIL_CLUSTER__WORKER_HEARTBEAT_TIMEOUT_SECS": "1200"}
            yield f"sail {mode}", lambda port, flags=flags: ([sail, "spark", "server", "--port", str(port)], flags)
    if shutil.which("java") and os.environ.get("SPARK_HOME"):
        submit = [pathlib.Path(os.environ["SPARK_HOME"], "bin/spark-submit"), "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
        conf = ["spark.ui.enabled=false", "spark.driver.memory=6g", f"spark.sql.warehouse.dir={work}/warehouse", "spark.sql.shuffle.partitions=4"]
        flags = [part for one in conf for part in ("--conf", one)]
        yield "spark local[2]", lambda port: (
            [*submit, "--master", "local[2]", "--conf", f"spark.connect.grpc.binding.port={port}", *flags, "spark-internal"],
            {"SPARK_LOCAL_IP": "127.0.0.1"},
        )


def by_engine(start, lake, log):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command, environment = start(port)
    server = subprocess.Popen(command, env={**os.environ, **environment}, stdout=log, stderr=log, start_new_session=True)
    peak = Peak(server.pid)
    peak.start()
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        return backfill(lake, "--engine", "connect", "--remote", f"sc://127.0.0.1:{port}", "--python", PYTHON), peak.mib
    finally:
        peak.ended.set()
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def main():
    print(f"{'scale':>6} {'made by':20}{'wall s':>8}{'engine s':>10}{'MiB':>7}{'engine MiB':>12}{'panels':>8}{'rows':>10}{'MiB on disk':>13}")
    with tempfile.TemporaryDirectory(prefix="fightdna-connect-") as work:
        for scale in SCALES:
            base = os.path.join(work, f"lake-{scale}")
            capture = os.path.join(work, f"capture-{scale}")
            subprocess.run([MAKES, "synth", "--scale", str(scale), "--out", capture], check=True, stdout=subprocess.DEVNULL)
            made = [MAKES, "run", "--quiet", "--lake", base, "--source", f"statsdb={capture}", "--captured-at", "2025-11-02"]
            subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
            shutil.rmtree(capture)

            def row(name, done, engine_mib=0.0):
                if done is None:
                    print(f"{scale:6} {name:20} failed", flush=True)
                    return
                report, wall, mib = done
                tables = [table for date in report["dates"] for table in date.get("tables", [])]
                rows, size = sum(t["rows"] for t in tables), sum(t["bytes"] for t in tables) / 2**20
                engine = report.get("engine_seconds", 0.0)
                print(f"{scale:6} {name:20}{wall:8.1f}{engine:10.1f}{mib:7.0f}{engine_mib:12.0f}{len(tables):8}{rows:10}{size:13.1f}", flush=True)

            def forget(lake):
                shutil.rmtree(os.path.join(lake, "panels"), ignore_errors=True)

            row("native", backfill(base, "--table", "ratios"))
            expected = digests(base)
            forget(base)
            row("native, shard 1/2", backfill(base, "--table", "ratios", "--shard", "1/2"))
            for name, start in engines(work):
                forget(base)
                with open(os.path.join(work, "engine.log"), "ab") as log:
                    done, peak = by_engine(start, base, log)
                row(name, done, peak)
                if done and digests(base) != expected:
                    sys.exit(f"{name}: other bytes than natively")
            shutil.rmtree(base)


main()

"""Runs a program on the workers of an engine, once for each task: of a Spark Connect server, or of Ray.

    python -I tasks.py < JOB > ANSWERS

JOB is JSON: `remote`, such as sc://localhost:15002 or ray://localhost:10001; `program`; `files` that each worker must have, it among
them, each with its SHA-256; `threads` of a task; and `tasks`, each the arguments of a call. ANSWERS has a line of JSON for
each task, in order. A program that a signal ended is an error, so that the engine does the task again; one that ended by itself has
said why, and would say it again. Exit code 3: a package is missing; 4: there is no such engine; 1: it could not do the tasks.
"""

import json
import socket
import sys
import urllib.parse
import warnings

warnings.simplefilter("ignore")

# Of all that is left, where the engine does not do tasks again by itself. What is done is found there, and costs nothing.
ROUNDS = 3


def fail(error, code):
    print(error, file=sys.stderr)
    sys.exit(code)


def run_task(job, place):
    # It runs on workers, which get this function and not what stands around it.
    import hashlib
    import json
    import os
    import socket
    import subprocess
    import tempfile
    import time

    def end(**how):
        return json.dumps({"worker": socket.gethostname(), **how})

    for path, expected in job["files"]:
        digest = hashlib.sha256()
        try:
            with open(path, "rb") as file:
                while part := file.read(1 << 20):
                    digest.update(part)
        except OSError as error:
            return end(missing=str(error))
        if digest.hexdigest() != expected:
            return end(other=f"`{path}` has the SHA-256 {digest.hexdigest()}")
    command = [job["program"], *job["tasks"][place]]
    environment = {**os.environ, "RAYON_NUM_THREADS": str(job["threads"])}
    begun = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=errors, env=environment)
        peak_kib = 0
        while child.poll() is None:
            # What the system tells of a child that ended counts this process as well, before the program took its place.
            try:
                with open(f"/proc/{child.pid}/status", encoding="ascii") as status:
                    peak_kib = next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), peak_kib)
            except OSError:
                pass
            time.sleep(0.02)
        seconds = time.monotonic() - begun
        if child.returncode < 0:
            raise RuntimeError(f"signal {-child.returncode} ended `{' '.join(command)}` on {socket.gethostname()}")
        out.seek(0)
        errors.seek(0)
        said = [text.read().decode("utf-8", "replace") for text in (out, errors)]
    return end(code=child.returncode, out=said[0], errors=said[1], seconds=seconds, peak_kib=peak_kib)


def reach_server(remote, port):
    # Clients by themselves try for long to reach a server that is not there.
    server = urllib.parse.urlsplit(remote)
    socket.create_connection((server.hostname, server.port or port), timeout=10).close()


def run_on_spark(job):
    try:
        import pyarrow  # noqa: F401  what workers answer in
        from pyspark.sql import SparkSession
    except ImportError as missing:
        fail(missing, 3)
    try:
        reach_server(job["remote"], 15002)
        spark = SparkSession.builder.remote(job["remote"]).getOrCreate()
        spark.version  # asks the server, which nothing before does
    except Exception as unreachable:
        fail(unreachable, 4)

    def run_partition(batches):
        import pyarrow

        for batch in batches:
            for place in batch.column(0).to_pylist():
                yield pyarrow.RecordBatch.from_pydict({"place": [place], "answer": [run_task(job, place)]})

    n = len(job["tasks"])
    rows = spark.range(0, n, 1, n).mapInArrow(run_partition, "place bigint, answer string")
    return [row.answer for row in sorted(rows.collect(), key=lambda row: row.place)]


def run_on_ray(job):
    try:
        import ray
    except ImportError as missing:
        fail(missing, 3)
    try:
        reach_server(job["remote"], 10001)
        ray.init(job["remote"], ignore_reinit_error=True)
    except Exception as unreachable:
        fail(unreachable, 4)
    task = ray.remote(num_cpus=job["threads"], max_retries=ROUNDS, retry_exceptions=[RuntimeError])(run_task)
    return ray.get([task.remote(job, place) for place in range(len(job["tasks"]))])


job = json.load(sys.stdin)
run_all = run_on_ray if job["remote"].startswith("ray:") else run_on_spark
for left in reversed(range(ROUNDS)):
    try:
        answers = run_all(job)
        break
    except Exception as failed:
        if not left:
            fail(failed, 1)
for answer in answers:
    print(answer)

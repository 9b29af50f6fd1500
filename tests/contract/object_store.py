"""A lake in an object store, over the wire.

    python3 object_store.py PROGRAM [SPORTS]    SPORTS has real captures, a folder for each sport

moto's S3 server stands behind a proxy of this file, which counts requests, delays them, and loses some of them or their
answers. Every run is a process of its own with a cache of its own, as on machines that share nothing but the store.
"""

import collections
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PROGRAM = pathlib.Path(sys.argv[1]).absolute()
WORK = pathlib.Path(tempfile.mkdtemp(prefix="fightdna-object-store-"))
BUCKET = "lake-bucket"
FIGHTER = "Grumzu Blunbottle"
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "data/sample"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Proxy(http.server.ThreadingHTTPServer):
    """Hands requests on as they are. `spoil(number, method, path)` says what goes wrong with one: "drop" it, "lose" its
    answer, or "unconditional": take its condition away."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, upstream):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream, self.delay, self.spoil = upstream, 0.0, None
        self.counts, self.number, self.lock = collections.Counter(), 0, threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass

    def reset(self, spoil=None, delay=0.0):
        with self.lock:
            self.counts, self.number, self.spoil, self.delay = collections.Counter(), 0, spoil, delay


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def forward(self):
        proxy = self.server
        with proxy.lock:
            proxy.number += 1
            number = proxy.number
            listed = self.command == "GET" and "list-type=2" in self.path
            proxy.counts["LIST" if listed else self.command] += 1
        what = proxy.spoil and proxy.spoil(number, self.command, self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if proxy.delay:
            time.sleep(proxy.delay)
        if what == "drop":
            self.close_connection = True
            return
        headers = dict(self.headers.items())
        if what == "unconditional":
            headers = {k: v for k, v in headers.items() if k.lower() != "if-none-match"}
        connection = getattr(self, "upstream", None)
        if connection is None:
            connection = self.upstream = http.client.HTTPConnection("127.0.0.1", proxy.upstream, timeout=60)
        connection.request(self.command, self.path, body=body, headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        if what == "lose":
            self.close_connection = True
            return
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        length = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(content))
        self.send_header("Content-Length", length or "0")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = forward


def start_moto():
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open(WORK / "moto.log", "wb"))
    for _ in range(300):
        try:
            request = urllib.request.Request(f"http://127.0.0.1:{port}/{BUCKET}", method="PUT", headers={"Host": f"127.0.0.1:{port}"})
            urllib.request.urlopen(request, timeout=5)
            return server, port
        except OSError:
            time.sleep(0.1)
    sys.exit("moto did not start: " + (WORK / "moto.log").read_text())


def environment(proxy, cache):
    return os.environ | {
        "AWS_ENDPOINT": f"http://127.0.0.1:{proxy.server_port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_REGION": "us-east-1",
        "FIGHTDNA_CACHE_DIR": str(WORK / cache),
    }


def call(proxy, cache, *arguments, check=True):
    command = [str(PROGRAM), *map(str, arguments)]
    done = subprocess.run(command, env=environment(proxy, cache), capture_output=True, text=True)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done


def snapshot_of(done):
    return json.loads(done.stdout)["snapshot_id"]


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def read_current(proxy, lake, cache):
    """The current snapshot, read by a machine that has nothing, and all of the lake verified."""
    call(proxy, cache, "verify", "--quiet", "--lake", lake)
    return json.loads(call(proxy, cache, "snapshots", "list", "--json", "--lake", lake).stdout)


def main():
    moto, port = start_moto()
    proxy = Proxy(port)
    try:
        check(proxy)
    finally:
        moto.kill()


def check(proxy):
    lake = f"s3://{BUCKET}/first"
    run = ["run", "--json", "--quiet"]

    print("-- a run makes what it makes in a folder")
    expected = snapshot_of(call(proxy, "folder", *run, "--lake", WORK / "lake"))
    begun = time.monotonic()
    done = call(proxy, "one", *run, "--lake", lake)
    print(f"   {time.monotonic() - begun:.1f} s, requests: {dict(proxy.counts)}")
    expect(snapshot_of(done) == expected, "the same id")
    proxy.reset()
    read_current(proxy, lake, "two")
    print(f"   verified by a machine without copies: {dict(proxy.counts)}")

    print("-- nothing new")
    for cache in ["one", "three"]:
        proxy.reset()
        done = call(proxy, cache, *run, "--lake", lake)
        requests = sum(proxy.counts.values())
        print(f"   {'with' if cache == 'one' else 'without'} copies: {requests} requests, {dict(proxy.counts)}")
        expect(snapshot_of(done) == expected, "the same id")
        expect(requests <= 40, "at most 40 requests")

    print("-- the same at 5 ms a request")
    walls = {}
    for where in ["folder", "bucket"]:
        proxy.reset(delay=0.005)
        begun = time.monotonic()
        call(proxy, f"slow-{where}", *run, "--lake", WORK / "slow" if where == "folder" else f"s3://{BUCKET}/slow")
        walls[where] = time.monotonic() - begun
    print(f"   {walls['bucket']:.1f} s in the bucket, {walls['folder']:.1f} s in a folder: {walls['bucket'] / walls['folder']:.2f}")

    print("-- requests that do not arrive, and answers that do not")
    proxy.reset()
    total = 60
    for kind in ["drop", "lose"]:
        for at in range(1, total, 7):
            where = f"s3://{BUCKET}/{kind}-{at}"
            proxy.reset(lambda number, *_: kind if number == at else None)
            done = call(proxy, f"{kind}-{at}", *run, "--lake", where, check=False)
            proxy.reset()
            if done.returncode != 0:
                print(f"   {kind} {at}: {done.stderr.strip()[-200:]}")
            again = call(proxy, f"{kind}-{at}-again", *run, "--lake", where)
            expect(snapshot_of(again) == expected, f"{kind} {at}: the same id")

    print("-- killed at any time")
    chance = random.Random(7)
    where = f"s3://{BUCKET}/killed"
    for n in range(6):
        child = subprocess.Popen([str(PROGRAM), *run, "--lake", where], env=environment(proxy, f"killed-{n}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.2, walls["folder"]))
        child.send_signal(signal.SIGKILL)
        child.wait()
        seen = call(proxy, f"reader-{n}", "verify", "--quiet", "--lake", where, check=False)
        expect(seen.returncode == 0 or "nothing was ever written" in seen.stderr, f"whole after kill {n}: {seen.stdout}{seen.stderr}")
    expect(snapshot_of(call(proxy, "killed", *run, "--lake", where)) == expected, "the same id after six kills")

    print("-- eight writers at a time")
    for race in range(2):
        where = f"s3://{BUCKET}/race-{race}"
        racers = [
            subprocess.Popen([str(PROGRAM), *run, "--lake", where], env=environment(proxy, f"race-{race}-{n}"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for n in range(8)
        ]
        ends = [(racer.communicate(), racer.returncode) for racer in racers]
        won = [snapshot_of(type("Done", (), {"stdout": out})) for (out, _), code in ends if code == 0]
        expect(won and set(won) == {expected}, f"a winner: {[(code, err[-200:]) for (_, err), code in ends]}")
        for (_, err), code in ends:
            expect(code == 0 or "the lake is held by" in err or "another writer was faster" in err, err)
        read_current(proxy, where, f"race-{race}-reader")
        print(f"   race {race}: {len(won)} of 8 ran, one after another; the others were told who holds the lake")

    print("-- a store without conditions is refused")
    proxy.reset(lambda _number, method, path: "unconditional" if method == "PUT" else None)
    done = call(proxy, "unconditional", *run, "--lake", f"s3://{BUCKET}/unconditional", check=False)
    expect(done.returncode != 0 and "If-None-Match" in done.stderr + done.stdout, done.stderr)
    proxy.reset()

    print("-- errors name the bucket and what to do")
    for address, words in {"s3://no-such-bucket/x": "no-such-bucket", "s3://": "names no bucket", f"s3://{BUCKET}/empty": "nothing was ever written"}.items():
        done = call(proxy, "errors", "snapshots", "list", "--lake", address, check=False)
        expect(done.returncode != 0 and words in done.stderr, f"{address}: {done.stderr}")
        print("   " + done.stderr.strip().splitlines()[-1][:160])

    print("-- gc, rollback, and a server that follows")
    expect([entry["id"] for entry in read_snapshots(proxy, lake)] == [expected], "one snapshot")
    call(proxy, "one", "gc", "--quiet", "--lake", lake)
    read_current(proxy, lake, "after-gc")

    print("-- copies into a folder and back")
    call(proxy, "one", "copy", "--quiet", "--lake", lake, "--to", WORK / "copy")
    call(proxy, "one", "verify", "--quiet", "--lake", WORK / "copy")
    call(proxy, "two", "copy", "--quiet", "--lake", WORK / "copy", "--to", f"s3://{BUCKET}/copy")
    expect([entry["id"] for entry in read_snapshots(proxy, f"s3://{BUCKET}/copy")] == [expected], "the copy has it")
    done = call(proxy, "three", *run, "--lake", f"s3://{BUCKET}/copy")
    expect(snapshot_of(done) == expected and json.loads(done.stdout)["outcome"] == "nothing_to_do", "nothing new in the copy")
    done = call(proxy, "two", "copy", "--lake", WORK / "copy", "--to", f"s3://{BUCKET}/copy", check=False)
    expect("holds a lake with a current snapshot" in done.stderr, done.stderr)

    compare_commands(proxy, lake)
    if len(sys.argv) > 2:
        share_out_sports(proxy, sys.argv[2])
    serve_from_bucket(proxy, lake, expected)


def compare_commands(proxy, lake):
    """What commands print of a lake in the bucket is what they print of the same lake in a folder."""
    print("-- every command that reads, and those that write beside runs")
    folder = WORK / "copy"
    commands = [
        ["status"], ["captures", "list"], ["snapshots", "history"], ["snapshots", "feed"], ["identities"], ["validity"],
        ["fighter", FIGHTER], ["explain", "fighters", FIGHTER], ["explain", "dna_versions", FIGHTER, "sig_landed_per_min"],
        ["ledger", "--replay", "--from", "2025-10-01", "--to", "2025-10-31"], ["audit"],
        ["sql", "query", "select count(*) as bouts, max(event_date) as newest from bouts"],
        ["backfill", "--from", "2024-01-01", "--to", "2024-06-01", "--every", "quarter"], ["verify"], ["repair"],
        ["run"], ["gc", "--dry-run"], ["verify", "--ledger"], ["export", "--out"], ["run", "--dry-run"],
    ]
    for command in commands:
        ended = []
        for where, cache in [(folder, "one"), (lake, "one")]:
            to = [str(WORK / f"out-{len(ended)}-{command[0]}")] if command[-1] == "--out" else []
            done = call(proxy, cache, *command, *to, "--lake", where, check=False)
            text = (done.stdout + (done.stderr if done.returncode else "")).replace(str(where), "LAKE").replace("".join(to) or "\0", "OUT")
            text = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+]00:00)?|\d{6}-\d{8}T\d+Z|[\d.,]+ ?(s|ms|MB|MiB|KiB|B|bytes)\b", "…", text)
            ended.append((done.returncode, text))
        for (code, text), where in zip(ended, ["a folder", "the bucket"]):
            print(f"   {' '.join(command)} in {where}: {code}") if code else None
        expect(ended[0] == ended[1], f"{command} says the same of both:\n{ended[0][1]}\n{ended[1][1]}")
    print(f"   {len(commands)} commands say the same")


def share_out_sports(proxy, captures):
    """Machines with a sport each make one snapshot together."""
    print("-- three runs of a sport each, at a time, on machines that share nothing but the store")
    sports = ["nba", "nhl", "wnba"]
    options = ["--all", captures, "--captured-at", "2026-08-25", "--licences", "A,B,B?,T,NC"]
    run = ["catalog", "run", "--json", "--quiet", *options]
    walls, ids = {}, {}
    begun = time.monotonic()
    for sport in sports:
        ids["one after another"] = snapshot_of(call(proxy, "sports", *run, "--sport", sport, "--lake", WORK / "sports"))
    walls["one after another"] = time.monotonic() - begun
    lake = f"s3://{BUCKET}/sports"
    begun = time.monotonic()
    command = [str(PROGRAM), *run, "--lake", lake]
    runs = [
        subprocess.Popen([*command, "--sport", sport], env=environment(proxy, f"sports-{sport}"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for sport in sports
    ]
    for sport, process in zip(sports, runs):
        _, errors = process.communicate()
        expect(process.returncode == 0, f"{sport}: {errors}")
    walls["at a time"] = time.monotonic() - begun
    found = read_current(proxy, lake, "sports-reader")["snapshots"]
    ids["at a time"] = next(entry["id"] for entry in found if entry["is_current"])
    expect(len(set(ids.values())) == 1, ids)
    print("   " + ", ".join(f"{how}: {wall:.1f} s" for how, wall in walls.items()) + f"; the same snapshot of {len(sports)} sports")


def started(command, environment, line):
    """A process, and what its first line says."""
    process = subprocess.Popen(list(map(str, command)), env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, re.search(line, process.stdout.readline()).group()


def later_capture():
    """The sample's statistics a month later: another height of one fighter."""
    folder = WORK / "later/2025-12-01"
    shutil.copytree(SAMPLE / "statsdb/2025-11-01", folder)
    heights = folder / "ufc_fighter_tott.csv"
    lines = heights.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace("5' 4", "5' 5", 1)
    heights.write_text("".join(lines))
    return folder


def serve_from_bucket(proxy, lake, expected):
    """Three servers behind the gateway, through swaps under load, one of them killed."""
    print("-- three servers behind the gateway, ten swaps under load, one killed")
    later = snapshot_of(call(proxy, "one", "run", "--json", "--quiet", "--lake", lake, "--source", f"statsdb={later_capture()}"))
    expect(later != expected, "another snapshot")
    servers, addresses, processes = [], [], []
    for n in range(3):
        begun = time.monotonic()
        server, address = started([PROGRAM, "serve", "--lake", lake, "--listen", "127.0.0.1:0"], environment(proxy, f"server-{n}"), "http://[^/]*")
        servers.append(server)
        addresses.append(address)
        while not is_ready(address):
            time.sleep(0.01)
        print(f"   server {n}: ready after {time.monotonic() - begun:.2f} s, from a cold cache")
    store = WORK / "keys.db"
    issued = subprocess.run([PROGRAM, "keys", "--keys", store, "issue", "--account", "a", "--plan", "enterprise", "--per-minute", "10000000", "--per-month", "100000000"], capture_output=True, text=True, check=True)
    secret = re.search(r"fdk_\w+", issued.stdout).group()
    upstreams = [part for address in addresses for part in ("--upstream", address)]
    gateway, address = started([PROGRAM, "gateway", "--keys", store, *upstreams, "--listen", "127.0.0.1:0"], os.environ, "http://[^/]*")
    stop, seen, faults = threading.Event(), collections.Counter(), []

    def load():
        paths = ["/v1/mma/fighters?limit=20", "/v1/mma/events?limit=5", "/v1/mma/fighters?limit=50", "/v1/mma/dna/metrics"]
        connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=30)
        n = 0
        while not stop.is_set():
            n += 1
            try:
                connection.request("GET", paths[n % len(paths)], headers={"X-API-Key": secret})
                answer = connection.getresponse()
                body = answer.read().decode()
            except OSError as error:
                faults.append(repr(error))
                connection.close()
                continue
            snapshot = answer.headers.get("x-snapshot-id")
            named = set(re.findall('"snapshot_id":"([0-9a-f]+)"', body))
            if answer.status != 200 or named - {snapshot}:
                faults.append(f"{answer.status} {snapshot} {named} {body[:200]}")
            seen[snapshot] += 1

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for swap in range(10):
            to = [expected, later][swap % 2]
            call(proxy, "one", "rollback", "--quiet", "--lake", lake, "--to", to, "--reason", "a swap", "--by", "contract")
            living = addresses if swap < 5 else addresses[1:]
            for _ in range(3000):
                if all(served(address) == to for address in living):
                    break
                time.sleep(0.02)
            else:
                sys.exit(f"never served by all: {to}")
            if swap == 4:
                servers[0].kill()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        gateway.terminate()
        for server in servers:
            server.terminate()
    print(f"   {sum(seen.values())} answers of {len(seen)} snapshots, {len(faults)} faults")
    expect(not faults, faults[:5])
    expect(set(seen) == {expected, later}, seen)


def is_ready(address):
    try:
        return urllib.request.urlopen(f"{address}/readyz", timeout=5).status == 200
    except OSError:
        return False


def served(address):
    with urllib.request.urlopen(f"{address}/readyz", timeout=10) as answer:
        return json.loads(answer.read())["snapshot_id"]


def read_snapshots(proxy, lake):
    return json.loads(call(proxy, "one", "snapshots", "list", "--json", "--lake", lake).stdout)["snapshots"]


if __name__ == "__main__":
    main()
    print("a lake in an object store: as in a folder")

#!/usr/bin/env python3
"""Slow readers of the largest table: what they cost the server, how fast one fast reader is beside them, and whether other
requests are answered meanwhile.

    python3 tests/bench/downloads.py PORT [READERS] [KB_PER_SECOND]

Asks a running `fightdna serve` on the loopback. `cat FILE` is measured beside, and nginx where NGINX_URL names the same file.
"""
import hashlib
import json
import os
import socket
import sys
import threading
import time
import urllib.request

from server_metrics import read_metric

PORT = int(sys.argv[1])
READERS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
RATE = 1000 * int(sys.argv[3]) if len(sys.argv) > 3 else 300_000
BASE = f"http://127.0.0.1:{PORT}"
SECONDS = 12


def memory():
    return read_metric(PORT, "fightdna_process_resident_memory_bytes") / (1 << 20)


def largest():
    with urllib.request.urlopen(f"{BASE}/v1/mma/snapshots/current/tables", timeout=5) as reply:
        return max(json.load(reply)["data"], key=lambda table: table["bytes"])


def connect(path):
    stream = socket.socket()
    # What the kernel holds is no memory of the server.
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    stream.connect(("127.0.0.1", PORT))
    stream.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    return stream


def read_slowly(streams, until):
    while time.monotonic() < until:
        begun = time.monotonic()
        for stream in streams:
            wanted = RATE // 10
            while wanted > 0:
                piece = stream.recv(wanted)
                if not piece:
                    return
                wanted -= len(piece)
        time.sleep(max(0, 0.1 - (time.monotonic() - begun)))


def fast(url):
    """Megabytes per second of one reader, the best of five, and the digest of what it read."""
    best, buffer = 0, bytearray(1 << 20)
    for _ in range(5):
        size, begun = 0, time.perf_counter()
        with urllib.request.urlopen(url, timeout=60) as reply:
            while read := reply.readinto(buffer):
                size += read
        best = max(best, size / 1e6 / (time.perf_counter() - begun))
    with urllib.request.urlopen(url, timeout=60) as reply:
        return best, hashlib.sha256(reply.read()).hexdigest()


def answers():
    """Milliseconds of a JSON request: median and worst of 200."""
    times = []
    for _ in range(200):
        begun = time.perf_counter()
        with urllib.request.urlopen(f"{BASE}/v1/mma/counts", timeout=5) as reply:
            reply.read()
        times.append(1000 * (time.perf_counter() - begun))
    times.sort()
    return times[100], times[-1]


def main():
    table = largest()
    url = BASE + table["links"]["parquet"]
    speed, digest = fast(url)
    assert digest == table["sha256"], "other bytes than the manifest names"
    print(f"{table['name']}: {table['bytes'] / 1e6:.1f} MB; one fast reader {speed:.0f} MB/s")
    if nginx := os.environ.get("NGINX_URL"):
        theirs, same = fast(nginx)
        assert same == digest
        print(f"nginx sends the same file at {theirs:.0f} MB/s: {speed / theirs:.2f} of it")
    print("a JSON request alone: median {:.2f} ms, worst {:.2f} ms".format(*answers()))
    before, until = memory(), time.monotonic() + SECONDS
    streams = [connect(table["links"]["parquet"]) for _ in range(READERS)]
    shares = [streams[n::4] for n in range(4)]
    readers = [threading.Thread(target=read_slowly, args=(share, until)) for share in shares]
    for reader in readers:
        reader.start()
    most = before
    while time.monotonic() < until - SECONDS / 2:
        most = max(most, memory())
        time.sleep(0.5)
    print(f"{read_metric(PORT, 'fightdna_downloads')} downloads at {RATE // 1000} kB/s")
    print("a JSON request beside them: median {:.2f} ms, worst {:.2f} ms".format(*answers()))
    while time.monotonic() < until:
        most = max(most, memory())
        time.sleep(0.5)
    for reader in readers:
        reader.join()
    for stream in streams:
        stream.close()
    time.sleep(4)
    print(f"memory {before:.0f} MiB before, {most:.0f} at most with them, {memory():.0f} 4 s after they left")
    assert most - before < 50, "slow readers hold memory"


main()

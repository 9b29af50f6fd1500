#!/usr/bin/env python3
"""Ten thousand connections that are kept and say nothing: what they cost, and whether others are answered meanwhile.

    python3 tests/bench/idle.py PORT [CONNECTIONS]

Asks a running `fightdna serve` on the loopback. Each connection makes one request first. Needs as many open files
as connections (`ulimit -n`).
"""
import resource
import socket
import sys
import time

from server_metrics import read_metric

PORT = int(sys.argv[1])
WANTED = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
REQUEST = b"GET /v1/mma/counts HTTP/1.1\r\nHost: a\r\n\r\n"


def fresh():
    """Milliseconds of a request on a connection of its own."""
    begun = time.perf_counter()
    with socket.create_connection(("127.0.0.1", PORT), 5) as stream:
        stream.sendall(REQUEST)
        assert stream.recv(65536).startswith(b"HTTP/1.1 200 ")
    return 1000 * (time.perf_counter() - begun)


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    before = read_metric(PORT, "fightdna_process_resident_memory_bytes")
    kept, begun = [], time.perf_counter()
    for _ in range(min(WANTED, hard - 64)):
        stream = socket.create_connection(("127.0.0.1", PORT), 5)
        stream.sendall(REQUEST)
        assert stream.recv(65536).startswith(b"HTTP/1.1 200 ")
        kept.append(stream)
    opened = time.perf_counter() - begun
    times = sorted(fresh() for _ in range(200))
    after = read_metric(PORT, "fightdna_process_resident_memory_bytes")
    print(f"{len(kept)} opened in {opened:.1f} s; {read_metric(PORT, 'fightdna_connections_open')} open at the server")
    print(f"a request beside them: median {times[100]:.2f} ms, worst of 200 {times[-1]:.2f} ms")
    print(f"memory {before >> 20} MiB before, {after >> 20} MiB with them: {(after - before) / len(kept) / 1024:.1f} KiB each")
    alive = 0
    for stream in kept[::100]:
        try:
            stream.sendall(REQUEST)
            alive += stream.recv(65536).startswith(b"HTTP/1.1 200 ")
        except OSError:
            pass
    print(f"{alive} of {len(kept[::100])} asked again are answered")


main()

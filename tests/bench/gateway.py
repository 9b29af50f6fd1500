#!/usr/bin/env python3
"""gateway.py [FIGHTDNA [OTHER]]: requests per second and latency of the canonical host alone, behind nginx's proxy_pass, and
behind the gateway, in turns on one machine, everything on the loopback. Needs Debian's packages wrk and nginx-light.
FIGHTDNA is the program, by default that of this checkout's target folder; the gateway of OTHER, another build, is asked
in the same rounds."""
import os
import json, os, pathlib, re, socket, statistics, subprocess, sys, tempfile, time, urllib.request

ROUNDS, SECONDS, CONNECTIONS = 11, 2, 32
PATHS = ["/v1/mma/events?limit=5", "/v1/mma"]
root = pathlib.Path(__file__).resolve().parents[2]
target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
program = sys.argv[1] if len(sys.argv) > 1 else str(target / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release") / "fightdna")
NGINX = """
daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream host {{ server {host}; keepalive 64; }}
  server {{ listen 127.0.0.1:{port}; keepalive_requests 1000000;
    location / {{ proxy_pass http://host; proxy_http_version 1.1; proxy_set_header Connection ""; }} }}
}}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(*args, program=program):
    """A server of the program, and its HOST:PORT."""
    process = subprocess.Popen([program, *args], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().split("http://")[1].split("/")[0]


def wait(address, headers):
    for _ in range(200):
        try:
            request = urllib.request.Request(f"http://{address}{PATHS[0]}", headers=headers)
            return urllib.request.urlopen(request, timeout=2).read()
        except OSError:
            time.sleep(0.1)
    sys.exit(f"{address} does not answer")


def wrk(address, path, key, connections, seconds):
    """Requests per second, and the median latency in microseconds."""
    command = ["wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{seconds}s", "--latency"]
    command += ["-H", f"X-API-Key: {key}", f"http://{address}{path}"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(f"{address}{path}: {out}")
    number, unit = re.search(r"50%\s+([\d.]+)(us|ms|s)", out).groups()
    return (
        float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)),
        float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit],
    )


with tempfile.TemporaryDirectory() as folder:
    lake, keys = f"{folder}/lake", f"{folder}/keys.db"
    subprocess.run([program, "--quiet", "--lake", lake, "run"], check=True)
    limits = ["--per-minute", "1000000000", "--per-month", "1000000000000"]
    # A store that OTHER, which may be older, can read; ours takes it over.
    issuer = sys.argv[2] if len(sys.argv) > 2 else program
    issue = [issuer, "--json", "keys", "--keys", keys, "issue", "--account", "bench", "--plan", "enterprise", *limits]
    key = json.loads(subprocess.run(issue, check=True, capture_output=True, text=True).stdout)["key"]
    if len(sys.argv) > 2:
        pathlib.Path(folder, "other.db").write_bytes(pathlib.Path(keys).read_bytes())
    running = []
    try:
        canonical, host = start("--lake", lake, "serve", "--listen", "127.0.0.1:0")
        running.append(canonical)
        gateway, through = start("gateway", "--keys", keys, "--upstream", f"http://{host}", "--listen", "127.0.0.1:0")
        running.append(gateway)
        others = {}
        for other in sys.argv[2:]:
            process, others["other"] = start("gateway", "--keys", f"{folder}/other.db", "--upstream", f"http://{host}",
                                             "--listen", "127.0.0.1:0", program=other)
            running.append(process)
        port = free_port()
        config = pathlib.Path(folder, "nginx.conf")
        config.write_text(NGINX.format(folder=folder, host=host, port=port))
        running.append(subprocess.Popen(["nginx", "-c", str(config), "-p", folder, "-e", f"{folder}/error.log"]))
        hosts = {"canonical": host, "nginx": f"127.0.0.1:{port}", "gateway": through, **others}
        for address in hosts.values():
            wait(address, {"X-API-Key": key})
        for path in PATHS:
            length = len(urllib.request.urlopen(f"http://{host}{path}").read())
            rates = {name: [] for name in hosts}
            alone = {name: [] for name in hosts}
            for _ in range(ROUNDS):
                for name, address in hosts.items():
                    rates[name].append(wrk(address, path, key, CONNECTIONS, SECONDS)[0])
                    alone[name].append(wrk(address, path, key, 1, 1)[1])
            rate = {name: statistics.median(r) for name, r in rates.items()}
            p50 = {name: statistics.median(r) for name, r in alone.items()}
            # Of one round, so that a machine which becomes slower or faster does so for both.
            to = lambda name: statistics.median(a / b for a, b in zip(rates["gateway"], rates[name]))
            print(f"{path} ({length} bytes), medians of {ROUNDS} rounds, ratios within a round")
            for name in hosts:
                print(f"  {name:10s} {rate[name]:9.0f} requests/s at {CONNECTIONS} connections, p50 {p50[name]:6.0f} us at one")
            if others:
                print(f"  gateway / other {to('other'):.2f}, other / nginx "
                      f"{statistics.median(a / b for a, b in zip(rates['other'], rates['nginx'])):.2f}, "
                      f"other adds p50 {p50['other'] - p50['canonical']:.0f} us")
            print(f"  gateway / canonical {to('canonical'):.2f} (goal 0.5), "
                  f"gateway / nginx {to('nginx'):.2f} (goal 0.5), "
                  f"added p50 {p50['gateway'] - p50['canonical']:.0f} us (goal 200; nginx adds {p50['nginx'] - p50['canonical']:.0f})")
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()

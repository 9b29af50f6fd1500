#!/usr/bin/env python3
"""Requests per second and p99 of `fightdna serve`, operation by operation, as ratios to a bare axum handler that
returns a prebuilt body of the same size; both are asked in turn within each round. Medians of ROUNDS. Asked as
HTTP libraries and browsers ask, with `Accept-Encoding: gzip, deflate, br`, and then without; "bytes" are those sent.

wrk asks as fast as it is answered, which shows how many requests fit into a second; the times of a server that is
asked for more than it can do say how the scheduler shared the cores. So each is asked once more with a pause after
every answer, both with the same: "paced" is the p99 at that load, and its ratio.

    cargo build --release --bins && python3 tests/bench/serving.py LAKE [ROUNDS] [SECONDS] [CONNECTIONS] [--peers FOLDER] [--catalog LAKE]

Needs wrk. With `--peers`, the folder of a virtual environment that has roapi, datasette and duckdb, the table of
fighters is also asked for by id there. With `--catalog`, a lake of the multi-sport catalog is served and asked in the same
rounds. With `--pages`, the pages of the explorer are, too.
"""
import argparse
import glob
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("FIGHTDNA_BENCH_PROFILE", "release")
OURS, BARE, ROAPI, DATASETTE, CATALOG, PAGES, CATALOG_PAGES = range(18310, 18317)
SAMPLE = 100
ACCEPTED = {"with Accept-Encoding": "gzip, deflate, br", "without": ""}
PAUSE_MS = 1


def get(port, path, accepted=""):
    headers = {"Accept-Encoding": accepted} if accepted else {}
    with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers), timeout=10) as reply:
        return reply.read()


def size(port, path, accepted):
    """Bytes of an answer, whatever its status."""
    try:
        return len(get(port, path, accepted))
    except urllib.error.HTTPError as refused:
        return len(refused.read())


def data(path, port=OURS):
    return json.loads(get(port, path))["data"]


def wait_for(port, path):
    for _ in range(600):
        try:
            return get(port, path)
        except OSError:
            time.sleep(0.05)
    sys.exit(f"nothing answers on port {port}")


def spread(items):
    """So many of them, from all over."""
    return items[:: max(1, len(items) // SAMPLE)][:SAMPLE]


def cases():
    """Operation to the paths that are asked for."""
    everybody = [f["id"] for page in range(0, 4000, 250) for f in data(f"/v1/mma/fighters?limit=250&offset={page}")]
    events = [e["id"] for e in data("/v1/mma/events?status=recent&limit=1000")]
    with_dna = [i["fighter"]["id"] for i in data("/v1/mma/dna/query?metric=sig_landed_per_min&limit=250")]
    bouts = [b["id"] for event in spread(events)[:20] for b in data(f"/v1/mma/events/{event}/card")["bouts"]]
    fighters, events, with_dna = spread(everybody), spread(events), spread(with_dna)
    pairs = list(zip(with_dna, with_dna[1:]))
    queries = ["sig_landed_per_min", "td_accuracy", "sig_defense", "control_share"]
    return {
        "fighter": [f"/v1/mma/fighters/{i}" for i in fighters],
        "event": [f"/v1/mma/events/{i}" for i in events],
        "fighter_dna": [f"/v1/mma/fighters/{i}/dna" for i in with_dna],
        "bout": [f"/v1/mma/bouts/{i}" for i in spread(bouts)],
        "card, stats": [f"/v1/mma/events/{i}/card?include=stats" for i in events],
        "matchup_dna": [f"/v1/mma/matchups/{a}/{b}/dna" for a, b in pairs],
        "dna_query": [f"/v1/mma/dna/query?metric={m}&min_confidence=medium" for m in queries],
        "fighters": [f"/v1/mma/fighters?limit=25&offset={n}" for n in range(0, 1000, 25)],
        "search": [f"/v1/mma/search?q={q}" for q in ["jon+jones", "mcgregor", "jedrzejcyk", "ufc+300", "silva", "las+vegas"]],
    }


def page_cases():
    """Pages of the explorer: asked again, and on days that nobody asked before."""
    fighters = [i["fighter"]["id"] for i in data("/v1/mma/dna/query?metric=sig_landed_per_min&limit=250")]
    bouts = [b["id"] for e in data("/v1/mma/events?status=recent&limit=20") for b in data(f"/v1/mma/events/{e['id']}/card")["bouts"]]
    days = [f"{year}-{month:02}-{day:02}" for year in range(2016, 2025) for month in range(1, 13) for day in range(1, 28)]
    metrics = ["sig_landed_per_min", "td_accuracy", "sig_defense", "control_share"]
    return {
        "page of a fighter": [f"/fighters/{i}" for i in spread(fighters)],
        "page of a bout": [f"/bouts/{i}" for i in spread(bouts)],
        "page of leaders": [f"/leaders?metric={metric}" for metric in metrics],
        "page of a day first asked": [f"/fighters/{i}?as_of={day}" for day in days for i in fighters],
    }


def route_cases():
    """Every route of the catalog that has an example or needs none, by kind and shape."""
    found = {}
    for sport in data("/sports", CATALOG)["sports"]:
        for route in (route for group in sport["groups"] for route in group["routes"]):
            path = route["example"] or route["path"]
            is_answerable = route["status"] in ("served", "unavailable") and ":" not in path
            if is_answerable and not any(param["required"] and param["in"] == "query" for param in route["params"]):
                found.setdefault(f"{route['kind']} {route['shape'] or ''}".strip(), []).append(path)
    return found


def catalog_cases():
    """The same of the multi-sport catalog: things by id, then lists of 50."""
    schedule = [game["game_id"] for n in range(0, 1300, 500) for game in data(f"/nhl/schedule?season=2024-25&limit=500&offset={n}", CATALOG)]
    skaters = [row["player"]["id"] for row in data("/nhl/leaders?season=2024-25&limit=100", CATALOG)]
    everybody = [row["player"]["id"] for n in (0, 500) for row in data(f"/nhl/leaders?season=2024-25&limit=500&offset={n}", CATALOG)]
    players = [row["player_slug"] for row in data("/soccer/players?season=2024-25&limit=100", CATALOG)]
    return {
        "nhl player": [f"/nhl/player/{i}" for i in skaters],
        "nhl goalies of a game": [f"/nhl/game/{i}/goalies" for i in spread(schedule)],
        "soccer player dna": [f"/soccer/players/{slug}/dna" for slug in players],
        # So many that an answer is asked for again only long after it has gone from the cache.
        "nhl game log first asked": [f"/nhl/player/{i}/game-log?limit={n}" for n in range(20, 50) for i in everybody],
        "nhl schedule of 50": [f"/nhl/schedule?season=2024-25&limit=50&offset={n}" for n in range(0, 1250, 50)],
        "nhl shots of 50": [f"/nhl/game/{i}/shots?limit=50" for i in spread(schedule)],
        "soccer matches of 50": [f"/soccer/matches?competition=premier-league&season={s}-{s % 100 + 1:02}&limit=50&offset={n}"
                               for s in range(2020, 2025) for n in range(0, 350, 50)],
    }


def wrk(port, paths, seconds, connections, accepted="", pause_ms=0):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(paths) + "\n")
        file.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", ROOT / "tests/bench/paths.lua", f"http://127.0.0.1:{port}"]
        reply = subprocess.run(command, env=os.environ | {"PATHS": file.name, "ACCEPTED": accepted, "PAUSE_MS": str(pause_ms)}, capture_output=True, text=True)
    for line in reply.stdout.splitlines():
        if line.startswith("RESULT "):
            result = json.loads(line[7:])
            result["rps"] = result["requests"] / result["us"] * 1e6
            return result
    sys.exit(f"wrk failed: {reply.stdout}{reply.stderr}")


def beside(port, paths, place, args, accepted):
    """Ours, bare, and both at the same load."""
    both = ((port, paths), (BARE, [f"/{place}"]))
    ours, bare = (wrk(*what, args.seconds, args.connections, accepted) for what in both)
    paced = [wrk(*what, args.seconds, args.connections, accepted, PAUSE_MS) for what in both]
    return ours, bare, *paced


def start_peers(folder, lake, work):
    """roapi (REST and key-value) and datasette over the snapshot's fighters."""
    current = json.load(open(lake / "current.json"))["snapshot_id"]
    table = lake / f"snapshots/{current}/tables/fighters.parquet"
    python = pathlib.Path(folder) / "bin/python"
    make = f"""
import duckdb, sqlite3
rows = duckdb.sql("select * from '{table}'")
rows.write_csv("{work}/fighters.csv")
names = rows.columns
db = sqlite3.connect("{work}/fighters.db")
db.execute("create table fighters (" + ", ".join(n + (" text primary key" if n == "fighter_id" else "") for n in names) + ")")
db.executemany("insert into fighters values (" + ",".join("?" * len(names)) + ")", [[str(v) if v is not None and not isinstance(v, (int, float)) else v for v in r] for r in rows.fetchall()])
db.commit()
"""
    subprocess.run([python, "-c", make], check=True)
    config = {"addr": {"http": f"127.0.0.1:{ROAPI}"},
              "tables": [{"name": "fighters", "uri": f"{work}/fighters.csv", "option": {"format": "csv", "use_memory_table": True}}],
              "kvstores": [{"name": "byid", "uri": f"{work}/fighters.csv", "key": "fighter_id", "value": "name"}]}
    (work / "roapi.yml").write_text(json.dumps(config))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    bin = pathlib.Path(folder) / "bin"
    serve = [bin / "datasette", "serve", "-i", work / "fighters.db", "--port", str(DATASETTE), "--setting", "num_sql_threads", "3"]
    children = [subprocess.Popen([bin / "roapi", "-c", work / "roapi.yml"], **quiet), subprocess.Popen(serve, **quiet)]
    wait_for(ROAPI, "/health")
    wait_for(DATASETTE, "/fighters.json")
    return children


def peers(fighters):
    ids = [path.rsplit("/", 1)[1] for path in fighters]
    return {
        "roapi REST, by id": (ROAPI, [f"/api/tables/fighters?filter[fighter_id]='{i}'" for i in ids]),
        "roapi key-value, by id": (ROAPI, [f"/api/kv/byid/{i}" for i in ids]),
        "datasette, by id": (DATASETTE, [f"/fighters/fighters/{i}.json?_shape=object" for i in ids]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("lake", type=pathlib.Path)
    parser.add_argument("rounds", type=int, nargs="?", default=5)
    parser.add_argument("seconds", type=int, nargs="?", default=3)
    parser.add_argument("connections", type=int, nargs="?", default=16)
    parser.add_argument("--peers")
    parser.add_argument("--catalog", type=pathlib.Path, help="a lake of the multi-sport catalog")
    parser.add_argument("--pages", action="store_true", help="pages of the explorer, too")
    parser.add_argument("--only", help="operations, separated by commas")
    parser.add_argument("--serve", default="", help="further arguments of `fightdna serve`")
    args = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="fightdna-bench-"))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    serve = [TARGET / "fightdna", "serve", "--lake", args.lake, "--listen", f"127.0.0.1:{OURS}", "--explorer", f"127.0.0.1:{PAGES}", *args.serve.split()]
    children = [subprocess.Popen(serve, **quiet)]
    try:
        wait_for(OURS, "/readyz")
        asked = {name: (OURS, paths) for name, paths in cases().items()}
        if args.pages:
            asked |= {name: (PAGES, paths) for name, paths in page_cases().items()}
        if args.catalog:
            serve = [TARGET / "fightdna", "serve", "--catalog", "--lake", args.catalog, "--listen", f"127.0.0.1:{CATALOG}", "--explorer", f"127.0.0.1:{CATALOG_PAGES}"]
            children.append(subprocess.Popen(serve, **quiet))
            wait_for(CATALOG, "/nhl/standings?season=2024-25")
            asked |= {name: (CATALOG, paths) for name, paths in (catalog_cases() | route_cases()).items()}
            if args.pages:
                asked["page of a route"] = (CATALOG_PAGES, [path for paths in route_cases().values() for path in paths])
        if args.only:
            asked = {name: of for name, of in asked.items() if name in args.only.split(",")}
        sizes = {accepted: {name: round(statistics.mean(size(port, path, accepted) for path in paths[::len(paths) // 500 + 1])) for name, (port, paths) in asked.items()}
                 for accepted in ACCEPTED.values()}
        children.append(subprocess.Popen([TARGET / "bare", str(BARE), *(str(size) for of in sizes.values() for size in of.values())], **quiet))
        wait_for(BARE, "/0")
        others = {}
        if args.peers:
            children += start_peers(args.peers, args.lake, work)
            others = peers(asked["fighter"][1])
        results = {accepted: {name: [] for name in [*asked, *others]} for accepted in ACCEPTED.values()}
        for _ in range(args.rounds):
            for way, (accepted, of) in enumerate(results.items()):
                for place, (name, (port, paths)) in enumerate(asked.items()):
                    of[name].append(beside(port, paths, way * len(asked) + place, args, accepted))
                for name, (port, paths) in others.items():
                    of[name].append(beside(port, paths, 0, args, accepted))
        print(f"{args.rounds} rounds of {args.seconds} s, {args.connections} connections, medians")
        for title, accepted in ACCEPTED.items():
            print(f"\n{title}")
            report(results[accepted], sizes[accepted])
        for name, child in zip(["the server", "the catalog's server"] if args.catalog else ["the server"], children):
            status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
            print(f"\nmemory of {name}:", ", ".join(line.replace("\t", " ") for line in status.splitlines() if line.startswith(("VmRSS", "VmHWM"))))
    finally:
        for child in children:
            child.terminate()
        shutil.rmtree(work)


def report(results, sizes):
    print(f"{'':24}{'bytes':>9}{'req/s':>9}{'bare':>9}{'ratio':>8}{'p50 ms':>8}{'p99 ms':>8}{'ratio':>7}{'paced':>8}{'ratio':>7}{'bad':>5}")
    for name, rounds in results.items():
        of = lambda f: statistics.median(f(*round) for round in rounds)
        print(f"{name:24}{sizes.get(name, 0):9}{of(lambda o, b, p, q: o['rps']):9.0f}{of(lambda o, b, p, q: b['rps']):9.0f}"
              f"{of(lambda o, b, p, q: o['rps'] / b['rps']):8.3f}{of(lambda o, b, p, q: o['p50_us'] / 1e3):8.2f}"
              f"{of(lambda o, b, p, q: o['p99_us'] / 1e3):8.2f}{of(lambda o, b, p, q: o['p99_us'] / b['p99_us']):7.2f}"
              f"{of(lambda o, b, p, q: p['p99_us'] / 1e3):8.2f}{of(lambda o, b, p, q: p['p99_us'] / q['p99_us']):7.2f}"
              f"{sum(o['bad'] + p['bad'] for o, _, p, _ in rounds):5}")


if __name__ == "__main__":
    main()

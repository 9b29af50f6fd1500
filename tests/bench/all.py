#!/usr/bin/env python3
"""Everything that somebody waits for, in one table: runs of the catalog, of MMA and of properties, one more game, the start of
servers, answers and pages that nobody asked for before, as-of sums; each beside its peers, in turn.

    cargo build --release --bins && tools/build-sql --release && PYTHON tests/bench/all.py [--before FOLDER] [--only catalog,mma,…]

The programs are in PROGRAMS (default: the release folder of the target), with the engine's library beside them; --before names
a folder with those of another build. PYTHON may have polars, duckdb, datafusion and pyarrow: what is not installed is told. Needs
wrk, two cores and the real captures. Peers: for the readers of the catalog, polars and a JSON reader that write the same files
as Parquet; for as-of sums the engines. Of more rounds, that of least CPU seconds is told (of answers the median): what else
the machine does only ever adds.
"""
import argparse
import datetime
import gzip
import importlib.util
import io
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import as_of
import incremental
import scale
import serving

DATA = incremental.DATA
LICENCES = ["--licences", "A,B,B?,T,NC"]
SECONDS, CONNECTIONS = 3, 16
VALUATE = "/v1/properties/valuate"
MEASURE = """#!{python}
import json, os, resource, subprocess, sys, time
begun = time.perf_counter()
child = subprocess.run(["{program}", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open("{log}", "a") as log:
    print(json.dumps([sys.argv[1:], time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]), file=log)
sys.exit(child.returncode)
"""


class Figures:
    """Lines of the table, by what was measured: of each build or peer the rounds."""

    def __init__(self):
        self.lines = {}

    def add(self, what, who, values, goals):
        """`values` and `goals` by unit. Those of one round stand together: the best is that of least CPU, if there is one."""
        line = self.lines.setdefault(what, ({}, goals))
        line[0].setdefault(who, []).append(values)
        print(f"{what}, {who}:", ", ".join(f"{shown(value)} {unit}" for unit, value in values.items()), file=sys.stderr, flush=True)

    def best(self, rounds):
        if "CPU s" in rounds[0]:
            return min(rounds, key=lambda values: values["CPU s"])
        return {unit: statistics.median(values[unit] for values in rounds) for unit in rounds[0]}

    def print(self):
        print(f"\n{datetime.date.today()}\n\n| what | | now | beside | times | goal |\n|---|---|---|---|---|---|")
        for what, (by, goals) in self.lines.items():
            found = {who: self.best(rounds) for who, rounds in by.items()}
            now = found.pop("now", {})
            for unit, value in now.items():
                others = {who: values[unit] for who, values in found.items() if unit in values}
                beside = ", ".join(f"{who} {shown(other)}" for who, other in others.items())
                times = ", ".join(f"{value / other:.2f}" for other in others.values() if other)
                goal = goals.get(unit)
                is_reached = goal is not None and (value >= goal if unit.endswith("/s") else value <= goal)
                mark = "" if goal is None else f"{shown(goal)}{'' if is_reached else ' (missed)'}"
                print(f"| {what} | {unit} | {shown(value)} | {beside} | {times} | {mark} |")
                what = ""


def shown(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


class Bench:
    def __init__(self, args, work):
        self.work, self.rounds, self.figures = work, args.rounds, Figures()
        self.builds = {"now": args.programs} | ({"before": args.before} if args.before else {})
        self.lakes = {}
        # The last core asks, and the first answers.
        self.cores = sorted(os.sched_getaffinity(0))

    def measure(self, command, codes=(0,)):
        """Wall and CPU seconds and peak MiB of a process with its children, as a line of figures; and what it printed."""
        begun = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        if os.waitstatus_to_exitcode(status) not in codes:
            sys.exit(f"{command} ended with {os.waitstatus_to_exitcode(status)}: {output[-500:]}")
        return {"s": time.perf_counter() - begun, "CPU s": usage.ru_utime + usage.ru_stime, "MiB": usage.ru_maxrss / 1024}, output

    def in_turn(self):
        for _ in range(self.rounds):
            yield from self.builds.items()

    def measured_programs(self, who, programs):
        """A folder with the programs, where the models of each sport are measured; and the file that has the figures."""
        folder, log = self.work / f"programs-{who}", self.work / f"models-{who}"
        if not folder.exists():
            folder.mkdir()
            shutil.copy(programs / "fightdna", folder)
            script = MEASURE.format(python=sys.executable, program=programs / "fightdna-sql", log=log)
            (folder / "fightdna-sql").write_text(script)
            (folder / "fightdna-sql").chmod(0o755)
        log.unlink(missing_ok=True)
        return folder / "fightdna", log

    def catalog(self):
        """All captures of all sports but a game of each of four, then these games one after another."""
        goals = {"s": 30, "CPU s": 40, "MiB": 1500}
        reduced = self.work / "sports"
        shutil.copytree(DATA / "sports", reduced)
        games = {name: take for name, take in LAST_GAME.items() if take(reduced / name) is not False}
        for who, programs in self.in_turn():
            lake = self.work / f"catalog-{who}"
            shutil.rmtree(lake, ignore_errors=True)
            fightdna, log = self.measured_programs(who, programs)
            run = [fightdna, "catalog", "run", "--json", "--quiet", "--lake", lake, *LICENCES]
            values, out = self.measure([*run, "--all", reduced, "--captured-at", "2026-08-25"])
            jobs = {job["job"]: job["seconds"] for job in json.loads(out)["jobs"]}
            self.figures.add("catalog, all captures, cold", who, values, goals)
            self.figures.add("catalog, its files read", who, {"s": jobs["ingest"]}, {})
            for line in log.read_text().splitlines():
                words, wall, cpu, peak = json.loads(line)
                sport = words[words.index("--sport") + 1]
                goals_of = {"CPU s": 10, "MiB": 800} if sport == "tennis" else {}
                self.figures.add(f"models of {sport}", who, {"s": wall, "CPU s": cpu, "MiB": peak}, goals_of)
            for name in games:
                source = name.replace("/", "-")
                values, _ = self.measure([*run, "--source", f"{source}={DATA / 'sports' / name}", "--captured-at", "2026-08-26"])
                self.figures.add(f"one more game, {source}", who, values, {"s": 2})
            self.figures.add("catalog, nothing new", who, self.measure(run)[0], {})
            self.lakes.setdefault("catalog", lake)
        self.floor("catalog, its files read", reduced)

    def mma(self):
        arguments = incremental.arguments(self.work)
        names = ["MMA, all captures, cold", "MMA, one more event", "MMA, one more calendar", "MMA, nothing new"]
        goals = [{"s": 5, "CPU s": 8, "MiB": 400}, {}, {}, {}]
        for who, programs in self.in_turn():
            lake = self.work / f"mma-{who}"
            shutil.rmtree(lake, ignore_errors=True)
            for name, goal, words in zip(names, goals, [*arguments, []]):
                values, _ = self.measure([programs / "fightdna", "run", "--quiet", "--lake", lake, *words], (0, 65))
                self.figures.add(name, who, values, goal)
            self.lakes.setdefault("mma", lake)
        self.floor(names[0], *[DATA / name for name in (*incremental.FOLDERS.values(), *incremental.SOURCES.values())], self.work / "captures")

    def floor(self, what, *folders):
        """The same files read by others and written as Parquet, nothing else."""
        if importlib.util.find_spec("polars"):
            out = tempfile.mkdtemp(dir=self.work)
            self.figures.add(what, "polars and json", self.measure([sys.executable, __file__, "--floor", out, *folders])[0], {})
        else:
            print(f"{what}: polars is not installed")

    def properties(self):
        for who, programs in self.in_turn():
            lake = self.work / f"properties-{who}"
            shutil.rmtree(lake, ignore_errors=True)
            command = [programs / "fightdna", "properties", "--lake", lake, "run", "--quiet", "--all", DATA / "properties"]
            self.figures.add("properties, all captures, cold", who, self.measure(command, (0, 65))[0], {})
            self.lakes.setdefault("properties", lake)

    def starts(self):
        """On one core; some seconds later, so that what loads behind the first answers counts."""
        self.need("mma", "catalog")
        asked = {"mma": (scale.ASKED, ()), "catalog": (["/sports"], ("--catalog",))}
        goals = {"s until complete": 1, "peak MiB": 250}
        for who, programs in self.in_turn():
            for name, (paths, options) in asked.items():
                lake, fightdna = self.lakes[name], programs / "fightdna"
                ready, used, peak, kept = scale.serve(lake, fightdna, paths, options, core=self.cores[0], settled=8)
                values = {"s until complete": ready, "CPU s until then": used, "peak MiB": peak, "MiB kept": kept}
                self.figures.add(f"server of {name}, start on one core", who, values, goals)

    def answers(self):
        """Days that nobody asked for: one core answers, the other asks."""
        self.need("mma")
        for who, programs in self.in_turn():
            words = ["serve", "--lake", self.lakes["mma"], "--listen", f"127.0.0.1:{serving.OURS}"]
            server = self.serve([programs / "fightdna", *words, "--explorer", f"127.0.0.1:{serving.PAGES}"])
            try:
                serving.wait_for(serving.OURS, "/v1/mma/dna/query?metric=sig_landed_per_min")
                dice = random.Random(7)
                day = lambda: f"{dice.randint(2016, 2024)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
                fighters = [i["fighter"]["id"] for i in serving.data("/v1/mma/dna/query?metric=sig_landed_per_min&limit=250")]
                metrics = ["sig_landed_per_min", "td_accuracy", "sig_defense", "control_share"]
                leaders = lambda n: list({f"/v1/mma/dna/query?metric={dice.choice(metrics)}&as_of={day()}": 0 for _ in range(n)})
                pages = lambda n: list({f"/fighters/{dice.choice(fighters)}?as_of={day()}": 0 for _ in range(n)})
                # Some for one connection, others for many.
                self.first_asked("leaders of a day first asked", who, serving.OURS, leaders(20_000), {"1": {"p50 ms": 0.5}, "16": {"/s": 5000}})
                self.first_asked("page of a day first asked", who, serving.PAGES, pages(60_000), {"16": {"/s": 3000, "p99 ms": 10}})
            finally:
                server.terminate()
                server.wait()

    def values(self):
        """Values of properties, of days and addresses that nobody asked for."""
        self.need("properties")
        for who, programs in self.in_turn():
            fightdna, keys = programs / "fightdna", self.work / f"keys-{who}.db"
            issue = [fightdna, "keys", "--keys", keys, "--json", "issue", "--product", "leads", "--account", "bench", "--plan", "developer"]
            key = json.loads(self.measure(issue)[1])["key"]
            words = ["leads", "--store", self.work / f"leads-{who}.db", "serve", "--keys", keys, "--properties-lake", self.lakes["properties"]]
            unbounded = ["--max-requests-per-key", 0, "--max-requests-per-address", 0]
            server = self.serve([fightdna, *words, *unbounded, "--listen", f"127.0.0.1:{serving.OURS}"])
            try:
                dice, asked = random.Random(7), []
                listed = lambda offset: json.loads(get_with(key, f"/v1/properties?limit=100&offset={offset}"))["data"]
                serving.wait_for(serving.OURS, "/readyz")
                addresses = [found["address"] for offset in range(0, 40_000, 2_000) for found in listed(offset)]
                # Markets of the newest years are fitted in the background.
                time.sleep(15)
                addresses = [address for address in addresses if is_valued(key, address)]
                for _ in range(20_000):
                    address = dice.choice(addresses)
                    day = f"{dice.randint(2020, 2023)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
                    asked.append(f"{VALUATE}\t{value_request(address, day)}")
                os.environ["KEY"] = key
                self.first_asked("value of a property, first asked", who, serving.OURS, asked, {"1": {"p50 ms": 10}, "16": {"p99 ms": 150}})
            finally:
                os.environ.pop("KEY", None)
                server.terminate()
                server.wait()

    def sums(self):
        self.need("mma")
        if not importlib.util.find_spec("polars"):
            print("as-of sums: polars is not installed")
            return
        for times, rounds in {1: 5, 10: 3, 100: 1}.items():
            with tempfile.TemporaryDirectory(dir=self.work) as work:
                inputs = as_of.apart(as_of.larger, as_of.tables(self.lakes["mma"]), times, work)
                medians, is_same = as_of.compare(inputs, rounds, self.builds["now"] / "as-of", work)
            for who, (wall, cpu, peak) in medians.items():
                fastest = [min(values[place] for name, values in medians.items() if name != "ours") for place in (0, 1)] if len(medians) > 1 else [0, 0]
                goals = {"s": fastest[0] / 2, "CPU s": fastest[1] / 2}
                who = {"ours": "now"}.get(who, who)
                self.figures.add(f"as-of sums, {times} times{'' if is_same else ', ROWS DIFFER'}", who, {"s": wall, "CPU s": cpu, "MiB": peak}, goals)

    def first_asked(self, what, who, port, paths, goals):
        middle = len(paths) // 2
        for connections, some in {1: paths[:middle], CONNECTIONS: paths[middle:]}.items():
            told = serving.wrk(port, some, SECONDS, connections)
            values = {"/s": told["rps"], "p50 ms": told["p50_us"] / 1e3, "p99 ms": told["p99_us"] / 1e3, "refused": told["bad"] / told["requests"]}
            of = "1 connection" if connections == 1 else f"{connections} connections"
            self.figures.add(f"{what}, {of}", who, values, goals.get(str(connections), {}))

    def serve(self, command):
        os.sched_setaffinity(0, {self.cores[-1]})
        on_core = lambda: os.sched_setaffinity(0, {self.cores[0]})
        command = [str(word) for word in command]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=on_core)

    def need(self, *names):
        for name in names:
            if name not in self.lakes:
                rounds, self.rounds = self.rounds, 1
                getattr(self, name)()
                self.rounds = rounds


def get_with(key, path, body=None):
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{serving.OURS}{path}", body and body.encode(), headers)
    return urllib.request.urlopen(request).read()


def value_request(address, day):
    names = [name for name in ("city", "state", "zip") if address.get(name)]
    return json.dumps({"address": address["line"], "as_of": day} | {name: address[name] for name in names})


def is_valued(key, address):
    """Whether an address has a value: a co-operative flat has none."""
    try:
        return bool(get_with(key, VALUATE, value_request(address, "2022-01-01")))
    except urllib.error.HTTPError:
        return False


def take_last_file(pattern):
    return lambda folder: max(folder.glob(pattern)).unlink()


def take_last_line(name):
    def take(folder):
        lines = gzip.decompress((folder / name).read_bytes()).splitlines(keepends=True)
        (folder / name).write_bytes(gzip.compress(b"".join(lines[:-1])))

    return take


def take_last_of_parquet(folder):
    """Its last game, out of every table of the newest season."""
    if not importlib.util.find_spec("polars"):
        print("one more game, nhl-boxes: polars is not installed")
        return False
    return as_of.apart(without_last_game, folder)


def without_last_game(folder):
    import polars as pl

    last = pl.read_parquet(folder / "game_info_2025.parquet")["game_id"].max()
    for file in folder.glob("*_2025.parquet"):
        rows = pl.read_parquet(file)
        if "game_id" in rows.columns:
            rows.filter(pl.col("game_id") != last).write_parquet(file)


LAST_GAME = {
    "nba/boxscores-daily": take_last_file("game-*.csv.gz"),
    "nfl/gamecenter": take_last_file("20*.json.gz"),
    "nhl/boxes": take_last_of_parquet,
    "tennis/atp-matches": take_last_line("atp_matches_2024.csv.gz"),
}


def floor(out, *folders):
    """Reads every CSV and JSON file and writes what is a table as Parquet, nothing else."""
    import polars as pl

    files = [path for folder in folders for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    for place, file in enumerate(files):
        name = file.name.removesuffix(".gz")
        if not name.endswith((".csv", ".json")):
            continue
        data = gzip.decompress(file.read_bytes()) if file.name.endswith(".gz") else file.read_bytes()
        try:
            if name.endswith(".json"):
                json.loads(data)
            else:
                pl.read_csv(io.BytesIO(data), infer_schema=False, truncate_ragged_lines=True).write_parquet(f"{out}/{place}.parquet")
        except (ValueError, pl.exceptions.PolarsError):
            pass


PARTS = ["catalog", "mma", "properties", "starts", "answers", "values", "sums"]


def main():
    if sys.argv[1:2] == ["--floor"]:
        return floor(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", type=pathlib.Path, nargs="?", default=incremental.TARGET)
    parser.add_argument("--before", type=pathlib.Path, help="folder of the programs of another build")
    parser.add_argument("--only", default=",".join(PARTS), help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--lake", action="append", default=[], help="NAME=LAKE: mma, catalog or properties is there already")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fightdna-bench-") as work:
        bench = Bench(args, pathlib.Path(work))
        bench.lakes |= {name: pathlib.Path(lake) for name, lake in (word.split("=", 1) for word in args.lake)}
        try:
            for part in args.only.split(","):
                getattr(bench, part)()
                os.sched_setaffinity(0, set(bench.cores))
        finally:
            bench.figures.print()


if __name__ == "__main__":
    main()

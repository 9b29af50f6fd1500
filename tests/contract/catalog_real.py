"""The multi-sport catalog on real captures, from outside: a run, its snapshot, and every route.

`catalog_real` runs it with the packages that it needs.
"""

import collections
import contextlib
import datetime
import gzip
import importlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import catalog_facts
import catalog_gateway
import duckdb
import row_accounting

program, data = sys.argv[1], pathlib.Path(sys.argv[2]) / "sports"
work = pathlib.Path(tempfile.mkdtemp())
HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "schemas/catalog/models"
CAPTURED_AT = ["--captured-at", "2026-08-25"]
ALL_LICENCES = ["--licences", "A,B,B?,T,NC"]
# A day of every season that is captured, and one by chance, the same in every run unless FIGHTDNA_SEED says another.
AS_OF = ["2025-03-15", str(datetime.date(2023, 2, 1) + datetime.timedelta(random.Random(os.environ.get("FIGHTDNA_SEED", "0")).randrange(650)))]
# Of the invented sample, on every machine. Another one comes of other models of soccer, or another sample.
SAMPLE_SNAPSHOT = "69cafee35b8a9dc599f7b1c2b673b469"
# Routes of a day, whose default is today, and those that need a parameter.
QUERIES = {
    "/nhl/board": "?date=2025-04-17",
    "/soccer/table": "?competition=premier-league",
    "/mlb/schedule": "?date=2019-07-04",
    "/mlb/weather": "?park=BOS",
    "/mlb/odds/player": "?name=nola",
    "/mlb/minors/search": "?q=jackson",
    "/nfl/event-markets": "?event=2025_05_KC_JAX",
    "/nfl/line-movement": "?event=2025_05_KC_JAX",
    "/nfl/game-intelligence": "?game=2025_05_KC_JAX",
    "/tennis/dna/leaders": "?metric=ace_rate",
    "/tennis/search": "?q=federer",
}


def run(*arguments, code=0):
    done = subprocess.run([program, "--json", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"{arguments}: {done.returncode} {done.stderr[-2000:]}"
    return json.loads(done.stdout) if done.stdout else None


def catalog_run(lake, *arguments):
    return run("catalog", "run", "--quiet", "--lake", lake, *arguments)["snapshot_id"]


def whole_run():
    snapshot = catalog_run(work / "lake", "--all", data, *CAPTURED_AT, *ALL_LICENCES)
    row_accounting.check_lake(work / "lake")
    assert catalog_run(work / "lake", *ALL_LICENCES) == snapshot, "a run with nothing new publishes nothing"
    run("verify", "--lake", work / "lake")
    run("run", "--lake", work / "lake", code=2)
    return snapshot


def captures_meet_in_any_order():
    """Boxes in two captures, taken in in both orders, and once more."""
    parts = {}
    for name, wanted in [("2025-07-01", "_2023"), ("2026-06-01", "_202[56]")]:
        parts[name] = work / "parts" / name
        parts[name].mkdir(parents=True)
        for file in (data / "nhl/boxes").iterdir():
            if re.search(wanted, file.name):
                shutil.copy(file, parts[name])
    ids = []
    for order in [list(parts), list(parts)[::-1], list(parts) + list(parts)]:
        lake = work / f"order-{len(ids)}"
        for name in order:
            snapshot = catalog_run(lake, "--source", f"nhl-boxes={parts[name]}")
        ids.append(snapshot)
    assert len(set(ids)) == 1, ids


def sample_by_the_readme():
    """Invented seasons in two captures: the table is what their matches come to, and no other."""
    sample, lake = work / "sample", work / "sample-lake"
    run("synth", "--catalog", "--out", sample)
    snapshot = catalog_run(lake, "--captures", f"soccer-leagues={sample / 'soccer-leagues'}")
    assert snapshot == SAMPLE_SNAPSHOT, snapshot
    run("catalog", "run", "--lake", lake, "--source", f"nhl-boxes={data / 'nhl/boxes'}", *CAPTURED_AT, code=65)
    points = collections.Counter()
    newest = sorted((sample / "soccer-leagues").iterdir())[-1] / "2025-26-en.1.json"
    for match in json.loads(newest.read_text())["matches"]:
        if "score" in match:
            home, away = match["score"]["ft"]
            points[match["team1"]] += 3 * (home > away) + (home == away)
            points[match["team2"]] += 3 * (away > home) + (home == away)
    with served(lake) as url:
        rows = get(f"{url}/soccer/table?competition=premier-league")[1]["data"]
        assert {row["team_name"]: row["points"] for row in rows} == dict(points), (rows, points)
        assert len(rows) == 8 and {row["season"] for row in rows} == {"2025-26"}
        assert get(f"{url}/nhl/standings")[1]["error"]["code"] == "sport_not_published"


def sample_one_capture_at_a_time():
    """Tables that stay from the run before, beside those that are made again, are those of one run over all captures."""
    sample, lake, first = work / "sample/soccer-leagues", work / "one-by-one", work / "first"
    shutil.copytree(min(sample.iterdir()), first / min(sample.iterdir()).name)
    for captures in [first, sample]:
        snapshot = catalog_run(lake, "--captures", f"soccer-leagues={captures}")
    assert snapshot == SAMPLE_SNAPSHOT, snapshot


def drop_last_row(capture, draw):
    """Drops a row of one of the capture's files, if it has one of so many that it does not look cut then."""
    files = []
    for file in sorted([*capture.rglob("*.csv"), *capture.rglob("*.csv.gz")]):
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        files += [(file, text)] * (text.count(b"\n") > 500)
    if files:
        file, text = draw.choice(files)
        text = b"".join(text.splitlines(keepends=True)[:-1])
        file.write_bytes(gzip.compress(text, mtime=0) if file.suffix == ".gz" else text)
    return bool(files)


def one_more_capture_at_a_time():
    """Captures by chance, four or FIGHTDNA_CHANGED_CAPTURES, each with a row less than the one before it: what is served in the end is made of nothing as well."""
    lake, seconds, draw = work / "one-more", [], random.Random(os.environ.get("FIGHTDNA_SEED", "0"))
    shutil.copytree(work / "lake", lake)
    captures = sorted((lake / "raw").glob("*/*"))
    draw.shuffle(captures)
    for capture in captures:
        copy = work / "changed" / f"{capture.parent.name}-{capture.name}"
        shutil.copytree(capture, copy, ignore=shutil.ignore_patterns("capture.json"))
        if not drop_last_row(copy, draw):
            continue
        begun = time.monotonic()
        snapshot = catalog_run(lake, "--source", f"{capture.parent.name}={copy}", "--captured-at", f"2026-09-{len(seconds) + 1:02}", *ALL_LICENCES)
        seconds.append((capture.parent.name, round(time.monotonic() - begun, 1)))
        if len(seconds) == int(os.environ.get("FIGHTDNA_CHANGED_CAPTURES", "4")):
            break
    shutil.rmtree(lake / "catalog")
    run("repair", "--lake", lake)
    assert catalog_run(lake, *ALL_LICENCES) == snapshot, seconds
    return seconds


def cmdline(path):
    try:
        return path.read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def killed_at_any_moment():
    """A run that is killed again and again ends in the snapshot of one that was left alone."""
    sample, lake = work / "sample" / "soccer-leagues", work / "killed"
    wanted = json.loads((work / "sample-lake" / "current.json").read_text())["snapshot_id"]
    command = [program, "catalog", "run", "--quiet", "--lake", lake, "--captures", f"soccer-leagues={sample}"]
    killed = 0
    for quarter in range(1, 20):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            running.wait(quarter / 4)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
            killed += 1
    # What it had started is gone with it.
    time.sleep(2)
    left = [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if str(lake) in cmdline(path)]
    assert not left, [cmdline(path) for path in left]
    assert catalog_run(lake, "--captures", f"soccer-leagues={sample}") == wanted
    run("verify", "--lake", lake)
    return killed


def what_holds():
    """Tables whatever the number of threads and the order of facts; rows as of a day whatever came after it; audits."""
    days = [argument for day in AS_OF for argument in ("--as-of", day)]
    checked = run("catalog", "check", "--audits", "--models", *days, "--lake", work / "lake", *ALL_LICENCES)
    again = checked["models"]["sports"]
    assert {sport["sport"] for sport in again} == {folder.name for folder in MODELS.iterdir()} - {"properties"}, again
    as_of = [sport for day in AS_OF for sport in checked[f"as_of_{day}"]["sports"]]
    assert sum(sport["rows"] for sport in as_of) > 1_000_000, as_of
    # Days within facts that end before those days, or begin after them.
    for sport, day, rows in [("nfl", "2019-10-01", 80_000), ("mlb", "2026-06-15", 15_000)]:
        within = run("catalog", "check", "--sport", sport, "--as-of", day, "--lake", work / "lake", *ALL_LICENCES)
        held = within[f"as_of_{day}"]["sports"][0]
        assert rows < held["rows"] < held["stored_rows"], within
    assert len(checked["audits"]) > 20 and all(audit["rows"] == 0 for audit in checked["audits"]), checked["audits"]
    return f"{sum(sport['tables'] for sport in again)} tables again, {sum(sport['rows'] for sport in as_of)} rows as of {' and '.join(AS_OF)}, {len(checked['audits'])} audits"


def get(url):
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def asked_path(route):
    path = route.get("example") or re.sub(r":\w+", "x", route["path"])
    return path + QUERIES.get(path, "")


def through_the_gateway(url):
    listing = get(f"{url}/sports")[1]["data"]["sports"]
    routes = [route for sport in listing for group in sport["groups"] for route in group["routes"]]
    return catalog_gateway.check(program, url, {route["path"]: asked_path(route) for route in routes})


def every_route(url, has_every_source=True):
    """How many routes there are of each status. Without every source some ids are not known, and some lists are empty."""
    counts = collections.Counter()
    _, listing = get(f"{url}/sports")
    routes = [r for s in listing["data"]["sports"] for g in s["groups"] for r in g["routes"]]
    assert len(routes) == 231, len(routes)
    for route in routes:
        path = asked_path(route)
        status, body = get(url + path)
        counts[route["status"]] += 1
        if route["status"] != "served":
            # A parameter that the route needs is asked for first.
            expected = {(503, route["code"]), (400, "invalid_parameter")}
            assert (status, body["error"]["code"]) in expected, f"{path}: {status} {body}"
        else:
            if not has_every_source and status == 404 and ":" in route["path"]:
                continue
            assert status == 200, f"{path}: {status} {body}"
            rows = body["data"]
            if not has_every_source:
                continue
            assert rows or "today" in path, f"{path} has no rows"
            assert not (isinstance(rows, dict) and rows.get("available") is False), f"{path}: {rows}"
    return dict(counts)


def hockey(url):
    def column(path, *fields):
        return [tuple(row[field] for field in fields) for row in get(url + path)[1]["data"]]

    table = {row["team"]["abbr"]: row for row in get(f"{url}/nhl/standings?season=2024-25")[1]["data"]}
    of = lambda team: tuple(table[team][field] for field in ["points", "w", "l", "otl"])
    assert of("WPG") == (116, 56, 22, 4) and of("SJS") == (52, 20, 50, 12), (of("WPG"), of("SJS"))
    assert (table["WSH"]["points"], table["VGK"]["points"]) == (111, 110)
    assert len(table) == 32 and all(row["gp"] == 82 for row in table.values())
    # The recorded final table of 2022-23 tells wins; overtime defeats nobody can tell, and so no points.
    recorded = json.loads((data / "nhl/api-web-recorded/standings-2023-04-14.json").read_text())
    wins = {row["teamAbbrev"]["default"]: row["wins"] for row in recorded["standings"]}
    ours = {row["team"]["abbr"]: row for row in get(f"{url}/nhl/standings?season=2022-23")[1]["data"]}
    assert {team: row["w"] for team, row in ours.items()} == wins
    assert all(row["otl"] is None and row["points"] is None and row["rank"] is None for row in ours.values())
    assert get(f"{url}/nhl/game/2024020500/shots")[1]["meta"]["total"] == 61
    assert column("/nhl/leaders?season=2024-25&limit=1", "value", "gp") == [(121, 78)]
    status, unknown = get(f"{url}/nhl/player/1")
    assert (status, unknown["error"]["code"]) == (404, "not_found")
    status, uncaptured = get(f"{url}/nhl/game/2022020001/shots")
    assert (status, uncaptured["data"]) == (200, {"available": False, "reason": "not_captured"})
    assert get(f"{url}/nhl/standings?saison=2024-25")[0] == 400


def reports(url):
    """Plays of a game, and time together second by second from the text of the reports, where the models join shifts."""
    plays = collections.Counter(row["kind"] for row in get(f"{url}/nhl/game/2024020500/plays?limit=500")[1]["data"])
    assert (plays["shot"], plays["goal"]) == (57, 4), plays
    on_ice = collections.defaultdict(lambda: collections.defaultdict(set))
    for side, team in [("H", "CAR"), ("V", "NYI")]:
        page = gzip.open(data / f"nhl/html-reports/T{side}020500.HTM.gz", "rt").read()
        for part in page.split('class="playerHeading')[1:]:
            name = re.match(r'[^>]*>\d+ ([^,]+),', part)
            cells = r'<td[^>]*>(\d+)</td>\s*<td[^>]*>(\d)</td>\s*<td[^>]*>(\d+):(\d+) / [\d:]+</td>\s*<td[^>]*>(\d+):(\d+) / '
            for _, period, *clock in re.findall(cells, part if name else ""):
                begins, ends = (int(clock[at]) * 60 + int(clock[at + 1]) for at in (0, 2))
                on_ice[team][name[1]] |= {(period, second) for second in range(begins, ends)}
    lines = get(f"{url}/nhl/game/2024020500/deployment")[1]["data"]["lines"]
    for line in lines:
        names = [line[f"player{n}"]["name"] for n in (1, 2, 3)]
        seconds = [on_ice[line["team_abbr"]][name.split(". ")[1].upper()] for name in names if name]
        assert len(set.intersection(*seconds)) == line["toi_secs"], line
    assert len(lines) > 20, len(lines)


def basketball(url):
    def rows(path):
        return get(url + path)[1]["data"]

    def record(row):
        return row["w"], row["l"]

    # To 21 February 2026 as the league had it, whatever came after.
    table = rows("/nba/standings?season=2025-26")
    assert len(table) == 30 and {row["as_of"] for row in table} == {"2026-02-21"}, table[0]
    assert all(record(row) == (row["official"]["w"], row["official"]["l"]) for row in table)
    table = {row["team"]["abbr"]: record(row) for row in rows("/nba/standings?season=2023-24")}
    assert (table["BOS"], table["OKC"], table["DEN"]) == ((64, 18), (57, 25), (57, 25)), table
    box = {row["player_name"]: row for row in rows("/nba/game/0022200552/boxscore")["players"]}
    assert (box["Donovan Mitchell"]["points"], box["Donovan Mitchell"]["secs"]) == (71, 2988)
    lineup = rows("/nba/game/0022200552/lineup")
    assert lineup["lineup"]["method"] == "recorded" and lineup["lineup"]["agreement"] >= .976, lineup["lineup"]
    assert {stint["players"] for stint in lineup["stints"]} == {5}
    scored = collections.Counter()
    for stint in lineup["stints"]:
        scored[stint["team_abbr"]] += stint["points"]
    assert scored == {"CLE": 145, "CHI": 134}, scored
    # Every recorded final table of the women, with its seeds.
    for season, clubs in [("2022", 12), ("2023", 12), ("2024", 12), ("2025", 13)]:
        table = rows(f"/wnba/standings?season={season}")
        ours = [(row["rank"], *record(row)) for row in table]
        assert ours == [(row["official"]["rank"], row["official"]["w"], row["official"]["l"]) for row in table], season
        assert len(table) == clubs, season
    final = rows("/wnba/playoffs?season=2025")[-1]
    assert (final["round"], final["winner_abbr"], final["team1"]["wins"] + final["team2"]["wins"]) == ("Final", "LV", 4)
    leader = rows("/wnba/stats/players?season=2025&min_games=20&limit=1")[0]
    assert (leader["player_name"], round(leader["points_per_game"], 1)) == ("A'ja Wilson", 23.4), leader
    known = rows("/wnba/dna/players/3149391?as_of=2024-06-01")["metrics"]
    assert known and all(row["valid_from"] <= "2024-06-01" for row in known)
    status, none = get(f"{url}/wnba/games/401737000/live")
    assert status in (200, 404) and none.get("data", {"available": False}).get("available") is False


def corrected():
    """A result that a later capture states otherwise is a correction, with both values."""
    lake, later = work / "corrected", work / "later"
    files = data / "nhl/api-web-recorded"
    later.mkdir()
    for file in files.iterdir():
        (later / file.name).write_bytes(file.read_bytes())
    changed = later / "standings-2023-04-14.json"
    document = json.loads(changed.read_text())
    document["standings"][0]["wins"] -= 1
    changed.write_text(json.dumps(document))
    for folder, day in [(files, "2026-08-25"), (later, "2026-08-26")]:
        catalog_run(lake, "--source", f"nhl-api-web-recorded={folder}", "--captured-at", day)
    wins = document["standings"][0]["wins"]
    told = query(lake, "SELECT column_name, old, new FROM nhl_corrections")
    assert told == [{"column_name": "w", "old": str(wins + 1), "new": str(wins)}], told
    with served(lake) as url:
        listed = get(f"{url}/changes?sport=nhl&since=2026-08-26")[1]["data"]
        assert [(row["column_name"], row["new"]) for row in listed] == [("w", str(wins))], listed
        assert get(f"{url}/v1/changes?sport=nhl&since=2026-08-27")[1]["data"] == []
        assert get(f"{url}/changes")[0] == 400


def query(lake, sql):
    command = [program, "sql", "query", "--lake", lake, "--format", "json", sql]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def soccer(url):
    def table(query):
        rows = get(f"{url}/soccer/table?{query}")[1]["data"]
        return [(row["team_slug"], row["points"]) for row in rows]

    england = [("liverpool", 84), ("arsenal", 74), ("manchester-city", 71)]
    assert table("competition=premier-league&season=2024-25")[:3] == england
    england = [("manchester-city", 91), ("arsenal", 89)]
    assert table("competition=premier-league&season=2023-24")[:2] == england
    championship = [("leeds-united", 100), ("burnley", 100)]
    assert table("competition=championship&season=2024-25")[:2] == championship
    # What leagues deducted, as their final tables have it.
    deducted = [("serie-a", "2022-23", "juventus", 7, 62), ("premier-league", "2023-24", "everton", 15, 40), ("premier-league", "2023-24", "nottingham-forest", 17, 32),
                ("championship", "2021-22", "derby-county", 23, 34), ("championship", "2022-23", "reading", 22, 44), ("championship", "2022-23", "wigan-athletic", 24, 42),
                ("ligue-1", "2021-22", "ogc-nice", 5, 66), ("eredivisie", "2023-24", "vitesse", 18, 6)]
    for competition, season, team, rank, points in deducted:
        rows = get(f"{url}/soccer/table?competition={competition}&season={season}")[1]["data"]
        row = next(row for row in rows if row["team_slug"] == team)
        assert (row["rank"], row["points"]) == (rank, points), row
    assert table("competition=bundesliga&season=2023-24")[:1] == [("bayer-04-leverkusen", 90)]
    # Before the matches of that day, which was the last.
    last = get(f"{url}/soccer/table?competition=premier-league&season=2024-25&as_of=2025-05-25")[1]["data"]
    assert {row["played"] for row in last} == {37}, last
    # The newest season is the competition's own.
    newest = [get(f"{url}/soccer/table?competition={name}")[1]["meta"]["season"] for name in ["premier-league", "ligue-1"]]
    assert newest == ["2025-26", "2024-25"], newest


def dna(url, lake):
    def metrics(path, section="metrics"):
        return {row["metric"]: row for row in get(url + path)[1]["data"][section]}

    # Goals of a whole season, as the world knows them.
    for player, goals in [("mohamed-salah", 29), ("alexander-isak", 23), ("erling-haaland", 22)]:
        season = metrics(f"/soccer/players/{player}/dna?season=2024-25")["goals_per_90"]
        assert round(season["raw_value"] * season["exposure"] / 90, 6) == goals, (player, season)
    for team, scored, conceded in [("manchester-city", 72, 44), ("nottingham-forest", 58, 46), ("southampton", 26, 86)]:
        season = metrics(f"/soccer/teams/{team}/dna?season=2024-25", "all")
        seen = [round(season[name]["raw_value"] * 38, 6) for name in ["goals", "goals_against"]]
        assert seen == [scored, conceded] and season["goals"]["games"] == 38, (team, seen)
    # A season is chosen by the day, and nothing of that day or after it counts.
    march = metrics("/soccer/players/mohamed-salah/dna?as_of=2025-03-01")
    assert {(row["season"], row["valid_from"] <= "2025-03-01") for row in march.values()} == {("2024-25", True)}
    preview = get(f"{url}/soccer/matches/premier-league-2024-25-2024-10-27-arsenal-liverpool/analyzer-preview")[1]["data"]
    assert {row["played"] for row in preview["table"]} == {8} and len(preview["last_matches"]) == 10
    assert all(row["valid_from"] <= "2024-10-27" for row in preview["dna"]) and len(preview["pairings"]) > 0
    assert all(row["match_date"] < "2024-10-27" for row in preview["last_matches"] + preview["meetings"])
    # No zone tells goalies apart, and so no value is stated.
    assert all(row["value"] is None for row in get(f"{url}/nhl/goalie/8477424/edge")[1]["data"])
    # Every class is the one that these facts give.
    metrics = run("catalog", "validity", "--lake", lake)["metrics"]
    other = [metric for metric in metrics if metric["class"] != (metric["measured_class"] or "D")]
    assert not other and len({metric["dna"] for metric in metrics}) > 4, other


def panels(url, lake):
    """A panel has of every subject what the routes answer as of its day."""
    day, panel = "2024-06-01", "wnba_player_dna"
    states = [run("backfill", "--quiet", "--dna", panel, "--as-of", day, "--lake", lake)["dates"][0]["state"] for _ in range(2)]
    assert states == ["made", "kept"], states
    run("verify", "--lake", lake)
    rows = duckdb.sql(f"""SELECT player_id, list(struct_pack(metric := metric, value := value, low := low, high := high) ORDER BY metric) AS metrics
        FROM '{lake}/panels/{panel}/as_of={day}/*.parquet' GROUP BY player_id ORDER BY player_id""").fetchall()
    assert len(rows) > 100, len(rows)
    columns = ["metric", "value", "low", "high"]
    for player, metrics in rows[::10]:
        answered = get(f"{url}/wnba/dna/players/{player}?as_of={day}")[1]["data"]["metrics"]
        assert [{name: row[name] for name in columns} for row in answered] == metrics, player
    return len(rows)


def every_page(url, pages):
    """Each route has a page in the explorer, with the route's own status; one that lacks a parameter asks for it."""
    _, listing = get(f"{url}/sports")
    routes = [r for s in listing["data"]["sports"] for g in s["groups"] for r in g["routes"]]
    for route in routes:
        path = asked_path(route)
        try:
            with urllib.request.urlopen(pages + path) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        wanted = get(url + path)[0]
        assert status == wanted or (wanted, status) == (400, 200) and "Choose first" in text, f"{path}: {status}, {wanted}"
        assert "<main" in text and len(text) < 2_000_000, f"{path}: {len(text)} characters"
    return len(routes)


def checked_by_sport(url, lake):
    """The checks of a sport that stand in a file of their own."""
    sys.path.insert(0, str(HERE / "catalog_checks"))
    names = sorted(file.stem for file in (HERE / "catalog_checks").glob("*.py"))
    for name in names:
        importlib.import_module(name).check(url, data, lambda sql: query(lake, sql))
    return names


@contextlib.contextmanager
def served(lake):
    """A server over a lake: its address."""
    with served_with_pages(lake) as (url, _):
        yield url


@contextlib.contextmanager
def served_with_pages(lake):
    """The same, and the address of its explorer."""
    command = [program, "serve", "--catalog", "--lake", lake, "--listen", "127.0.0.1:0", "--explorer", "127.0.0.1:0"]
    serving = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield tuple(re.findall(r"http://[^/]*", serving.stdout.readline()))
    finally:
        serving.terminate()
        serving.wait()


def main():
    print("-- the README's commands on synthetic captures", flush=True)
    sample_by_the_readme()
    sample_one_capture_at_a_time()
    print("-- runs that are killed", flush=True)
    print(f"   {killed_at_any_moment()} times")
    print("-- a run on all captures, twice", flush=True)
    print(f"   snapshot {whole_run()}")
    print("-- models with other threads and facts in another order, facts cut at a day, audits", flush=True)
    print(f"   {what_holds()}")
    print("-- models over facts with odd text, nulls and zeros", flush=True)
    print(f"   {catalog_facts.check(work / 'lake')}")
    print("-- captures in any order, and one more at a time", flush=True)
    captures_meet_in_any_order()
    print(f"   seconds for each: {one_more_capture_at_a_time()}")
    print("-- a value that a later capture corrects", flush=True)
    corrected()
    print("-- every route, with every licence", flush=True)
    with served_with_pages(work / "lake") as (url, pages):
        print(f"   {every_route(url)}")
        print(f"   through the gateway: {through_the_gateway(url)}")
        print(f"   pages: {every_page(url, pages)}")
        print(f"   players in a panel: {panels(url, work / 'lake')}")
        hockey(url)
        reports(url)
        basketball(url)
        soccer(url)
        dna(url, work / "lake")
        print(f"   checked: {checked_by_sport(url, work / 'lake')}")
        print("   tables, leaders, shots and DNA are those on record")
    print("-- pages in a browser", flush=True)
    for questions in [[], ["--questions"]]:
        subprocess.run([HERE / "explorer/run", program, work / "lake", "--catalog", *questions], check=True)
    print("-- every route, with the licences that may be published", flush=True)
    catalog_run(work / "lake", "--licences", "A,B")
    with served(work / "lake") as url:
        print(f"   {every_route(url, has_every_source=False)}")
        hockey(url)
        status, refused = get(f"{url}/nhl/odds")
        assert (status, refused["error"]["code"]) == (503, "source_not_licensed"), refused
    print("-- every answer as documented", flush=True)
    subprocess.run([pathlib.Path(__file__).with_name("catalog"), program, "1", work / "lake"], check=True)


try:
    main()
finally:
    shutil.rmtree(work)

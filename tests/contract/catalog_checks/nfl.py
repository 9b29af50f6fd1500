"""NFL: what the routes answer, against the documents of the game centre counted once more, and official figures."""

import collections
import csv
import gzip
import json
import urllib.error
import urllib.request

SPELLINGS = {"JAC": "JAX", "OAK": "LV", "SD": "LAC", "STL": "LA", "LAR": "LA"}
# Season, statistic, best player, value: as the league published them.
LEADERS = [
    ("2018", "passing_yards", "Ben Roethlisberger", 5129),
    ("2019", "passing_yards", "Jameis Winston", 5109),
    ("2019", "receptions", "Michael Thomas", 149),
    ("2018", "sacks", "Aaron Donald", 20.5),
    ("2023", "passing_yards", "Tua Tagovailoa", 4624),
    ("2024", "passing_yards", "Joe Burrow", 4918),
]
# Season, division and its order, where teams were equal.
ORDERS = [
    ("2018", "AFC", "West", ["KC", "LAC", "DEN", "OAK"]),
    ("2019", "NFC", "South", ["NO", "ATL", "TB", "CAR"]),
    ("2022", "NFC", "South", ["TB", "CAR", "NO", "ATL"]),
    ("2023", "NFC", "South", ["TB", "NO", "ATL", "CAR"]),
    ("2024", "NFC", "West", ["LA", "SEA", "ARI", "SF"]),
    ("2024", "NFC", "South", ["TB", "ATL", "CAR", "NO"]),
]


def answer(url, path):
    try:
        return 200, json.load(urllib.request.urlopen(url + path))
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def rows(url, path):
    status, found = answer(url, path)
    assert status == 200, (path, found)
    return found["data"]


def check(url, data, query):
    games = documents(data)
    standings(url, data, games)
    scores(games, query)
    boxes(query)
    one_game_whatever_id(url, query)
    win_probability(query)
    seasons_since_2022(data, query)
    leaders(url)
    prices(url, query)
    dna(url, query)
    routes(url, query)


def documents(data):
    """Of each game of the game centre, its document."""
    games = {}
    for file in sorted((data / "nfl/gamecenter").glob("20*.json.gz")):
        document = json.load(gzip.open(file))
        games.update({key: value for key, value in document.items() if key != "nextupdate"})
    assert len(games) == 556
    return games


def standings(url, data, games):
    """Wins, defeats and ties of 2018 and 2019, and the order of equal teams."""
    schedule = json.load(gzip.open(data / "nfl/gamecenter/schedule.json.gz"))["games"]
    records = collections.defaultdict(collections.Counter)
    for game_id, about in schedule:
        if about["season_type"] != "REG" or game_id not in games:
            continue
        home, away = (games[game_id][side] for side in ("home", "away"))
        won = home["score"]["T"] - away["score"]["T"]
        for team, sign in ((home, 1), (away, -1)):
            place = "w" if won * sign > 0 else "l" if won * sign < 0 else "t"
            records[str(about["year"]), SPELLINGS.get(team["abbr"], team["abbr"])][place] += 1
    for season in ("2018", "2019"):
        table = rows(url, f"/nfl/standings?season={season}&limit=500")
        assert len(table) == 32, season
        for row in table:
            expected = records[season, row["team"]["id"]]
            assert (row["w"], row["l"], row["t"]) == (expected["w"], expected["l"], expected["t"]), (row, expected)
    best = {season: {row["team"]["abbr"]: (row["w"], row["l"]) for row in rows(url, f"/nfl/standings?season={season}")}
            for season in ("2018", "2019")}
    assert (best["2018"]["NO"], best["2018"]["LA"], best["2019"]["BAL"]) == ((13, 3), (13, 3), (14, 2)), best
    for season, conference, division, order in ORDERS:
        table = [row for row in rows(url, f"/nfl/standings?season={season}") if row["conference"] == conference]
        table = [(row["rank"], row["team"]["abbr"]) for row in table if row["division"] == division]
        assert table == list(enumerate(order, 1)), (season, division, table)


def scores(games, query):
    """Points by the text of the summary end in the final of every document, and never fall."""
    told = query("SELECT game_id, max(home_score) AS home, max(away_score) AS away FROM nfl_scoring GROUP BY game_id")
    told = {row["game_id"]: (row["home"], row["away"]) for row in told}
    finals = {key: (game["home"]["score"]["T"], game["away"]["score"]["T"]) for key, game in games.items()}
    assert told == finals, [key for key in finals if told.get(key) != finals[key]][:5]
    plays = sum(len(drive["plays"]) for game in games.values()
                for drive in game["drives"].values() if isinstance(drive, dict))
    assert query("SELECT count(*) AS n FROM nfl_plays")[0]["n"] == plays == 98509, plays


def boxes(query):
    """Plays add up to lines of players, and those to lines of teams, in every game."""
    wrong = query("""
        WITH lines AS (
            SELECT game_id, team_id, sum(yards) FILTER (category = 'passing') AS passing,
                   sum(yards) FILTER (category = 'rushing') AS rushing FROM nfl_box_players GROUP BY game_id, team_id
        ), plays AS (
            SELECT p.game_id, b.team_id, sum(p.yards) FILTER (p.kind = 'pass') AS passing,
                   coalesce(sum(p.yards) FILTER (p.kind = 'sack'), 0) AS sacks, sum(p.yards) FILTER (p.kind = 'run') AS rushing
            FROM nfl_plays AS p JOIN nfl_box_teams AS b USING (game_id, team_abbr) GROUP BY p.game_id, b.team_id
        )
        SELECT b.game_id FROM nfl_box_teams AS b JOIN lines AS l USING (game_id, team_id) JOIN plays AS p USING (game_id, team_id)
        WHERE b.rushing_yards <> l.rushing OR l.rushing <> p.rushing OR l.passing <> p.passing
           OR b.passing_yards <> p.passing + p.sacks OR b.yards <> b.passing_yards + b.rushing_yards""")
    assert not wrong, wrong[:5]


def one_game_whatever_id(url, query):
    for ours, others in [("2018090600", ["2018_01_ATL_PHI"]), ("2022_01_BUF_LA", ["2022_01_BUF_LAR"])]:
        whole = rows(url, f"/nfl/game/{ours}")
        assert all(rows(url, f"/nfl/game/{other}") == whole for other in others), ours
    twice = query("SELECT season, phase, week, home_id, away_id FROM nfl_games GROUP BY ALL HAVING count(*) > 1")
    assert not twice, twice
    assert not query("SELECT market_id FROM nfl_games WHERE market_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1")


def win_probability(query):
    """On the season after the one that it was fitted on, far better than the share of home wins, and every tenth near."""
    table = query("""
        SELECT CAST(least(9, floor(10 * w.home_win_probability)) AS INTEGER) AS tenth, count(*) AS n,
               avg(w.home_win_probability) AS told, avg(CAST(g.home_score > g.away_score AS DOUBLE)) AS won,
               avg(power(w.home_win_probability - CAST(g.home_score > g.away_score AS DOUBLE), 2)) AS brier
        FROM nfl_winprob AS w JOIN nfl_games AS g USING (game_id)
        WHERE g.season = '2019' AND g.phase = 'regular' AND g.home_score <> g.away_score AND w.secs_left > 0
        GROUP BY 1 ORDER BY 1""")
    n = sum(row["n"] for row in table)
    brier = sum(row["n"] * row["brier"] for row in table) / n
    home = sum(row["n"] * row["won"] for row in table) / n
    assert len(table) == 10 and brier < .156 and home * (1 - home) > .245, (brier, home * (1 - home))
    assert all(abs(row["told"] - row["won"]) < .08 for row in table), table


def seasons_since_2022(data, query):
    """Every game of the list is one game with its score; those whose quarters lack points went into overtime."""
    listed = list(csv.DictReader(gzip.open(data / "nfl/games-lines/games.csv.gz", "rt")))
    told = query("SELECT game_id, home_score, away_score, decided_in FROM nfl_games WHERE season >= '2022'")
    told = {row["game_id"]: row for row in told}
    lacking = 0
    for row in listed:
        ours = told[row["game_id"]]
        assert (ours["home_score"], ours["away_score"]) == (float(row["home_score"]), float(row["away_score"])), row
        quarters = sum(float(row[f"{side}_q{n}"]) for side in ("home", "away") for n in (1, 2, 3, 4))
        short = quarters < float(row["home_score"]) + float(row["away_score"])
        lacking += short
        assert not short or ours["decided_in"] == "overtime", row
    assert (len(listed), lacking) == (976, 51), lacking


def leaders(url):
    for season, stat, player, value in LEADERS:
        first = rows(url, f"/nfl/stats?season={season}&stat={stat}&limit=1")[0]
        assert (first["player_name"], first["value"]) == (player, value), first


def prices(url, query):
    assert not query("SELECT seq FROM nfl_prices WHERE abs(american) < 100")
    assert not query("SELECT seq FROM nfl_prices WHERE source LIKE '%consensus%' AND american IS NOT NULL")
    moved = rows(url, "/nfl/line-movement?event=2025_05_KC_JAX&market=spread")
    assert {row["list"] for row in moved} == {"games-lines", "market-open-close"}, moved
    for row in moved:
        lines = [point["line"] for point in row["series"]]
        assert (row["first"], row["last"], row["least"], row["greatest"]) == (lines[0], lines[-1], min(lines), max(lines))
        assert row["changes"] == sum(a != b for a, b in zip(lines, lines[1:]))
    board = rows(url, "/nfl/props/board?limit=500")
    assert len(board) == 98 and {row["feed_id"] for row in board} == {"b3pnIQ4qIRnjx1LWVw8P"}


def dna(url, query):
    """Values of the last version are the sums of the plays, and nobody without a position is in a pool."""
    first = rows(url, "/nfl/dna/qb?limit=1")[0]
    sums = query(f"""
        SELECT sum(b.completions) AS made, sum(b.attempts) AS n FROM nfl_box_players AS b
        WHERE b.player_id = '{first["player_id"]}' AND b.category = 'passing' AND b.phase = 'regular'""")[0]
    alone = rows(url, f"/nfl/dna/qb?player={first['player_id']}")
    assert len(alone) == 1 and alone[0]["metrics"] == first["metrics"], alone
    completion = next(row for row in first["metrics"] if row["metric"] == "completion")
    assert abs(completion["raw"] - sums["made"] / sums["n"]) < 1e-9 and completion["exposure"] == sums["n"], completion
    ends = sorted([completion["raw"], completion["pool_mean"]])
    assert ends[0] <= completion["value"] <= ends[1], completion
    for pool, metric in [("qb", "time_to_throw"), ("wr", "catch_rate"), ("rb", "stuffed"), ("te", "targets_per_game")]:
        told = rows(url, f"/nfl/dna/{pool}?sort={metric}&limit=500")
        values = [row["value"] for player in told for row in player["metrics"] if row["metric"] == metric]
        values = [value for value in values if value is not None]
        assert values and values == sorted(values, reverse=True), (pool, metric)
        sure = rows(url, f"/nfl/dna/{pool}?min_confidence=high&limit=500")
        assert sure and {row["confidence"] for player in sure for row in player["metrics"]} == {"high"}, pool
    day = "2019-10-01"
    before = rows(url, f"/nfl/dna/qb?as_of={day}&sort=yards_per_attempt&limit=500")
    values = [row["value"] for player in before for row in player["metrics"] if row["metric"] == "yards_per_attempt"]
    values = [value for value in values if value is not None]
    assert values == sorted(values, reverse=True) and len(values) > 30, len(values)
    assert all(row["valid_from"] <= day for player in before for row in player["metrics"])
    for player in before[:10]:
        sums = query(f"""
            SELECT sum(yards) AS yards, sum(attempts) AS n FROM nfl_box_players WHERE category = 'passing' AND phase = 'regular'
            AND player_id = '{player["player_id"]}' AND league_date < '{day}'""")[0]
        told = next(row for row in player["metrics"] if row["metric"] == "yards_per_attempt")
        assert abs(told["raw"] - sums["yards"] / sums["n"]) < 1e-9 and told["exposure"] == sums["n"], (told, sums)
    newest = {row["player_id"]: row["team_id"] for row in rows(url, "/nfl/dna/qb?limit=500")}
    moved = [row["player_id"] for row in before if row["team_id"] != newest[row["player_id"]]]
    assert moved and len(rows(url, "/nfl/dna/qb?as_of=2018-01-01")) == 0, moved
    there = {row["player_id"] for row in before if row["team_id"] == "PIT"}
    assert {row["player_id"] for row in rows(url, f"/nfl/dna/qb?as_of={day}&team=PIT")} == there != set()
    assert {row["pool"] for row in query("SELECT DISTINCT pool FROM nfl_dna")} == {"QB", "WR", "RB", "TE"}
    for row in query("SELECT metric, r2, r2_raw FROM nfl_player_dna_metrics"):
        assert row["r2"] >= row["r2_raw"], row


def routes(url, query):
    """The list of routes that is served equals the routes that there are; ids that nobody knows are 404."""
    listed = json.load(urllib.request.urlopen(f"{url}/sports?sport=nfl"))
    listed = listed.get("data", listed)["sports"][0]
    listed = {route["path"]: route["kind"] for group in listed["groups"] for route in group["routes"]}
    told = {row["path"]: row["route_kind"] for row in query("SELECT path, route_kind FROM nfl_capabilities")}
    assert told == listed and len(told) == 39, set(told.items()) ^ set(listed.items())
    for path, code in [("/nfl/games/live", "live_not_available"), ("/nfl/best-line", "best_line_not_available")]:
        status, found = answer(url, path)
        assert (status, found["error"]["code"]) == (503, code), found
    for path in ("/nfl/game/nope", "/nfl/team/XXX", "/nfl/game/nope/plays"):
        assert answer(url, path)[0] == 404, path
    assert rows(url, "/nfl/game/2022_01_BUF_LA/plays") == {"available": False, "reason": "not_captured"}
    assert answer(url, "/nfl/line-movement")[0] == 400

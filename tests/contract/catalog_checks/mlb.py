"""Games, boxes, plays and standings of baseball, against the captured files read once more and against official figures."""

import collections
import csv
import gzip
import json
import urllib.error
import urllib.request

# Official figures of 2019: runs batted in, home runs and hits; outs, strikeouts and earned runs.
BATTERS_2019 = {
    "troum001": (104, 45, 137), "renda001": (126, 34, 174), "alonp001": (120, 53, 155), "abrej003": (123, 33, 180),
    "freef001": (121, 38, 176), "solej001": (117, 48, 156),
}
PITCHERS_2019 = {"coleg001": (637, 326, 59), "verlj001": (669, 300, 64), "degrj001": (612, 255, 55)}


def data_of(url, path):
    return json.load(urllib.request.urlopen(url + path))["data"]


def status_of(url, path):
    try:
        return urllib.request.urlopen(url + path).status
    except urllib.error.HTTPError as error:
        return error.code


def check(url, data, query):
    standings(url, data, query)
    plays(data, query)
    boxes(url, query)
    seasons(data, query)
    routes(url)


def standings(url, data, query):
    tables = {season: data_of(url, f"/mlb/standings?season={season}&limit=500") for season in (2019, 2025)}
    records = {s: {row["team_abbr"]: (row["w"], row["l"]) for row in rows} for s, rows in tables.items()}
    assert [records[2019][club] for club in ("HOU", "LAD", "NYY")] == [(107, 55), (106, 56), (103, 59)], records[2019]
    assert [records[2025][club] for club in ("MIL", "PHI", "TOR", "NYY")] == [(97, 65), (96, 66), (94, 68), (94, 68)]
    ranks = {row["team_abbr"]: (row["rank"], row["tie_break"]) for row in tables[2025]}
    assert (ranks["TOR"], ranks["NYY"]) == ((1, "head_to_head"), (2, "head_to_head")), ranks
    told = json.loads((data / "mlb/club-notes-2025/all_teams_standings_metrics_2025.json").read_text())["teams"]
    said = {str(row["team_id"]): tuple(int(row[name]) for name in ("wins", "losses", "division_rank", "runs_scored")) for row in told}
    ours = {row["team_id"]: (row["w"], row["l"], row["rank"], row["runs_for"]) for row in tables[2025]}
    assert ours == said and len(ours) == 30, set(ours.items()) ^ set(said.items())
    with gzip.open(data / "mlb/statsapi-season-2025/game_details_2025.csv.gz", "rt") as file:
        listed = list(csv.DictReader(file))
    games = query("SELECT game_id, CAST(league_date AS VARCHAR) AS day FROM mlb_games WHERE season = '2025'")
    newest = {row["gamePk"]: max(other["date"] for other in listed if other["gamePk"] == row["gamePk"]) for row in listed}
    assert (len(listed), len(newest)) == (2464, 2430) and {row["game_id"]: row["day"] for row in games} == newest


def plays(data, query):
    """The files once more: games, plays, winning and losing pitchers and their clubs."""
    games, codes, sides, decided, current = 0, 0, {}, {}, None
    for file in sorted((data / "mlb/retrosheet").glob("*.EV?.gz")):
        for line in gzip.open(file, "rt", encoding="latin1"):
            kind, *fields = line.rstrip().split(",")
            if kind == "id":
                current, games = fields[0], games + 1
            elif kind == "play":
                codes += 1
            elif kind in ("start", "sub"):
                sides[current, fields[0]] = int(fields[-3])
            elif kind == "info" and fields[0] in ("wp", "lp"):
                decided[current, fields[0]] = fields[1]
    assert (games, codes) == (2429, 222_050)
    told = query("SELECT game_id, home_score, away_score, is_partial FROM mlb_games WHERE season = '2019'")
    assert len(told) == games and not any(row["is_partial"] for row in told)
    for game in told:
        winner = int(game["home_score"] > game["away_score"])
        pitchers = [decided[game["game_id"], role] for role in ("wp", "lp")]
        assert [sides[game["game_id"], pitcher] for pitcher in pitchers] == [winner, 1 - winner], game
    shortened = query("SELECT count(*) AS n FROM mlb_games WHERE shortened_reason IS NOT NULL")[0]["n"]
    short = query(
        """SELECT count(*) AS n FROM (SELECT game_id, sum(outs) FILTER (WHERE is_home) AS home_outs,
           sum(outs) FILTER (WHERE NOT is_home) AS away_outs FROM mlb_pitching_lines WHERE is_walked GROUP BY 1)
           WHERE home_outs < 27 OR away_outs < 24"""
    )[0]["n"]
    assert short == shortened == 10, (short, shortened)


def boxes(url, query):
    """Lines of players add up to the game, innings too, and nobody has more earned runs than runs."""
    sums = """SELECT game_id, count(*) AS n, {0} FROM {1} GROUP BY game_id"""
    side = "sum({0}) FILTER (WHERE is_home) AS home_{0}, sum({0}) FILTER (WHERE NOT is_home) AS away_{0}".format
    bats = sums.format(f"{side('runs')}, {side('hits')}, {side('strikeouts')}", "mlb_batting_lines")
    arms = sums.format(f"{side('runs')}, {side('hits')}, {side('strikeouts')}", "mlb_pitching_lines")
    wrong = query(
        f"""SELECT g.game_id FROM mlb_games AS g JOIN ({bats}) AS b USING (game_id) JOIN ({arms}) AS p USING (game_id)
            WHERE (g.home_score, g.away_score, g.home_hits, g.away_hits) <> (b.home_runs, b.away_runs, b.home_hits, b.away_hits)
               OR (b.home_runs, b.away_runs, b.home_hits, b.away_hits, b.home_strikeouts, b.away_strikeouts)
                  <> (p.away_runs, p.home_runs, p.away_hits, p.home_hits, p.away_strikeouts, p.home_strikeouts)"""
    )
    assert not wrong, wrong
    games = query("SELECT count(DISTINCT game_id) AS n FROM mlb_batting_lines")[0]["n"]
    assert games == 2430, games
    wrong = query(
        """SELECT g.game_id FROM mlb_games AS g JOIN (SELECT game_id, sum(home_runs) AS h, sum(away_runs) AS a FROM mlb_innings GROUP BY 1)
           AS i USING (game_id) WHERE (g.home_score, g.away_score) <> (i.h, i.a)"""
    )
    assert not wrong, wrong
    assert not query("SELECT 1 FROM mlb_pitching_lines WHERE earned_runs IS NULL OR earned_runs > runs LIMIT 1")
    box = data_of(url, "/mlb/game/747175/boxscore")
    assert (len(box["batting"]), len(box["pitching"]), len(box["umpires"])) == (20, 9, 4), {k: len(v) for k, v in box.items()}


def seasons(data, query):
    rows = {row["retro_id"]: row for row in query("SELECT * FROM mlb_player_seasons WHERE season = '2019'")}
    for player, said in BATTERS_2019.items():
        line = json.loads(rows[player]["batting"])
        assert tuple(line[name] for name in ("driven_in", "home_runs", "hits")) == said, (player, line)
    for player, said in PITCHERS_2019.items():
        line = json.loads(rows[player]["pitching"])
        assert tuple(line[name] for name in ("outs", "strikeouts", "earned_runs")) == said, (player, line)
    assert all(row["is_derived"] for row in rows.values())
    errors = query(
        """SELECT sum(CASE home_id WHEN '136' THEN home_errors ELSE 0 END + CASE away_id WHEN '136' THEN away_errors ELSE 0 END) AS n
           FROM mlb_games WHERE season = '2019'"""
    )
    assert errors[0]["n"] == 132, errors
    # Nobody is lost: each player of the file has his lines, also who changed clubs.
    with gzip.open(data / "mlb/statsapi-season-2025/players_2025.csv.gz", "rt") as file:
        stated = list(csv.DictReader(file))
    ours = {row["player_id"]: row for row in query("SELECT * FROM mlb_player_seasons WHERE season = '2025'")}
    home_runs = collections.Counter()
    for row in stated:
        home_runs[row["player_id"]] += int(float(row["homeRuns_hit"] or 0))
    assert set(ours) == set(home_runs), set(ours) ^ set(home_runs)
    told = {player: json.loads(row["batting"])["home_runs"] for player, row in ours.items() if row["batting"]}
    assert sum(told.values()) == sum(home_runs.values()) and all(told.get(p, 0) == n for p, n in home_runs.items())


def routes(url):
    assert len(data_of(url, "/mlb/schedule?date=2019-04-05&limit=500")) > 10
    # A season is asked for without a day: its games, the newest first.
    games = data_of(url, "/mlb/schedule?season=2019&team=LAA&limit=500")
    assert len(games) == 162 and games[0]["league_date"] == max(game["league_date"] for game in games), len(games)
    assert {name for game in games for name in (game["home"]["name"], game["away"]["name"]) if "Angels" in name} == {"Los Angeles Angels"}
    assert data_of(url, "/mlb/game/777679/linescore")["innings"] is None
    play = data_of(url, "/mlb/game/ANA201904040/plays?limit=1000")
    assert play[-1]["home_score"], play[-1]
    assert {row["inning"] for row in data_of(url, "/mlb/game/ANA201904040/plays?inning=3")} == {3}
    assert data_of(url, "/mlb/game/775294/plays") == {"available": False, "reason": "not_captured"}
    assert data_of(url, "/mlb/player/troum001/stats?season=2019")["player_id"] == "545361"
    assert len(data_of(url, "/mlb/team/NYY/schedule?season=2025&limit=500")) == 162
    assert len(data_of(url, "/mlb/lineups?game=ANA201904040")) == 20
    for path in ("/mlb/team/999", "/mlb/player/nobody/stats", "/mlb/game/0/boxscore"):
        assert status_of(url, path) == 404, path
    assert status_of(url, "/mlb/game/747175/plays?inning=31") == 400
    assert data_of(url, "/mlb/team/NYA/roster?season=2019&limit=1")[0]["team_id"] == "147"

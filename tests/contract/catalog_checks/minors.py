"""Minor leagues: what the routes answer, against the captured files counted once more."""

import collections
import csv
import gzip
import json
import urllib.request

ON_BASE = {"single": 1, "double": 2, "triple": 3, "home_run": 4}
NO_AT_BAT = {"walk", "intent_walk", "hit_by_pitch", "sac_fly", "sac_fly_double_play", "sac_bunt", "catcher_interf"}
FLY = {"sac_fly", "sac_fly_double_play"}
# What happens to runners while a batter is up completes no plate appearance.
RUNNING = ("caught_stealing", "pickoff", "stolen_base", "wild_pitch", "passed_ball")


def rows(url, path):
    return json.load(urllib.request.urlopen(url + path))["data"]


def check(url, data, query):
    standings(url, data)
    appearances(url, data)
    postseason = rows(url, "/mlb/minors/postseason?season=2023&limit=500")
    assert {row["status"] for row in postseason} == {"scheduled"} and all(row["home"]["score"] is None for row in postseason)
    assert {row["home"]["name"] for row in postseason} >= {None}, "clubs to be determined are not named"
    assert len(rows(url, "/mlb/minors/organizations")) == 30
    assert not query("SELECT game_id FROM mlb_minor_games GROUP BY 1 HAVING count(*) > 1")


def standings(url, data):
    """Finals of Triple-A once for each game, whatever starts it had."""
    results, records = {}, collections.Counter()
    for row in csv.DictReader(gzip.open(data / "mlb/milb-schedule-2023/2023_aaa_schedule.csv.gz", "rt")):
        if row["game_type"] == "R" and row["status_status_code"][0] in "FO" and row["teams_home_score"]:
            results[row["game_pk"]] = row
    for row in results.values():
        home, away = int(row["teams_home_score"]), int(row["teams_away_score"])
        for team, won in [(row["teams_home_team_name"], home > away), (row["teams_away_team_name"], away > home)]:
            records[team, won] += home != away
    table = rows(url, "/mlb/minors/standings?season=2023&level=aaa&limit=500")
    assert len(table) == 30 and {row["is_complete"] for row in table} == {False}
    for row in table:
        expected = records[row["team_name"], True], records[row["team_name"], False]
        assert (row["w"], row["l"]) == expected, (row, expected)


def appearances(url, data):
    """Lines of every batter over all captured days, and the form of one day."""
    homers, chances, on_base = (collections.Counter() for _ in range(3))
    files = sorted((data / "mlb/milb-pbp-2025").glob("2025-*.json.gz"))
    # A game that was put off stands in the files of several days; a suspended one was over by the later of its day and its file's.
    games = {game["gamePk"]: game | {"date": max(game["date"], file.name[:10])} for file in files for game in json.load(gzip.open(file))["games"]}
    for game in games.values():
        for bat in game["atBats"]:
            kind, batter = bat["eventType"], str(bat["batterId"])
            if kind.startswith(RUNNING):
                continue
            homers[batter] += kind == "home_run"
            counts = kind not in NO_AT_BAT or kind in FLY or kind in ("walk", "intent_walk", "hit_by_pitch")
            reached = kind in ON_BASE or kind in ("walk", "intent_walk", "hit_by_pitch")
            if game["date"] < "2025-06-25":
                chances[batter] += counts
                on_base[batter] += reached
    leaders = rows(url, "/mlb/minors/leaders?stat=home_runs&limit=20")
    for row in leaders:
        of_level = [r["value"] for r in rows(url, f"/mlb/minors/leaders?stat=home_runs&level={row['level']}&limit=500")
                    if r["player_id"] == row["player_id"]]
        assert of_level == [row["value"]] and row["value"] <= homers[row["player_id"]], row
    assert leaders[0]["value"] == homers[leaders[0]["player_id"]], leaders[0]
    batter = max(batter for batter in chances if 12 <= chances[batter] <= 40)
    form = rows(url, f"/mlb/minors/players/{batter}/form?as_of=2025-06-25")
    assert form["valid_from"] <= "2025-06-25"
    assert abs(form["obp_raw"] - on_base[batter] / chances[batter]) < 1e-9, (form, on_base[batter], chances[batter])
    assert (form["obp"] is None) == (form["confidence"] == "insufficient"), form
    # Of days after the captured ones nothing is known, and so nothing is said: the newest form is of the day after the last.
    newest = rows(url, f"/mlb/minors/players/{batter}/form")
    assert newest == rows(url, f"/mlb/minors/players/{batter}/form?as_of=2026-01-01")
    assert newest["valid_from"] <= "2025-06-30" and newest["last14d_appearances"] > 0, newest

"""Prices, tracking and umpires of baseball, against the captured files counted once more."""

import collections
import csv
import gzip
import json
import urllib.request


def rows(url, path):
    return json.load(urllib.request.urlopen(url + path))["data"]


def table(data, name):
    return list(csv.DictReader(gzip.open(data / "mlb" / name, "rt")))


def check(url, data, query):
    counted = {row["market"]: row["n"] for row in query("SELECT market, count(*) AS n FROM mlb_prices GROUP BY 1")}
    for market, file in [("hits", "hits"), ("total_bases", "total_bases"), ("batter_strikeouts", "batter_ks")]:
        books = [json.loads(row["book_markets"] or "{}") for row in table(data, f"props-batter-2026/{file}_fair_odds_2026-07-24.csv.gz")]
        prices = [price for book in books for lines in book.values() for sides in lines.values() for price in sides.values()]
        assert counted[market] == sum(abs(price) >= 100 for price in prices), (market, counted[market], len(prices))
    of_day = [json.loads(row["book_markets"] or "{}") for row in table(data, "props-batter-2026/fair_odds_2026-07-24.csv.gz")]
    best = [row for row in table(data, "props-batter-2026/results_log.csv.gz") if row["best_book"] and row["best_odds"]]
    assert counted["home_runs"] == sum(map(len, of_day)) + len(best), counted
    board = json.load(gzip.open(data / "mlb" / "scoreboard-recorded" / "mlb.json.gz"))
    offers = [offer for event in board["events"] for offer in event["competitions"][0].get("odds", [])]
    booked = sum("Sportsbook" in offer["provider"]["name"] for offer in offers)
    assert 0 < booked < len(offers) and counted["h2h"] == 386 + booked, (counted, booked)
    # Batters of one game are of two clubs, each the other's opponent.
    wrong = query(
        """SELECT game_id FROM mlb_prices WHERE market = 'home_runs' AND opponent_abbr IS NOT NULL GROUP BY game_id
           HAVING count(DISTINCT least(team_abbr, opponent_abbr) || greatest(team_abbr, opponent_abbr)) > 1
               OR bool_or(team_abbr = opponent_abbr)"""
    )
    assert not wrong, wrong
    known = query("SELECT count(opponent_abbr) AS n FROM mlb_prices WHERE market = 'home_runs' AND league_date < '2026-07-24'")[0]["n"]
    assert known >= .97 * len(best), (known, len(best))
    # Nobody's model is in any column.
    row = rows(url, "/mlb/odds/hr?limit=1")[0]
    assert not {"model_prob", "edge", "fair_odds", "adj_prob"} & set(row), row
    for price in rows(url, "/mlb/odds/all?limit=500"):
        assert price["american"] is None or abs(price["american"]) >= 100, price
    names(data, query)
    umpires(url, data)
    tracking(url, data)
    weather(url, data)


def names(data, query):
    """A pitcher whom a name tells has an id if nobody else is known by that name, and keeps the name if not."""
    told = {row["pitcher"] for row in table(data, "props-pitcher-2026/sportsbook_line_history.csv.gz")}
    ids = query("SELECT player_name, max(player_id) AS id, count(DISTINCT player_id) AS n FROM mlb_prices WHERE role = 'pitcher' GROUP BY 1")
    assert {row["player_name"] for row in ids} == told
    assert all(row["n"] <= 1 for row in ids) and sum(row["id"] is not None for row in ids) >= .9 * len(told), ids
    ours = {row["player_name"]: row["id"] for row in ids}
    known = collections.defaultdict(set)
    for row in table(data, "venues-and-ids/player_id_map.csv.gz"):
        known[row["PLAYERNAME"]].add(row["MLBID"])
    for name in told & known.keys():
        assert ours[name] is None or known[name] == {ours[name]}, (name, ours[name], known[name])


def weather(url, data):
    """Of each source its own values, and none of a place where the club did not play."""
    listed = table(data, "statsapi-season-2025/game_details_2025.csv.gz")
    games = {row["gamePk"]: row for row in sorted(listed, key=lambda row: row["date"])}
    told = rows(url, "/mlb/weather/all?season=2025&date=2025-07-04&limit=500")
    stated = [row for row in told if row["source"] == "statsapi-season-2025"]
    assert {row["game_id"] for row in stated} == {pk for pk, game in games.items() if game["date"] == "2025-07-04"}, stated
    for row in stated:
        game = games[row["game_id"]]
        assert (row["temp_f"], row["sky"]) == (float(game["temperature"]), game["weather"]), (row, game)
        assert row["is_dome"] == (row["sky"] in ("Dome", "Roof Closed")), row
    tokyo = rows(url, "/mlb/weather?park=Tokyo%20Dome&date=2025-03-18")
    assert {(row["source"], row["temp_f"]) for row in tokyo} == {("statsapi-season-2025", 72.0), ("props-batter-2026", None)}, tokyo
    assert all(row["temp_f"] is None for row in rows(url, "/mlb/weather?park=ATH&date=2024-07-04"))
    windless = [row for row in rows(url, "/mlb/weather/all?date=2026-06-05") if row["wind_mph"] is None]
    assert all(row["wind_mph"] != 0 for row in told if row["source"] == "props-batter-2026") and windless, windless


def umpires(url, data):
    """What an umpire's games before a game come to; the game itself is not in it."""
    games = table(data, "props-pitcher-2026/umpire_observation_log.csv.gz")
    umpire = collections.Counter(row["umpire_id"] for row in games).most_common(1)[0][0]
    told = rows(url, f"/mlb/umpires?umpire={umpire}&limit=500")
    for game in told[:5]:
        before = [row for row in games if row["umpire_id"] == umpire and row["game_date"] < game["league_date"]]
        share = sum(float(row["total_strikeouts"]) for row in before) / sum(float(row["total_batters_faced"]) for row in before)
        assert abs(game["own_raw_share"] - share) < 1e-9 and game["own_games"] == len(before), (game, share)


def tracking(url, data):
    """The day of 2020, whose files are text."""
    pitches = [row for name in ["single_game", "small"] for row in table(data, f"statcast/{name}_request_raw.csv.gz")]
    seen = {(row["game_pk"], row["at_bat_number"], row["pitch_number"]): row for row in pitches}
    for batter in rows(url, "/mlb/tracking/batters?season=2020&min_batted=0&sort=pitches&limit=20"):
        own = [row for row in seen.values() if row["batter"] == batter["player_id"]]
        speeds = [float(row["launch_speed"]) for row in own if row["type"] == "X" and row["launch_speed"] not in ("", "null")]
        assert batter["pitches"] == len(own), batter
        assert not speeds or abs(batter["exit_speed_mean"] - sum(speeds) / len(speeds)) < 1e-6, batter

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
    assert counted["h2h"] == 386
    # Nobody's model is in any column.
    row = rows(url, "/mlb/odds/hr?limit=1")[0]
    assert not {"model_prob", "edge", "fair_odds", "adj_prob"} & set(row), row
    for price in rows(url, "/mlb/odds/all?limit=500"):
        assert price["american"] is None or abs(price["american"]) >= 100, price
    umpires(url, data)
    tracking(url, data)


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

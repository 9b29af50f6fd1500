"""DNA of baseball: values as of random days, from the captured files counted once more, and official figures of 2019."""

import collections
import datetime
import gzip
import itertools
import json
import os
import random
import re

from catalog_answers import dna
from catalog_answers.compare import text
from catalog_answers.mlb import Captures, at_bat
from catalog_answers.mlb_minors import BASES, LEVELS, NO_AT_BAT, OUTS

# Official figures of the season of 2019: what is divided by what.
BATTERS_2019 = {
    ("troum001", "strikeout_share"): (120, 600), ("troum001", "walk_share"): (110, 600), ("troum001", "home_run_share"): (45, 600),
    ("troum001", "isolated_power"): (166, 470), ("alonp001", "strikeout_share"): (183, 693), ("alonp001", "home_run_share"): (53, 693),
}
PITCHERS_2019 = {
    ("coleg001", "strikeout_share"): (326, 817), ("coleg001", "walk_share"): (48, 817), ("coleg001", "home_run_share"): (29, 817),
    ("degrj001", "strikeout_share"): (255, 804),
}
# Of each kind so many values, drawn by FIGHTDNA_SEED.
SUBJECTS = 12
PLAYED_ON = [(r"completed on (\d\d-\d\d-\d{4})", "%m-%d-%Y"), (r"completed on (\w+ \d+, \d{4})", "%B %d, %Y")]


def check(url, data, query):
    season = Season(data / "mlb", league_ids(query))
    draw = random.Random(f"{os.environ.get('FIGHTDNA_SEED', '0')} mlb_dna")
    compared = sum((
        values(query, draw, "mlb_batter_dna", {"batters": season.batters}),
        values(query, draw, "mlb_pitcher_dna", {"pitchers": pitchers(data / "mlb", season)}),
        values(query, draw, "mlb_pitcher_ground_dna", {"pitchers": season.grounded}),
        values(query, draw, "mlb_minor_batter_dna", minor_batters(data / "mlb")),
    ))
    for name, told in (("mlb_batter_dna", BATTERS_2019), ("mlb_pitcher_dna", PITCHERS_2019)):
        for (player, metric), (over, under) in told.items():
            row = as_of(query, name, season.ids.get(player, player), "2019-12-01")[metric]
            assert (row["raw_value"], row["exposure"]) == (over / under, under), (player, metric, row)
    print(f"   {compared} values of DNA of baseball calculated once more")


def league_ids(query):
    rows = query("SELECT player_id, retro_id FROM mlb_players WHERE retro_id IS NOT NULL AND player_id <> retro_id")
    return {row["retro_id"]: row["player_id"] for row in rows}


def as_of(query, name, player, day):
    """Newest versions of a subject that hold on a day, by metric."""
    rows = query(
        f"""SELECT * FROM {name} WHERE player_id = '{player}' AND valid_from <= DATE '{day}'
            QUALIFY row_number() OVER (PARTITION BY pool, metric ORDER BY valid_from DESC) = 1 ORDER BY valid_from"""
    )
    return {row["metric"]: row for row in rows}


def values(query, draw, name, pools):
    """Values after random games of random subjects; returns how many were compared."""
    contract, compared = dna.Contract(name), 0
    for pool, observed in pools.items():
        everybody = dna.Pool(itertools.chain.from_iterable(observed.values()))
        for player in draw.sample(sorted(player for player, games in observed.items() if len(games) > 4), SUBJECTS):
            games = sorted(observed[player], key=lambda pair: pair[0])
            window = contract.window(pool)
            # After the last game of a day, and where the window does not part two of one day.
            lasts = [n for n in range(4, len(games)) if n + 1 == len(games) or games[n][0] < games[n + 1][0]]
            lasts = [n for n in lasts if not window or n < window or games[n - window][0] < games[n - window + 1][0]]
            mine = games[: draw.choice(lasts) + 1]
            expected = dna.rows(contract, pool, everybody, mine)
            day = expected[0]["valid_from"]
            rows = query(f"SELECT * FROM {name} WHERE player_id = '{player}' AND pool = '{pool}' AND CAST(valid_from AS VARCHAR) LIKE '{day}%'")
            found = {row["metric"]: row for row in rows}
            assert set(found) >= {row["metric"] for row in expected}, (name, player, day, set(found))
            for row in expected:
                for field in ("raw_value", "pool_mean", "weight", "value"):
                    ours, theirs = found[row["metric"]][field], row.get(field)
                    assert (ours is None) == (theirs is None) and (ours is None or abs(ours - theirs) < 1e-9), (name, player, day, field, row, ours)
                compared += 1
    return compared


class Season:
    """Games of 2019 by player, from the files of Retrosheet: the day on which a game was over, and what he did in it."""

    def __init__(self, folder, ids):
        self.ids = ids
        self.batters, self.pitchers, self.grounded = (collections.defaultdict(list) for _ in range(3))
        for file in sorted((folder / "retrosheet").glob("*.EV?.gz")):
            for game in re.split(r"^(?=id,)", text(file, "latin1"), flags=re.MULTILINE)[1:]:
                self.add_game(game.splitlines())

    def add_game(self, lines):
        day = next(line.split(",")[2] for line in lines if line.startswith("info,date")).replace("/", "-")
        comments = re.sub(r'"?\s*com,"\$?', " ", " ".join(line for line in lines if line.startswith("com")))
        for pattern, form in PLAYED_ON:
            found = re.search(rf"suspended.*?{pattern}", comments)
            if found:
                day = max(day, str(datetime.datetime.strptime(found[1], form).date()))
        places = collections.defaultdict(list)
        batters, arms = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        on_mound, left = {}, {}
        for line in lines:
            kind, *fields = line.split(",")
            if kind in ("start", "sub"):
                places[fields[0]].append(fields[-1])
                if fields[-1] == "1":
                    # Who leaves has the walk of a count that was ahead of the pitcher, and the third strike after two.
                    if left.get("count") in ("20", "21", "30", "31", "32"):
                        left.setdefault("walks", on_mound[fields[-3]])
                    on_mound[fields[-3]] = fields[0]
                elif fields[-1] == "11" and left.get("count", "")[1:] == "2":
                    left.setdefault("strikeouts", left["batter"])
            elif kind == "play":
                _, half, batter, count, _, event = fields
                pitcher, counted = on_mound["1" if half == "0" else "0"], at_bat(event)
                if event == "NP":
                    left |= {"batter": batter, "count": count}
                if counted:
                    batters[left.get("strikeouts", batter) if "strikeouts" in counted else batter].update(counted)
                    arms[left.get("walks", pitcher) if "walks" in counted else pitcher].update(counted)
                    for counts in (batters[batter], arms[pitcher]):
                        counts.update(trajectory(event, counted))
                    left = {}
        for batter, counts in batters.items():
            # Who bats only because he pitches is none.
            is_pitcher = places[batter][0] == "1" or places[batter][0] in ("11", "12") and places[batter][1:2] == ["1"]
            if counts["plate_appearances"] and not is_pitcher:
                self.batters[self.ids.get(batter, batter)].append((day, batting(counts)))
        for pitcher, counts in arms.items():
            if counts["plate_appearances"]:
                self.pitchers[self.ids.get(pitcher, pitcher)].append((day, pitching(
                    *(counts[name] for name in ("plate_appearances", "strikeouts", "walks", "home_runs", "hits")))))
                self.grounded[self.ids.get(pitcher, pitcher)].append((day, {"ground_ball_share": (counts["grounders"], counts["batted"])}))


def trajectory(event, counted):
    """Whether a ball was batted of which the event says how, and whether on the ground."""
    if "strikeouts" in counted or not counted.keys() & {"at_bats", "sacrifice_bunts", "sacrifice_flies"}:
        return {}
    for modifier in re.sub(r"\([^)]*\)", "", event.split(".")[0]).split("/")[1:]:
        kind = modifier.rstrip("+-").removeprefix("B")
        if kind[:1] in ("G", "L", "F", "P") and (kind[1:] in ("", "DP", "TP") or kind[1:2].isdigit()):
            return {"batted": 1, "grounders": int(kind[0] == "G")}
    return {}


def batting(counts):
    appearances, at_bats = counts["plate_appearances"], counts["at_bats"]
    strikeouts, home_runs = counts["strikeouts"], counts["home_runs"]
    return {
        "strikeout_share": (strikeouts, appearances), "walk_share": (counts["walks"], appearances), "home_run_share": (home_runs, appearances),
        "hits_in_play_share": (counts["hits"] - home_runs, at_bats - strikeouts - home_runs + counts["sacrifice_flies"]),
        "isolated_power": (counts["doubles"] + 2 * counts["triples"] + 3 * home_runs, at_bats),
        "ground_ball_share": (counts["grounders"], counts["batted"]),
    }


def pitching(faced, strikeouts, walks, home_runs, hits):
    return {
        "strikeout_share": (strikeouts, faced), "walk_share": (walks, faced), "home_run_share": (home_runs, faced),
        "hits_in_play_share": (hits - home_runs, faced - strikeouts - walks - home_runs),
    }


def pitchers(folder, season):
    """Games of 2019 and those of the logs."""
    played = collections.defaultdict(list, {player: list(games) for player, games in season.pitchers.items()})
    columns = ["pitcher", "CAST(game_date AS DATE) AS day", "batters_faced", "k", "bb_allowed", "hr_allowed", "h_allowed"]
    for row in Captures(folder).parquet("props-batter-2026/pitcher_game_logs.parquet", columns):
        player, day, faced, *counts = row.values()
        if faced:
            played[str(player)].append((str(day), pitching(faced, *counts)))
    return played


def minor_batters(folder):
    """Games of each level by batter. Of a game that several files have the last counts."""
    games, levels = {}, collections.defaultdict(lambda: collections.defaultdict(list))
    for file in sorted((folder / "milb-pbp-2025").glob("2025-06-*.json.gz")):
        games |= {game["gamePk"]: game | {"day": max(game["date"], file.name[:10])} for game in json.load(gzip.open(file))["games"]}
    for game in games.values():
        batters = collections.defaultdict(collections.Counter)
        for bat in game["atBats"]:
            event = bat["eventType"]
            if event in BASES or event in NO_AT_BAT or event in OUTS:
                hit = next((pitch["trajectory"] for pitch in bat["pitches"] or [] if pitch.get("trajectory")), None)
                batters[str(bat["batterId"])].update({
                    "appearances": 1, "strikeouts": event.startswith("strikeout"), "walks": event in ("walk", "intent_walk"),
                    "batted": hit is not None, "grounders": "ground" in (hit or ""),
                })
        for batter, counts in batters.items():
            levels[LEVELS[game["level"]]][batter].append((game["day"], {
                "strikeout_share": (counts["strikeouts"], counts["appearances"]), "walk_share": (counts["walks"], counts["appearances"]),
                "ground_ball_share": (counts["grounders"], counts["batted"]),
            }))
    return levels

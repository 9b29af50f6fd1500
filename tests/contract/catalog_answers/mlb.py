"""Baseball: results and season lines of 2025, plays of 2019, tracked pitches and umpires, counted once more."""

import collections
import functools
import itertools
import re

import duckdb

from . import dna
from .compare import Some, Unordered, ratio, table, text

BATTING = {
    "games": "gamesPlayed_hit", "plate_appearances": "plateAppearances", "at_bats": "atBats_hit", "runs": "runs_hit", "hits": "hits_hit",
    "doubles": "doubles_hit", "triples": "triples_hit", "home_runs": "homeRuns_hit", "driven_in": "rbi", "walks": "baseOnBalls_hit",
    "strikeouts": "strikeOuts_hit", "hit_by_pitch": "hitByPitch_hit", "stolen_bases": "stolenBases_hit",
    "caught_stealing": "caughtStealing_hit",
    "avg": "avg_hit", "obp": "obp_hit", "slg": "slg_hit", "ops": "ops_hit",
}
PITCHING = {
    "games": "gamesPlayed_pitch", "games_started": "gamesStarted", "wins": "wins", "losses": "losses", "saves": "saves",
    "batters_faced": "battersFaced",
    "outs": "outs", "hits": "hits_pitch", "runs": "runs_pitch", "earned_runs": "earnedRuns", "home_runs": "homeRuns_pitch",
    "walks": "baseOnBalls_pitch", "strikeouts": "strikeOuts_pitch", "era": "era", "whip": "whip",
}


class Captures:
    def __init__(self, folder):
        self.folder = folder

    def parquet(self, name, columns):
        file = str(self.folder / name)
        names = [column.split()[-1] for column in columns]
        return [dict(zip(names, row)) for row in duckdb.execute(f"SELECT {', '.join(columns)} FROM read_parquet(?)", [file]).fetchall()]

    @functools.cached_property
    def games(self):
        """Games of 2025; of a game that is listed again the newest day counts."""
        newest = {}
        for row in table(self.folder / "statsapi-season-2025/game_details_2025.csv.gz"):
            if row["gamePk"] not in newest or newest[row["gamePk"]]["date"] < row["date"]:
                newest[row["gamePk"]] = row
        return sorted(newest.values(), key=lambda row: (row["date"], row["gamePk"]))

    @functools.cached_property
    def players(self):
        rows = table(self.folder / "statsapi-season-2025/players_2025.csv.gz")
        listed = collections.Counter(row["player_id"] for row in rows)
        return {row["player_id"]: row for row in rows if listed[row["player_id"]] == 1}

    @functools.cached_property
    def retrosheet(self):
        """What batters and pitchers of 2019 did, from the plays: counts by player."""
        batters, pitchers = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        for file in sorted((self.folder / "retrosheet").glob("*.EV?.gz")):
            on_mound, left = {}, {}
            for line in text(file, "latin1").splitlines():
                kind, *fields = line.split(",")
                if kind in ("start", "sub") and fields[-1] in ("1", "11"):
                    # Who leaves has the walk of a count that was ahead of the pitcher, and the third strike after two.
                    if fields[-1] == "1":
                        if left.get("count") in ("20", "21", "30", "31", "32"):
                            left.setdefault("walks", on_mound[fields[-3]])
                        on_mound[fields[-3]] = fields[0]
                    elif left.get("count", "")[1:] == "2":
                        left.setdefault("strikeouts", left["batter"])
                elif kind == "play":
                    _, half, batter, count, _, event = fields
                    pitcher, counted = on_mound["1" if half == "0" else "0"], at_bat(event)
                    if event == "NP":
                        left |= {"batter": batter, "count": count}
                    if counted:
                        batters[left.get("strikeouts", batter) if "strikeouts" in counted else batter].update(counted)
                        pitchers[left.get("walks", pitcher) if "walks" in counted else pitcher].update(counted)
                        left = {}
        return batters, pitchers

    @functools.cached_property
    def pitches(self):
        """Tracked pitches by season."""
        columns = ["batter", "pitcher", "game_pk", "pitch_type", "description", "release_speed", "release_spin_rate", "launch_speed",
                   "launch_angle"]
        seasons = {"2024": self.parquet("statcast/statcast_2025_postseason.parquet", columns), "2020": []}
        number = lambda value: float(value) if value not in ("", "null") else None
        for file in sorted((self.folder / "statcast").glob("*.csv.gz")):
            for row in table(file):
                found = {name: row[name] for name in columns}
                found |= {name: number(row[name]) for name in columns[5:]} | {name: int(row[name]) for name in columns[:3]}
                if (found["game_pk"], row["at_bat_number"], row["pitch_number"]) not in self.seen:
                    self.seen.add((found["game_pk"], row["at_bat_number"], row["pitch_number"]))
                    seasons["2020"].append(found)
        return seasons

    @functools.cached_property
    def seen(self):
        return set()


def at_bat(event):
    """What an event of Retrosheet is for batter and pitcher, or nothing where the batter did nothing."""
    play, *modifiers = event.split(".")[0].split("/")
    if re.match(r"SB|CS|PO|PB|WP|BK|DI|OA|FLE|NP", play):
        return None
    counted = {"plate_appearances": 1}
    sacrifice = [name for word, name in (("SH", "sacrifice_bunts"), ("SF", "sacrifice_flies")) if word in modifiers]
    if play.startswith(("W", "I")):
        return counted | {"walks": 1, "intentional_walks": int(play[0] == "I")}
    if play.startswith("HP"):
        return counted | {"hit_by_pitch": 1}
    if play.startswith("C"):
        return counted
    if sacrifice:
        return counted | {sacrifice[0]: 1}
    counted["at_bats"] = 1
    if play.startswith("K"):
        return counted | {"strikeouts": 1}
    hit = re.match(r"HR|H|S|DGR|D|T", play)
    if hit:
        kind = {"HR": "home_runs", "H": "home_runs", "D": "doubles", "DGR": "doubles", "T": "triples"}.get(hit[0])
        return counted | {"hits": 1} | ({kind: 1} if kind else {})
    return counted


def standings(captures, draw):
    divisions = {row["team_id"]: row["division"] for row in table(captures.folder / "statsapi-season-2025/teams_2025_combined.csv")}
    clubs = collections.defaultdict(list)
    for game in captures.games:
        home, away = int(game["home_score"]), int(game["away_score"])
        clubs[game["home_team_id"]].append(("home", home > away, home, away, game["away_team_id"]))
        clubs[game["away_team_id"]].append(("away", away > home, away, home, game["home_team_id"]))
    rows = []
    for club, games in clubs.items():
        record = lambda those, name="": {f"{name}w": sum(won for _, won, *_ in those), f"{name}l": sum(not won for _, won, *_ in those)}
        row = {"team_id": club, "division": divisions[club], "gp": len(games), **record(games), **record(games[-10:], "last10_")}
        row |= record([one for one in games if one[0] == "home"], "home_") | record([one for one in games if one[0] == "away"], "away_")
        row |= record([one for one in games if divisions[one[4]] == divisions[club]], "division_")
        row |= record([one for one in games if divisions[one[4]][:8] == divisions[club][:8]], "league_")
        streak = sum(1 for _ in itertools.takewhile(lambda one: one[1] == games[-1][1], reversed(games)))
        row |= {"streak_result": "W" if games[-1][1] else "L", "streak_games": streak, "pct": row["w"] / len(games)}
        rows.append(row | {"runs_for": sum(one[2] for one in games), "runs_against": sum(one[3] for one in games)})
    for row in rows:
        rivals = [other for other in rows if other["division"] == row["division"]]
        best = max(rivals, key=lambda other: other["pct"])
        row["games_behind"] = (best["w"] - row["w"] + row["l"] - best["l"]) / 2
        if sum(other["pct"] == row["pct"] for other in rivals) == 1:
            row["rank"] = 1 + sum(other["pct"] > row["pct"] for other in rivals)
    yield "/mlb/standings?season=2025&limit=50", Unordered(["team_id"], [{k: v for k, v in row.items() if k != "division"} for row in rows])


def schedules(captures, draw):
    for club in draw.sample(sorted({game["home_team_id"] for game in captures.games}), 6):
        rows = []
        for game in captures.games:
            for side, other in (("home", "away"), ("away", "home")):
                if game[f"{side}_team_id"] == club:
                    rows.append({"game_id": game["gamePk"], "league_date": game["date"], "is_home": side == "home",
                                 "opponent_id": game[f"{other}_team_id"],
                                 "runs_for": int(game[f"{side}_score"]), "runs_against": int(game[f"{other}_score"])})
        yield f"/mlb/team/{club}/schedule?season=2025&limit=200", Some(["game_id"], rows)


def stated(row, columns):
    return {name: float(row[column]) if "." in row[column].removesuffix(".0") else int(float(row[column]))
            for name, column in columns.items()}


def player_seasons(captures, draw):
    for player in draw.sample(sorted(captures.players), 10):
        row, expected = captures.players[player], {}
        if row["plateAppearances"] and float(row["plateAppearances"]):
            expected["batting"] = stated(row, BATTING)
        if row["battersFaced"] and float(row["battersFaced"]):
            expected["pitching"] = stated(row, PITCHING)
        yield f"/mlb/player/{player}/stats?season=2025", expected


def thousandths(over, under):
    """Rounded as averages are: half up."""
    return (2000 * over + under) // (2 * under) / 1000


def walked_seasons(captures, draw):
    """Counts of 2019 from the plays; who never did a thing has 0."""
    batters, pitchers = captures.retrosheet
    names = ["plate_appearances", "at_bats", "hits", "doubles", "triples", "home_runs", "walks", "intentional_walks", "strikeouts",
             "hit_by_pitch",
             "sacrifice_bunts", "sacrifice_flies"]
    for player in draw.sample(sorted(player for player, counted in batters.items() if counted["plate_appearances"] > 50), 6):
        counted = batters[player]
        bases = counted["hits"] + counted["doubles"] + 2 * counted["triples"] + 3 * counted["home_runs"]
        reached = counted["hits"] + counted["walks"] + counted["hit_by_pitch"]
        chances = counted["at_bats"] + counted["walks"] + counted["hit_by_pitch"] + counted["sacrifice_flies"]
        rates = {"avg": thousandths(counted["hits"], counted["at_bats"]), "obp": thousandths(reached, chances),
                 "slg": thousandths(bases, counted["at_bats"])}
        yield f"/mlb/player/{player}/stats?season=2019", {"batting": {name: counted[name] for name in names} | rates}
    for player in draw.sample(sorted(player for player, counted in pitchers.items() if counted["plate_appearances"] > 50), 6):
        counted = pitchers[player]
        expected = {name: counted[name] for name in ("hits", "home_runs", "walks", "strikeouts")}
        expected["batters_faced"] = counted["plate_appearances"]
        yield f"/mlb/player/{player}/stats?season=2019", {"pitching": expected}


def pitcher_games(captures, draw):
    columns = ["pitcher", "game_pk", "CAST(game_date AS DATE) AS day", "season", "ip", "h_allowed", "bb_allowed", "k", "hr_allowed",
               "batters_faced"]
    games = collections.defaultdict(list)
    for row in captures.parquet("props-batter-2026/pitcher_game_logs.parquet", columns):
        games[row["pitcher"], row["season"]].append(row)
    for pitcher, season in draw.sample(sorted(key for key, rows in games.items() if len(rows) > 4), 8):
        rows = [
            {"game_id": str(row["game_pk"]), "league_date": str(row["day"]), "line": {
                "outs": round(3 * row["ip"]), "hits": row["h_allowed"], "walks": row["bb_allowed"],
                "strikeouts": row["k"], "home_runs": row["hr_allowed"], "batters_faced": row["batters_faced"],
            }}
            for row in games[pitcher, season]
        ]
        yield f"/mlb/player/{pitcher}/gamelog?season={season}&group=pitching&limit=200", Some(["game_id"], rows)


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def tracked_batters(captures, draw):
    for season in ("2024", "2020"):
        batters = collections.defaultdict(list)
        for pitch in captures.pitches[season]:
            batters[pitch["batter"]].append(pitch)
        rows = []
        for batter, seen in batters.items():
            speeds = [(one["launch_speed"], one["launch_angle"]) for one in seen if one["description"].startswith("hit_into_play")]
            measured = [speed for speed, _ in speeds if speed is not None]
            rows.append({
                "player_id": str(batter), "pitches": len(seen), "games": len({one["game_pk"] for one in seen}), "batted": len(speeds),
                "exit_speed_mean": mean(measured), "exit_speed_max": max(measured, default=None),
                "hard_hit_share": ratio(sum(speed >= 95 for speed in measured), len(measured)),
                "launch_angle": mean(angle for _, angle in speeds),
            })
        least = draw.randrange(5, 25)
        rows = [row for row in rows if row["batted"] >= least]
        yield f"/mlb/tracking/batters?season={season}&min_batted={least}&limit=500", Unordered(["player_id"], rows)


def tracked_pitchers(captures, draw):
    for season in ("2024", "2020"):
        kinds = collections.defaultdict(list)
        for pitch in captures.pitches[season]:
            if pitch["pitch_type"]:
                kinds[str(pitch["pitcher"]), pitch["pitch_type"]].append(pitch)
        for kind in draw.sample(["FF", "SL", "CH", "SI", "CU", "FC"], 3):
            least = draw.randrange(10, 30)
            rows = [
                {"player_id": pitcher, "pitches": len(thrown), "velocity_mean": mean(one["release_speed"] for one in thrown),
                 "spin_mean": mean(one["release_spin_rate"] for one in thrown)}
                for (pitcher, of), thrown in kinds.items() if of == kind and len(thrown) >= least
            ]
            yield f"/mlb/tracking/pitchers?season={season}&pitch_type={kind}&min_pitches={least}&limit=500", Unordered(["player_id"], rows)


def umpires(captures, draw):
    """Plate umpires of a day with their share of strikeouts in the games before it, as it is and drawn to the mean of all."""
    rows = table(captures.folder / "props-pitcher-2026/umpire_observation_log.csv.gz")
    contract, games = dna.Contract("mlb_umpire_dna"), collections.defaultdict(list)
    for row in sorted(rows, key=lambda row: row["game_date"]):
        counts = tuple(float(row[name]) for name in ("total_strikeouts", "total_batters_faced"))
        games[row["umpire_id"]].append((row["game_date"], {"strikeout_share": counts}))
    everybody = dna.Pool(itertools.chain.from_iterable(games.values()))
    for day in draw.sample(sorted({row["game_date"] for row in rows if row["game_date"] > "2026-04-20"}), 8):
        expected = []
        for row in rows:
            if row["game_date"] == day:
                before = [pair for pair in games[row["umpire_id"]] if pair[0] < day]
                own = dna.rows(contract, "plate", everybody, before)[0] if before else {}
                k, n = int(float(row["total_strikeouts"])), int(float(row["total_batters_faced"]))
                expected.append({"game_id": row["game_pk"], "umpire_id": row["umpire_id"], "strikeouts": k, "batters_faced": n,
                                 "strikeout_share": ratio(k, n),
                                 "own_games": len(before) or None, "own_raw_share": own.get("raw_value"),
                                 "own_weight": own.get("weight"), "own_share": own.get("value")})
        yield f"/mlb/umpires?date={day}", Unordered(["game_id"], expected)


FAMILIES = [
    standings, schedules, player_seasons, walked_seasons, pitcher_games, tracked_batters, tracked_pitchers, umpires,
]

"""Basketball of the women: games and boxes of 2019 to July 2026, counted once more."""

import collections
import datetime
import functools
import itertools
import zoneinfo

import duckdb

from .compare import Counted, Some, Unordered, ratio, table

LEAGUE_ZONE = zoneinfo.ZoneInfo("America/New_York")
# First and last day of the regular seasons that are over, and the day of the cup final, which is no league game.
SEASONS = {
    "2019": ("2019-05-24", "2019-09-08", None), "2020": ("2020-07-25", "2020-09-14", None),
    "2021": ("2021-05-14", "2021-09-19", "2021-08-12"),
    "2022": ("2022-05-06", "2022-08-14", "2022-07-26"), "2023": ("2023-05-19", "2023-09-10", "2023-08-15"),
    "2024": ("2024-05-14", "2024-09-19", "2024-06-25"), "2025": ("2025-05-16", "2025-09-11", "2025-07-01"),
}
CLUBS = "ATL CHI CON DAL GS IND LA LV MIN NY PHX POR SEA TOR WSH".split()
CUP_FINALISTS = {"2021": {"SEA", "CON"}, "2022": {"CHI", "LV"}, "2023": {"LV", "NY"}, "2024": {"NY", "MIN"}, "2025": {"MIN", "IND"}}
COUNTS = {
    "points": "pts", "field_goals_made": "fgm", "field_goals_attempted": "fga", "three_pointers_made": "tpm",
    "three_pointers_attempted": "tpa",
    "free_throws_made": "ftm", "free_throws_attempted": "fta", "offensive_rebounds": "oreb", "defensive_rebounds": "dreb",
    "rebounds": "reb",
    "assists": "ast", "steals": "stl", "blocks": "blk", "turnovers": "to", "fouls": "pf",
}


class Captures:
    def __init__(self, folder):
        self.folder = folder

    @functools.cached_property
    def games(self):
        """League games that were played, by id. No points to none is a game that was not."""
        games = {}
        for row in table(self.folder / "line-capture/games_full.csv.gz"):
            scores = {side: int(float(row[f"{side}_score"] or 0)) for side in ("home", "away")}
            if sum(scores.values()) and row["home"] in CLUBS and row["away"] in CLUBS:
                day = f"{row['date'][:4]}-{row['date'][4:6]}-{row['date'][6:]}"
                games[row["game_id"]] = game(row, day, scores)
        for row in self.listed:
            if row["game_id"] not in games and row["status"] == "STATUS_FINAL" and row["home"] in CLUBS and row["away"] in CLUBS:
                games[row["game_id"]] = game(row, row["day"], {side: row[f"{side}_score"] for side in ("home", "away")})
        return games

    @functools.cached_property
    def listed(self):
        """Games of the list of quarters, which has some that the other lacks; days by the league's clock."""
        names = ["game_id", "season", "status", "home", "away", "home_score", "away_score", "ns"]
        wanted = "game_id, CAST(season AS VARCHAR), status, home_abbr, away_abbr, home_score, away_score, epoch_ns(game_date_utc)"
        file = str(self.folder / "games-quarters/games.parquet")
        rows = [dict(zip(names, row)) for row in duckdb.execute(f"SELECT {wanted} FROM read_parquet(?)", [file]).fetchall()]
        return [row | {"day": str(datetime.datetime.fromtimestamp(row["ns"] / 1e9, LEAGUE_ZONE).date())} for row in rows]

    @functools.cached_property
    def boxes(self):
        """Lines by game; who is in the list has played, were it for a moment."""
        boxes = collections.defaultdict(list)
        for row in table(self.folder / "line-capture/box_full.csv.gz"):
            if row["game_id"] in self.games:
                line = {name: int(float(row[short])) for name, short in COUNTS.items()}
                secs = round(float(row["min"]) * 60) if row["min"] else None
                boxes[row["game_id"]].append(line | {
                    "player_id": row["aid"], "team_abbr": row["team"], "secs": secs, "is_starter": row["starter"] == "1",
                    "plus_minus": int(float(row["pm"])),
                })
        known = {(game, row["player_id"]) for game, rows in boxes.items() for row in rows}
        for row in table(self.folder / "wehoop-boxes/wehoop_player_box_2025.csv.gz"):
            if row["game_id"] in self.games and (row["game_id"], row["athlete_id"]) not in known and row["minutes"]:
                line = {name: int(float(row[name.replace("three_pointers", "three_point_field_goals")])) for name in COUNTS}
                boxes[row["game_id"]].append(line | {
                    "player_id": row["athlete_id"], "team_abbr": row["team_abbreviation"], "secs": round(float(row["minutes"]) * 60),
                    "is_starter": row["starter"] == "True", "plus_minus": int(row["plus_minus"]),
                })
        return boxes

    @functools.cached_property
    def teams(self):
        """Of each game and club the sum of its lines."""
        sums = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
        for game, lines in self.boxes.items():
            for row in lines:
                sums[game][row["team_abbr"]].update({name: row[name] or 0 for name in [*COUNTS, "secs"]})
        return sums

    def regular(self, season):
        games = (game for game in self.games.values() if (game["season"], game["phase"]) == (season, "regular"))
        return sorted(games, key=lambda game: (game["day"], game["id"]))

    def lines(self, season, player=None):
        """Lines of a regular season with their games."""
        found = ((game, row) for game in self.regular(season) for row in self.boxes[game["id"]])
        return [(game, row) for game, row in found if player in (None, row["player_id"])]


def game(row, day, scores):
    named = {"id": row["game_id"], "season": row["season"], "day": day, "home": row["home"], "away": row["away"]}
    return named | {"phase": phase(row, day), "home_score": scores["home"], "away_score": scores["away"]}


def phase(row, day):
    if row["season"] not in SEASONS:
        return None
    first, last, cup = SEASONS[row["season"]]
    if cup and day == cup and {row["home"], row["away"]} == CUP_FINALISTS[row["season"]]:
        return "cup_final"
    return "preseason" if day < first else "regular" if day <= last else "playoffs"


def results(games):
    """Of each club its results in order: side, points of both, opponent, day."""
    clubs = collections.defaultdict(list)
    for game in games:
        for side, other in (("home", "away"), ("away", "home")):
            clubs[game[side]].append((side, game[f"{side}_score"], game[f"{other}_score"], game[other], game["day"]))
    return clubs


def record(those, name):
    won = sum(scored > conceded for _, scored, conceded, *_ in those)
    return {f"{name}w": won, f"{name}l": len(those) - won}


def standings(captures, draw):
    for season in draw.sample(sorted(SEASONS), 4):
        rows = []
        for club, those in results(captures.regular(season)).items():
            scored, conceded = (sum(one[at] for one in those) for at in (1, 2))
            row = {"team_abbr": club, "gp": len(those), **record(those, ""), **record(those[-10:], "last10_"), "points_for": scored,
                   "points_against": conceded}
            for side, name in (("home", "home_"), ("away", "road_")):
                row |= record([one for one in those if one[0] == side], name)
            rows.append(row | {"pct": row["w"] / row["gp"], "diff": scored - conceded, "net_points": (scored - conceded) / row["gp"]})
        best = max(rows, key=lambda row: row["pct"])
        for row in rows:
            row["games_behind"] = (best["w"] - row["w"] + row["l"] - best["l"]) / 2
            if sum(other["pct"] == row["pct"] for other in rows) == 1:
                row["rank"] = 1 + sum(other["pct"] > row["pct"] for other in rows)
        yield f"/wnba/standings?season={season}", Unordered(["team_abbr"], rows)


def possessions(own, other):
    shots = lambda side: side["field_goals_attempted"] + 0.44 * side["free_throws_attempted"]
    chances = lambda side: shots(side) - side["offensive_rebounds"] + side["turnovers"]
    return (chances(own) + chances(other)) / 2


def factors(own, other, possessions):
    return {
        "efg_pct": (own["field_goals_made"] + own["three_pointers_made"] / 2) / own["field_goals_attempted"],
        "turnover_share": own["turnovers"] / possessions,
        "offensive_rebound_share": own["offensive_rebounds"] / (own["offensive_rebounds"] + other["defensive_rebounds"]),
        "free_throw_rate": own["free_throws_made"] / own["field_goals_attempted"],
    }


def team_sums(captures, games):
    """Of each club its sums and those of its opponents."""
    own, other, count = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter), collections.Counter()
    for game in games:
        for side, rival in (("home", "away"), ("away", "home")):
            own[game[side]].update(captures.teams[game["id"]][game[side]])
            other[game[side]].update(captures.teams[game["id"]][game[rival]])
            count[game[side]] += 1
    return own, other, count


def team_statistics(captures, draw):
    for season in draw.sample(sorted(SEASONS), 3):
        own, other, count = team_sums(captures, captures.regular(season))
        rows = []
        for club in own:
            ours, theirs = own[club], other[club]
            n = possessions(ours, theirs)
            rows.append({
                "team_abbr": club, "games": count[club], "points": ours["points"], "opponent_points": theirs["points"],
                "offensive_rating": 100 * ours["points"] / n, "defensive_rating": 100 * theirs["points"] / n,
                "net_rating": 100 * (ours["points"] - theirs["points"]) / n, **factors(ours, theirs, n),
                **{f"opponent_{name}": value for name, value in factors(theirs, ours, n).items()},
            })
        yield f"/wnba/stats/teams?season={season}", Unordered(["team_abbr"], rows)


def sums_of(lines):
    """Totals of a player's lines, and values a game and by 36 minutes."""
    add = lambda name: sum(row[name] for row in lines)
    secs = sum(row["secs"] or 0 for row in lines)
    row = {name: add(name) for name in COUNTS if not name.startswith("three")}
    row |= {"threes": add("three_pointers_made"), "threes_attempted": add("three_pointers_attempted"), "minutes": secs / 60}
    row |= {"games": len(lines), "starts": add("is_starter"), "minutes_per_game": secs / 60 / len(lines)}
    for name in ("points", "rebounds", "assists"):
        row |= {f"{name}_per_game": row[name] / len(lines), f"{name}_per_36": ratio(row[name], secs, 2160)}
    return row | {"true_shooting": ratio(row["points"], 2 * (row["field_goals_attempted"] + 0.44 * row["free_throws_attempted"]))}


def player_seasons(captures, draw):
    for season in draw.choices(sorted(SEASONS), k=10):
        player = draw.choice(sorted({row["player_id"] for _, row in captures.lines(season)}))
        lines = [row for _, row in captures.lines(season, player)]
        yield f"/wnba/players/{player}?season={season}", {"seasons": [{"season": season, **sums_of(lines)}]}


def ranks(captures, draw):
    """Players of a season by one column, of those with so many games."""
    for column in draw.sample(["points", "rebounds", "assists", "steals", "blocks", "points_per_game", "points_per_36",
                               "true_shooting"], 5):
        season, least = draw.choice(sorted(SEASONS)), draw.randrange(5, 25)
        players = collections.defaultdict(list)
        for _, row in captures.lines(season):
            players[row["player_id"]].append(row)
        rows = [{"player_id": player, **sums_of(lines)} for player, lines in players.items() if len(lines) >= least]
        rows = sorted((row for row in rows if row[column] is not None), key=lambda row: (-row[column], row["player_id"]))
        expected = [{"player_id": row["player_id"], column: row[column], "games": row["games"]} for row in rows[:100]]
        yield f"/wnba/stats/players?season={season}&sort={column}&min_games={least}&limit=100", expected


def boxes(captures, draw):
    able = sorted(game for game, row in captures.games.items() if captures.boxes[game] and row["season"] < "2026")
    for game in draw.sample(able, 8):
        teams, rows = captures.teams[game], []
        for row in captures.boxes[game]:
            used = lambda side: side["field_goals_attempted"] + 0.44 * side["free_throws_attempted"] + side["turnovers"]
            team = teams[row["team_abbr"]]
            usage = ratio(used(row) * team["secs"] / 5, (row["secs"] or 0) * used(team))
            shots = 2 * (row["field_goals_attempted"] + 0.44 * row["free_throws_attempted"])
            rows.append({**row, "ts_pct": ratio(row["points"], shots), "usg_pct": usage})
        clubs = []
        for abbr, other in itertools.permutations(teams, 2):
            clubs.append({"team_abbr": abbr, **teams[abbr], "possessions": possessions(teams[abbr], teams[other])})
        yield f"/wnba/games/{game}/boxscore", {"players": Some(["player_id"], rows), "teams": Unordered(["team_abbr"], clubs)}


def quarters(captures, draw):
    """Points by quarter of a game before 2026, of which one source alone has them."""
    file, scores = str(captures.folder / "games-quarters/quarter_scores.parquet"), collections.defaultdict(dict)
    for game, club, *points in duckdb.execute("SELECT game_id, team_abbr, q1, q2, q3, q4 FROM read_parquet(?)", [file]).fetchall():
        scores[game][club] = points
    able = sorted(game for game in scores if game in captures.games and captures.games[game]["season"] < "2026" and len(scores[game]) == 2)
    for game in draw.sample(able, 6):
        home, away = (scores[game][captures.games[game][side]] for side in ("home", "away"))
        rows = [{"period": at, "home_points": ours, "away_points": theirs} for at, (ours, theirs) in enumerate(zip(home, away), 1)]
        yield f"/wnba/games/{game}", {"periods": Some(["period"], rows)}


def matchups(captures, draw):
    """Both clubs of a game before its day: record, last ten games, days of rest, four factors and those that the other allows."""
    able = [game for game in captures.games.values() if game["phase"] == "regular" and game["day"] > f"{game['season']}-08"]
    for game in draw.sample(able, 8):
        season = [one for one in captures.games.values() if one["season"] == game["season"] and one["phase"] in ("regular", "playoffs")]
        before = sorted((one for one in season if one["day"] < game["day"]), key=lambda one: (one["day"], one["id"]))
        played, (own, other, count) = results(before), team_sums(captures, [one for one in before if one["phase"] == "regular"])
        teams, pairings = [], []
        for side, rival in (("home", "away"), ("away", "home")):
            those, club, opponent = played[game[side]], game[side], game[rival]
            rest = (datetime.date.fromisoformat(game["day"]) - datetime.date.fromisoformat(those[-1][4])).days - 1
            teams.append({"team_abbr": club, "rest_days": rest, **record(those, ""), **record(those[-10:], "last10_")})
            value = factors(own[club], other[club], possessions(own[club], other[club]))
            allowed = factors(other[opponent], own[opponent], possessions(own[opponent], other[opponent]))
            for name in value:
                pairings.append({"attacking_side": side, "factor": name, "value": value[name], "allowed": allowed[name],
                                 "gap": value[name] - allowed[name],
                                 "team_games": count[club], "opponent_games": count[opponent]})
        yield f"/wnba/matchups/{game['id']}", {"teams": Unordered(["team_abbr"], teams),
                                               "pairings": Unordered(["attacking_side", "factor"], pairings)}


def game_logs(captures, draw):
    for season in draw.choices(sorted(SEASONS), k=8):
        player = draw.choice(sorted({row["player_id"] for _, row in captures.lines(season)}))
        rows = []
        for game in captures.games.values():
            for row in captures.boxes[game["id"]]:
                if (game["season"], row["player_id"]) == (season, player):
                    rows.append({"game_id": game["id"], "league_date": game["day"], **row})
        yield f"/wnba/players/{player}/gamelog?season={season}&limit=100", Some(["game_id"], rows)


def shots(captures, draw):
    """Shots of five players of one club, by game."""
    games = collections.defaultdict(list)
    for file in sorted((captures.folder / "shots-2025-ny").glob("*.csv.gz")):
        for row in table(file):
            games[row["GAME_DATE"], row["HTM"], row["VTM"]].append(row)
    ids = {(game["day"].replace("-", ""), game["home"]): game["id"] for game in captures.games.values()}
    spelt = lambda abbr: {"NYL": "NY", "LVA": "LV", "LAS": "LA", "GSV": "GS", "PHO": "PHX", "WAS": "WSH", "CONN": "CON"}.get(abbr, abbr)
    named = {(day, home, away): ids.get((day, spelt(home))) for day, home, away in games}
    for key in draw.sample(sorted(key for key in games if named[key]), 6):
        counted = collections.Counter((row["PLAYER_NAME"], int(row["LOC_X"]), int(row["LOC_Y"]), row["SHOT_MADE_FLAG"] == "1",
                                       int(row["PERIOD"])) for row in games[key])
        yield f"/wnba/games/{named[key]}/shots?limit=200", Counted(["player_name", "x", "y", "is_made", "period"], counted)


FAMILIES = [standings, team_statistics, player_seasons, ranks, boxes, quarters, matchups, game_logs, shots]

"""Hockey: boxes, which state no game id, and what players come to by season, counted once more."""

import collections
import functools
import itertools

import duckdb

from .compare import Unordered, document, ratio

BOXES = {"2022-23": "2023", "2024-25": "2025"}
SUMMED = ["goals", "assists", "points", "plus_minus", "pim", "shots_on_goal", "hits", "blocked_shots", "power_play_goals"]
LINE = [*SUMMED, "toi_secs", "shifts", "giveaways", "takeaways"]
CATEGORIES = {"blocks": "blocked_shots", "shots": "shots_on_goal"}
STRENGTHS = ["even_strength", "power_play", "shorthanded"]


def seconds(clock):
    minutes, rest = clock.split(":")
    return int(minutes) * 60 + int(rest)


class Captures:
    def __init__(self, folder):
        self.folder = folder

    def rows(self, name, year):
        answer = duckdb.execute("SELECT * FROM read_parquet(?)", [str(self.folder / f"boxes/{name}_{year}.parquet")])
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]

    @functools.cached_property
    def games(self):
        """Games with a box, by id: header, and lines of both teams, joined by their order."""
        games = {}
        for season, year in BOXES.items():
            headers = self.rows("game_info", year)
            boxes = [in_games(headers, self.rows(f"{kind}_box", year)) for kind in ("team", "skater", "goalie")]
            for header, teams, skaters, goalies in zip(headers, *boxes, strict=True):
                game = {
                    "id": str(header["game_id"]), "season": season, "day": header["game_date"],
                    "phase": {"R": "regular", "P": "playoffs"}[header["game_type"]],
                    "home": header["home_team_abbr"], "away": header["away_team_abbr"],
                    "home_score": header["home_score"], "away_score": header["away_score"],
                    "teams": teams, "skaters": skaters, "goalies": goalies,
                }
                assert {row["team_abbrev"] for row in teams} == {game["home"], game["away"]}
                for row in skaters + goalies:
                    row["toi_secs"] = seconds(row["toi"])
                games[game["id"]] = game
        return games

    @functools.cached_property
    def shots(self):
        """Shots on goal by game, in order; a row that was there before is no second shot."""
        games = collections.defaultdict(dict)
        for file in sorted((self.folder / "shots").glob("???.json.gz")):
            for shot in document(file):
                games[str(shot["gameId"])].setdefault(tuple(shot.items()), shot)
        return {game: list(shots.values()) for game, shots in games.items()}

    def decided_in(self, game):
        """How a game ended. Who won a shoot-out by the one goal has one more than his skaters scored; a goalie may score too."""
        if abs(game["home_score"] - game["away_score"]) > 1:
            return "regulation"
        for side in ("home", "away"):
            scored = sum(row["goals"] for row in game["skaters"] if row["team_abbrev"] == game[side])
            if game[f"{side}_score"] == scored + 1:
                return "shootout"
        if game["id"] not in self.shots:
            return None
        return "overtime" if any(shot["isGoal"] and shot["period"] >= 4 for shot in self.shots[game["id"]]) else "regulation"

    @functools.cached_property
    def schedule(self):
        """Results of every listed season: day, phase, both teams and goals."""
        rows = []
        for season, year in {**BOXES, "2025-26": "2026"}.items():
            for row in self.rows("nhl_schedule", year):
                if str(row["game_id"]) in self.games:
                    # The list has some days of the playoffs by UTC; the boxes have the league's.
                    row["game_date"] = self.games[str(row["game_id"])]["day"]
                rows.append({**row, "label": season, "phase": {"R": "regular", "P": "playoffs"}[row["game_type"]]})
        return rows

    def lines(self, kind):
        return [(game, row) for game in self.games.values() for row in game[kind]]


def in_games(headers, rows):
    """Rows by game: the away team's, if there are any, and then the home team's."""
    games, rows = [], collections.deque(rows)
    for header in headers:
        games.append([])
        for side in ("away", "home"):
            while rows and (rows[0]["home_away"], rows[0]["team_abbrev"]) == (side, header[f"{side}_team_abbr"]):
                games[-1].append(rows.popleft())
    assert not rows
    return games


def skater_line(row):
    return {name: row[name] for name in LINE} | {"faceoff_win_share": row["faceoff_winning_pctg"]}


def goalie_line(row):
    line = {name: row[name] for name in ("shots_against", "saves", "goals_against", "toi_secs", "pim", "decision")}
    for strength in STRENGTHS:
        line[f"{strength}_saves"] = int(row[f"{strength}_shots_against"].split("/")[0])
        line[f"{strength}_goals_against"] = row[f"{strength}_goals_against"]
    return line | {"is_starter": row["starter"], "save_pct": ratio(row["saves"], row["shots_against"])}


def boxes(captures, draw):
    for game in draw.sample(sorted(captures.games), 8):
        box = captures.games[game]
        yield f"/nhl/game/{game}/boxscore", {
            "skaters": Unordered(["player_id"], [{"player_id": str(r["player_id"]), "team_abbr": r["team_abbrev"], **skater_line(r)}
                                                 for r in box["skaters"]]),
            "goalies": Unordered(["player_id"], [{"player_id": str(r["player_id"]), "team_abbr": r["team_abbrev"], **goalie_line(r)}
                                                 for r in box["goalies"]]),
            "teams": Unordered(["team_abbr"], [
                {"team_abbr": row["team_abbrev"], "faceoff_win_share": row["faceoff_win_pctg"]}
                | {name: row[name] for name in ("goals", "shots_on_goal", "pim", "hits", "blocked_shots", "giveaways", "takeaways",
                                                "power_play_goals")}
                for row in box["teams"]
            ]),
        }


def skater_seasons(captures, draw):
    seasons = collections.defaultdict(list)
    for game, row in captures.lines("skaters"):
        seasons[row["player_id"], game["season"], game["phase"]].append(row)
    for player in draw.sample(sorted({player for player, _, _ in seasons}), 10):
        expected = []
        for (who, season, phase), rows in seasons.items():
            if who == player:
                sums = {name: sum(row[name] for row in rows) for name in [*SUMMED, "toi_secs"]}
                expected.append({"season": season, "phase": phase, "gp": len(rows), **sums} | {
                    "goals_per_game": sums["goals"] / len(rows), "points_per_game": sums["points"] / len(rows),
                    "toi_per_game_secs": sums["toi_secs"] / len(rows),
                    "goals_per_60": ratio(sums["goals"], sums["toi_secs"], 3600),
                    "points_per_60": ratio(sums["points"], sums["toi_secs"], 3600),
                    "shots_per_60": ratio(sums["shots_on_goal"], sums["toi_secs"], 3600),
                    "shooting_pct": ratio(sums["goals"], sums["shots_on_goal"]),
                })
        yield f"/nhl/player/{player}/stats", Unordered(["season", "phase"], expected)


def game_logs(captures, draw):
    played = sorted({(row["player_id"], game["season"]) for game, row in captures.lines("skaters") + captures.lines("goalies")})
    for player, season in draw.sample(played, 10):
        expected = []
        for kind, line in (("skaters", skater_line), ("goalies", goalie_line)):
            for game, row in captures.lines(kind):
                if (row["player_id"], game["season"]) == (player, season):
                    other = game["away"] if row["team_abbrev"] == game["home"] else game["home"]
                    expected.append({"game_id": game["id"], "league_date": game["day"], "opponent_abbr": other, **line(row)})
        expected.sort(key=lambda row: (row["league_date"], row["game_id"]), reverse=True)
        yield f"/nhl/player/{player}/game-log?season={season}&limit=200", expected


def ranked(rows, value, more_is_better=True):
    """Rows by value with ranks, equal values with one rank."""
    rows = sorted(rows, key=lambda row: row[value], reverse=more_is_better)
    for _, equal in itertools.groupby(enumerate(rows, 1), key=lambda pair: pair[1][value]):
        equal = list(equal)
        for _, row in equal:
            row["rank"] = equal[0][0]
    return rows


def leaders(captures, draw):
    categories = ["points", "goals", "assists", "plus_minus", "pim", "hits", "blocks", "shots"]
    for category, season in draw.sample(list(itertools.product(categories, BOXES)), 6):
        sums = collections.defaultdict(lambda: {"value": 0, "gp": 0})
        for game, row in captures.lines("skaters"):
            if (game["season"], game["phase"]) == (season, "regular"):
                sums[row["player_id"]]["value"] += row[CATEGORIES.get(category, category)]
                sums[row["player_id"]]["gp"] += 1
        rows = ranked([{"player_id": str(player), **row} for player, row in sums.items()], "value")
        rows.sort(key=lambda row: (row["rank"], row["player_id"]))
        yield f"/nhl/leaders?category={category}&season={season}&limit=300", rows[:300]


def shut_out(captures, game, row):
    """Whether nobody scored against him; what decides in a shoot-out is no goal."""
    return row["goals_against"] == 0 and (row["decision"] == "W" or captures.decided_in(game) == "shootout")


def goalie_leaders(captures, draw):
    for stat, season in draw.sample(list(itertools.product(["wins", "save_pct", "gaa", "shutouts"], BOXES)), 5):
        games, club_games, newest = collections.defaultdict(list), collections.Counter(), {}
        for game in sorted(captures.games.values(), key=lambda game: (game["day"], game["id"])):
            if (game["season"], game["phase"]) != (season, "regular"):
                continue
            club_games.update([game["home"], game["away"]])
            in_goal = collections.Counter(row["team_abbrev"] for row in game["goalies"] if row["toi_secs"])
            for row in game["goalies"]:
                if row["toi_secs"]:
                    alone = in_goal[row["team_abbrev"]] == 1
                    games[row["player_id"]].append({**row, "shutout": shut_out(captures, game, row) and alone})
                    newest[row["player_id"]] = row["team_abbrev"]
        rows = []
        for player, lines in games.items():
            shots, saves, against, time = (sum(row[name] for row in lines)
                                           for name in ("shots_against", "saves", "goals_against", "toi_secs"))
            row = {
                "player_id": str(player), "gp": len(lines), "wins": sum(row["decision"] == "W" for row in lines),
                "save_pct": ratio(saves, shots), "gaa": ratio(against, time, 3600), "shutouts": sum(row["shutout"] for row in lines),
                "qualified": 4 * len(lines) >= club_games[newest[player]], "rank": None,
            }
            rows.append(row | {"value": row[stat]})
        ranked([row for row in rows if row["qualified"]], "value", stat != "gaa")
        yield f"/nhl/goalies/leaders?stat={stat}&season={season}&limit=300", Unordered(["player_id"], rows)


FAMILIES = [boxes, skater_seasons, game_logs, leaders, goalie_leaders]

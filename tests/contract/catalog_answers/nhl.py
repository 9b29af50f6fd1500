"""Hockey: boxes that state no game id, shots, schedules and prices of the captures, counted once more."""

import collections
import datetime
import functools
import itertools
import zoneinfo

import duckdb

from .compare import Some, Unordered, document, ratio, table

LEAGUE_ZONE = zoneinfo.ZoneInfo("America/New_York")
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
            "skaters": Unordered(["player_id"], [{"player_id": str(r["player_id"]), "team_abbr": r["team_abbrev"], **skater_line(r)} for r in box["skaters"]]),
            "goalies": Unordered(["player_id"], [{"player_id": str(r["player_id"]), "team_abbr": r["team_abbrev"], **goalie_line(r)} for r in box["goalies"]]),
            "teams": Unordered(["team_abbr"], [
                {"team_abbr": row["team_abbrev"], "faceoff_win_share": row["faceoff_win_pctg"]}
                | {name: row[name] for name in ("goals", "shots_on_goal", "pim", "hits", "blocked_shots", "giveaways", "takeaways", "power_play_goals")}
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
            shots, saves, against, time = (sum(row[name] for row in lines) for name in ("shots_against", "saves", "goals_against", "toi_secs"))
            row = {
                "player_id": str(player), "gp": len(lines), "wins": sum(row["decision"] == "W" for row in lines),
                "save_pct": ratio(saves, shots), "gaa": ratio(against, time, 3600), "shutouts": sum(row["shutout"] for row in lines),
                "qualified": 4 * len(lines) >= club_games[newest[player]], "rank": None,
            }
            rows.append(row | {"value": row[stat]})
        ranked([row for row in rows if row["qualified"]], "value", stat != "gaa")
        yield f"/nhl/goalies/leaders?stat={stat}&season={season}&limit=300", Unordered(["player_id"], rows)


def shots(captures, draw):
    for game in draw.sample(sorted(captures.shots), 8):
        yield f"/nhl/game/{game}/shots?limit=300", [
            {"seq": seq, "period": shot["period"], "team_abbr": shot["shootingTeam"], "x": shot["x"], "y": shot["y"],
             "shot_type": shot["shotType"] or None, "is_goal": shot["isGoal"],
             "goalie_id": shot["goalieInNetId"] and str(shot["goalieInNetId"])}
            for seq, shot in enumerate(captures.shots[game], 1)
        ]


def zone(shot):
    """Area of the ice by the nearer goal, whose line is 89 feet from the middle; sides as seen from the middle."""
    depth, side = abs(shot["x"]), shot["y"] if shot["x"] > 0 else -shot["y"]
    if depth > 89:
        return "behind"
    if depth < 54:
        return "point"
    if depth >= 69 and abs(side) <= 9:
        return "inner"
    if abs(side) <= 22:
        return "slot"
    return "left" if side > 0 else "right"


def goalie_zones(captures, draw):
    faced = collections.defaultdict(collections.Counter)
    for shot in itertools.chain.from_iterable(captures.shots.values()):
        if shot["goalieInNetId"] and shot["x"] is not None and shot["y"] is not None:
            for who in (shot["goalieInNetId"], "league"):
                faced[who].update([(zone(shot), "shots")] + [(zone(shot), "saves")] * (not shot["isGoal"]))
    for goalie in draw.sample(sorted(who for who in faced if who != "league"), 8):
        rows = []
        for area in sorted({area for area, what in faced[goalie] if what == "shots"}):
            n, saved = faced[goalie][area, "shots"], faced[goalie][area, "saves"]
            league = faced["league"][area, "saves"] / faced["league"][area, "shots"]
            rows.append({"zone": area, "shots": n, "saves": saved, "save_pct": saved / n, "league_save_pct": league, "diff": saved / n - league})
        yield f"/nhl/goalie/{goalie}/edge", rows


def standings(captures, draw):
    season = "2024-25"
    teams = collections.defaultdict(lambda: collections.defaultdict(list))
    for game in sorted(captures.games.values(), key=lambda game: (game["day"], game["id"])):
        if (game["season"], game["phase"]) == (season, "regular"):
            how = captures.decided_in(game)
            for side, other in (("home", "away"), ("away", "home")):
                won = game[f"{side}_score"] > game[f"{other}_score"]
                result = ("w" if won else "l" if how == "regulation" else "otl")
                team = teams[game[side]]
                for name, value in (("games", (side, result, how)), ("gf", game[f"{side}_score"]), ("ga", game[f"{other}_score"])):
                    team[name].append(value)
    rows = []
    for abbr, team in teams.items():
        count = lambda result, games=team["games"], sides=("home", "away"): sum(one[1] == result and one[0] in sides for one in games)
        row = {"team_abbr": abbr, "gp": len(team["games"]), "w": count("w"), "l": count("l"), "otl": count("otl"), "gf": sum(team["gf"]), "ga": sum(team["ga"])}
        row |= {"points": 2 * row["w"] + row["otl"], "diff": row["gf"] - row["ga"]}
        row["points_pct"] = row["points"] / (2 * row["gp"])
        row["rw"] = sum(one[1:] == ("w", "regulation") for one in team["games"])
        row["row"] = sum(one[1] == "w" and one[2] != "shootout" for one in team["games"])
        for side, name in (("home", "home"), ("away", "road")):
            row |= {f"{name}_{result}": count(result, sides=(side,)) for result in ("w", "l", "otl")}
        row |= {f"last10_{result}": count(result, team["games"][-10:]) for result in ("w", "l", "otl")}
        rows.append(row)
    order = lambda row: (row["points"], row["rw"], row["row"], row["w"])
    rows = [row | {"rank": 1 + sum(order(other) > order(row) for other in rows)} for row in rows]
    told = collections.Counter(row["rank"] for row in rows)
    for row in rows:
        # Who is equal by all of these is told apart by games of both, which this does not look at.
        if told[row["rank"]] > 1:
            del row["rank"]
    yield f"/nhl/standings?season={season}", Unordered(["team_abbr"], rows)


def team_games(captures, draw):
    listed = [row for row in captures.schedule if row["home_score"] is not None]
    for team, season in draw.sample(sorted({(row["home_team_abbr"], row["label"]) for row in listed}), 8):
        rows = []
        for row in captures.schedule:
            both = row["home_team_abbr"], row["away_team_abbr"]
            # Who plays whom is not known of every game to come.
            if row["label"] == season and team in both and "TBD" not in both:
                at_home = row["home_team_abbr"] == team
                goals = [row["home_score"], row["away_score"]]
                rows.append({
                    "game_id": str(row["game_id"]), "phase": row["phase"], "is_home": at_home,
                    "opponent_abbr": row["away_team_abbr" if at_home else "home_team_abbr"],
                    "goals_for": goals[not at_home], "goals_against": goals[at_home],
                })
        yield f"/nhl/team/{team}/schedule?season={season}&limit=200", Some(["game_id"], rows)


def board(captures, draw):
    """Records before a day: games of that day and later ones do not count."""
    rows = [row for row in captures.schedule if row["game_state"] == "OFF"]
    for day in draw.sample(sorted({row["game_date"] for row in rows if row["label"] != "2025-26"}), 8):
        expected = []
        for row in rows:
            if row["game_date"] == day:
                found = {"game_id": str(row["game_id"])}
                for side in ("home", "away"):
                    team = row[f"{side}_team_abbr"]
                    before = [
                        (one["home_score"] > one["away_score"]) == (one["home_team_abbr"] == team)
                        for one in rows
                        if (one["label"], one["phase"]) == (row["label"], row["phase"]) and one["game_date"] < day
                        and team in (one["home_team_abbr"], one["away_team_abbr"])
                    ]
                    found |= {f"{side}_score": row[f"{side}_score"], f"{side}_wins": sum(before), f"{side}_defeats": len(before) - sum(before)}
                expected.append(found)
        yield f"/nhl/board?date={day}", Unordered(["game_id"], expected)


def team_means(captures, draw):
    lines = collections.defaultdict(list)
    for game in captures.games.values():
        if game["phase"] == "regular":
            for row, other in itertools.permutations(game["teams"], 2):
                lines[row["team_abbrev"], game["season"]].append((row, other))
    for team, season in draw.sample(sorted(lines), 6):
        both = lines[team, season]
        mean = lambda name, of=0: sum(pair[of][name] for pair in both) / len(both)
        names = ["hits", "blocked_shots", "pim", "power_play_goals", "giveaways", "takeaways"]
        yield f"/nhl/team/{team}/stats?season={season}", {"means": {
            "gp": len(both), "goals_per_game": mean("goals"), "goals_against_per_game": mean("goals", 1),
            "shots_per_game": mean("shots_on_goal"), "shots_against_per_game": mean("shots_on_goal", 1),
            **{f"{name}_per_game": mean(name) for name in names},
        }}


def deployment(captures, draw):
    for game in draw.sample(sorted(captures.games), 6):
        rows = captures.games[game]["skaters"]
        club = collections.Counter()
        for row in rows:
            club[row["team_abbrev"]] += row["toi_secs"]
        yield f"/nhl/game/{game}/deployment", {"skaters": Unordered(["player_id"], [
            {"player_id": str(row["player_id"]), "toi_secs": row["toi_secs"], "shifts": row["shifts"],
             "toi_share": row["toi_secs"] / club[row["team_abbrev"]], "secs_per_shift": ratio(row["toi_secs"], row["shifts"])}
            for row in rows
        ])}


def team_deployment(captures, draw):
    """Time on ice of a club's skaters over the regular games of its newest season, and over the last ten of them."""
    clubs = collections.defaultdict(list)
    for game in sorted(captures.games.values(), key=lambda game: (game["day"], game["id"])):
        for side in ("home", "away") if game["phase"] == "regular" else ():
            clubs[game[side], game["season"]].append([row for row in game["skaters"] if row["team_abbrev"] == game[side]])
    for club in draw.sample(sorted(club for club, season in clubs if season == "2024-25"), 6):
        played = collections.defaultdict(list)
        for at, rows in enumerate(reversed(clubs[club, "2024-25"])):
            everybody = sum(row["toi_secs"] for row in rows)
            for row in rows:
                played[row["player_id"]].append((row["toi_secs"], everybody, at < 10))
        rows = []
        for player, times in played.items():
            newest = [secs for secs, _, is_newest in times if is_newest]
            rows.append({
                "player_id": str(player), "gp": len(times), "toi_per_game_secs": sum(secs for secs, *_ in times) / len(times),
                "toi_share": sum(secs for secs, *_ in times) / sum(club for _, club, _ in times), "last10_gp": len(newest),
                "last10_toi_per_game_secs": ratio(sum(newest), len(newest)),
            })
        yield f"/nhl/team/{club}/deployment?limit=100", Unordered(["player_id"], rows)


def odds(captures, draw):
    """Prices of a day as captured and at closing, with the book where one is named."""
    names = {team["name"]: abbr for abbr, team in document(captures.folder / "shots/team_meta.json").items()}
    abbr = lambda full: next(short for name, short in names.items() if full.endswith(name))
    days = collections.defaultdict(list)
    rows = table(captures.folder / "odds-2025-26/game_odds.csv.gz")
    met = collections.Counter((row["file_date"], *sorted([row["home"], row["away"]])) for row in rows)
    for row in rows:
        # Split squads meet twice a day; both games are given one price, which is that of nobody knows which.
        if met[row["file_date"], *sorted([row["home"], row["away"]])] > 1:
            continue
        starts = datetime.datetime.fromisoformat(row["date"].replace("Z", "+00:00"))
        price = lambda market, moment, side, line, odds, book=None: row[odds] and days[str(starts.astimezone(LEAGUE_ZONE).date())].append({
            "home_abbr": abbr(row["home"]), "away_abbr": abbr(row["away"]), "market": market, "moment": moment, "side": side,
            "line": line if isinstance(line, float) or line is None else float(row[line]),
            "american": int(float(row[odds])), "book": book and (row[book] or None),
        })
        for side, handicap in (("home", "-1.5"), ("away", "+1.5")):
            price("moneyline", "captured", side, None, f"{side}_ml_odds", f"{side}_ml_book")
            price("moneyline", "closing", side, None, f"close_{side}_ml_odds", f"close_{side}_ml_book")
            price("puck_line", "captured", side, float(handicap), f"{side}_pl_{handicap}_odds", f"{side}_pl_{handicap}_book")
        for side in ("over", "under"):
            price("total", "captured", side, "total_line_used", f"{side}_odds", f"{side}_book")
            price("total", "closing", side, "close_total_line_used", f"close_{side}_odds")
    for day in draw.sample(sorted(day for day in days if days[day]), 8):
        yield f"/nhl/odds?date={day}&limit=500", Unordered(["home_abbr", "market", "moment", "side"], days[day])


FAMILIES = [boxes, skater_seasons, game_logs, leaders, goalie_leaders, shots, goalie_zones, standings, team_games, board, team_means, deployment, team_deployment, odds]

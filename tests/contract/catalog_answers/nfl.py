"""American football: documents of the game centre (2018, 2019), games and weekly lines since, and lines of markets, counted once more."""

import collections
import datetime
import functools
import itertools

from .compare import Some, Unordered, document, ratio, table

DIVISIONS = {
    "AFC East": "BUF MIA NE NYJ", "AFC North": "BAL CIN CLE PIT", "AFC South": "HOU IND JAX TEN", "AFC West": "DEN KC LV LAC",
    "NFC East": "DAL NYG PHI WAS", "NFC North": "CHI DET GB MIN", "NFC South": "ATL CAR NO TB", "NFC West": "ARI LA SF SEA",
}
DIVISION = {club: division for division, clubs in DIVISIONS.items() for club in clubs.split()}
SPELLINGS = {"JAC": "JAX", "OAK": "LV", "SD": "LAC", "STL": "LA", "LAR": "LA"}
# Statistic: kind of line and its name there; where later seasons have it in the weekly lines.
STATISTICS = {
    "passing_yards": ("passing", "yds", "PassingYDS"), "passing_touchdowns": ("passing", "tds", "PassingTD"),
    "interceptions_thrown": ("passing", "ints", "PassingInt"), "completions": ("passing", "cmp", None),
    "pass_attempts": ("passing", "att", None),
    "rushing_yards": ("rushing", "yds", "RushingYDS"), "rushing_touchdowns": ("rushing", "tds", "RushingTD"),
    "carries": ("rushing", "att", "TouchCarries"),
    "receptions": ("receiving", "rec", "ReceivingRec"), "receiving_yards": ("receiving", "yds", "ReceivingYDS"),
    "receiving_touchdowns": ("receiving", "tds", "ReceivingTD"), "tackles": ("defense", "tkl", None), "sacks": ("defense", "sk", None),
    "interceptions": ("defense", "int", None), "forced_fumbles": ("defense", "ffum", None), "field_goals_made": ("kicking", "fgm", None),
    "extra_points_made": ("kicking", "xpmade", None),
}
# Sections of a box score, the kind of their lines, and the columns of both.
SECTIONS = {
    "passing": ("passing", {"attempts": "att", "completions": "cmp", "yards": "yds", "touchdowns": "tds", "interceptions_thrown": "ints"}),
    "rushing": ("rushing", {"attempts": "att", "yards": "yds", "touchdowns": "tds", "longest": "lng"}),
    "receiving": ("receiving", {"receptions": "rec", "yards": "yds", "touchdowns": "tds", "longest": "lng"}),
    "defence": ("defense", {"tackles": "tkl", "assists": "ast", "sacks": "sk", "interceptions": "int", "forced_fumbles": "ffum"}),
    "kicking": ("kicking", {"field_goals_made": "fgm", "field_goals_attempted": "fga", "extra_points_made": "xpmade",
                            "extra_points_attempted": "xpa"}),
    "punting": ("punting", {"punts": "pts", "yards": "yds", "longest": "lng", "inside_20": "i20"}),
}
# Metrics from the official statistic ids of plays: what counts for and against, each a number of ids.
SACKED, CAUGHT, MISSED, THROWN_AWAY = (20,), (15, 16), (14,), (19,)
RUNS, CATCHES, TARGETED, AFTER_CATCH = (10, 11), (21, 22), (115,), (113,)
# Yards after a lateral are the runner's or receiver's too, but no further run or catch.
RUN_ON, CAUGHT_ON = RUNS + (12, 13), CATCHES + (23, 24)


def spelt(abbr):
    return SPELLINGS.get(abbr, abbr)


class Captures:
    def __init__(self, folder):
        self.folder = folder

    @functools.cached_property
    def documents(self):
        """Documents of the game centre by id, with season, week and phase of the list."""
        listed = {game[0]: game[1] for game in document(self.folder / "gamecenter/schedule.json.gz")["games"]}
        found = {}
        for file in sorted((self.folder / "gamecenter").glob("20*.json.gz")):
            game = file.name.split(".")[0]
            told = listed[game]
            found[game] = document(file)[game] | {"season": str(told["year"]), "week": told["week"], "phase": told["season_type"]}
        return found

    @functools.cached_property
    def games(self):
        """Results of regular seasons."""
        rows = []
        for game in self.documents.values():
            if game["phase"] == "REG":
                rows.append({"season": game["season"], "week": game["week"], **{
                    f"{side}{suffix}": value for side in ("home", "away")
                    for suffix, value in (("", spelt(game[side]["abbr"])), ("_score", game[side]["score"]["T"]))
                }})
        for row in table(self.folder / "games-lines/games.csv.gz"):
            if int(row["week"]) <= 18 and row["home_score"]:
                away, home = (spelt(abbr) for abbr in row["game_id"].split("_")[2:])
                rows.append({"season": row["season"], "week": int(row["week"]), "home": home, "away": away,
                             "home_score": int(float(row["home_score"])), "away_score": int(float(row["away_score"]))})
        return sorted(rows, key=lambda row: row["week"])

    @functools.cached_property
    def totals(self):
        """Lines of players since 2023 by season: those of the season where they are captured, else of its weeks."""
        seasons, folder = collections.defaultdict(list), self.folder / "player-weeks"
        for season in ("2023", "2024", "2025"):
            whole = list(folder.glob(f"{season}-season-*.csv*"))
            for file in whole or folder.glob(f"{season}-w*-*.csv*"):
                seasons[season] += table(file)
        return seasons


def from_both_sides(games):
    for game in games:
        for side, other in (("home", "away"), ("away", "home")):
            yield game[side], game[other], side, game[f"{side}_score"], game[f"{other}_score"], game["week"]


def share(results):
    return ratio(results.count("w") + results.count("t") / 2, len(results))


def standings(captures, draw):
    seasons = sorted({game["season"] for game in captures.games})
    for season in draw.sample(seasons, 4):
        clubs = collections.defaultdict(list)
        for club, other, side, scored, conceded, _ in from_both_sides(game for game in captures.games if game["season"] == season):
            clubs[club].append((other, side, "w" if scored > conceded else "l" if scored < conceded else "t", scored, conceded))
        rows = []
        for club, games in clubs.items():
            results = [result for _, _, result, *_ in games]
            row = {
                "team_id": club, "gp": len(games), "pct": share(results), "conference": DIVISION[club].split()[0],
                "division": DIVISION[club].split()[1],
                "points_for": sum(one[3] for one in games), "points_against": sum(one[4] for one in games),
                "streak_result": results[-1].upper(),
                "streak_games": sum(1 for _ in itertools.takewhile(lambda one: one == results[-1], reversed(results))),
            }
            row["points_diff"] = row["points_for"] - row["points_against"]
            groups = {
                "": games, "home_": [one for one in games if one[1] == "home"], "road_": [one for one in games if one[1] == "away"],
                "division_": [one for one in games if DIVISION[one[0]] == DIVISION[club]],
                "conference_": [one for one in games if DIVISION[one[0]][:3] == DIVISION[club][:3]],
            }
            for prefix, those in groups.items():
                row |= {prefix + result: sum(one[2] == result for one in those) for result in "wlt"}
            for name, those in (("division_pct", groups["division_"]), ("conference_pct", groups["conference_"])):
                row[name] = share([one[2] for one in those])
            beaten, met = ([result for other, *_ in those for _, _, result, *_ in clubs[other]]
                           for those in ([one for one in games if one[2] == "w"], games))
            row |= {"strength_of_victory": share(beaten), "strength_of_schedule": share(met)}
            rows.append(row)
        for row in rows:
            rivals = [other for other in rows if DIVISION[other["team_id"]] == DIVISION[row["team_id"]]]
            if sum(other["pct"] == row["pct"] for other in rivals) == 1:
                row["rank"] = 1 + sum(other["pct"] > row["pct"] for other in rivals)
        yield f"/nfl/standings?season={season}", Unordered(["team_id"], rows)


def schedules(captures, draw):
    sides = collections.defaultdict(list)
    for game in captures.games:
        for club, other, side, scored, conceded, week in from_both_sides([game]):
            result = "W" if scored > conceded else "L" if scored < conceded else "T"
            sides[game["season"], club].append({"phase": "regular", "week": week, "opponent_id": other, "points_for": scored,
                                                "points_against": conceded, "result": result})
    for season, club in draw.sample(sorted(sides), 8):
        yield f"/nfl/team/{club}/schedule?season={season}&limit=100", Some(["phase", "week"], sides[season, club])


def quarters(captures, draw):
    """Points by quarter of games of the game centre, and how many of its drives there are."""
    for game in draw.sample(sorted(captures.documents), 8):
        told = captures.documents[game]
        expected = {f"{side}_q{n}": told[side]["score"][str(n)] for side in ("home", "away") for n in range(1, 5)}
        expected |= {f"{side}_score": told[side]["score"]["T"] for side in ("home", "away")}
        yield f"/nfl/game/{game}", {"game": expected}


def drives(captures, draw):
    for game in draw.sample(sorted(captures.documents), 6):
        told = [drive for number, drive in captures.documents[game]["drives"].items() if number.isdigit()]
        rows = [{"plays": drive["numplays"], "yards": drive["ydsgained"], "result": drive["result"]} for drive in told]
        yield f"/nfl/game/{game}/drives?limit=100", rows


def boxes(captures, draw):
    for game in draw.sample(sorted(captures.documents), 8):
        told, expected, teams = captures.documents[game], {}, []
        for section, (kind, columns) in SECTIONS.items():
            rows = [
                {"player_id": player, **{name: line[short] for name, short in columns.items()}}
                for side in ("home", "away") for player, line in told[side]["stats"].get(kind, {}).items()
            ]
            if rows:
                expected[section] = Unordered(["player_id"], rows)
        for side in ("home", "away"):
            line = told[side]["stats"]["team"]
            minutes, rest = line["top"].split(":")
            teams.append({
                "is_home": side == "home", "points": told[side]["score"]["T"], "first_downs": line["totfd"], "yards": line["totyds"],
                "passing_yards": line["pyds"], "rushing_yards": line["ryds"], "penalties": line["pen"], "penalty_yards": line["penyds"],
                "turnovers": line["trnovr"], "punts": line["pt"], "punt_yards": line["ptyds"],
                "possession_secs": 60 * int(minutes) + int(rest),
            })
        yield f"/nfl/game/{game}/boxscore", expected | {"teams": Unordered(["is_home"], teams)}


def game_leaders(captures, draw):
    """The best of each club: the most yards, or tackles; who are equal by touchdowns too are not told apart here."""
    roles = {"passer": ("passing", "yds"), "rusher": ("rushing", "yds"), "receiver": ("receiving", "yds"), "tackler": ("defense", "tkl")}
    for game in draw.sample(sorted(captures.documents), 6):
        rows = []
        for side, (role, (kind, column)) in itertools.product(("home", "away"), roles.items()):
            told = captures.documents[game][side]
            best = max((line[column], line.get("tds", 0)) for line in told["stats"][kind].values())
            who = [player for player, line in told["stats"][kind].items() if (line[column], line.get("tds", 0)) == best]
            row = {"team_id": spelt(told["abbr"]), "role": role, "value": best[0]}
            rows.append(row | ({"player_id": who[0]} if len(who) == 1 else {}))
        yield f"/nfl/game/{game}/leaders", Unordered(["team_id", "role"], rows)


def leaders(captures, draw):
    """Sums of a regular season by statistic, best first; who has none is no row."""
    for stat in draw.sample(sorted(STATISTICS), 6):
        season, (kind, short, _) = draw.choice(["2018", "2019"]), STATISTICS[stat]
        sums = collections.Counter()
        for game in captures.documents.values():
            if (game["season"], game["phase"]) == (season, "REG"):
                for side in ("home", "away"):
                    for player, line in game[side]["stats"].get(kind, {}).items():
                        sums[player] += line[short]
        best = sorted(((value, player) for player, value in sums.items() if value > 0), reverse=True)[:60]
        cut = best[-1][0]
        rows = [{"player_id": player, "value": value, "rank": 1 + sum(other > value for other, _ in best)} for value, player in best
                if value > cut]
        yield f"/nfl/stats?stat={stat}&season={season}&limit={len(rows)}", Unordered(["player_id"], rows)


def fantasy_leaders(captures, draw):
    """Totals of players of the seasons since 2023."""
    able = sorted(stat for stat, (*_, column) in STATISTICS.items() if column)
    for stat in draw.sample(able, 5):
        season, column = draw.choice(sorted(captures.totals)), STATISTICS[stat][2]
        sums = collections.Counter()
        for row in captures.totals[season]:
            sums[row["PlayerId"]] += int(float(row.get(column) or 0))
        best = sorted((value for value in sums.values() if value > 0), reverse=True)[:40]
        expected = [{"value": value, "rank": 1 + sum(other > value for other in best)} for value in best]
        yield f"/nfl/stats?stat={stat}&season={season}&limit={len(expected)}", expected


def acts(captures):
    """Of each player the regular games of both seasons, each with its plays: statistic ids and yards."""
    games = collections.defaultdict(lambda: collections.defaultdict(list))
    for game, told in sorted(captures.documents.items()):
        if told["phase"] == "REG":
            for number, drive in told["drives"].items():
                for play in drive["plays"].values() if number.isdigit() else ():
                    for player, acted in play["players"].items():
                        games[player][game] += [(act["statId"], act["yards"]) for act in acted]
    return games


def dna(captures, draw):
    """Raw values of both seasons from the plays: shares and means of passes, runs and catches; and those of the games before
    a day."""
    everybody = acts(captures)
    yield from profiles(captures, everybody, draw, "")
    for _ in range(2):
        day = datetime.date(2018, 10, 15) + datetime.timedelta(draw.randrange(440))
        # A game's id begins with its day.
        known = {who: {game: plays for game, plays in games.items() if game[:8] < f"{day:%Y%m%d}"} for who, games in everybody.items()}
        yield from profiles(captures, known, draw, f"&as_of={day}")


def profiles(captures, everybody, draw, as_of):
    def of(player, ids, least=None):
        found = [yards for plays in everybody[player].values() for stat, yards in plays if stat in ids]
        return found if least is None else [yards for yards in found if yards >= least]

    wanted = {
        "qb": lambda who: {
            "completion": (len(of(who, CAUGHT)), passes := len(of(who, CAUGHT + MISSED + THROWN_AWAY))),
            "int_rate": (len(of(who, THROWN_AWAY)), passes),
            "sack_rate": (len(of(who, SACKED)), passes + len(of(who, SACKED))),
            "yards_per_attempt": (sum(of(who, CAUGHT)), passes),
            "td_rate": (len(of(who, (16,))), passes),
            "explosive_pass": (len(of(who, CAUGHT, 20)), passes),
        },
        "wr": lambda who: {
            "catch_rate": (caught := len(of(who, CATCHES)), targets := len(of(who, TARGETED))),
            "yards_per_target": (sum(of(who, CAUGHT_ON)), targets),
            "explosive_reception": (len(of(who, CATCHES, 20)), caught),
            "yac_per_reception": (sum(of(who, AFTER_CATCH)), caught),
        },
        "rb": lambda who: {
            "yards_per_carry": (sum(of(who, RUN_ON)), runs := len(of(who, RUNS))),
            "explosive_run": (len(of(who, RUNS, 10)), runs),
            "stuffed": (runs - len(of(who, RUNS, 1)), runs),
        },
    }
    told = {"qb": CAUGHT + MISSED, "wr": CATCHES, "rb": RUNS}
    positions = {row["gsis_id"]: row.get("position") for row in document(captures.folder / "gamecenter/players.json.gz").values()}
    for pool, values in wanted.items():
        able = [player for player in everybody if positions.get(player) == pool.upper() and len(of(player, told[pool])) >= 60]
        for player in draw.sample(sorted(able), min(4, len(able))):
            rows = [{"metric": metric, "raw": ratio(over, under), "exposure": under} for metric, (over, under) in values(player).items()]
            yield f"/nfl/dna/{pool}?player={player}{as_of}", [{"metrics": Some(["metric"], rows)}]


FAMILIES = [standings, schedules, quarters, drives, boxes, game_leaders, leaders, fantasy_leaders, dna]

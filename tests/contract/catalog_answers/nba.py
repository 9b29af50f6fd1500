"""Basketball of the men: lines of players and teams of two seasons, and closing lines, counted once more."""

import collections
import datetime
import functools
import itertools
import zoneinfo

import duckdb

from .compare import Some, Unordered, document, ratio, table

LEAGUE_ZONE = zoneinfo.ZoneInfo("America/New_York")
COUNTS = {
    "field_goals_made": "FGM", "field_goals_attempted": "FGA", "three_pointers_made": "FG3M", "three_pointers_attempted": "FG3A",
    "free_throws_made": "FTM", "free_throws_attempted": "FTA", "offensive_rebounds": "OREB", "defensive_rebounds": "DREB",
    "rebounds": "REB", "assists": "AST", "steals": "STL", "blocks": "BLK", "turnovers": "TOV", "fouls": "PF", "points": "PTS",
}
RANKED = [name for name in COUNTS if name not in ("fouls", "field_goals_attempted", "three_pointers_attempted", "free_throws_attempted")]


class Captures:
    def __init__(self, folder):
        self.folder = folder

    def parquet(self, name):
        answer = duckdb.execute("SELECT * FROM read_parquet(?)", [str(self.folder / f"season-2023-26/{name}.parquet")])
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]

    def recorded(self, name, at=0):
        """A set of a recorded payload, one row an object."""
        file = next((self.folder / "stats-recorded").glob(f"{name}.json*"))
        payload = document(file)
        told = (payload.get("resultSets") or [payload["resultSet"]])[at]
        return [dict(zip(told["headers"], row)) for row in told["rowSet"]]

    @functools.cached_property
    def players(self):
        """Lines of players in regular games of 2023-24."""
        return [row for row in self.parquet("player_logs") if row["GAME_ID"].startswith("002")]

    @functools.cached_property
    def teams(self):
        """Lines of teams in regular games by season: stated, or summed from the players."""
        sums = collections.defaultdict(collections.Counter)
        for row in self.players:
            key = tuple(row[name] for name in ("TEAM_ID", "TEAM_ABBREVIATION", "GAME_ID", "GAME_DATE", "MATCHUP", "WL"))
            sums[key].update({short: row[short] for short in COUNTS.values()})
        names = ["TEAM_ID", "TEAM_ABBREVIATION", "GAME_ID", "GAME_DATE", "MATCHUP", "WL"]
        # Lines of players lack what is nobody's turnover; one team's own lines have it.
        stated = {(row["TEAM_ID"], row["GAME_ID"]): row for row in self.recorded("teamgamelogs-Lakers-2023-24-regular-season")}
        summed = [
            dict(zip(names, key)) | {short: stated.get((key[0], key[2]), counted)[short] for short in COUNTS.values()}
            for key, counted in sums.items()
        ]
        return {"2023-24": summed, "2025-26": self.recorded("LeagueGameLog")}

    def by_team(self, season):
        games = collections.defaultdict(list)
        for row in sorted(self.teams[season], key=lambda row: (row["GAME_DATE"], row["GAME_ID"])):
            games[row["TEAM_ABBREVIATION"]].append(row)
        return games

    def others(self, season):
        """Of each team and game the line of the opponent."""
        both = collections.defaultdict(list)
        for row in self.teams[season]:
            both[row["GAME_ID"]].append(row)
        return {(row["TEAM_ID"], row["GAME_ID"]): next(one for one in pair if one is not row) for pair in both.values() for row in pair}


def standings(captures, draw):
    official = {str(row["TeamID"]): row for row in captures.recorded("LeagueStandingsV3")}
    for season in captures.teams:
        rows, others = [], captures.others(season)
        for abbr, games in captures.by_team(season).items():
            results = [row["WL"] for row in games]
            team = official[str(games[0]["TEAM_ID"])]
            against = [(official[str(others[row["TEAM_ID"], row["GAME_ID"]]["TEAM_ID"])], row["WL"]) for row in games]
            won = lambda result, those: sum(one == result for one in those)
            row = {
                "team_abbr": abbr, "gp": len(games), "w": won("W", results), "l": won("L", results), "pct": won("W", results) / len(games),
                "last10_w": won("W", results[-10:]), "last10_l": won("L", results[-10:]), "streak_result": results[-1],
                "streak_games": sum(1 for _ in itertools.takewhile(lambda one: one == results[-1], reversed(results))),
                "points_for": sum(row["PTS"] for row in games),
                "points_against": sum(others[row["TEAM_ID"], row["GAME_ID"]]["PTS"] for row in games),
                "conference": team["Conference"] + "ern",
            }
            for word in ("Conference", "Division"):
                those = [result for other, result in against if other[word] == team[word]]
                row |= {f"{word.lower()}_w": won("W", those), f"{word.lower()}_l": won("L", those)}
            rows.append(row)
        for row in rows:
            rivals = [other for other in rows if other["conference"] == row["conference"]]
            best = max(rivals, key=lambda other: other["pct"])
            row["games_behind"] = (best["w"] - row["w"] + row["l"] - best["l"]) / 2
            if sum(other["pct"] == row["pct"] for other in rivals) == 1:
                row["rank"] = 1 + sum(other["pct"] > row["pct"] for other in rivals)
        yield f"/nba/standings?season={season}", Unordered(["team_abbr"], rows)


def home_and_road(captures, draw):
    """Records at home and away that the league itself states for the newest day."""
    rows = []
    for row in captures.recorded("LeagueStandingsV3"):
        (home_w, home_l), (road_w, road_l), (w, l) = (map(int, row[name].split("-")) for name in ("HOME", "ROAD", "L10"))
        rows.append({"team_id": str(row["TeamID"]), "home_w": home_w, "home_l": home_l, "road_w": road_w, "road_l": road_l,
                     "last10_w": w, "last10_l": l})
    yield "/nba/standings?season=2025-26", Unordered(["team_id"], rows)


def chances(row):
    return row["FGA"] + 0.44 * row["FTA"] - row["OREB"] + row["TOV"]


def team_statistics(captures, draw):
    for team, season in draw.sample([(team, season) for season in captures.teams for team in sorted(captures.by_team(season))], 10):
        games, others = captures.by_team(season)[team], captures.others(season)
        own, other = collections.Counter(), collections.Counter()
        for row in games:
            own.update({short: row[short] for short in COUNTS.values()})
            other.update({short: others[row["TEAM_ID"], row["GAME_ID"]][short] for short in COUNTS.values()})
        n, possessions = len(games), (chances(own) + chances(other)) / 2
        expected = {"gp": n, "possessions_per_game": possessions / n, "opponent_points_per_game": other["PTS"] / n}
        for name in ("points", "rebounds", "assists", "steals", "blocks", "turnovers", "fouls"):
            expected[name] = own[COUNTS[name]]
            if name != "fouls":
                expected[f"{name}_per_game"] = own[COUNTS[name]] / n
        expected |= {"fg_pct": own["FGM"] / own["FGA"], "three_pct": own["FG3M"] / own["FG3A"], "ft_pct": own["FTM"] / own["FTA"]}
        expected |= {"points_per_100": 100 * own["PTS"] / possessions, "opponent_points_per_100": 100 * other["PTS"] / possessions}
        expected["net_per_100"] = 100 * (own["PTS"] - other["PTS"]) / possessions
        for prefix, side, rival in (("", own, other), ("opponent_", other, own)):
            expected[f"{prefix}efg_pct"] = (side["FGM"] + side["FG3M"] / 2) / side["FGA"]
            expected[f"{prefix}turnover_share"] = side["TOV"] / possessions
            expected[f"{prefix}offensive_rebound_share"] = side["OREB"] / (side["OREB"] + rival["DREB"])
            expected[f"{prefix}free_throw_rate"] = side["FTM"] / side["FGA"]
        yield f"/nba/team/{team}/stats?season={season}", expected


def season_sums(captures):
    """Totals of players by season: summed from the lines, or as the league states them."""
    sums = collections.defaultdict(collections.Counter)
    for row in captures.players:
        sums[str(row["PLAYER_ID"])].update({"GP": 1, **{short: row[short] for short in COUNTS.values()}})
    stated = {str(row["PLAYER_ID"]): row for row in captures.recorded("LeagueDashPlayerStats")}
    return {"2023-24": sums, "2025-26": stated}


def player_seasons(captures, draw):
    seasons = season_sums(captures)
    for player, season in draw.sample(sorted((player, season) for season, rows in seasons.items() for player in rows), 12):
        row = seasons[season][player]
        expected = {"season": season, "gp": row["GP"], **{name: row[short] for name, short in COUNTS.items()}}
        for name in ("points", "rebounds", "assists", "steals", "blocks", "turnovers"):
            expected[f"{name}_per_game"] = row[COUNTS[name]] / row["GP"]
        expected["ts_pct"] = ratio(row["PTS"], 2 * (row["FGA"] + 0.44 * row["FTA"]))
        yield f"/nba/player/{player}/stats?season={season}", [expected]


def leaders(captures, draw):
    """Values a game of 2023-24, ranked among who played in 70 % of the games of the newest team."""
    sums = season_sums(captures)["2023-24"]
    newest = {str(row["PLAYER_ID"]): row["TEAM_ABBREVIATION"]
              for row in sorted(captures.players, key=lambda row: (row["GAME_DATE"], row["GAME_ID"]))}
    games = {team: len(rows) for team, rows in captures.by_team("2023-24").items()}
    for stat in draw.sample(RANKED, 6):
        rows = []
        for player, counted in sums.items():
            able = 10 * counted["GP"] >= 7 * games[newest[player]]
            rows.append({"player_id": player, "value": counted[COUNTS[stat]] / counted["GP"], "gp": counted["GP"], "qualified": able})
        for row in rows:
            row["rank"] = 1 + sum(other["qualified"] and other["value"] > row["value"] for other in rows) if row["qualified"] else None
        best = sorted((row for row in rows if row["qualified"]), key=lambda row: (row["rank"], row["player_id"]))
        yield f"/nba/leaders?stat={stat}&season=2023-24&limit=150", best[:150]


def boxes(captures, draw):
    lines = collections.defaultdict(list)
    for row in captures.players:
        lines[row["GAME_ID"]].append(row)
    for game in draw.sample(sorted(lines), 8):
        rows = [
            {"player_id": str(row["PLAYER_ID"]), "team_abbr": row["TEAM_ABBREVIATION"], "plus_minus": row["PLUS_MINUS"],
             **{name: row[short] for name, short in COUNTS.items()}, "ts_pct": ratio(row["PTS"], 2 * (row["FGA"] + 0.44 * row["FTA"]))}
            for row in lines[game]
        ]
        teams = [
            {"team_abbr": row["TEAM_ABBREVIATION"], "points": row["PTS"], "assists": row["AST"], "field_goals_made": row["FGM"],
             "is_home": "vs." in row["MATCHUP"]}
            for row in captures.teams["2023-24"] if row["GAME_ID"] == game
        ]
        yield f"/nba/game/{game}/boxscore", {"players": Some(["player_id"], rows), "teams": Unordered(["team_abbr"], teams)}


def daily_boxes(captures, draw):
    """Games of the daily files, with who started, to the second."""
    files = sorted((captures.folder / "boxscores-daily").glob("game-*.csv.gz"))
    for file in draw.sample(files, 8):
        lines, rows, clubs = table(file), [], collections.defaultdict(lambda: [0, 0])
        used = lambda row: int(row["fieldGoalsAttempted"]) + 0.44 * int(row["freeThrowsAttempted"]) + int(row["turnovers"])
        for row in lines:
            minutes, _, rest = row["minutes"].partition(":")
            row["secs"] = 60 * int(minutes or 0) + int(rest or 0)
            clubs[row["teamId"]][0] += row["secs"]
            clubs[row["teamId"]][1] += used(row)
        for row in lines:
            line = {"player_id": row["personId"], "is_starter": bool(row["position"])}
            if row["secs"]:
                time, chances = clubs[row["teamId"]]
                line |= {
                    "secs": row["secs"], "usg_pct": used(row) * time / 5 / (row["secs"] * chances), "points": int(row["points"]),
                    "rebounds": int(row["reboundsTotal"]),
                    "assists": int(row["assists"]), "plus_minus": int(float(row["plusMinusPoints"])), "fouls": int(row["foulsPersonal"]),
                    "three_pointers_made": int(row["threePointersMade"]), "turnovers": int(row["turnovers"]),
                }
            rows.append(line)
        yield f"/nba/game/{row['gameId']}/boxscore", {"players": Unordered(["player_id"], rows)}


def schedules(captures, draw):
    """Results of a team in regular games."""
    for team, season in draw.sample([(team, season) for season in captures.teams for team in sorted(captures.by_team(season))], 8):
        others, rows = captures.others(season), []
        for row in captures.by_team(season)[team]:
            other = others[row["TEAM_ID"], row["GAME_ID"]]
            rows.append({"game_id": row["GAME_ID"], "league_date": row["GAME_DATE"], "opponent_abbr": other["TEAM_ABBREVIATION"],
                         "points_for": row["PTS"], "points_against": other["PTS"], "result": row["WL"]})
        yield f"/nba/team/{team}/schedule?season={season}&limit=200", Some(["game_id"], rows)


def odds(captures, draw):
    """Spread and total as they closed; money lines and prices there are means, and not served."""
    days = collections.defaultdict(list)
    for row in captures.parquet("closing_lines"):
        starts = datetime.datetime.fromisoformat(row["commence_time"].replace("Z", "+00:00"))
        days[str(starts.astimezone(LEAGUE_ZONE).date())].append(
            {"price_id": row["event_id"], "home_name": row["home_team"], "away_name": row["away_team"],
             "home_spread": row["spread_point"], "total": row["total_point"], "line_kind": "closing"}
        )
    for day in draw.sample(sorted(days), 10):
        yield f"/nba/odds?date={day}&limit=200", Some(["price_id"], days[day])


def shots(captures, draw):
    """Shots of one player in a game."""
    games = collections.defaultdict(list)
    for row in captures.recorded("ShotChartDetail"):
        games[row["GAME_ID"]].append(row)
    for game in draw.sample(sorted(games), 6):
        rows = games[game]
        yield f"/nba/game/{game}/shotchart?player={rows[0]['PLAYER_ID']}", [
            {"period": row["PERIOD"], "x": row["LOC_X"], "y": row["LOC_Y"], "shot_value": int(row["SHOT_TYPE"][0]),
             "is_made": bool(row["SHOT_MADE_FLAG"])}
            for row in sorted(rows, key=lambda row: row["GAME_EVENT_ID"])
        ]


FAMILIES = [standings, home_and_road, team_statistics, player_seasons, leaders, boxes, daily_boxes, schedules, odds, shots]

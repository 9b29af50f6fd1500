"""Basketball of the men: Elo ratings of teams as of a day."""

import collections

from .compare import document, table
from .ratings import Contest, Ratings, answers

# What the id of a game says: regular season, play-offs, play-in and final of the cup.
PHASES = ("002", "004", "005", "006")


def contests(captures):
    """Games by id: of logs of teams and players, then of boxes, whose visitors stand first."""
    days, points, homes, neutral = {}, collections.defaultdict(dict), {}, set()
    logs = [captures.players, captures.recorded("LeagueGameLog"), captures.recorded("teamgamelogs-All-teams-last-game-only")]
    for log in logs:
        told = collections.defaultdict(set)
        sums = collections.defaultdict(collections.Counter)
        for row in log:
            game, team = row["GAME_ID"], str(row["TEAM_ID"])
            days[game] = row["GAME_DATE"][:10]
            sums[game][team] += row["PTS"]
            if " vs. " in row["MATCHUP"]:
                told[game].add(team)
        for game, teams in sums.items():
            points[game] = dict(teams)
            # On neutral ground a log has both as visitors.
            homes[game] = next(iter(told[game]), None)
            if len(told[game]) != 1:
                neutral.add(game)
    scheduled = {row["game_id"]: row["date_est"] for row in table(captures.folder / "season-2023-26/schedule_2025_26.csv.gz")}
    for file in sorted((captures.folder / "boxscores-daily").glob("*.csv.gz")):
        boxes = collections.defaultdict(collections.Counter)
        for row in table(file):
            boxes[row["gameId"].zfill(10), row.get("date")][row["teamId"]] += int(float(row["points"] or 0))
        for (game, day), teams in boxes.items():
            if game not in points:
                points[game], homes[game] = dict(teams), list(teams)[1]
                days[game] = day or scheduled[game]
    box = document(captures.folder / "stats-recorded/BoxScoreTraditionalV3.json")["boxScoreTraditional"]
    summary = document(captures.folder / "stats-recorded/BoxScoreSummaryV2.json")["resultSets"][0]["rowSet"][0]
    points[box["gameId"]] = {str(box[side]["teamId"]): box[side]["statistics"]["points"] for side in ("homeTeam", "awayTeam")}
    homes[box["gameId"]], days[box["gameId"]] = str(summary[6]), summary[0][:10]
    found = []
    for game, teams in points.items():
        if game[:3] in PHASES:
            home = homes[game] or min(teams)
            away = next(team for team in teams if team != home)
            season = f"20{game[3:5]}-{(int(game[3:5]) + 1) % 100:02}"
            found.append(Contest(days[game], season, [home, away], [teams[home], teams[away]], game in neutral or game.startswith("006")))
    return found


def ratings(captures, draw):
    yield from answers("/nba/ratings", Ratings("nba_team_ratings", contests(captures)), draw)


FAMILIES = [ratings]

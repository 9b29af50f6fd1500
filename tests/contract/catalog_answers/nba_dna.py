"""Basketball of the men: DNA as of a day."""

import collections
import datetime
import itertools

from . import dna
from .compare import Some, document, table
from .nba import LEAGUE_ZONE

# What a line of a box and of the log call the same.
BOX = {
    "FGM": "fieldGoalsMade", "FGA": "fieldGoalsAttempted", "FG3M": "threePointersMade", "FG3A": "threePointersAttempted",
    "FTM": "freeThrowsMade", "FTA": "freeThrowsAttempted", "OREB": "reboundsOffensive", "DREB": "reboundsDefensive",
    "AST": "assists", "STL": "steals", "BLK": "blocks", "TOV": "turnovers", "PF": "foulsPersonal", "PTS": "points",
    "PLUS_MINUS": "plusMinusPoints",
}


def of_box(row):
    minutes, _, rest = (row["minutes"] or "").partition(":")
    return {"secs": 60 * int(minutes or 0) + int(rest or 0), **{name: int(float(row[told] or 0)) for name, told in BOX.items()}}


def listed_days(captures):
    """Days of fixtures by number and clubs. They stand in UTC; the number is the end of the game's id."""
    days = {}
    for row in table(captures.folder / "schedule-utc/nba-2025-UTC.csv.gz"):
        starts = datetime.datetime.strptime(row["Date"] + " +0000", "%d/%m/%Y %H:%M %z")
        clubs = frozenset([row["Home Team"], row["Away Team"]])
        days[f"002250{int(row['Match Number']):04}", clubs] = str(starts.astimezone(LEAGUE_ZONE).date())
    return days


def regular_lines(captures):
    """Lines of regular games by game, team and player: of a recorded box, else of a daily one, else of the log."""
    lines, days = {}, {row["GAME_ID"]: row["GAME_DATE"] for rows in captures.teams.values() for row in rows}
    listed = listed_days(captures)
    for row in captures.players:
        line = {"secs": 60 * row["MIN"], **{name: row[name] for name in BOX}}
        lines[row["GAME_ID"], row["TEAM_ID"], row["PLAYER_ID"]] = (row["GAME_DATE"], line)
    for file in sorted((captures.folder / "boxscores-daily").glob("*.csv.gz")):
        rows = table(file)
        clubs = frozenset(f"{row['teamCity']} {row['teamName']}" for row in rows)
        for row in rows:
            key = row["gameId"].zfill(10), int(row["teamId"]), int(row["personId"])
            if key[0].startswith("002") and (key in lines or of_box(row)["secs"]):
                # A file of one game may be newer than the log.
                lines[key] = days.get(key[0]) or listed[key[0], clubs], of_box(row)
    box = document(captures.folder / "stats-recorded/BoxScoreTraditionalV3.json")["boxScoreTraditional"]
    day = document(captures.folder / "stats-recorded/BoxScoreSummaryV2.json")["resultSets"][0]["rowSet"][0][0][:10]
    for club in (box["homeTeam"], box["awayTeam"]):
        for player in club["players"]:
            line = of_box(player["statistics"])
            if line["secs"]:
                lines[box["gameId"], club["teamId"], player["personId"]] = day, line
    return lines


def used(side):
    """Chances that a player or club used, in hundredths."""
    return 100 * side["FGA"] + 44 * side["FTA"] + 100 * side["TOV"]


def observation(row, own, other):
    """What a line brings to each metric. What the clubs did while he was on court is his share of the time of five, in whole
    hundredths."""
    on_court = lambda hundredths: (10 * hundredths * row["secs"] + own["secs"]) // (2 * own["secs"])
    # Of both clubs, so that it is halved with his share: the half of a hundredth is not cut first.
    possessions = sum(used(side) - 100 * side["OREB"] for side in (own, other))
    possessions = (5 * possessions * row["secs"] + own["secs"]) // (2 * own["secs"])
    return {
        "usage_share": (used(row), on_court(used(own))),
        "three_share": (row["FG3A"], row["FGA"]),
        "assist_share": (100 * row["AST"], max(0, on_court(100 * own["FGM"]) - 100 * row["FGM"])),
        "def_reb_share": (100 * row["DREB"], on_court(100 * (own["DREB"] + other["OREB"]))),
        "off_reb_share": (100 * row["OREB"], on_court(100 * (own["OREB"] + other["DREB"]))),
        "block_share": (100 * row["BLK"], on_court(100 * (other["FGA"] - other["FG3A"]))),
        "points_per_36": (2160 * row["PTS"], row["secs"]),
        "minutes": (row["secs"] / 60, 1),
        "fouls_per_36": (2160 * row["PF"], row["secs"]),
        "ft_rate": (row["FTM"], row["FGA"]),
        "turnover_share": (100 * row["TOV"], used(row)),
        "steals_per_possession": (100 * row["STL"], possessions),
        "true_shooting": (100 * row["PTS"], 200 * row["FGA"] + 88 * row["FTA"]),
        "three_pct": (row["FG3M"], row["FG3A"]),
        "ft_pct": (row["FTM"], row["FTA"]),
        "two_pct": (row["FGM"] - row["FG3M"], row["FGA"] - row["FG3A"]),
        "net_points_per_100": (10_000 * row["PLUS_MINUS"], possessions),
    }


def observations(captures):
    """Regular games of every player in order: days, and what each brings to the metrics."""
    lines, clubs = regular_lines(captures), collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for (game, team, _), (_, line) in lines.items():
        clubs[game][team].update(line)
    played = collections.defaultdict(list)
    for (game, team, player), (day, line) in lines.items():
        if line["secs"]:
            other = next(counts for one, counts in clubs[game].items() if one != team)
            played[player].append((day, observation(line, clubs[game][team], other)))
    return {player: sorted(games, key=lambda game: game[0]) for player, games in played.items()}


def values(captures, draw):
    """Values as of a day, from the newest 246 regular games before it."""
    contract, played = dna.Contract("nba_player_dna"), observations(captures)
    league = dna.Pool(itertools.chain.from_iterable(played.values()))
    for player in draw.sample(sorted(player for player, games in played.items() if len(games) > 5), 10):
        games = played[player]
        last = draw.randrange(4, len(games))
        day = str(datetime.date.fromisoformat(games[last][0]) + datetime.timedelta(1))
        rows = dna.rows(contract, "league", league, games[: last + 1])
        yield f"/nba/player/{player}/dna?as_of={day}", {"metrics": Some(["metric"], rows)}


FAMILIES = [values]

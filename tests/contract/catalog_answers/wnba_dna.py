"""Basketball of the women: raw values of DNA as of a day."""

import bisect
import collections
import datetime
import decimal

from .compare import Some
from .wnba import SEASONS

def hundredths(value):
    """Whole hundredths: observations are whole numbers."""
    return int((value * 100).quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP))


def observation(row, own, other):
    """What a line brings to each metric. What the clubs did while she was on court is her share of the time of five."""
    exact = lambda value: decimal.Decimal(value)
    point44 = decimal.Decimal("0.44")
    share = exact(5 * row["secs"]) / own["secs"]
    used = lambda side: side["field_goals_attempted"] + point44 * side["free_throws_attempted"] + side["turnovers"]
    chances = lambda side: used(side) - side["offensive_rebounds"]
    both = exact(hundredths((chances(own) + chances(other)) / 2)) / 100
    twos = other["field_goals_attempted"] - other["three_pointers_attempted"]
    return {
        "usage_share": (100 * used(row), hundredths(used(own) * share)),
        "three_share": (row["three_pointers_attempted"], row["field_goals_attempted"]),
        "assist_share": (100 * row["assists"], max(0, hundredths(own["field_goals_made"] * share - row["field_goals_made"]))),
        "def_reb_share": (100 * row["defensive_rebounds"], hundredths((own["defensive_rebounds"] + other["offensive_rebounds"]) * share)),
        "off_reb_share": (100 * row["offensive_rebounds"], hundredths((own["offensive_rebounds"] + other["defensive_rebounds"]) * share)),
        "block_share": (100 * row["blocks"], hundredths(twos * share)),
        "points_per_36": (2160 * row["points"], row["secs"]),
        "minutes": (exact(row["secs"]) / 60, 1),
        "fouls_per_36": (2160 * row["fouls"], row["secs"]),
        "ft_rate": (row["free_throws_made"], row["field_goals_attempted"]),
        "turnover_share": (row["turnovers"], used(row)),
        "steals_per_possession": (100 * row["steals"], hundredths(both * share)),
        "true_shooting": (row["points"], 2 * (row["field_goals_attempted"] + point44 * row["free_throws_attempted"])),
        "three_pct": (row["three_pointers_made"], row["three_pointers_attempted"]),
    }


def dna(captures, draw):
    """Raw values of the newest 120 regular games before a day."""
    played = collections.defaultdict(list)
    for season in SEASONS:
        for game, row in captures.lines(season):
            played[row["player_id"]].append((game["day"], game, row))
    for player in draw.sample(sorted(player for player, games in played.items() if len(games) > 5), 10):
        days = [day for day, *_ in played[player]]
        day = str(datetime.date.fromisoformat(draw.choice(days[4:])) + datetime.timedelta(1))
        games = played[player][: bisect.bisect_left(days, day)][-120:]
        sums = collections.defaultdict(lambda: [0, 0])
        for _, game, row in games:
            if row["secs"] is None:
                continue
            teams = captures.teams[game["id"]]
            other = teams[game["away"] if row["team_abbr"] == game["home"] else game["home"]]
            for metric, pair in observation(row, teams[row["team_abbr"]], other).items():
                sums[metric] = [total + part for total, part in zip(sums[metric], pair)]
        rows = [
            {"metric": metric, "games": len(games), "raw_value": float(over / decimal.Decimal(under)) if under else None}
            for metric, (over, under) in sums.items()
        ]
        yield f"/wnba/dna/players/{player}?as_of={day}", {"metrics": Some(["metric"], rows)}


FAMILIES = [dna]

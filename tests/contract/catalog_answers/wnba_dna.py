"""Basketball of the women: DNA as of a day."""

import collections
import datetime
import itertools

from . import dna
from .compare import Some
from .wnba import SEASONS

def used(side):
    """Chances that a player or club used, in hundredths."""
    return 100 * side["field_goals_attempted"] + 44 * side["free_throws_attempted"] + 100 * side["turnovers"]


def observation(row, own, other):
    """What a line brings to each metric. What the clubs did while she was on court is her share of the time of five, in whole
    hundredths."""
    on_court = lambda hundredths: (10 * hundredths * row["secs"] + own["secs"]) // (2 * own["secs"])
    possessions = (sum(used(side) - 100 * side["offensive_rebounds"] for side in (own, other)) + 1) // 2
    own_misses = own["offensive_rebounds"] + other["defensive_rebounds"]
    their_misses = own["defensive_rebounds"] + other["offensive_rebounds"]
    twos = other["field_goals_attempted"] - other["three_pointers_attempted"]
    return {
        "usage_share": (used(row), on_court(used(own))),
        "three_share": (row["three_pointers_attempted"], row["field_goals_attempted"]),
        "assist_share": (100 * row["assists"], max(0, on_court(100 * own["field_goals_made"]) - 100 * row["field_goals_made"])),
        "def_reb_share": (100 * row["defensive_rebounds"], on_court(100 * their_misses)),
        "off_reb_share": (100 * row["offensive_rebounds"], on_court(100 * own_misses)),
        "block_share": (100 * row["blocks"], on_court(100 * twos)),
        "points_per_36": (2160 * row["points"], row["secs"]),
        "minutes": (row["secs"] / 60, 1),
        "fouls_per_36": (2160 * row["fouls"], row["secs"]),
        "ft_rate": (row["free_throws_made"], row["field_goals_attempted"]),
        "turnover_share": (100 * row["turnovers"], used(row)),
        "steals_per_possession": (100 * row["steals"], on_court(possessions)),
        "true_shooting": (100 * row["points"], 200 * row["field_goals_attempted"] + 88 * row["free_throws_attempted"]),
        "three_pct": (row["three_pointers_made"], row["three_pointers_attempted"]),
    }


def observations(captures):
    """Regular games of every player: days, and what each brings to the metrics."""
    played = collections.defaultdict(list)
    for season in SEASONS:
        for game, row in captures.lines(season):
            if row["secs"] is not None:
                teams = captures.teams[game["id"]]
                other = teams[game["away"] if row["team_abbr"] == game["home"] else game["home"]]
                played[row["player_id"]].append((game["day"], observation(row, teams[row["team_abbr"]], other)))
    return played


def values(captures, draw):
    """Values as of a day, from the newest 120 regular games before it."""
    contract, played = dna.Contract("wnba_player_dna"), observations(captures)
    league = dna.Pool(itertools.chain.from_iterable(played.values()))
    for player in draw.sample(sorted(player for player, games in played.items() if len(games) > 5), 10):
        games = played[player]
        last = draw.randrange(4, len(games))
        day = str(datetime.date.fromisoformat(games[last][0]) + datetime.timedelta(1))
        rows = dna.rows(contract, "league", league, games[: last + 1])
        yield f"/wnba/dna/players/{player}?as_of={day}", {"metrics": Some(["metric"], rows)}


FAMILIES = [values]

"""Tennis: ratings walked match by match, and DNA."""

import collections
import datetime
import itertools

from . import dna
from .compare import Some, Unordered

WINDOWS = ("all", "hard", "clay", "grass")


def ratings(captures):
    """Elo over all surfaces and by surface: after every match, and as it was 90 days before the tour's newest event."""
    elo, count, then = collections.defaultdict(lambda: 1500.0), collections.Counter(), {}
    newest = {tour: max(match.week for match in captures.matches if match.tour == tour) for tour in ("atp", "wta")}
    for match in sorted(captures.matches, key=lambda match: (match.known_on, match.order)):
        if match.is_walkover:
            continue
        for surface in {"all", match.surface} & set(WINDOWS):
            winner, loser = (match.winner, surface), (match.loser, surface)
            surprise = 1 / (1 + 10 ** ((elo[winner] - elo[loser]) / 400))
            for who, sign in ((winner, 1), (loser, -1)):
                elo[who] += sign * surprise * 250 / (count[who] + 5) ** 0.4
                count[who] += 1
                if match.known_on < newest[match.tour] - datetime.timedelta(days=90):
                    then[who] = (elo[who], count[who])
    return elo, count, then


def elo(captures, draw):
    values, count, then = ratings(captures)
    for player in draw.sample(captures.played(5), 10):
        rows = []
        for surface in WINDOWS:
            if (player, surface) in count:
                now, (before, n) = values[player, surface], then.get((player, surface), (None, 0))
                rows.append({
                    "surface": surface, "matches": count[player, surface], "elo": round(now, 1),
                    "elo_90_days_ago": before and round(before, 1), "gain": before and round(now - before, 1),
                    "recent_matches": count[player, surface] - n,
                })
        yield f"/tennis/players/{player}/profile", {"elo": Unordered(["surface"], rows)}


def serve_and_return(mine, other):
    second, other_second = mine["serve_points"] - mine["first_in"], other["serve_points"] - other["first_in"]
    broken, breaks = (side["break_points_faced"] - side["break_points_saved"] for side in (mine, other))
    returned = other["first_in"] - other["first_won"], other_second - other["second_won"]
    return {
        "ace_rate": (mine["aces"], mine["serve_points"]),
        "double_fault_rate": (mine["double_faults"], second),
        "first_in": (mine["first_in"], mine["serve_points"]),
        "first_won": (mine["first_won"], mine["first_in"]),
        "second_won": (mine["second_won"], second),
        "serve_points_won": (mine["first_won"] + mine["second_won"], mine["serve_points"]),
        "hold": (max(mine["service_games"] - broken, 0), mine["service_games"]),
        "break_saved": (mine["break_points_saved"], mine["break_points_faced"]),
        "first_return_won": (returned[0], other["first_in"]),
        "second_return_won": (returned[1], other_second),
        "return_points_won": (sum(returned), other["serve_points"]),
        "break_rate": (min(breaks, other["service_games"]), other["service_games"]),
        "break_converted": (breaks, other["break_points_faced"]),
    }


def observations(captures):
    """By pool of tour and surface the observations of each player, in order of the days from which they count."""
    pools = collections.defaultdict(lambda: collections.defaultdict(list))
    for player, matches in captures.by_player.items():
        for match, won in matches:
            if all(side and side["service_games"] for side in match.served):
                values = serve_and_return(*match.served[:: 1 if won else -1])
                for surface in {"all", match.surface} & set(WINDOWS):
                    pools[f"{match.tour}_{surface}"][player].append((str(match.known_on), values))
    return pools


def values(captures, draw):
    """The newest values; where matches of one day lie on both sides of the window, none."""
    contract, pools = dna.Contract("tennis_player_dna"), observations(captures)
    everybody = {name: dna.Pool(itertools.chain.from_iterable(players.values())) for name, players in pools.items()}
    for player in draw.sample(captures.played(20), 12):
        expected = []
        for surface in WINDOWS:
            name, window = f"{player[:3]}_{surface}", contract.window(f"{player[:3]}_{surface}")
            mine = sorted(pools[name].get(player, []), key=lambda pair: pair[0])
            if mine and not (len(mine) > window and mine[-window][0] == mine[-window - 1][0]):
                expected += [{"surface": surface, **row} for row in dna.rows(contract, name, everybody[name], mine)]
        yield f"/tennis/players/{player}/dna", {"metrics": Some(["surface", "metric"], expected)}


FAMILIES = [elo, values]

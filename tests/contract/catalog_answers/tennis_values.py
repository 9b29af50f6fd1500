"""Tennis: ratings walked match by match, and raw values of DNA."""

import collections
import datetime

from .compare import Some, Unordered, ratio

WINDOWS = {"all": 165, "hard": 100, "clay": 60, "grass": 30}

def ratings(captures):
    """Elo over all surfaces and by surface: after every match, and as it was 90 days before the tour's newest event."""
    elo, count, then = collections.defaultdict(lambda: 1500.0), collections.Counter(), {}
    newest = {tour: max(match.week for match in captures.matches if match.tour == tour) for tour in ("atp", "wta")}
    for match in captures.matches:
        if match.is_walkover:
            continue
        for surface in {"all", match.surface} & set(WINDOWS):
            winner, loser = (match.winner, surface), (match.loser, surface)
            surprise = 1 / (1 + 10 ** ((elo[winner] - elo[loser]) / 400))
            for who, sign in ((winner, 1), (loser, -1)):
                elo[who] += sign * surprise * 250 / (count[who] + 5) ** 0.4
                count[who] += 1
                if match.week <= newest[match.tour] - datetime.timedelta(days=90):
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


def dna(captures, draw):
    """Raw values of the newest matches with statistics; where matches of one day lie on both sides of the window, none."""
    for player in draw.sample(captures.played(20), 12):
        rows = []
        for surface, window in WINDOWS.items():
            told = []
            for match, won in captures.by_player[player]:
                if surface in ("all", match.surface) and all(side and side["service_games"] for side in match.served):
                    told.append((match.known_on, serve_and_return(*match.served[:: 1 if won else -1])))
            told.sort(key=lambda pair: pair[0])
            if len(told) > window and told[-window][0] == told[-window - 1][0]:
                continue
            for metric in told and told[0][1]:
                pairs = [values[metric] for _, values in told[-window:]]
                over, under = (sum(pair[at] for pair in pairs) for at in (0, 1))
                valid_from = told[-1][0] + datetime.timedelta(days=1)
                rows.append({"surface": surface, "metric": metric, "raw_value": ratio(over, under), "exposure": under,
                             "games": len(pairs), "valid_from": str(valid_from)})
        yield f"/tennis/players/{player}/dna", {"metrics": Some(["surface", "metric"], rows)}


FAMILIES = [elo, dna]

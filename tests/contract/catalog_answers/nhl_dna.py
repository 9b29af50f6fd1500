"""Hockey: DNA of skaters and goalies as of a day."""

import collections
import datetime
import itertools

from . import dna
from .compare import Unordered
from .nhl import goalie_line


def by_60(count, row):
    return 3600 * count, row["toi_secs"]


def of_skater(row):
    """What a line of a skater brings to each metric."""
    told = {
        "shots_per_60": by_60(row["shots_on_goal"], row),
        "goals_per_60": by_60(row["goals"], row),
        "power_play_goals_per_60": by_60(row["power_play_goals"], row),
        "assists_per_60": by_60(row["assists"], row),
        "points_per_60": by_60(row["goals"] + row["assists"], row),
        "hits_per_60": by_60(row["hits"], row),
        "blocks_per_60": by_60(row["blocked_shots"], row),
        "penalty_minutes_per_60": by_60(row["pim"], row),
        "minutes": (row["toi_secs"] / 60, 1),
    }
    return told if row["position"] == "D" else told | {"shooting_pct": (row["goals"], row["shots_on_goal"])}


def of_goalie(row):
    line = goalie_line(row)
    at_even_strength = line["even_strength_saves"]
    return {
        "save_pct": (row["saves"], row["shots_against"]),
        "even_strength_save_pct": (at_even_strength, at_even_strength + line["even_strength_goals_against"]),
    }


def played(captures, kind, told):
    """Games of regular seasons by pool and player, in order: days, and what each brings to the metrics."""
    games = collections.defaultdict(lambda: collections.defaultdict(list))
    for game, row in sorted(captures.lines(kind), key=lambda pair: pair[0]["day"]):
        if game["phase"] == "regular" and row["toi_secs"]:
            pool = "goalies" if kind == "goalies" else "defender" if row["position"] == "D" else "forward"
            games[pool][row["player_id"]].append((game["day"], told(row)))
    return games


def values(captures, draw):
    """Values as of a day: of skaters from the newest 82 games before it."""
    for kind, name, section, told, n in [
        ("skaters", "nhl_skater_dna", "skater", of_skater, 6), ("goalies", "nhl_goalie_dna", "goalie", of_goalie, 6),
    ]:
        contract = dna.Contract(name)
        for pool, players in sorted(played(captures, kind, told).items()):
            everybody = dna.Pool(itertools.chain.from_iterable(players.values()))
            for player in draw.sample(sorted(player for player, games in players.items() if len(games) > 5), n):
                games = players[player]
                last = draw.randrange(4, len(games))
                day = str(datetime.date.fromisoformat(games[last][0]) + datetime.timedelta(1))
                rows = dna.rows(contract, pool, everybody, games[: last + 1])
                yield f"/nhl/player/{player}/dna?as_of={day}", {section: Unordered(["metric"], rows)}


FAMILIES = [values]

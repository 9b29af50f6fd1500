"""American football: DNA of teams as of a day."""

import collections
import datetime
import itertools

from . import dna
from .compare import Unordered
from .nfl import spelt


def points_of(score):
    """Points of a score by its text: of a touchdown with what the try after it brought, if there was one."""
    if score["type"] != "TD":
        return {"FG": 3, "SAF": 2}[score["type"]]
    attempt = score["desc"].partition("(")[2].partition(")")[0]
    if "kick" in attempt:
        return 6 + ("good" in attempt)
    # A touchdown that ends a game has plays and yards of the drive there.
    has_attempt = attempt and not attempt[0].isdigit()
    return 8 if has_attempt and "failed" not in attempt else 6


def observations(captures):
    """Regular games of every club, in order: days, and what each brings to the metrics."""
    played = collections.defaultdict(list)
    for game, told in sorted(captures.documents.items()):
        if told["phase"] != "REG":
            continue
        sides = {spelt(told[side]["abbr"]): {"yards": told[side]["stats"]["team"]["totyds"], "drives": 0, "points": 0}
                 for side in ("home", "away")}
        for number, drive in told["drives"].items():
            if number.isdigit():
                own = sides[spelt(drive["posteam"])]
                own["drives"] += 1
                own["points"] += sum(points_of(score) for play, score in told["scrsummary"].items()
                                     if play in drive["plays"] and spelt(score["team"]) == spelt(drive["posteam"]))
        day = f"{game[:4]}-{game[4:6]}-{game[6:8]}"
        for (club, own), (_, other) in itertools.permutations(sides.items()):
            played[club].append((day, {
                "points_per_drive": (own["points"], own["drives"]),
                "yards_per_drive": (own["yards"], own["drives"]),
                "points_against_per_drive": (other["points"], other["drives"]),
                "yards_against_per_drive": (other["yards"], other["drives"]),
            }))
    return played


def values(captures, draw):
    """Values as of a day, from the newest 16 regular games before it."""
    contract, played = dna.Contract("nfl_team_dna"), observations(captures)
    league = dna.Pool(itertools.chain.from_iterable(played.values()))
    for club in draw.sample(sorted(played), 8):
        games = played[club]
        last = draw.randrange(6, len(games))
        day = str(datetime.date.fromisoformat(games[last][0]) + datetime.timedelta(1))
        rows = dna.rows(contract, "league", league, games[: last + 1])
        yield f"/nfl/team/{club}/dna?as_of={day}", {"metrics": Unordered(["metric"], rows)}


FAMILIES = [values]

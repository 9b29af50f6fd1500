"""Soccer: Elo ratings of national teams as of a day."""

import collections

from .ratings import Contest, Ratings, answers
from .soccer import slug


def nations(captures, draw):
    """With a day on which a team played twice, and the day after it."""
    played, days = [], collections.Counter()
    for row in captures.internationals:
        if row["home_score"].isdigit():
            # Strokes through letters are no accents.
            teams = [slug(row[f"{side}_team"].replace("ø", "o")) for side in ("home", "away")]
            scores = [int(row["home_score"]), int(row["away_score"])]
            played.append(Contest(row["date"], row["date"][:4], teams, scores, row["neutral"] == "TRUE"))
            days.update((row["date"], team) for team in teams)
    twice = draw.choice(sorted({day for (day, _), n in days.items() if n > 1}))
    after = min(contest.day for contest in played if contest.day > twice)
    yield from answers("/soccer/ratings/nations", Ratings("soccer_nation_ratings", played), draw, days=[twice, after])


FAMILIES = [nations]

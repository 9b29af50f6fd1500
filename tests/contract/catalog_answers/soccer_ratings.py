"""Soccer: Elo ratings of national teams, and of clubs of one league, as of a day."""

import collections

from .ratings import Contest, Ratings, answers
from .soccer import LEAGUES, final, folded, slug


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
    yield from answers("/soccer/ratings/nations", Ratings("soccer_nation_ratings", played), draw, days=[twice, after], pool="nations")


def clubs(captures, draw):
    """Of leagues whose seasons up to 2024-25 are whole in their own files."""
    for code in ("en.1", "de.1"):
        played = []
        for (league, season), matches in captures.leagues.items():
            if league == code and season < "2025-26":
                for match in matches:
                    # One that was awarded was not won on the field.
                    if final(match) and "status" not in match:
                        played.append(Contest(match["date"], season, [folded(match["team1"]), folded(match["team2"])], final(match)))
        ratings = Ratings("soccer_club_ratings", played)
        pool = LEAGUES[code][0]
        named = {"key": "subject_name", "spelt": folded, "pool": pool, "asked": f"pool={pool}&"}
        yield from answers("/soccer/ratings/clubs", ratings, draw, "2025-07", **named)


FAMILIES = [nations, clubs]

"""Basketball of the women: Elo ratings of teams as of a day."""

import duckdb

from .ratings import Contest, Ratings, answers

PHASES = ("regular", "playoffs", "cup_final")


def ratings(captures, draw):
    """Up to 2025: of the season that goes on, several sources have a part each."""
    file = str(captures.folder / "games-quarters/games.parquet")
    rows = duckdb.execute("SELECT game_id, home_team_id, home_abbr, neutral_site FROM read_parquet(?)", [file]).fetchall()
    abbrs, neutral = {row[1]: row[2] for row in rows}, {row[0] for row in rows if row[3]}
    played = []
    for game in captures.games.values():
        if game["phase"] in PHASES:
            # All of 2020 were played in one place.
            is_neutral = game["season"] == "2020" or game["id"] in neutral
            scores = [game["home_score"], game["away_score"]]
            played.append(Contest(game["day"], game["season"], [game["home"], game["away"]], scores, is_neutral))
    spelt = lambda subject: abbrs.get(subject, subject)
    yield from answers("/wnba/ratings", Ratings("wnba_team_ratings", played), draw, "2026", spelt=spelt)


FAMILIES = [ratings]

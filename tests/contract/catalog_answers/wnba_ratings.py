"""Basketball of the women: Elo ratings of teams as of a day."""

import duckdb

from .ratings import Contest, Ratings, answers

PHASES = ("regular", "playoffs", "cup_final")


def ratings(captures, draw):
    """Up to 2025: of the season that goes on, several sources have a part each."""
    played = [Contest(game["day"], game["season"], [game["home"], game["away"]], [game["home_score"], game["away_score"]])
              for game in captures.games.values() if game["phase"] in PHASES]
    file = str(captures.folder / "games-quarters/games.parquet")
    abbrs = dict(duckdb.execute("SELECT DISTINCT home_team_id, home_abbr FROM read_parquet(?)", [file]).fetchall())
    spelt = lambda subject: abbrs.get(subject, subject)
    yield from answers("/wnba/ratings", Ratings("wnba_team_ratings", played), draw, "2026", spelt=spelt)


FAMILIES = [ratings]

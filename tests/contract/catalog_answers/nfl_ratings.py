"""American football: Elo ratings of teams as of a day."""

from .compare import table
from .nfl import spelt
from .ratings import Contest, Ratings, answers

SUPER_BOWL_OF_2019 = "KCSF"


def contests(captures):
    """Games of regular seasons and play-offs that were played."""
    sides, found = ("home", "away"), []
    for game, told in captures.documents.items():
        if told["phase"] in ("REG", "POST"):
            clubs, scores = [spelt(told[side]["abbr"]) for side in sides], [told[side]["score"]["T"] for side in sides]
            is_neutral = spelt(told["home"]["abbr"]) + spelt(told["away"]["abbr"]) == SUPER_BOWL_OF_2019 and told["phase"] == "POST"
            found.append(Contest(f"{game[:4]}-{game[4:6]}-{game[6:8]}", told["season"], clubs, scores, is_neutral))
    neutral = {(row["date"], row["home_team"]) for file in (captures.folder / "games-lines").glob("weather_*.csv")
               for row in table(file) if row["neutral_site"] == "True"}
    for row in table(captures.folder / "games-lines/games.csv.gz"):
        away, home = (spelt(abbr) for abbr in row["game_id"].split("_")[2:])
        is_neutral = row["week"] == "22" or (row["game_date"], row["home_team"]) in neutral
        scores = [float(row["home_score"]), float(row["away_score"])]
        found.append(Contest(row["game_date"], row["season"], [home, away], scores, is_neutral))
    return found


def ratings(captures, draw):
    yield from answers("/nfl/ratings", Ratings("nfl_team_ratings", contests(captures)), draw)


FAMILIES = [ratings]

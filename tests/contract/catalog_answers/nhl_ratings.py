"""Hockey: Elo ratings of clubs as of a day."""

from .compare import document
from .ratings import Contest, Ratings, answers


def contests(captures):
    """Games that were played: of the lists of three seasons, and of single pages of a fourth."""
    found = [
        Contest(row["game_date"], row["label"], [row["home_team_abbr"], row["away_team_abbr"]], [row["home_score"], row["away_score"]])
        for row in captures.schedule if row["game_state"] in ("OFF", "FINAL")
    ]
    pages = {}
    for week in document(captures.folder / "api-web-examples/schedule-response.json.gz")["example"]["gameWeek"]:
        pages |= {game["id"]: game | {"gameDate": week["date"]} for game in week["games"]}
    for file in sorted((captures.folder / "api-web-recorded").glob("landing-*.json")):
        page = document(file)
        pages[page["id"]] = page
    for page in pages.values():
        if (page["season"], page["gameType"]) == (20232024, 2) and page["gameState"] in ("OFF", "FINAL"):
            clubs = page["homeTeam"], page["awayTeam"]
            found.append(Contest(page["gameDate"], "2023-24", [club["abbrev"] for club in clubs], [club["score"] for club in clubs]))
    return found


def ratings(captures, draw):
    yield from answers("/nhl/ratings", Ratings("nhl_team_ratings", contests(captures)), draw)


FAMILIES = [ratings]

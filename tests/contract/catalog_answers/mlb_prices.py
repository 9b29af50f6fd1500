"""Baseball: prices as captured."""

import collections
import re

from .compare import Counted, Some, table, text


def pitcher_prices(captures, draw):
    """Every captured price of a pitcher."""
    rows = table(captures.folder / "props-pitcher-2026/sportsbook_line_history.csv.gz")
    for pitcher in draw.sample(sorted({row["pitcher"] for row in rows}), 8):
        seen = lambda instant: instant[:23] + "Z"
        expected = [
            {"market": row["market"], "league_date": row["slate_date"], "book": row["book"], "line": float(row["point"]),
             "side": row["side"].lower(),
             "american": int(float(row["price"])), "seen_at": seen(row["fetched_at_utc"])}
            for row in rows if row["pitcher"] == pitcher
        ]
        yield f"/mlb/odds/player?name={pitcher}&limit=500", Some(["market", "league_date", "book", "line", "side", "seen_at"], expected)


def home_run_prices(captures, draw):
    """The best price of each batter of a day that a home run is hit."""
    days = collections.defaultdict(dict)
    for row in table(captures.folder / "props-batter-2026/results_log.csv.gz"):
        if row["best_odds"]:
            days[row["game_date"]][row["game_id"], row["batter"]] = row
    for day in draw.sample(sorted(days), 6):
        rows = [{"game_id": game, "player_id": player, "american": int(float(row["best_odds"])), "book": row["best_book"],
                 "team_abbr": row["team_abbr"]} for (game, player), row in days[day].items()]
        yield f"/mlb/odds/hr?date={day}&limit=500", Some(["game_id", "player_id", "book"], rows)


def game_prices(captures, draw):
    """Winners' prices of the one day, as they stand in the script."""
    script = text(captures.folder / "odds-2023/gamedata.js.gz")
    outcomes = re.findall(r'"name": "([^"]+)",\s*"price": ([\d.]+)', script)
    counted = collections.Counter((team, float(price)) for team, price in outcomes)
    yield "/mlb/odds?date=2023-08-23&limit=500", Counted(["team_name", "decimal"], counted)


FAMILIES = [pitcher_prices, home_run_prices, game_prices]

"""American football: first and last lines of games, and how they moved from day to day."""

import collections

from .compare import Some, document, table


def odds(captures, draw):
    """First and last lines and prices of a game; a consensus is no price."""
    sides = {"spread": ("home", "away"), "total": ("over", "under"), "moneyline": ("home", "away")}
    names = {"spread": "home_spread_{at}", "total": "total_line_{at}", "moneyline": None}
    prices = {"spread": "{side}_spread_{at}_price", "total": "{side}_price_{at}", "moneyline": "{side}_ml_{at}"}
    sources = {"spread": "home_spread_{at}_source", "total": "total_line_{at}_source", "moneyline": "ml_{at}_source"}
    number = lambda text: float(text) if text else None
    rows = table(next((captures.folder / "market-open-close").glob("*.csv.gz")))
    for row in draw.sample([row for row in rows if row["season"] >= "2018"], 10):
        expected = []
        for market in sides:
            found = {"market": market}
            for at in ("open", "last"):
                source = row[sources[market].format(at=at)]
                kind, other = ("consensus", "price") if "consensus" in source else ("price", "consensus")
                found |= {f"{at}_source": source or None, f"{at}_line": names[market] and number(row[names[market].format(at=at)])}
                for side in sides[market]:
                    found |= {f"{at}_{side}_{kind}": number(row[prices[market].format(at=at, side=side)]), f"{at}_{side}_{other}": None}
            known = [value for name, value in found.items() if name.endswith(("price", "consensus")) and value is not None]
            # A price between -100 and 100 sets its market aside.
            if all(abs(price) >= 100 for price in known) and (known or row[names[market].format(at="last")] if names[market] else known):
                expected.append(found)
        yield f"/nfl/odds?game={row['game_id']}", Some(["market"], expected)


def movements(captures, draw):
    """Money line of the home team, spread and total of a game in the daily snapshots."""
    played = {}
    for row in table(captures.folder / "games-lines/games.csv.gz"):
        if row["season"] == "2025":
            played[f"{row['away_team']} @ {row['home_team']}"] = row["game_id"]
    seen = collections.defaultdict(lambda: collections.defaultdict(list))
    for file in captures.folder.glob("games-lines/real_betting_lines_*.json*"):
        told = document(file)
        for game, lines in told["lines"].items():
            of = lambda market, name: (lines.get(market) or {}).get(name)
            values = {"moneyline": of("moneyline", "home"), "spread": of("run_line", "home"), "total": of("total_runs", "line")}
            for market, value in values.items():
                if value is not None:
                    seen[game][market].append((told["fetched_at"], value))
    for game in draw.sample(sorted(game for game in seen if game in played), 8):
        rows = []
        for market, points in seen[game].items():
            values = [value for _, value in sorted(points)]
            rows.append({
                "market": market, "list": "games-lines", "first": values[0], "last": values[-1], "least": min(values),
                "greatest": max(values), "points": len(values),
                "changes": sum(one != after for one, after in zip(values, values[1:])),
            })
        yield f"/nfl/line-movement?event={played[game]}", Some(["market", "list"], rows)


FAMILIES = [odds, movements]

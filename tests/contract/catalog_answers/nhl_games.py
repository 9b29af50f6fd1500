"""Hockey: shots, tables, schedules, ice time and prices."""

import collections
import datetime
import itertools
import zoneinfo

from .compare import Among, Some, Unordered, document, ratio, table

LEAGUE_ZONE = zoneinfo.ZoneInfo("America/New_York")

def shots(captures, draw):
    for game in draw.sample(sorted(captures.shots), 8):
        yield f"/nhl/game/{game}/shots?limit=300", [
            {"seq": seq, "period": shot["period"], "team_abbr": shot["shootingTeam"], "x": shot["x"], "y": shot["y"],
             "shot_type": shot["shotType"] or None, "is_goal": shot["isGoal"],
             "goalie_id": shot["goalieInNetId"] and str(shot["goalieInNetId"])}
            for seq, shot in enumerate(captures.shots[game], 1)
        ]


def zone(shot):
    """Area of the ice by the nearer goal, whose line is 89 feet from the middle; sides as seen from the middle."""
    depth, side = abs(shot["x"]), shot["y"] if shot["x"] > 0 else -shot["y"]
    if depth > 89:
        return "behind"
    if depth < 54:
        return "point"
    if depth >= 69 and abs(side) <= 9:
        return "inner"
    if abs(side) <= 22:
        return "slot"
    return "left" if side > 0 else "right"


def goalie_zones(captures, draw):
    """Saves by zone beside the league's; no zone has a value."""
    faced, games = collections.defaultdict(collections.Counter), collections.defaultdict(set)
    for game, shots in captures.shots.items():
        for shot in shots:
            if shot["goalieInNetId"] and shot["x"] is not None and shot["y"] is not None:
                counts = [(zone(shot), "shots")] + [(zone(shot), "saves")] * (not shot["isGoal"])
                faced[shot["goalieInNetId"]].update(counts)
                faced["league"].update(counts)
                games[shot["goalieInNetId"]].add(game)
    for goalie in draw.sample(sorted(who for who in faced if who != "league"), 8):
        rows = []
        for area in sorted({area for area, what in faced[goalie] if what == "shots"}):
            n, saved = faced[goalie][area, "shots"], faced[goalie][area, "saves"]
            league = faced["league"][area, "saves"] / faced["league"][area, "shots"]
            rows.append({"zone": area, "shots": n, "saves": saved, "save_pct": saved / n, "league_save_pct": league,
                         "diff": saved / n - league, "weight": None, "value": None, "games": len(games[goalie])})
        yield f"/nhl/goalie/{goalie}/edge", rows


def standings(captures, draw):
    season = "2024-25"
    teams = collections.defaultdict(lambda: collections.defaultdict(list))
    for game in sorted(captures.games.values(), key=lambda game: (game["day"], game["id"])):
        if (game["season"], game["phase"]) == (season, "regular"):
            how = captures.decided_in(game)
            for side, other in (("home", "away"), ("away", "home")):
                won = game[f"{side}_score"] > game[f"{other}_score"]
                result = ("w" if won else "l" if how == "regulation" else "otl")
                team = teams[game[side]]
                for name, value in (("games", (side, result, how)), ("gf", game[f"{side}_score"]), ("ga", game[f"{other}_score"])):
                    team[name].append(value)
    rows = []
    for abbr, team in teams.items():
        count = lambda result, games=team["games"], sides=("home", "away"): sum(one[1] == result and one[0] in sides for one in games)
        row = {"team_abbr": abbr, "gp": len(team["games"]), "w": count("w"), "l": count("l"), "otl": count("otl"),
               "gf": sum(team["gf"]), "ga": sum(team["ga"])}
        row |= {"points": 2 * row["w"] + row["otl"], "diff": row["gf"] - row["ga"]}
        row["points_pct"] = row["points"] / (2 * row["gp"])
        row["rw"] = sum(one[1:] == ("w", "regulation") for one in team["games"])
        row["row"] = sum(one[1] == "w" and one[2] != "shootout" for one in team["games"])
        for side, name in (("home", "home"), ("away", "road")):
            row |= {f"{name}_{result}": count(result, sides=(side,)) for result in ("w", "l", "otl")}
        row |= {f"last10_{result}": count(result, team["games"][-10:]) for result in ("w", "l", "otl")}
        rows.append(row)
    order = lambda row: (row["points"], row["rw"], row["row"], row["w"])
    rows = [row | {"rank": 1 + sum(order(other) > order(row) for other in rows)} for row in rows]
    told = collections.Counter(row["rank"] for row in rows)
    for row in rows:
        # Who is equal by all of these is told apart by games of both, which this does not look at.
        if told[row["rank"]] > 1:
            del row["rank"]
    yield f"/nhl/standings?season={season}", Unordered(["team_abbr"], rows)


def team_games(captures, draw):
    listed = [row for row in captures.schedule if row["home_score"] is not None]
    for team, season in draw.sample(sorted({(row["home_team_abbr"], row["label"]) for row in listed}), 8):
        rows = []
        for row in captures.schedule:
            both = row["home_team_abbr"], row["away_team_abbr"]
            # Who plays whom is not known of every game to come.
            if row["label"] == season and team in both and "TBD" not in both:
                at_home = row["home_team_abbr"] == team
                goals = [row["home_score"], row["away_score"]]
                rows.append({
                    "game_id": str(row["game_id"]), "phase": row["phase"], "is_home": at_home,
                    "opponent_abbr": row["away_team_abbr" if at_home else "home_team_abbr"],
                    "goals_for": goals[not at_home], "goals_against": goals[at_home],
                })
        yield f"/nhl/team/{team}/schedule?season={season}&limit=200", Some(["game_id"], rows)


def board(captures, draw):
    """Records before a day: games of that day and later ones do not count."""
    rows = [row for row in captures.schedule if row["game_state"] == "OFF"]
    for day in draw.sample(sorted({row["game_date"] for row in rows if row["label"] != "2025-26"}), 8):
        expected = []
        for row in rows:
            if row["game_date"] == day:
                found = {"game_id": str(row["game_id"])}
                for side in ("home", "away"):
                    team = row[f"{side}_team_abbr"]
                    before = [
                        (one["home_score"] > one["away_score"]) == (one["home_team_abbr"] == team)
                        for one in rows
                        if (one["label"], one["phase"]) == (row["label"], row["phase"]) and one["game_date"] < day
                        and team in (one["home_team_abbr"], one["away_team_abbr"])
                    ]
                    found |= {f"{side}_score": row[f"{side}_score"], f"{side}_wins": sum(before),
                              f"{side}_defeats": len(before) - sum(before)}
                expected.append(found)
        yield f"/nhl/board?date={day}", Unordered(["game_id"], expected)


def team_means(captures, draw):
    lines = collections.defaultdict(list)
    for game in captures.games.values():
        if game["phase"] == "regular":
            for row, other in itertools.permutations(game["teams"], 2):
                lines[row["team_abbrev"], game["season"]].append((row, other))
    for team, season in draw.sample(sorted(lines), 6):
        both = lines[team, season]
        mean = lambda name, of=0: sum(pair[of][name] for pair in both) / len(both)
        names = ["hits", "blocked_shots", "pim", "power_play_goals", "giveaways", "takeaways"]
        yield f"/nhl/team/{team}/stats?season={season}", {"means": {
            "gp": len(both), "goals_per_game": mean("goals"), "goals_against_per_game": mean("goals", 1),
            "shots_per_game": mean("shots_on_goal"), "shots_against_per_game": mean("shots_on_goal", 1),
            **{f"{name}_per_game": mean(name) for name in names},
        }}


def deployment(captures, draw):
    for game in draw.sample(sorted(captures.games), 6):
        rows = captures.games[game]["skaters"]
        club = collections.Counter()
        for row in rows:
            club[row["team_abbrev"]] += row["toi_secs"]
        yield f"/nhl/game/{game}/deployment", {"skaters": Unordered(["player_id"], [
            {"player_id": str(row["player_id"]), "toi_secs": row["toi_secs"], "shifts": row["shifts"],
             "toi_share": row["toi_secs"] / club[row["team_abbrev"]], "secs_per_shift": ratio(row["toi_secs"], row["shifts"])}
            for row in rows
        ])}


def team_deployment(captures, draw):
    """Time on ice of a club's skaters over the regular games of its newest season, and over the last ten of them."""
    clubs = collections.defaultdict(list)
    for game in sorted(captures.games.values(), key=lambda game: (game["day"], game["id"])):
        for side in ("home", "away") if game["phase"] == "regular" else ():
            clubs[game[side], game["season"]].append([row for row in game["skaters"] if row["team_abbrev"] == game[side]])
    for club in draw.sample(sorted(club for club, season in clubs if season == "2024-25"), 6):
        played = collections.defaultdict(list)
        for at, rows in enumerate(reversed(clubs[club, "2024-25"])):
            everybody = sum(row["toi_secs"] for row in rows)
            for row in rows:
                played[row["player_id"]].append((row["toi_secs"], everybody, at < 10))
        rows = []
        for player, times in played.items():
            newest = [secs for secs, _, is_newest in times if is_newest]
            rows.append({
                "player_id": str(player), "gp": len(times), "toi_per_game_secs": sum(secs for secs, *_ in times) / len(times),
                "toi_share": sum(secs for secs, *_ in times) / sum(club for _, club, _ in times), "last10_gp": len(newest),
                "last10_toi_per_game_secs": ratio(sum(newest), len(newest)),
            })
        yield f"/nhl/team/{club}/deployment?limit=100", Unordered(["player_id"], rows)


def odds(captures, draw):
    """Prices of a day as captured and at closing, with the book where one is named."""
    names = {team["name"]: abbr for abbr, team in document(captures.folder / "shots/team_meta.json").items()}
    abbr = lambda full: next(short for name, short in names.items() if full.endswith(name))
    days = collections.defaultdict(list)
    rows = table(captures.folder / "odds-2025-26/game_odds.csv.gz")
    met = collections.Counter((row["file_date"], *sorted([row["home"], row["away"]])) for row in rows)
    for row in rows:
        # Split squads meet twice a day; both games are given one price, which is that of nobody knows which.
        if met[row["file_date"], *sorted([row["home"], row["away"]])] > 1:
            continue
        starts = datetime.datetime.fromisoformat(row["date"].replace("Z", "+00:00"))
        price = lambda market, moment, side, line, odds, book=None: row[odds] and days[str(starts.astimezone(LEAGUE_ZONE).date())].append({
            "home_abbr": abbr(row["home"]), "away_abbr": abbr(row["away"]), "market": market, "moment": moment, "side": side,
            "line": line if isinstance(line, float) or line is None else float(row[line]),
            "american": int(float(row[odds])), "book": book and (row[book] or None),
        })
        for side, handicap in (("home", "-1.5"), ("away", "+1.5")):
            price("moneyline", "captured", side, None, f"{side}_ml_odds", f"{side}_ml_book")
            price("moneyline", "closing", side, None, f"close_{side}_ml_odds", f"close_{side}_ml_book")
            price("puck_line", "captured", side, float(handicap), f"{side}_pl_{handicap}_odds", f"{side}_pl_{handicap}_book")
        for side in ("over", "under"):
            price("total", "captured", side, "total_line_used", f"{side}_odds", f"{side}_book")
            price("total", "closing", side, "close_total_line_used", f"close_{side}_odds")
    for day in draw.sample(sorted(day for day in days if days[day]), 8):
        yield f"/nhl/odds?date={day}&limit=500", Unordered(["home_abbr", "market", "moment", "side"], days[day])


def player_prices(captures, draw):
    """Prices of one market of players on a day; of a price that is there twice the one seen last."""
    words = {"goals": "GOALS", "assists": "ASSISTS", "points": "POINTS", "shots": "SOG"}
    files = [file for file in captures.folder.glob("odds-2025-26/props-202*.csv*") if "2099" not in file.name]
    for file in draw.sample(sorted(files), 4):
        market, day = draw.choice(sorted(words)), file.name[6:16]
        newest = {}
        for row in table(file):
            if row["market"] == words[market]:
                for side in ("over", "under"):
                    if row[f"{side}_price"]:
                        key = row["player_name"], side, float(row["line"]), row["book"]
                        newest.setdefault(key, []).append((row.get("last_seen_at") or "", int(float(row[f"{side}_price"]))))
        rows = [{**dict(zip(("player_name", "side", "line", "book"), key)), "american": max(prices)[1]} for key, prices in newest.items()]
        yield f"/nhl/odds?market={market}&date={day}&limit=500", Among(["player_name", "side", "line", "book"], rows)


FAMILIES = [shots, goalie_zones, standings, team_games, board, team_means, deployment, team_deployment, odds, player_prices]

"""Baseball of the minor leagues: leaders, form and tables."""

import collections
import datetime
import functools
import itertools

from .compare import Among, document, ratio, table

LEVELS = {"AAA": "aaa", "AA": "aa", "A+": "high-a", "A": "single-a", "CPX": "rookie"}
# Events of the minor leagues: what they are at bat; the others are bases run.
BASES = {"single": 1, "double": 2, "triple": 3, "home_run": 4}
NO_AT_BAT = {"walk", "intent_walk", "hit_by_pitch", "sac_fly", "sac_fly_double_play", "sac_bunt", "sac_bunt_double_play", "catcher_interf"}
OUTS = {
    "strikeout", "strikeout_double_play", "strikeout_triple_play", "field_out", "force_out", "grounded_into_double_play", "double_play",
    "triple_play", "field_error", "fielders_choice", "fielders_choice_out",
}


@functools.cache
def appearances(folder):
    """Plate appearances of the minor leagues in order: day, level, batter and what came of it."""
    games, rows = {}, []
    for file in sorted((folder / "milb-pbp-2025").glob("2025-06-*.json.gz")):
        # A game that was put off stands in the files of both days, with the day on which it was played; one that was suspended keeps
        # its first day in the file of that on which it ended.
        games |= {game["gamePk"]: game | {"date": max(game["date"], file.name[:10])} for game in document(file)["games"]}
    for day in sorted({game["date"] for game in games.values()}):
        for game in (game for game in games.values() if game["date"] == day):
            for at_bat in game["atBats"]:
                event = at_bat["eventType"]
                if event in BASES or event in NO_AT_BAT or event in OUTS:
                    rows.append({
                        "day": game["date"], "game": game["gamePk"], "level": LEVELS[game["level"]],
                        "batter": str(at_bat["batterId"]), "event": event,
                    })
    return rows


def minor_seasons(rows):
    """Counts of appearances at bat."""
    counted = collections.Counter()
    for row in rows:
        event, bases = row["event"], BASES.get(row["event"], 0)
        counted.update({
            "appearances": 1, "at_bats": event not in NO_AT_BAT, "hits": bases > 0, "bases": bases, "home_runs": bases == 4,
            "doubles": bases == 2,
            "triples": bases == 3, "walks": event in ("walk", "intent_walk"), "strikeouts": event.startswith("strikeout"),
            "hit_by_pitch": event == "hit_by_pitch", "sacrifice_flies": event.startswith("sac_fly"),
        })
    reached = counted["hits"] + counted["walks"] + counted["hit_by_pitch"]
    chances = counted["at_bats"] + counted["walks"] + counted["hit_by_pitch"] + counted["sacrifice_flies"]
    return collections.Counter({name: int(count) for name, count in counted.items()}), reached, chances


def minor_leaders(captures, draw):
    """Batters of a level by one statistic of the captured days, of whom so many appearances are known."""
    simple = ["hits", "doubles", "triples", "home_runs", "walks", "strikeouts"]
    for level, stat in draw.sample(list(itertools.product(LEVELS.values(), [*simple, "avg", "obp", "slg"])), 6):
        players = collections.defaultdict(list)
        for row in appearances(captures.folder):
            if row["level"] == level:
                players[row["batter"]].append(row)
        rows = []
        for player, seen in players.items():
            counted, reached, chances = minor_seasons(seen)
            value = {"avg": ratio(counted["hits"], counted["at_bats"]), "obp": ratio(reached, chances),
                     "slg": ratio(counted["bases"], counted["at_bats"])}
            value = value.get(stat, counted[stat])
            if value is not None:
                rows.append({"player_id": player, "value": value, "appearances": counted["appearances"],
                             "games": len({row["game"] for row in seen})})
        yield f"/mlb/minors/leaders?level={level}&stat={stat}&limit=500", Among(["player_id"], rows)


def minor_form(captures, draw):
    """Form of a batter as of a day: his last 50 appearances before it, drawn towards the level's mean by the weight of 100."""
    by_batter = collections.defaultdict(list)
    for row in appearances(captures.folder):
        by_batter[row["batter"]].append(row)
    for batter in draw.sample(sorted(batter for batter, rows in by_batter.items() if 35 <= len(rows) <= 50
                                     and len({row["level"] for row in rows}) == 1), 8):
        rows = by_batter[batter]
        day = str(datetime.date.fromisoformat(draw.choice(sorted({row["day"] for row in rows})[2:])) + datetime.timedelta(1))
        counted, reached, chances = minor_seasons([row for row in rows if row["day"] < day])
        level, level_reached, level_chances = minor_seasons([row for row in appearances(captures.folder) if row["day"] < day
                                                             and row["level"] == rows[0]["level"]])
        obp, slg = level_reached / level_chances, level["bases"] / level["at_bats"]
        # Under three tenths of a weight too little is known.
        drawn = (reached + 100 * obp) / (chances + 100), (counted["bases"] + 100 * slg) / (counted["at_bats"] + 100)
        drawn = drawn if 10 * chances >= 3 * (chances + 100) else (None, None)
        yield f"/mlb/minors/players/{batter}/form?as_of={day}", {
            **{f"last50_{name}": counted[name] for name in ("appearances", "hits", "walks", "strikeouts", "home_runs")},
            **{f"last14d_{name}": counted[name] for name in ("appearances", "hits", "walks", "strikeouts", "home_runs")},
            "obp_raw": ratio(reached, chances), "level_obp": obp, "obp": drawn[0],
            "slg_raw": ratio(counted["bases"], counted["at_bats"]), "level_slg": slg, "slg": drawn[1],
        }


def minor_standings(captures, draw):
    """Records of clubs from the finals of the regular season of 2023."""
    games = {}
    for file in sorted((captures.folder / "milb-schedule-2023").glob("*.csv.gz")):
        for row in table(file):
            is_final = row["game_type"] == "R" and row["status_abstract_game_state"] == "Final"
            if is_final and row["teams_home_score"] and row["teams_home_is_winner"]:
                games[row["game_pk"]] = row
    clubs = collections.defaultdict(lambda: collections.Counter(w=0, l=0, runs_for=0, runs_against=0))
    for row in games.values():
        for side, other in (("home", "away"), ("away", "home")):
            scored, conceded = (int(float(row[f"teams_{one}_score"])) for one in (side, other))
            if scored != conceded:
                clubs[row[f"teams_{side}_team_id"]].update({"w": scored > conceded, "l": scored < conceded})
            clubs[row[f"teams_{side}_team_id"]].update({"runs_for": scored, "runs_against": conceded})
    for level in draw.sample(["aaa", "aa", "high-a", "single-a"], 2):
        rows = [{"team_id": club, **counted, "pct": counted["w"] / (counted["w"] + counted["l"])} for club, counted in clubs.items()
                if counted["w"]]
        yield f"/mlb/minors/standings?level={level}&limit=200", Among(["team_id"], rows)


FAMILIES = [minor_leaders, minor_form, minor_standings]

"""Soccer: results of leagues and national teams, and the Premier League's statistics, counted once more."""

import collections
import datetime
import functools
import re
import unicodedata

from .compare import Some, Unordered, document, table

# Leagues whose clubs are spelt in one way, and what tells clubs with equal points apart.
LEAGUES = {
    "en.1": ("premier-league", "goals"), "en.2": ("championship", "goals"), "de.1": ("bundesliga", "goals"),
    "br.1": ("brasileirao", "wins"), "es.1": ("la-liga", "meetings"), "it.1": ("serie-a", "meetings"),
}
# The last round of these is missing, and comes from another source; the second division of 2025-26 spells clubs in two ways.
LEFT_OUT = [("es.1", "2024-25"), ("it.1", "2024-25"), ("en.2", "2025-26")]
# Points that a league deducted, by the day of the decision; no result tells them.
DEDUCTED = {
    ("en.1", "2023-24"): [("everton", "2023-11-17", 10), ("everton", "2024-02-26", -4), ("everton", "2024-04-08", 2), ("nottingham-forest", "2024-03-18", 4)],
    ("en.2", "2020-21"): [("sheffield-wednesday", "2020-07-31", 12), ("sheffield-wednesday", "2020-11-04", -6)],
    ("en.2", "2021-22"): [("derby-county", "2021-09-22", 12), ("derby-county", "2021-11-16", 9), ("reading", "2021-11-17", 6)],
    ("en.2", "2022-23"): [("wigan-athletic", "2023-03-20", 3), ("reading", "2023-04-04", 6)],
    ("it.1", "2022-23"): [("juventus", "2023-01-20", 15), ("juventus", "2023-04-20", -15), ("juventus", "2023-05-22", 10)],
}
PLAYER_SUMS = """goals assists penalties_scored penalties_missed total_shots shots_on_target big_chances_missed touches
    touches_opposition_box accurate_passes chances_created final_third_passes accurate_crosses accurate_long_balls successful_dribbles
    tackles tackles_won interceptions recoveries blocks clearances headed_clearances dribbled_past duels_won duels_lost
    ground_duels_won aerial_duels_won was_fouled fouls_committed offsides saves goals_conceded xg xa xgot xgot_faced""".split()


def slug(name):
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return re.sub("[^a-z0-9]+", "-", plain.lower()).strip("-")


def folded(name):
    return "-".join(word for word in slug(name).split("-") if word not in ("fc", "afc"))


class Captures:
    def __init__(self, folder):
        self.folder = folder

    @functools.cached_property
    def leagues(self):
        """Matches of a league and season; what decides on promotion is none."""
        found = {}
        for file in sorted((self.folder / "leagues").glob("*.json.gz")):
            season, code = re.match(r"(\d{4}(?:-\d\d)?)-(.*)\.json", file.name).groups()
            if code in LEAGUES and (code, season) not in LEFT_OUT:
                found[code, season] = [match for match in document(file)["matches"] if "Matchday" in match.get("round", "")]
        return found

    @functools.cached_property
    def internationals(self):
        return table(self.folder / "internationals/results.csv.gz")

    @functools.cached_property
    def statistics(self):
        """Premier League matches of 2024-25 with the day that the league's list has."""
        clubs = {row["code"]: row["name"] for row in table(self.folder / "league-player-matches/2024-25-teams.csv")}
        short = {"man-city": "manchester-city", "man-utd": "manchester-united", "newcastle": "newcastle-united",
                 "nott-m-forest": "nottingham-forest",
                 "spurs": "tottenham-hotspur", "wolves": "wolverhampton-wanderers", "leicester": "leicester-city",
                 "ipswich": "ipswich-town",
                 "west-ham": "west-ham-united", "brighton": "brighton-hove-albion"}
        listed = {(folded(match["team1"]), folded(match["team2"])): match for match in self.leagues["en.1", "2024-25"]}
        name = lambda code: short.get(slug(clubs[code]), slug(clubs[code]))
        rows = table(self.folder / "league-player-matches/2024-25-matches.csv.gz")
        rows = [row | {"home": name(row["home_team"]), "away": name(row["away_team"])} for row in rows if "-prem-" in row["match_id"]]
        for row in rows:
            match = listed[row["home"], row["away"]]
            # Statistics of another score are from before the end.
            row |= {"day": match["date"], "is_whole": final(match) == [int(row["home_score"]), int(row["away_score"])]}
        return rows

    @functools.cached_property
    def player_matches(self):
        """Lines of Premier League matches of 2024-25 by the player's code."""
        codes = {row["player_id"]: row["player_code"] for row in table(self.folder / "league-player-matches/2024-25-players.csv")}
        days = {row["match_id"]: row["day"] for row in self.statistics}
        lines = collections.defaultdict(dict)
        for row in table(self.folder / "league-player-matches/2024-25-playermatchstats.csv.gz"):
            if row["match_id"] in days:
                lines[codes[row["player_id"]]][row["match_id"]] = row | {"day": days[row["match_id"]]}
        return {code: sorted(rows.values(), key=lambda row: row["day"]) for code, rows in lines.items()}


def final(match):
    """Goals of a match that was played out."""
    score = match.get("score")
    return score.get("ft") if isinstance(score, dict) else score


def standing(matches, before="9999"):
    teams = collections.defaultdict(lambda: collections.Counter(form=""))
    for match in matches:
        for name in (match["team1"], match["team2"]):
            teams[folded(name)]
    for match in sorted(matches, key=lambda match: match["date"]):
        goals = final(match)
        if goals and match["date"] < before:
            for name, scored, conceded in ((match["team1"], *goals), (match["team2"], *reversed(goals))):
                team = teams[folded(name)]
                result = "won" if scored > conceded else "drawn" if scored == conceded else "lost"
                team.update({result: 1, "played": 1, "goals_for": scored, "goals_against": conceded})
                team["form"] = (team["form"] + result[0].upper())[-5:]
    names = ["played", "won", "drawn", "lost", "goals_for", "goals_against", "form"]
    rows = [{"team_name": name, **{column: team[column] for column in names}} for name, team in teams.items() if team["played"]]
    return [row | {"points": 3 * row["won"] + row["drawn"], "goal_difference": row["goals_for"] - row["goals_against"]} for row in rows]


def less_deductions(rows, league, before="9999"):
    for team, decided_on, points in DEDUCTED.get(league, []):
        for row in rows:
            if row["team_name"] == team and decided_on < before:
                row["points"] -= points
    return rows


def ranks(rows, rule, whole_season=()):
    """Places of clubs that points, or the league's own rule, tell apart: goals, wins, or the games of all who are equal, which
    tell in the end alone."""
    order = {
        "goals": lambda row: (row["points"], row["goal_difference"], row["goals_for"]),
        "wins": lambda row: (row["points"], row["won"], row["goal_difference"], row["goals_for"]),
        "meetings": lambda row: row["points"],
    }[rule]
    if rule == "meetings" and whole_season:
        among = {}
        for points in {row["points"] for row in rows}:
            equal = {row["team_name"] for row in rows if row["points"] == points}
            met = [match for match in whole_season if {folded(match["team1"]), folded(match["team2"])} <= equal]
            among |= {row["team_name"]: (row["points"], row["goal_difference"]) for row in standing(met)}
        order = lambda row: (row["points"], among.get(row["team_name"]) or (0, 0), row["goal_difference"], row["goals_for"])
    for row in rows:
        if sum(order(other) == order(row) for other in rows) == 1:
            row["rank"] = 1 + sum(order(other) > order(row) for other in rows)
    return rows


def tables(captures, draw):
    for code, season in draw.sample(sorted(captures.leagues), 10):
        competition, rule = LEAGUES[code]
        matches = captures.leagues[code, season]
        rows = ranks(less_deductions(standing(matches), (code, season)), rule, matches if all(map(final, matches)) else ())
        yield f"/soccer/table?competition={competition}&season={season}", Unordered({"team_name": folded}, rows)


def tables_as_of(captures, draw):
    """Tables before the matches of a day."""
    for code, season in draw.sample(sorted(captures.leagues), 10):
        competition, rule = LEAGUES[code]
        days = sorted({match["date"] for match in captures.leagues[code, season] if final(match)})
        day = str(datetime.date.fromisoformat(draw.choice(days[5:])) + datetime.timedelta(draw.randrange(3)))
        rows = ranks(less_deductions(standing(captures.leagues[code, season], day), (code, season), day), rule)
        yield f"/soccer/table?competition={competition}&season={season}&as_of={day}", Some({"team_name": folded}, rows)


def league_matches(captures, draw):
    for code, season in draw.choices(sorted(captures.leagues), k=10):
        competition = LEAGUES[code][0]
        day = draw.choice(sorted({match["date"] for match in captures.leagues[code, season]}))
        rows = []
        for match in captures.leagues[code, season]:
            if match["date"] == day:
                goals, half = final(match) or (None, None), match["score"].get("ht") or (None, None)
                rows.append({
                    "home_name": folded(match["team1"]), "away_name": folded(match["team2"]), "home_score": goals[0],
                    "away_score": goals[1],
                    "home_half_time": half[0], "away_half_time": half[1],
                })
        sides = {"home_name": folded, "away_name": folded}
        yield f"/soccer/matches?competition={competition}&season={season}&date={day}&limit=100", Unordered(sides, rows)


def internationals(captures, draw):
    days = sorted({row["date"] for row in captures.internationals if row["date"] < "2020"})
    for day in draw.sample(days, 10):
        yield f"/soccer/matches?date={day}&limit=200", Unordered(["home_name", "away_name"], [
            {"home_name": row["home_team"], "away_name": row["away_team"], "home_score": int(row["home_score"]),
             "away_score": int(row["away_score"]),
             "is_neutral": row["neutral"] == "TRUE", "city": row["city"]}
            for row in captures.internationals if row["date"] == day
        ])


def national_histories(captures, draw):
    """Results of a national team by tournament and year; a shoot-out is a draw."""
    played = collections.defaultdict(list)
    for row in captures.internationals:
        if row["home_score"].isdigit():
            for side, other in (("home", "away"), ("away", "home")):
                scored, conceded = int(row[f"{side}_score"]), int(row[f"{other}_score"])
                played[row[f"{side}_team"]].append((row["date"][:4], row["tournament"], scored, conceded))
    for team in draw.sample(sorted(team for team, rows in played.items() if len(rows) > 100), 8):
        groups = collections.defaultdict(collections.Counter)
        for season, tournament, scored, conceded in played[team]:
            result = "won" if scored > conceded else "drawn" if scored == conceded else "lost"
            groups[season, tournament].update({"played": 1, result: 1, "goals_for": scored, "goals_against": conceded})
        rows = [
            {"season": season, "competition_name": tournament,
             **{name: counted[name] for name in ("played", "won", "drawn", "lost", "goals_for", "goals_against")}}
            for (season, tournament), counted in groups.items() if season >= "1990"
        ]
        yield f"/soccer/teams/{slug(team)}/history?limit=500", Some(["season", "competition_name"], rows)


def club_histories(captures, draw):
    clubs = sorted({folded(match["team1"]) for match in captures.leagues["en.1", "2024-25"]} - {"bournemouth"})
    for name in draw.sample(clubs, 6):
        rows = []
        for (code, season), matches in captures.leagues.items():
            for row in ranks(less_deductions(standing(matches), (code, season)), LEAGUES[code][1]):
                if row["team_name"] == name and code.startswith("en."):
                    del row["team_name"], row["form"], row["goal_difference"]
                    rows.append({"season": season, "competition": LEAGUES[code][0], **row})
        yield f"/soccer/teams/{name}/history", Some(["season", "competition"], rows)


def number(text):
    return float(text) if text not in ("", None) else None


def player_seasons(captures, draw):
    for code in draw.sample(sorted(captures.player_matches), 10):
        lines = [row for row in captures.player_matches[code] if float(row["minutes_played"]) > 0]
        season = {"season": "2024-25", "matches": len(lines), "minutes": sum(int(float(row["minutes_played"])) for row in lines)}
        for name in PLAYER_SUMS:
            season[name] = round(sum(number(row[name]) or 0 for row in lines), 6)
        yield f"/soccer/players/{code}?season=2024-25", {"seasons": [season]}


def match_statistics(captures, draw):
    for row in draw.sample([row for row in captures.statistics if row["is_whole"]], 6):
        told = {name.removeprefix("home_"): row[name] for name in row if name.startswith("home_")}
        rows = []
        for stat in ("total_shots", "shots_on_target", "big_chances", "corners", "interceptions", "clearances", "duels_won"):
            if told[stat]:
                rows.append({"stat": stat, "home": float(told[stat]), "away": float(row[f"away_{stat}"])})
        yield f"/soccer/matches/{row['match_id']}", {
            "match": {"home_score": int(row["home_score"]), "away_score": int(row["away_score"])}, "statistics": Some(["stat"], rows),
        }


def goals(captures, draw):
    """Goals of a match with the score after each: what is awarded without a score is no goal."""
    played = {(row["home"], row["away"]): row["match_id"] for row in captures.statistics}
    told = document(captures.folder / "incidents/england_premier-league-2024-2025.json.gz")
    kinds = {"Goal": "goal", "Own goal": "own_goal", "Penalty Awarded": "penalty"}
    for match in draw.sample([match for match in told if match["GH"] + match["GA"]], 8):
        rows = []
        for one in match["incident"]["incidents"]:
            if one["incident_type"] in kinds and one.get("home_score"):
                minute, _, added = one["minute"].strip("'").partition("+")
                rows.append({"minute": int(minute), "added_minute": int(added) if added else None, "player_name": one["player_name"],
                             "kind": kinds[one["incident_type"]], "home_score": int(one["home_score"]),
                             "away_score": int(one["away_score"])})
        yield f"/soccer/matches/{played[folded(match['home']), folded(match['away'])]}", {"goals": rows}


def previews(captures, draw):
    """Last five results of both clubs and their rows of the table, before the day of a match."""
    matches = [match for match in captures.leagues["en.1", "2024-25"] if match["date"] > "2024-11"]
    for match in draw.sample(matches, 6):
        day = match["date"]
        rows = {row["team_name"]: row for row in ranks(standing(captures.leagues["en.1", "2024-25"], day), "goals")}
        expected = []
        for side, name in (("home", match["team1"]), ("away", match["team2"])):
            row = rows[folded(name)]
            del row["team_name"]
            expected.append({"side": side, **row})
        source_id = next(row["match_id"] for row in captures.statistics
                         if (row["home"], row["away"]) == (folded(match["team1"]), folded(match["team2"])))
        yield f"/soccer/matches/{source_id}/analyzer-preview", {"match": {"match_date": day}, "table": Unordered(["side"], expected)}


FAMILIES = [
    tables, tables_as_of, league_matches, internationals, national_histories, club_histories, player_seasons,
    match_statistics, goals, previews,
]

"""Soccer: DNA of players and clubs of the Premier League 2024-25 as of a day."""

import collections
import datetime
import itertools

from . import dna
from .compare import Some, table
from .soccer import final, folded, number

PLAYER_METRICS = {
    "goals_per_90": "goals", "xg_per_90": "xg", "xa_per_90": "xa", "shots_per_90": "total_shots", "chances_per_90": "chances_created",
    "box_touches_per_90": "touches_opposition_box", "final_third_passes_per_90": "final_third_passes", "recoveries_per_90": "recoveries",
    "dribbles_per_90": "successful_dribbles", "tackles_won_per_90": "tackles_won", "interceptions_per_90": "interceptions",
    "clearances_per_90": "clearances",
}
TEAM_METRICS = {
    "goals": "score", "xg": "expected_goals_xg", "shots": "total_shots", "shots_on_target": "shots_on_target", "big_chances": "big_chances",
    "box_touches": "touches_in_opposition_box",
}


def day_after(day):
    return str(datetime.date.fromisoformat(day) + datetime.timedelta(1))


def player_observation(row):
    """What a match brings to each metric, by the second on the pitch; expected goals in ten-thousandths."""
    secs = 60 * int(float(row["minutes_played"]))
    values = {metric: (5400 * (number(row[name]) or 0), secs) for metric, name in PLAYER_METRICS.items()}
    won, lost = (number(row[name]) or 0 for name in ("duels_won", "duels_lost"))
    return values | {"duel_share": (won, won + lost)}


def players(captures, draw):
    """The newest 38 matches before a day, in the pool of the position."""
    contract, pools = dna.Contract("soccer_player_dna"), collections.defaultdict(dict)
    for row in table(captures.folder / "league-player-matches/2024-25-players.csv"):
        lines = [one for one in captures.player_matches.get(row["player_code"], []) if float(one["minutes_played"])]
        played = [(one["day"], player_observation(one)) for one in lines]
        if played and row["position"] != "Goalkeeper":
            pools[row["position"].lower()][row["player_code"]] = played
    everybody = {position: dna.Pool(itertools.chain.from_iterable(of.values())) for position, of in pools.items()}
    for position in draw.choices(sorted(pools), k=10):
        player = draw.choice(sorted(pools[position]))
        mine = pools[position][player][: draw.randrange(len(pools[position][player])) + 1]
        rows = dna.rows(contract, position, everybody[position], mine)
        yield f"/soccer/players/{player}/dna?season=2024-25&as_of={day_after(mine[-1][0])}", {"metrics": Some(["metric"], rows)}


def team_observation(row, side, other):
    """What a match brings to each metric of a club."""
    own, theirs = (lambda column, of=of: float(row[f"{of}_{column}"]) for of in (side, other))
    values = {}
    for metric, column in TEAM_METRICS.items():
        values |= {metric: (own(column), 1), f"{metric}_against": (theirs(column), 1)}
    return values | {
        "possession": (own("possession") / 100, 1),
        "set_play_xg_share": (own("xg_set_play"), own("expected_goals_xg")),
        "pressing": (100 * (own("tackles_won") + own("interceptions") + own("fouls_committed")), theirs("passes")),
    }


def teams(captures, draw):
    contract, pools = dna.Contract("soccer_team_dna"), collections.defaultdict(lambda: collections.defaultdict(list))
    for row in sorted((row for row in captures.statistics if row["is_whole"]), key=lambda row: row["day"]):
        for side, other in (("home", "away"), ("away", "home")):
            for pool in ("all", side):
                pools[pool][row[side]].append((row["day"], team_observation(row, side, other)))
    everybody = {pool: dna.Pool(itertools.chain.from_iterable(of.values())) for pool, of in pools.items()}
    for team in draw.sample(sorted(set(pools["all"]) - {"bournemouth"}), 8):
        day = day_after(draw.choice(pools["all"][team][3:])[0])
        expected = {}
        for pool in ("all", "home", "away"):
            mine = [pair for pair in pools[pool][team] if pair[0] < day]
            expected[pool] = Some(["metric"], dna.rows(contract, pool, everybody[pool], mine)) if mine else None
        yield f"/soccer/teams/{team}/dna?season=2024-25&as_of={day}", expected


def result_observation(match, side):
    """What a result brings to each metric; the file leaves out the half-time of a match without goals."""
    scored, conceded = (final(match)[at] for at in (side, 1 - side))
    points = 3 if scored > conceded else 1 if scored == conceded else 0
    values = {"goals": (scored, 1), "goals_against": (conceded, 1), "points_share": (points / 3, 1), "clean_sheets": (int(not conceded), 1)}
    half = match["score"].get("ht") or (None if scored + conceded else [0, 0])
    if half:
        values |= {"first_half_goals": (half[side], 1), "second_half_goals": (scored - half[side], 1)}
    return values


def club_goals(captures, draw):
    """Clubs of the Premier League on a day of any season before the newest, in the pool of the league."""
    contract, clubs = dna.Contract("soccer_club_goals_dna"), collections.defaultdict(list)
    for (league, season), matches in captures.leagues.items():
        for match in sorted(matches, key=lambda match: match["date"]):
            if league == "en.1" and season < "2025-26" and final(match) and "status" not in match:
                for side, name in enumerate((match["team1"], match["team2"])):
                    clubs[folded(name)].append((match["date"], season, result_observation(match, side)))
    pool = dna.Pool((day, values) for of in clubs.values() for day, _, values in of)
    for club in draw.sample(sorted(set(clubs) - {"bournemouth"}), 10):
        played, season, _ = draw.choice(clubs[club][3:])
        mine = [(day, values) for day, _, values in clubs[club] if day <= played]
        rows = dna.rows(contract, "premier-league", pool, mine)
        yield f"/soccer/teams/{club}/dna?season={season}&as_of={day_after(played)}", {"goals": Some(["metric"], rows)}


FAMILIES = [players, teams, club_goals]

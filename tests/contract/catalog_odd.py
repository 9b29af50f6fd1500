"""Odd rows in invented captures of several sports, from outside: a run takes them in, and its tables say what is right.

    python3 tests/contract/catalog_odd.py PROGRAM [NAME…]    PROGRAM is a built `fightdna` with `fightdna-sql` beside it

Each check writes captures in a source's layout and asks the tables; it needs no package.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp())
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def run(*arguments, code=0):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"{arguments}: {done.returncode} {done.stderr[-2000:]}"
    return done.stdout


def lake_of(name, captures):
    """A lake of captures: source, day and files by name."""
    lake = work / name
    for number, (source, day, files) in enumerate(captures):
        folder = work / f"{name}-{number}"
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        run("catalog", "run", "--quiet", "--lake", lake, "--licences", "A,B,B?,T,NC", "--source", f"{source}={folder}", "--captured-at", day)
    return lake


def ask(lake, sql):
    """Rows as tuples, in the order of the query's columns, which the rows of the program's JSON have not."""
    rows = json.loads(run("sql", "query", "--lake", lake, "--format", "json", f"SELECT to_json(t) AS told FROM ({sql}) AS t"))
    return [tuple(json.loads(row["told"]).values()) for row in rows]


def table(columns, rows):
    """A file of comma-separated values: columns by name, those that a row leaves out are empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def findings(lake, table):
    return {check: n for check, n in ask(lake, f"SELECT \"check\", n_rows FROM {table} WHERE subject = 'all' AND n_rows > 0")}


TENNIS_MATCH = (
    "tourney_id tourney_name surface draw_size tourney_level tourney_date match_num winner_id winner_seed winner_entry winner_name winner_hand "
    "winner_ht winner_ioc winner_age loser_id loser_seed loser_entry loser_name loser_hand loser_ht loser_ioc loser_age score best_of round minutes "
    "w_ace w_df w_svpt w_1stIn w_1stWon w_2ndWon w_SvGms w_bpSaved w_bpFaced l_ace l_df l_svpt l_1stIn l_1stWon l_2ndWon l_SvGms l_bpSaved l_bpFaced "
    "winner_rank winner_rank_points loser_rank loser_rank_points"
).split()
TENNIS_PLAYER = "player_id name_first name_last hand dob ioc height wikidata_id".split()
NAMES = ["Arlo Bexley", "Bram Corvin", "Cato Dunmore", "Dario Eskell", "Ewan Fallow", "Florin Garnet", "Gideon Hask", "Hugo Imber"]
SERVE = dict(zip(TENNIS_MATCH[27:45], [5, 2, 60, 40, 30, 12, 10, 3, 4, 4, 3, 62, 39, 27, 11, 10, 2, 5]))


def tennis_lake(name, events):
    """Events as id, level, draw, first day and matches: round, places of winner and loser among the names, score."""
    rows = []
    for event, level, draw, day, matches in events:
        for number, (stage, winner, loser, score) in enumerate(matches, 1):
            rows.append({"tourney_id": event, "tourney_name": f"Event {event}", "surface": "Hard", "draw_size": draw, "tourney_level": level,
                         "tourney_date": day, "match_num": number, "winner_id": 900001 + winner, "winner_name": NAMES[winner],
                         "loser_id": 900001 + loser, "loser_name": NAMES[loser], "score": score, "best_of": 3, "round": stage, "minutes": 90} | SERVE)
    players = [{"player_id": 900001 + at, "name_first": name.split()[0], "name_last": name.split()[1], "hand": "R"} for at, name in enumerate(NAMES)]
    files = {"atp_matches_2024.csv": table(TENNIS_MATCH, rows), "atp_players.csv": table(TENNIS_PLAYER, players)}
    return lake_of(name, [("tennis-atp-matches", "2024-12-01", files)])


@check
def a_match_counts_after_the_latest_day_on_which_it_can_have_been_played():
    whole = [("R128", 0, 1, "6-3 6-4"), ("R16", 0, 2, "6-3 6-4"), ("QF", 0, 3, "6-3 6-4"), ("SF", 0, 4, "6-3 6-4"), ("F", 0, 5, "6-3 6-4")]
    week = [("SF", 0, 1, "6-3 6-4"), ("F", 0, 2, "6-3 6-4")]
    # Level, draw, first day, matches, and the last day of the event as the tours plan it, or one more for rain.
    kinds = {
        "slam": ("G", 128, "20240527", whole, "2024-06-10"), "slam from a Sunday": ("G", 128, "20240526", whole, "2024-06-09"),
        "two weeks": ("M", 96, "20240304", whole, "2024-03-18"), "draw not stated": ("M", "", "20240304", week, "2024-03-18"),
        "draw stated as one of a week": ("M", 64, "20240401", whole, "2024-04-15"), "a week": ("A", 32, "20240108", week, "2024-01-15"),
        "from a Wednesday": ("A", 32, "20240918", week, "2024-09-25"), "in the middle of its week": ("A", 32, "20240115", week, "2024-01-24"),
        "olympic": ("O", 64, "20240727", week, "2024-08-05"), "from a Thursday": ("A", 64, "20240425", week, "2024-05-05"),
        "final of a team cup": ("D", 12, "20241113", week, "2024-11-20"), "tie": ("D", 4, "20240202", [("RR", 0, 1, "6-3 6-4")], "2024-02-05"),
    }
    events = [(f"2024-{at:04}", *kind[:4]) for at, kind in enumerate(kinds.values(), 1)]
    lake = tennis_lake("days", events)
    known = dict(ask(lake, "SELECT event_ref, max(last_day) FROM tennis_matches GROUP BY event_ref"))
    for (event, *_), (kind, (*_, ends)) in zip(events, kinds.items()):
        assert known[event] >= ends, (kind, known[event], ends)
    # Of two weeks, what was played by their middle does not wait for the final.
    first = ask(lake, "SELECT last_day FROM tennis_matches WHERE event_ref = '2024-0003' AND round = 'R128'")
    assert "2024-03-08" < first[0][0] < "2024-03-18", first
    # Neither DNA nor a rating nor an earlier meeting rests on a match that was to come.
    early = ask(lake, """SELECT valid_from, max(games) FROM tennis_player_dna WHERE player_slug = 'arlo-bexley' AND surface = 'all' GROUP BY valid_from
        HAVING max(games) > (SELECT count(*) FROM tennis_matches WHERE last_day < valid_from)""")
    assert not early, early
    days = dict(ask(lake, "SELECT event_ref, count(*) FROM tennis_event_days GROUP BY event_ref"))
    assert (days["2024-0001"], days["2024-0002"], days["2024-0003"], days["2024-0006"]) == (14, 15, 14, 7), days


@check
def a_score_says_how_a_match_ended_or_nothing():
    scores = {
        "6-3 6-4": "completed", "6-7(4) 7-5 [10-8]": "completed", "4-2 4-3(5) 4-1": "completed", "7-6(5) 1-6 7-6(4) 4-6 13-12(3)": "completed",
        "6-4 3-1 RET": "retired", "6-4 3-1 ret.": "retired", "0-2 RET+H61": "retired", "RET": "retired",
        "W/O": "walkover", "w/o": "walkover", "Walkover": "walkover", "WO": "walkover", "6-4 5-2 DEF": "defaulted", "6-4 Def.": "defaulted",
        "6-4 3-2 Default": "defaulted", "2-2 Played and abandoned": "abandoned", "6-6 Played and unfinished": "abandoned", "6-4 1-1 ABD": "abandoned",
        "4-6 6-4 ABN": "abandoned", "UNK": None, "6-4 In Progress": None, "3-Jun 4-Jun": None, "Jun-03 6-4": None, "45450": None, "6-4 3-1": None,
        "6-4": None, "6-4 4-6": None, "": None,
    }
    matches = [("RR", at % 4, 4 + at // 8 % 4, score) for at, score in enumerate(scores)]
    lake = tennis_lake("scores", [(f"2024-{at:04}", "A", 32, f"2024{1 + at // 4:02}{1 + 7 * (at % 4):02}", [match]) for at, match in enumerate(matches, 1)])
    told = dict(ask(lake, "SELECT coalesce(score, ''), outcome FROM tennis_matches"))
    assert told == scores, {score: (told.get(score), wanted) for score, wanted in scores.items() if told.get(score) != wanted}
    # A score of sets that is that of no finished match has a winner nevertheless; one that cannot be read has none to believe.
    wanted = {score for score, outcome in scores.items() if outcome in ("completed", "retired", "defaulted")} | {"6-4 3-1", "6-4", "6-4 4-6"}
    counted = {score for (score,) in ask(lake, "SELECT score FROM tennis_matches WHERE is_counted")}
    assert counted == wanted, counted ^ wanted
    assert ask(lake, "SELECT sum(wins) FROM tennis_h2h WHERE scope = 'all'") == [(len(wanted),)]
    assert ask(lake, "SELECT sum(matches) / 2 FROM tennis_elo WHERE surface = 'all'") == [(len(wanted),)]
    assert findings(lake, "tennis_data_health") == {
        "score_unreadable": 5, "score_unfinished": 3, "score_not_stated": 1, "match_abandoned": 4, "statistics_contradict": 4}, findings(lake, "tennis_data_health")


@check
def a_match_under_two_events_is_one_match():
    event = [("SF", 0, 1, "6-3 6-2"), ("SF", 2, 3, "6-3 6-1"), ("F", 0, 2, "7-6(4) 3-6 6-2")]
    # The same two meet again the week after, with the same score: that is another match.
    again = [("SF", 0, 1, "6-3 6-2")]
    lake = tennis_lake("twice", [("2024-0421", "A", 32, "20240805", event), ("2024-0302", "A", 32, "20240805", event), ("2024-0400", "A", 32, "20240812", again)])
    assert ask(lake, "SELECT wins, losses FROM tennis_h2h WHERE player_slug = 'arlo-bexley' AND opponent_slug = 'bram-corvin' AND scope = 'all'") == [(2, 0)]
    assert findings(lake, "tennis_data_health") == {"match_listed_twice": 3}


if __name__ == "__main__":
    for function in CHECKS:
        if len(sys.argv) < 3 or function.__name__ in sys.argv[2:]:
            function()
            print(function.__name__, flush=True)

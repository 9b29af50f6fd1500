"""Odd rows in invented captures of several sports, from outside: a run takes them in, and its tables say what is right.

    python3 tests/contract/catalog_odd.py PROGRAM [NAME…]    PROGRAM is a built `fightdna` with `fightdna-sql` beside it

Each check writes captures in a source's layout and asks the tables; it needs no package.
"""

import csv
import fnmatch
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

program = pathlib.Path(sys.argv[1]).resolve()
work = pathlib.Path(tempfile.mkdtemp())
CHECKS = []
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas/catalog"


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


WNBA_BOX = (
    "game_id season game_date team_name team_location team_abbreviation athlete_id athlete_display_name athlete_position_abbreviation home_away starter "
    "did_not_play minutes field_goals_made field_goals_attempted three_point_field_goals_made three_point_field_goals_attempted free_throws_made "
    "free_throws_attempted offensive_rebounds defensive_rebounds rebounds assists steals blocks turnovers fouls points plus_minus"
).split()
WNBA_SCORE = (
    "game_date game_id status is_final in_progress home_team away_team home_score away_score actual_spread actual_total home_q1 home_q2 home_q3 "
    "home_q4 away_q1 away_q2 away_q3 away_q4 posted_spread posted_total venue attendance scraped_at"
).split()
NONE = {name: 0 for name in WNBA_BOX[13:28]}


def wnba_line(game, team, athlete, points, minutes="20.0", **more):
    line = {"game_id": game, "team_abbreviation": team, "athlete_id": athlete, "athlete_display_name": f"Player {athlete}", "starter": "True",
            "did_not_play": "False", "minutes": minutes}
    return line | NONE | {"points": points, "field_goals_made": points // 2, "field_goals_attempted": points, "free_throws_made": points % 2} | more


def wnba_lake(name, games, lines):
    """Games as day, id, and scores of Las Vegas at home and Phoenix."""
    scores = [{"game_date": day, "game_id": game, "status": "STATUS_FINAL", "is_final": "True", "in_progress": "False", "home_team": "Las Vegas Aces",
               "away_team": "Phoenix Mercury", "home_score": home, "away_score": away, "scraped_at": "2025-10-19T10:00:00"} for day, game, home, away in games]
    files = {"wehoop_player_box_2025.csv": table(WNBA_BOX, lines), "scores_historical.csv": table(WNBA_SCORE, scores)}
    return lake_of(name, [("wnba-wehoop-boxes", "2025-10-20", files)])


@check
def an_athlete_in_both_boxes_is_of_her_own_team_whatever_the_order():
    games = [("2025-08-01", "401900001", 30, 21), ("2025-08-03", "401900002", 30, 21)]
    lines = [wnba_line("401900001", "LV", "1", 30), wnba_line("401900001", "PHX", "1", 30), wnba_line("401900001", "PHX", "2", 21),
             wnba_line("401900002", "LV", "1", 30), wnba_line("401900002", "PHX", "2", 21)]
    # Of the third nobody can tell: she is in no other game.
    lines += [wnba_line("401900002", "LV", "3", 9), wnba_line("401900002", "PHX", "3", 9)]
    for order, rows in (("as-is", lines), ("reversed", lines[::-1])):
        lake = wnba_lake(f"both-{order}", games, rows)
        told = ask(lake, "SELECT game_id, team_abbr, player_id, points FROM wnba_box_players ORDER BY ALL")
        assert told == [("401900001", "LV", "1", 30), ("401900001", "PHX", "2", 21), ("401900002", "LV", "1", 30), ("401900002", "PHX", "2", 21)], told
        assert findings(lake, "wnba_data_health") == {"athlete_in_both_boxes": 2}


@check
def no_second_on_court_is_no_game():
    games = [(f"2025-08-0{day}", f"40190000{day}", 20, 21) for day in (1, 2, 3)]
    lines = [wnba_line(game, team, player, 20 + (team == "PHX")) for _, game, _, _ in games for team, player in (("LV", "9"), ("PHX", "8"))]
    lines += [wnba_line("401900001", "LV", "1", 0, minutes="0.0"), wnba_line("401900002", "LV", "1", 0, minutes="12.0"),
              wnba_line("401900003", "LV", "1", 0, minutes="0.0", fouls=1)]
    assert ask(wnba_lake("seconds", games, lines), "SELECT games FROM wnba_player_seasons WHERE player_id = '1'") == [(2,)]


@check
def a_table_stands_from_the_first_night_on():
    lake = wnba_lake("first", [("2025-08-01", "401900001", 60, 63)], [wnba_line("401900001", "LV", "1", 60), wnba_line("401900001", "PHX", "2", 63)])
    told = ask(lake, "SELECT team_abbr, w, l, home_w, home_l, road_w, road_l FROM wnba_standings ORDER BY rank")
    assert told == [("PHX", 1, 0, 0, 0, 1, 0), ("LV", 0, 1, 0, 1, 0, 0)], told


NBA_LOG = "TEAM_ID GAME_ID GAME_DATE MATCHUP WL FGM FGA FG3M FG3A FTM FTA OREB DREB REB AST STL BLK TOV PF PTS PLUS_MINUS".split()
NBA_BOX = (
    "gameId teamId teamCity teamName teamTricode teamSlug personId firstName familyName nameI playerSlug position comment jerseyNum minutes "
    "fieldGoalsMade fieldGoalsAttempted fieldGoalsPercentage threePointersMade threePointersAttempted threePointersPercentage freeThrowsMade "
    "freeThrowsAttempted freeThrowsPercentage reboundsOffensive reboundsDefensive reboundsTotal assists steals blocks turnovers foulsPersonal points "
    "plusMinusPoints game_id date"
).split()
NBA_MORE = "TEAM_ABBREVIATION TEAM_NAME MIN FG_PCT FG3_PCT FT_PCT SEASON_ID VIDEO_AVAILABLE".split()


@check
def a_game_on_neutral_ground_has_two_teams_whoever_its_logs_call_the_visitors():
    miami, wizards = "1610612748", "1610612764"
    for number, marks in enumerate((("@", "@"), ("vs.", "vs."), ("vs.", "@"))):
        rows = []
        for team, other, mark, points in ((miami, "WAS", marks[0], 118), (wizards, "MIA", marks[1], 98)):
            row = {"TEAM_ID": int(team), "GAME_ID": "0022400147", "GAME_DATE": "2024-11-02", "MATCHUP": f"{'MIA' if other == 'WAS' else 'WAS'} {mark} {other}",
                   "WL": "W" if points == 118 else "L", "PTS": points, "PLUS_MINUS": points * 2 - 216}
            rows.append([row.get(name, 20) for name in NBA_LOG] + [None] * len(NBA_MORE))
        log = json.dumps({"resultSets": [{"name": "LeagueGameLog", "headers": NBA_LOG + NBA_MORE, "rowSet": rows}]})
        # The daily box lists the visitors first; on neutral ground both may claim to be.
        lines = [{"gameId": "0022400147", "teamId": team, "personId": at, "minutes": "20:00", "points": points, "date": "2024-11-02"}
                 for at, (team, points) in enumerate(((miami, 118), (wizards, 98)), 1)]
        box = table(NBA_BOX, lines if number < 2 else lines[::-1])
        lake = lake_of(f"neutral-{number}", [("nba-stats-recorded", "2024-11-03", {"LeagueGameLog.json": log}),
                                             ("nba-boxscores-daily", "2024-11-03", {"boxscores_2024-11-02.csv": box})])
        told = ask(lake, "SELECT team_id, is_home, points_for, result FROM nba_team_games ORDER BY team_id")
        is_home = (True, False) if marks == ("vs.", "@") else (None, None)
        assert told == [(miami, is_home[0], 118, "W"), (wizards, is_home[1], 98, "L")], (marks, told)


@check
def a_season_that_is_listed_has_a_table_from_its_first_night_on():
    clubs = list(csv.DictReader((SCHEMAS / "seeds/nba_clubs.csv").open()))
    names = [f"{club['city']} {club['name']}" for club in clubs]
    pairs = [(day, names[at], names[15 + (at + day) % 15]) for day in range(11) for at in range(15)]
    games = [(day, *(pair if day % 2 == 0 else pair[::-1])) for day, *pair in pairs]
    rows = [{"Match Number": number, "Round Number": 1, "Date": f"{21 + day if day < 10 else 1:02}/{10 if day < 10 else 11}/2031 23:30", "Location": "Hall",
             "Home Team": home, "Away Team": away, "Result": "110 - 100" if day == 0 else ""} for number, (day, home, away) in enumerate(games, 1)]
    for listed, teams in ((rows, 30), (rows[:15], 0)):
        lake = lake_of(f"first-night-{teams}", [("nba-schedule-utc", "2031-10-22", {"nba-2031-UTC.csv": table(list(rows[0]), listed)})])
        told = ask(lake, "SELECT gp, w, count(*) FROM nba_standings GROUP BY ALL ORDER BY w DESC")
        assert told == ([(1, 1, 15), (1, 0, 15)] if teams else []), told


def batting_order(side, letter):
    return [f'start,{letter}{at}aaa001,"{letter} {at}",{side},{at},{position}' for at, position in enumerate((8, 4, 6, 10, 7, 3, 9, 2, 5), 1)] + [
        f'start,{letter}pita001,"{letter} P",{side},0,1']


def retrosheet_game(game, plays, **info):
    told = {"visteam": "HOU", "hometeam": "ANA", "site": "ANA01", "date": f"{game[3:7]}/{game[7:9]}/{game[9:11]}", "number": "0", "usedh": "true",
            "attendance": "30000", "wp": "vpita001", "lp": "hpita001"} | info
    return [f"id,{game}", "version,2", *[f"info,{name},{value}" for name, value in told.items()], *batting_order(0, "v"), *batting_order(1, "h"), *plays]


def outs(innings, turn=(0, 0)):
    """Innings of strikeouts alone, and who comes to bat next on both sides."""
    lines, at = [], list(turn)
    for inning in innings:
        for side, letter in ((0, "v"), (1, "h")):
            for _ in range(3):
                lines.append(f"play,{inning},{side},{letter}{at[side] % 9 + 1}aaa001,00,X,K")
                at[side] += 1
    return lines, at


@check
def an_odd_cell_of_a_game_costs_the_cell_alone():
    lines, _ = outs(range(1, 9))
    # The home club wins in the ninth.
    last = [f"play,9,0,v{at}aaa001,00,X,K" for at in (7, 8, 9)] + ["play,9,1,h7aaa001,00,X,HR/F7", "data,er,hpita001,0", "data,er,vpita001,1"]
    games = []
    for day, info in enumerate(({"number": "0a"}, {"number": "2"}, {"number": "x"}, {"temp": "hot"}), 1):
        games += retrosheet_game(f"ANA2022040{day}0", lines + last, **info)
    files = {"2022ANA.EVA": "\n".join(games) + "\n", "TEAM2022": "ANA,A,Anaheim,Angels\nHOU,A,Houston,Astros\n",
             "ANA2022.ROS": "hpita001,P,H,R,R,ANA,P\n", "HOU2022.ROS": "vpita001,P,V,R,R,HOU,P\n"}
    lake = lake_of("numbers", [("mlb-retrosheet", "2022-10-01", files)])
    told = ask(lake, "SELECT game_number, home_score, away_score FROM mlb_games ORDER BY game_id")
    assert told[:3] == [(0, 1, 0), (2, 1, 0), (None, 1, 0)], told


@check
def rates_are_rounded_half_up_in_whole_numbers():
    data = SCHEMAS / "models/mlb/mlb_player_seasons.sql"
    rate = "(2000 * CAST(hits AS BIGINT) + at_bats) // nullif(2 * at_bats, 0)"
    assert rate in data.read_text()
    pairs = "SELECT hits, at_bats FROM (SELECT unnest(range(1, 701)) AS at_bats), LATERAL (SELECT unnest(range(0, at_bats + 1)) AS hits)"
    wrong = ask(work / "numbers", f"SELECT count(*) AS n, count(*) FILTER ({rate} <> floor(CAST(1000 * hits AS DECIMAL(18, 0)) / at_bats + 0.5)) AS other, "
                f"count(*) FILTER ((2000 * hits) % (2 * at_bats) = at_bats) AS ties FROM ({pairs}) AS p")
    assert wrong[0][0] > 240_000 and wrong[0][1] == 0 and wrong[0][2] > 200, wrong


STATCAST = SCHEMAS / "sources/mlb-statcast.toml"


@check
def a_pitch_whose_type_is_a_time_is_no_pitch():
    declared = next(file for file in tomllib.loads(STATCAST.read_text())["file"] if fnmatch.fnmatch("all_request_raw.csv", file["name"]))
    columns = [column["name"] for column in declared["columns"]]
    rows = []
    for at, kind in enumerate(["SL", "SL", "FF", "", "200903_200127", "200903_200227"], 1):
        row = {"pitch_type": kind, "game_date": "2020-09-03", "game_pk": 900001, "at_bat_number": at, "pitch_number": 1, "pitcher": 900102, "batter": 900101,
               "description": "ball", "type": "B", "game_type": "R", "game_year": 2020, "home_team": "BOS", "away_team": "TOR"}
        rows.append({name: value for name, value in row.items() if name in columns})
    lake = lake_of("pitches", [("mlb-statcast", "2020-10-01", {"all_request_raw.csv": table(columns, rows)})])
    assert ask(lake, "SELECT pitch_type, pitches FROM mlb_tracking_pitchers ORDER BY ALL") == [("FF", 1), ("SL", 2)]
    assert findings(lake, "mlb_data_health") == {"no_type_of_pitch": 2}


def internationals(name, results, shootouts=""):
    files = {"results.csv": "date,home_team,away_team,home_score,away_score,tournament,city,country,neutral\n" + results,
             "shootouts.csv": "date,home_team,away_team,winner,first_shooter\n" + shootouts,
             "goalscorers.csv": "date,home_team,away_team,team,scorer,minute,own_goal,penalty\n", "former_names.csv": "current,former,start_date,end_date\n"}
    return lake_of(name, [("soccer-internationals", "2025-04-01", files)])


@check
def doubles_and_half_scores_of_internationals_are_named():
    results = "".join(f"2010-03-{day:02},Aland,Borduria,3,1,Friendly,Portwick,Aland,FALSE\n" for day in range(1, 9))
    results += "2011-05-01,Aland,Carpania,2,0,Friendly,Portwick,Aland,FALSE\n2011-05-01,Carpania,Aland,0,2,Friendly,Portwick,Aland,TRUE\n"
    results += "2011-06-01,Aland,Carpania,2,NA,Friendly,Portwick,Aland,FALSE\n2011-07-01,Aland,Borduria,0,2,Friendly,Portwick,Aland,FALSE\n"
    lake = internationals("doubles", results, "2011-07-01,Aland,Borduria,Aland,\n")
    assert ask(lake, "SELECT status, home_score, away_score FROM soccer_matches WHERE match_date = '2011-06-01'") == [("no_result", None, None)]
    assert findings(lake, "soccer_data_health") == {"match_listed_both_ways": 2, "shoot_out_after_a_win": 1}


def league(matches):
    return json.dumps({"name": "Premier League 2023/24", "matches": [
        {"round": f"Matchday {at}", "date": day, "team1": home, "team2": away, "score": score} for at, (day, home, away, score) in enumerate(matches, 1)]})


@check
def deducted_points_count_from_the_day_after_the_decision():
    days = ["2023-11-11", "2023-11-25", "2024-02-24", "2024-03-02", "2024-05-19"]
    files = {"2023-24-en.1.json": league([(day, "Everton FC", "Brentford FC", {"ft": [1, 0], "ht": [0, 0]}) for day in days])}
    lake = lake_of("deducted", [("soccer-leagues", "2025-04-01", files)])
    told = ask(lake, "SELECT valid_from, points, deductions, rank FROM soccer_table WHERE team_slug = 'everton' ORDER BY valid_from")
    assert [row[1:] for row in told if row[0] in ("2023-11-12", "2023-11-18", "2024-02-27", "2024-05-20")] == [
        (3, None, 1), (-7, 10, 2), (3, 6, 1), (7, 8, 1)], told


NYC_SALE = (
    "BOROUGH,NEIGHBORHOOD,BUILDING CLASS CATEGORY,TAX CLASS AT PRESENT,BLOCK,LOT,EASE-MENT,BUILDING CLASS AT PRESENT,ADDRESS,APARTMENT NUMBER,ZIP CODE,"
    "RESIDENTIAL UNITS,COMMERCIAL UNITS,TOTAL UNITS,LAND SQUARE FEET,GROSS SQUARE FEET,YEAR BUILT,TAX CLASS AT TIME OF SALE,"
    "BUILDING CLASS AT TIME OF SALE,SALE PRICE,SALE DATE"
).split(",")


def nyc_sale(block, lot, price, day, **more):
    return {"BOROUGH": 5, "NEIGHBORHOOD": "ANNADALE", "BUILDING CLASS CATEGORY": "01 ONE FAMILY DWELLINGS", "BLOCK": block, "LOT": lot,
            "ADDRESS": f"{lot} OAK STREET", "ZIP CODE": 10312, "TOTAL UNITS": 1, "GROSS SQUARE FEET": 1500, "YEAR BUILT": 1975,
            "SALE PRICE": price, "SALE DATE": day} | more


def deeds_lake(name, rows):
    folder = work / f"{name}-captures/nyc-sales/2020-09-18"
    folder.mkdir(parents=True)
    text = "Staten Island Rolling Sales File." + "\n" * 4 + table(NYC_SALE, rows)
    (folder / "rollingsales_statenisland.csv").write_text(text)
    run("properties", "--lake", work / name, "run", "--quiet", "--all", work / f"{name}-captures")
    return work / name


@check
def one_price_over_several_blocks_on_one_day_is_one_deed():
    sale = nyc_sale
    package = [sale(6300 + at, 1, 4_000_000, "3/2/2020") for at in range(4)] + [sale(6400 + at, 2, 1_234_567, "3/3/2020") for at in range(2)]
    # Houses that happen to have one price on one day: two of a round price, three of one that many have.
    chance = [sale(6500 + at, 3, 500_000, "3/4/2020") for at in range(2)] + [sale(6510 + at, 3, 450_000, f"3/{4 + at}/2020") for at in range(9)]
    chance += [sale(6530 + at, 3, 450_000, "3/20/2020") for at in range(3)]
    lake = deeds_lake("deeds", package + chance)
    told = ask(lake, "SELECT price, excluded_as, count(*) FROM properties_sales GROUP BY ALL ORDER BY ALL")
    assert told == [(450_000, None, 12), (500_000, None, 2), (1_234_567, "several_parcels", 2), (4_000_000, "several_parcels", 4)], told


@check
def houses_sold_at_an_ordinary_price_each_are_sales_and_a_deed_over_them_is_not():
    sale = nyc_sale
    rows = [sale(6000 + at, 1, 470_000 + 7_000 * at, f"{1 + at % 6}/{3 + at}/2020") for at in range(12)]
    # A builder's new houses on one block and on the next, neighbours at a round price, and two streets of a rare price.
    rows += [sale(6300, 10 + at, 538_123, "7/1/2020", **{"YEAR BUILT": 2020}) for at in range(3)]
    rows += [sale(6301, 10, 538_123, "7/1/2020", **{"YEAR BUILT": 2020})]
    rows += [sale(6310, 20 + at, 500_000, "7/2/2020") for at in range(2)]
    rows += [sale(6320 + at, 30, 523_417, "7/3/2020", ADDRESS=f"3 {street} STREET") for at, street in enumerate(["ELM", "FIR"])]
    # One deed: two houses of two blocks at a round price, three of one, a house and its garden, and two whose size is not stated.
    rows += [sale(6330 + at, 40, 1_050_000, "7/6/2020") for at in range(2)]
    rows += [sale(6340, 50 + at, 1_500_000, "7/7/2020") for at in range(3)]
    rows += [sale(6350, 60, 510_000, "7/8/2020"), sale(6350, 61, 510_000, "7/8/2020", **{"BUILDING CLASS CATEGORY": "05 TAX CLASS 1 VACANT LAND"})]
    rows += [sale(6360, 70 + at, 505_000, "7/9/2020", **{"GROSS SQUARE FEET": ""}) for at in range(2)]
    # Some round prices are of houses that have nothing to do with a deed of that price.
    rows += [sale(6370 + at, 80, 1_000_000, "7/10/2020", **{"GROSS SQUARE FEET": size}) for at, size in enumerate([1500, 1500, 6000])]
    rows += [sale(6380 + at, 90, 1_000_000, f"8/{1 + at}/2020", **{"GROSS SQUARE FEET": 6000}) for at in range(3)]
    lake = deeds_lake("builders", rows)
    told = ask(lake, "SELECT price, excluded_as, count(*) FROM properties_sales WHERE sold_on >= '2020-07-01' GROUP BY ALL ORDER BY ALL")
    assert told == [
        (500_000, None, 2), (505_000, "several_parcels", 2), (510_000, "several_parcels", 2), (523_417, None, 2), (538_123, None, 4),
        (1_000_000, "several_parcels", 2), (1_000_000, None, 4), (1_050_000, "several_parcels", 2), (1_500_000, "several_parcels", 3)], told


@check
def a_flat_has_one_id_however_its_floor_is_spelled():
    sale, coop = nyc_sale, {"BUILDING CLASS CATEGORY": "09 COOPS - WALKUP APARTMENTS"}
    spelled = ["74 2 ST, 2 FLR", "74 2ND ST, 2ND F", "74 SECOND ST, FLOOR 2", "74 2 ST, 1ST FL", "74 2 ST, 2F", "UNIT#126-014,74 2 ST", "UNIT, 126-014 74 2 ST"]
    lake = deeds_lake("floors", [sale(4195, 21, 200_000 + at, f"3/{1 + at}/2020", ADDRESS=address, **coop) for at, address in enumerate(spelled)])
    told = ask(lake, "SELECT property_id, min(unit), count(*) FROM properties_sales GROUP BY property_id ORDER BY property_id")
    ids = [(row[0], row[2]) for row in told]
    assert ids == [("nyc-5-4195-21-126014", 2), ("nyc-5-4195-21-1flr", 1), ("nyc-5-4195-21-2f", 1), ("nyc-5-4195-21-2flr", 3)], told
    assert ask(lake, "SELECT DISTINCT address FROM properties_addresses WHERE unit = '126-014'") == [("74 2 ST",)], told


if __name__ == "__main__":
    for function in CHECKS:
        if len(sys.argv) < 3 or function.__name__ in sys.argv[2:]:
            function()
            print(function.__name__, flush=True)

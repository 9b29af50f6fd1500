"""Tennis: what the routes answer, against the captured files counted once more."""

import collections
import csv
import datetime
import gzip
import json
import re
import urllib.error
import urllib.request

SETS = re.compile(r"(\d+)-(\d+)")


def answer(url, path):
    return json.load(urllib.request.urlopen(url + path))


def rows(url, path):
    return answer(url, path)["data"]


def status(url, path):
    try:
        return urllib.request.urlopen(url + path).status
    except urllib.error.HTTPError as error:
        return error.code


def captured(data, tour):
    for file in sorted((data / f"tennis/{tour}-matches").glob(f"{tour}_matches_*.csv.gz")):
        yield from csv.DictReader(gzip.open(file, "rt"))


def check(url, data, query):
    matches = {tour: list(captured(data, tour)) for tour in ("atp", "wta")}
    held = {row["tour"]: row["n"] for row in query("SELECT tour, count(*) AS n FROM tennis_matches GROUP BY tour")}
    same = ("tourney_date", "round", "winner_id", "loser_id", "score")
    assert held == {tour: len({tuple(row[one] for one in same) for row in told}) for tour, told in matches.items()}, held
    one_match(url, matches["atp"])
    pairs(data, query)
    meetings(url, matches["atp"], "Jannik Sinner", "Carlos Alcaraz")
    meetings(url, matches["wta"], "Iga Swiatek", "Aryna Sabalenka")
    records(url, matches["wta"], "Iga Swiatek", "iga-swiatek")
    draws(url, matches)
    rankings(url, data)
    points(url, data, query)
    elo(query, matches["wta"], "iga-swiatek", "Iga Swiatek")
    dna(url, matches["atp"], "Jannik Sinner", "jannik-sinner")
    answers(url)


def one_match(url, told):
    row = next(row for row in told if (row["tourney_id"], row["match_num"]) == ("2024-0339", "300"))
    match = rows(url, "/tennis/matches/atp-2024-0339-300")
    assert match["winner"]["name"] == row["winner_name"] and match["loser"]["rank"] == int(row["loser_rank"])
    assert match["winner"]["aces"] == int(row["w_ace"]) and match["loser"]["break_points_faced"] == int(row["l_bpFaced"])
    assert [[one["winner"], one["loser"]] for one in match["sets"]] == [[int(a), int(b)] for a, b in SETS.findall(row["score"])]
    assert match["dated_by"] == "event_week"
    assert rows(url, "/tennis/matches/" + match["other_id"])["match_id"] == match["match_id"], "the tour's own id leads there"


def pairs(data, query):
    """Every match of the second source is paired once or listed, and so is every one of ours in its seasons."""
    files = sorted((data / "tennis/atp-other-ids").glob("20*.csv.gz"))
    other = [row for file in files for row in csv.DictReader(gzip.open(file, "rt"))]
    listed = collections.Counter(row["source"] for row in query("SELECT source FROM tennis_unpaired_matches"))
    paired = query("SELECT count(*) AS n, count(DISTINCT other_id) AS ids FROM tennis_matches WHERE other_id IS NOT NULL")[0]["n"]
    ours = query("SELECT count(*) AS n FROM tennis_matches WHERE tour = 'atp' AND season IN ('2023', '2024')")[0]["n"]
    assert paired + listed["atp-other-ids"] == len(other), (paired, listed, len(other))
    assert paired + listed["atp-matches"] == ours, (paired, listed, ours)
    assert paired > 0.99 * ours


def slug(name):
    return re.sub("[^a-z0-9]+", "-", name.lower())


def is_walkover(row):
    return row["score"].startswith(("W/O", "Walkover"))


def meetings(url, told, a, b):
    both = [row for row in told if {row["winner_name"], row["loser_name"]} == {a, b}]
    played = [row for row in both if not is_walkover(row)]
    answered = rows(url, f"/tennis/h2h/{slug(a)}/{slug(b)}")
    total = next(row for row in answered["record"] if row["scope"] == "all")
    expected = sum(row["winner_name"] == a for row in played), sum(row["winner_name"] == b for row in played)
    assert (total["wins"], total["losses"]) == expected and sum(expected) > 5, (total, expected)
    assert total["walkovers_won"] + total["walkovers_lost"] == len(both) - len(played)
    assert len(answered["meetings"]) == len(both)
    weeks = [row["event_week"] for row in answered["meetings"]]
    assert weeks == sorted(weeks, reverse=True)
    back = next(row for row in rows(url, f"/tennis/h2h/{slug(b)}/{slug(a)}")["record"] if row["scope"] == "all")
    assert (back["losses"], back["sets_lost"]) == (total["wins"], total["sets_won"])


def records(url, told, name, player):
    expected = collections.Counter()
    for row in told:
        if name in (row["winner_name"], row["loser_name"]) and not is_walkover(row):
            expected[row["tourney_id"][:4], row["surface"].lower(), row["winner_name"] == name] += 1
    for row in rows(url, f"/tennis/players/{player}")["record"]:
        if row["surface"] != "all":
            key = row["season"], row["surface"]
            assert (row["wins"], row["losses"]) == (expected[*key, True], expected[*key, False]), row


def draws(url, matches):
    for tour, champion in (("atp", "Carlos Alcaraz"), ("wta", "Barbora Krejcikova")):
        answered = rows(url, f"/tennis/tournaments/wimbledon/2024?tour={tour}")
        assert [row["champion"]["name"] for row in answered["editions"]] == [champion]
        told = [row for row in matches[tour] if row["tourney_name"] == "Wimbledon" and row["tourney_id"][:4] == "2024"]
        assert len(answered["matches"]) == len(told) == 127
        final = next(row for row in answered["matches"] if row["round"] == "F")
        assert (final["outcome"], final["event_week"]) == ("completed", "2024-07-01"), final
    slam = next(row for row in rows(url, "/tennis/slams?season=2023") if row["event_slug"] == "us-open")
    assert (slam["men_champion_name"], slam["women_champion_name"]) == ("Novak Djokovic", "Coco Gauff")


def rankings(url, data):
    """The list of a day is the newest that is not later, whole and nothing beside it."""
    for tour in ("atp", "wta"):
        lists = collections.defaultdict(dict)
        for row in csv.DictReader(gzip.open(data / f"tennis/{tour}-matches/{tour}_rankings_current.csv.gz", "rt")):
            lists[row["ranking_date"]].setdefault(row["player"], int(row["rank"]))
        day = datetime.date(2024, 5, 16)
        newest = max(one for one in lists if one <= day.strftime("%Y%m%d"))
        answered = answer(url, f"/tennis/rankings?tour={tour}&date={day}&limit=500")
        assert [row["rank"] for row in answered["data"]] == sorted(lists[newest].values())[:500]
        assert {row["ranking_date"].replace("-", "") for row in answered["data"]} == {newest}
        assert answered["meta"]["total"] == len(lists[newest]), (answered["meta"]["total"], len(lists[newest]))


def points(url, data, query):
    """Points of every match in order, and winners from legal ends: games walked here from the winners of points."""
    captured = collections.defaultdict(list)
    for file in sorted((data / "tennis/slam-points").glob("*points*.csv.gz")):
        for row in csv.DictReader(gzip.open(file, "rt")):
            if row["PointNumber"].isdigit():
                captured[row["match_id"]].append(row)
    told = {row["points_id"]: row for row in query("SELECT points_id, match_winner_side, sets FROM tennis_point_matches")}
    assert set(told) == set(captured)
    ended = wrong = 0
    for match, lines in captured.items():
        winner = told[match]["match_winner_side"]
        # Whoever won the last point of a finished match won the match.
        if winner is not None:
            ended += 1
            last = max(lines, key=lambda row: int(row["PointNumber"]))
            wrong += int(last["PointWinner"]) != winner
    assert ended >= 0.98 * len(captured) and wrong == 0, (ended, wrong)
    match = "2014-ausopen-1101"
    answered = rows(url, f"/tennis/housecast/{match}?limit=500")
    assert [row["point_number"] for row in answered] == sorted(int(row["PointNumber"]) for row in captured[match])[:500]
    missing = rows(url, "/tennis/housecast/atp-2024-0339-300")
    assert missing["available"] is False


def last_day(row):
    """Latest day of a match by the draw of its event: no draw of more than 64 is without a round of 128."""
    draw, days = int(row["draw_size"] or 0), {"R128": 8, "R64": 10, "R32": 12, "R16": 13, "QF": 14}
    if row["tourney_level"] == "D":
        most = 7 if 1 <= draw <= 4 else 10
    else:
        most = days.get(row["round"], 15) if row["tourney_level"] == "G" or draw > 64 else 10
    return datetime.datetime.strptime(row["tourney_date"], "%Y%m%d").date() + datetime.timedelta(days=most)


def elo(query, told, player, name):
    """Ratings of the women's tour walked once more, match by match; ties of days go by week and round."""
    order = {word: place for place, word in enumerate(["RR", "R128", "R64", "R32", "R16", "QF", "SF", "BR", "F"])}
    played = [row for row in told if row["score"] and not is_walkover(row)]
    played.sort(key=lambda row: (last_day(row), row["tourney_date"], order[row["round"]], int(row["match_num"]) if row["round"] == "RR" else 0))
    rating, count = collections.defaultdict(lambda: 1500.0), collections.Counter()
    for row in played:
        winner, loser = row["winner_id"], row["loser_id"]
        surprise = 1 / (1 + 10 ** ((rating[winner] - rating[loser]) / 400))
        moves = 250 / (count[winner] + 5) ** 0.4, 250 / (count[loser] + 5) ** 0.4
        rating[winner] += moves[0] * surprise
        rating[loser] -= moves[1] * surprise
        count[winner] += 1
        count[loser] += 1
    ref = next(row["winner_id"] for row in played if row["winner_name"] == name)
    told = query(f"SELECT elo, matches FROM tennis_elo WHERE player_slug = '{player}' AND surface = 'all'")[0]
    assert told["matches"] == count[ref], (told, count[ref])
    # Matches of one step of a team event may be walked in another order here.
    assert abs(told["elo"] - rating[ref]) < 3, (told, rating[ref])


def dna(url, told, name, player):
    """The raw share of aces from the newest 165 matches with statistics."""
    order = {word: place for place, word in enumerate(["RR", "R128", "R64", "R32", "R16", "QF", "SF", "BR", "F"])}
    needed = ("w_svpt", "l_svpt", "w_SvGms", "l_SvGms")
    mine = [row for row in told if name in (row["winner_name"], row["loser_name"]) and all(row[one] for one in needed)]
    mine.sort(key=lambda row: (last_day(row), order[row["round"]]))
    answered = {(row["surface"], row["metric"]): row for row in rows(url, f"/tennis/players/{player}/dna")["metrics"]}
    row = answered["all", "ace_rate"]
    newest = mine[-row["games"]:]
    side = ["w" if one["winner_name"] == name else "l" for one in newest]
    aces = sum(int(one[s + "_ace"]) for one, s in zip(newest, side))
    served = sum(int(one[s + "_svpt"]) for one, s in zip(newest, side))
    assert row["games"] == min(165, len(mine)) and abs(row["raw_value"] - aces / served) < 0.002, (row, aces / served)
    assert row["low"] < row["value"] < row["high"] and row["confidence"] == "high"
    leaders = rows(url, "/tennis/dna/leaders?metric=double_fault_rate&tour=atp")
    assert [one["value"] for one in leaders] == sorted(one["value"] for one in leaders)


def answers(url):
    assert status(url, "/tennis/matches/atp-1999-0000-1") == status(url, "/tennis/players/nobody-at-all") == 404
    assert status(url, "/tennis/h2h/jannik-sinner/nobody-at-all") == 404
    assert status(url, "/tennis/schedule?surface=ice") == 400
    for path in ("live", "matches/atp-2024-0339-300/broadcast", "venues/wimbledon"):
        assert status(url, f"/tennis/{path}") == 503, path
    assert rows(url, "/tennis/today") == []
    comparison = rows(url, "/tennis/matchups/atp-2024-0339-300")
    assert comparison["match"] and comparison["pairings"]
    assert not [key for key in json.dumps(comparison).split('"') if "prob" in key]
    for path in ("schedule", "tournaments?season=2024", "slams", "sources", "coverage", "players?q=swiatek",
                 "men/players?q=sinner", "matchups", "players-to-watch", "search?q=wimbledon"):
        assert rows(url, f"/tennis/{path}"), path
    for path in ("men", "players/iga-swiatek/profile"):
        assert all(rows(url, f"/tennis/{path}").values()), path

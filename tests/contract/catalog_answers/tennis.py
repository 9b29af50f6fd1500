"""Tennis: matches, records, meetings, draws and rankings of the main sources, and points of slams, counted once more."""

import collections
import datetime
import functools
import re

from .compare import Some, Unordered, table

ROUNDS = ["RR", "R128", "R64", "R32", "R16", "QF", "SF", "BR", "F"]
STATISTICS = {
    "aces": "ace", "double_faults": "df", "serve_points": "svpt", "first_in": "1stIn", "first_won": "1stWon", "second_won": "2ndWon",
    "service_games": "SvGms", "break_points_saved": "bpSaved", "break_points_faced": "bpFaced",
}
SET = re.compile(r"\[?(\d+)-(\d+)(?:\(\d+\))?\]?")


def number(value):
    return int(value) if value else None


def date(compact):
    return datetime.date(int(compact[:4]), int(compact[4:6]), int(compact[6:]))


class Match:
    def __init__(self, tour, row):
        self.tour, self.row = tour, row
        self.id = f"{tour}-{row['tourney_id']}-{row['match_num']}"
        self.season, self.week, self.round = row["tourney_id"][:4], date(row["tourney_date"]), row["round"]
        self.surface, self.level = row["surface"].lower() or None, row["tourney_level"]
        self.winner, self.loser = (f"{tour}-{row[side + '_id']}" for side in ("winner", "loser"))
        self.is_walkover = row["score"].startswith(("W/O", "Walkover"))
        self.order = (self.week, ROUNDS.index(self.round), int(row["match_num"]) if self.round == "RR" else 0, self.id)
        draw = int(row["draw_size"] or 0)
        if self.level == "D":
            ends = 7 if 1 <= draw <= 4 else 10
        else:
            rounds = {"R128": 8, "R64": 10, "R32": 12, "R16": 13, "QF": 14}
            ends = rounds.get(self.round, 15) if self.level == "G" or draw > 64 else 10
        # The latest day on which it can have been played.
        self.known_on = self.week + datetime.timedelta(days=ends)

    @functools.cached_property
    def sets(self):
        """Games of sets that came to an end, the winner's first. Who gives up leaves the last one open."""
        found = [(int(won), int(lost)) for won, lost in SET.findall(self.row["score"])]
        if found and not self.row["score"][-1] in "0123456789)]" and not is_over(*found[-1]):
            found.pop()
        return found

    @functools.cached_property
    def served(self):
        """Serve statistics of winner and loser; nothing of a side of which some are missing or cannot be."""
        return [self.side(side) for side in "wl"]

    def side(self, letter):
        told = {name: number(self.row[f"{letter}_{short}"]) for name, short in STATISTICS.items()}
        # Nobody has served 500 points in a match, nor many more than a dozen a game: counts were multiplied, or games lost.
        if self.is_walkover or not 0 < (told["serve_points"] or 0) <= 500 or None in (told | {"service_games": 0}).values():
            return None
        second = told["serve_points"] - told["first_in"]
        can_be = (
            second >= 0 and told["first_won"] <= told["first_in"] and told["second_won"] + told["double_faults"] <= second
            and told["serve_points"] <= 30 + 12 * (told["service_games"] or 40)
            and told["break_points_saved"] <= told["break_points_faced"] and told["aces"] <= told["serve_points"]
        )
        return told if can_be else None


def is_over(a, b):
    high, low = max(a, b), min(a, b)
    return high >= 6 and high - low >= 2 or high == 7 and low in (5, 6)


class Captures:
    def __init__(self, folder):
        self.folder = folder

    @functools.cached_property
    def matches(self):
        files = [(tour, file) for tour in ("atp", "wta")
                 for file in sorted((self.folder / f"{tour}-matches").glob(f"{tour}_matches_*.csv.gz"))]
        once = {}
        for match in sorted((Match(tour, row) for tour, file in files for row in table(file)), key=lambda match: match.order):
            # A rubber of a tie stands twice, under two numbers.
            once.setdefault((match.week, match.round, match.winner, match.loser, match.row["score"]), match)
        return list(once.values())

    @functools.cached_property
    def by_player(self):
        players = collections.defaultdict(list)
        for match in self.matches:
            players[match.winner].append((match, True))
            players[match.loser].append((match, False))
        return players

    @functools.cached_property
    def rankings(self):
        """Of each tour and day the list: rank, points and player."""
        lists = collections.defaultdict(list)
        for tour in ("atp", "wta"):
            for row in table(self.folder / f"{tour}-matches/{tour}_rankings_current.csv.gz"):
                lists[tour, str(date(row["ranking_date"]))].append((int(row["rank"]), number(row["points"]), f"{tour}-{row['player']}"))
        return lists

    def played(self, least):
        """Players with so many matches, walkovers apart."""
        return sorted(p for p, matches in self.by_player.items() if sum(not m.is_walkover for m, _ in matches) >= least)


def matches(captures, draw):
    for match in draw.sample(captures.matches, 8):
        row = match.row
        expected = {"match_id": match.id, "season": match.season, "event_week": str(match.week), "best_of": int(row["best_of"]),
                    "surface": match.surface}
        for at, side in enumerate(("winner", "loser")):
            for name in ("rank", "rank_points"):
                expected[f"{side}_{name}"] = number(row[f"{side}_{name}"])
            for name in STATISTICS:
                expected[f"{side}_{name}"] = match.served[at] and match.served[at][name]
        yield f"/tennis/matches/{match.id}", expected


def wins_and_losses(pairs):
    played = [won for match, won in pairs if not match.is_walkover]
    return {"wins": sum(played), "losses": len(played) - sum(played)}


def split(pairs, key):
    groups = collections.defaultdict(list)
    for match, won in pairs:
        for value in key(match, won):
            groups[value].append((match, won))
    return {value: counted for value, group in groups.items() if any((counted := wins_and_losses(group)).values())}


def records(captures, draw):
    for player in draw.sample(captures.played(3), 8):
        groups = split(captures.by_player[player], lambda match, _: {(match.season, match.surface or "not_stated"), (match.season, "all")})
        rows = [{"season": season, "surface": surface, **counted} for (season, surface), counted in groups.items()
                if surface != "not_stated"]
        yield f"/tennis/players/{player}", {"player": {"matches": len(captures.by_player[player])},
                                            "record": Unordered(["season", "surface"], rows)}


def profiles(captures, draw):
    ranks = collections.defaultdict(list)
    for (_, day), rows in captures.rankings.items():
        for rank, _, player in rows:
            ranks[player].append((day, rank))
    for player in draw.sample(captures.played(10), 8):
        pairs = captures.by_player[player]
        finals = [won for match, won in pairs if match.round == "F" and match.level != "D" and not is_team_event(match)]
        career = {
            **wins_and_losses(pairs), "finals": len(finals), "titles": sum(finals),
            "best_rank": min((rank for _, rank in ranks[player]), default=None), "rank": max(ranks[player], default=(None, None))[1],
        }
        splits = [
            {"split": name, "split_value": value, **counted}
            for name, key in (("level", lambda match, _: [match.level]), ("round", lambda match, _: [match.round]))
            for value, counted in split(pairs, key).items()
        ]
        yield f"/tennis/players/{player}/profile", {"career": career, "splits": Some(["split", "split_value"], splits)}


def is_team_event(match):
    return match.row["tourney_name"] in ("United Cup", "ATP Cup", "Atp Cup", "Laver Cup", "Hopman Cup")


def head_to_head(captures, draw):
    pairs = collections.defaultdict(list)
    for match in captures.matches:
        pairs[frozenset([match.winner, match.loser])].append(match)
    often = sorted(tuple(sorted(pair)) for pair, met in pairs.items() if len(met) >= 3)
    for pair in draw.sample(often, 12):
        a, b = draw.sample(pair, 2)
        met = pairs[frozenset(pair)]
        rows = []
        for scope, of in (("all", lambda match: "all"), ("surface", lambda match: match.surface), ("level", lambda match: match.level)):
            for value in {of(match) for match in met} - {None}:
                those = [match for match in met if of(match) == value]
                counted = collections.Counter()
                for match in those:
                    won = match.winner == a
                    counted["walkovers_won" if won else "walkovers_lost"] += match.is_walkover
                    counted["wins" if won else "losses"] += not match.is_walkover
                    for games in match.sets:
                        mine = (games[0] > games[1]) == won
                        counted["sets_won" if mine else "sets_lost"] += 1
                        if sorted(games) in ([6, 7], [3, 4]):
                            counted["tie_breaks_won" if mine else "tie_breaks_lost"] += 1
                names = ["wins", "losses", "walkovers_won", "walkovers_lost", "sets_won", "sets_lost", "tie_breaks_won", "tie_breaks_lost"]
                rows.append({"scope": scope, "scope_value": value, **{name: counted[name] for name in names}})
        yield f"/tennis/h2h/{a}/{b}", {"record": Unordered(["scope", "scope_value"], rows)}


def rankings(captures, draw):
    """The newest list that is not later than a day."""
    for tour in ("atp", "wta"):
        days = sorted(day for of, day in captures.rankings if of == tour)
        for _ in range(4):
            day = str(datetime.date(2024, 1, 1) + datetime.timedelta(draw.randrange(300)))
            newest = max(one for one in days if one <= day)
            rows = sorted(captures.rankings[tour, newest], key=lambda row: row[0])[:300]
            expected = [{"rank": rank, "points": points, "ranking_date": newest} for rank, points, _ in rows]
            yield f"/tennis/rankings?tour={tour}&date={day}&limit=300", expected


def editions(captures, draw):
    """Draws of a year: champion, finalist and how many matches there are."""
    played = collections.defaultdict(list)
    for match in captures.matches:
        if match.level != "D" and not is_team_event(match):
            slug = re.sub("[^a-z0-9]+", "-", match.row["tourney_name"].lower()).strip("-")
            played[slug, match.season].append(match)
    for slug, season in draw.sample(sorted(played), 8):
        rows = []
        for tour in sorted({match.tour for match in played[slug, season]}):
            those = [match for match in played[slug, season] if match.tour == tour]
            finals = [match.row for match in those if match.round == "F"]
            row = {"tour": tour, "matches": len(those), "first_week": str(min(match.week for match in those))}
            if len(finals) == 1:
                row |= {"champion_name": finals[0]["winner_name"], "finalist_name": finals[0]["loser_name"],
                        "final_score": finals[0]["score"]}
            rows.append(row)
        yield f"/tennis/tournaments/{slug}/{season}", {"editions": rows}


def coverage(captures, draw):
    rows = []
    for tour in ("atp", "wta"):
        for season in {match.season for match in captures.matches}:
            those = [match for match in captures.matches if (match.tour, match.season) == (tour, season)]
            rows.append({"tour": tour, "season": season, "matches": len(those),
                         "with_statistics": sum(None not in match.served for match in those)})
    yield "/tennis/coverage?limit=500", Some(["tour", "season"], rows)


def points(captures, draw):
    """A page of the points of a slam match."""
    told = collections.defaultdict(list)
    for file in sorted((captures.folder / "slam-points").glob("*points*.csv.gz")):
        for row in table(file):
            if row["PointNumber"].isdigit():
                told[row["match_id"]].append(row)
    for match in draw.sample(sorted(told), 8):
        rows = sorted(told[match], key=lambda row: int(row["PointNumber"]))[:400]
        yield f"/tennis/housecast/{match}?limit=400", [
            {"point_number": int(row["PointNumber"]), "set_number": int(row["SetNo"]), "games_1": int(row["P1GamesWon"]),
             "games_2": int(row["P2GamesWon"]),
             "winner_side": number(row["PointWinner"]) or None, "score_1": row["P1Score"], "score_2": row["P2Score"],
             "is_ace": "1" in (row["P1Ace"], row["P2Ace"]), "is_double_fault": "1" in (row["P1DoubleFault"], row["P2DoubleFault"])}
            for row in rows
        ]


FAMILIES = [matches, records, profiles, head_to_head, rankings, editions, coverage, points]

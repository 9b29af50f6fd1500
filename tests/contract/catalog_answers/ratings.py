"""Elo ratings as the design has them: of contests in order, those of a day from the ratings before it."""

import collections
import datetime
import itertools
import math
import pathlib
import tomllib

from .compare import Some, Unordered

CONTRACTS = pathlib.Path(__file__).resolve().parents[3] / "schemas/catalog/ratings"
HIGHEST = 500


class Contest:
    """Two sides, the first at home unless the ground is neutral."""

    def __init__(self, day, season, sides, scores, is_neutral=False):
        self.day, self.season, self.sides, self.is_neutral = day, season, tuple(sides), is_neutral
        home, away = scores
        self.score, self.margin = (home > away) + (home == away) / 2, abs(home - away)


class Ratings:
    def __init__(self, name, contests):
        told = tomllib.loads(next(CONTRACTS.glob(f"*/{name}.toml")).read_text())
        self.constants, self.fitted_to = told["rating"], str(told["fitted_to"])
        self.contests = sorted(contests, key=lambda contest: contest.day)
        # By subject: days on which it played, each with its rating, season and number of contests after it.
        self.states = collections.defaultdict(list)
        # Of each contest of two who had one before: season, day, score of one side, and its share by the ratings before.
        self.told = []
        for day, played in itertools.groupby(self.contests, key=lambda contest: contest.day):
            self.add_day(day, list(played))

    def before(self, subject, season):
        """Rating and contests of a subject before one of a season: from each season to the next part of it is kept."""
        if not self.states[subject]:
            return self.constants["start"], 0
        _, rating, newest, contests = self.states[subject][-1]
        kept = self.constants["carry"] ** (int(season[:4]) - int(newest[:4]))
        return self.constants["start"] + kept * (rating - self.constants["start"]), contests

    def add_day(self, day, played):
        moved, counted, seasons = collections.Counter(), collections.Counter(), {}
        known = {}
        for contest in played:
            (first, first_n), (second, second_n) = known_of = [self.before(side, contest.season) for side in contest.sides]
            lead = first - second + (0 if contest.is_neutral else self.constants["home_advantage"])
            share = 1 / (1 + 10 ** (-lead / 400))
            winners = {1: lead, 0: -lead, 0.5: 0}[contest.score]
            shape = self.constants["margin"]
            # A draw counts as won by one.
            factor = math.log(max(contest.margin, 1) + 1) * shape["scale"] / (shape["scale"] + shape["damping"] * winners)
            change = self.constants["k"] * factor * (contest.score - share)
            for side, (rating, n), sign in zip(contest.sides, known_of, (1, -1)):
                moved[side] += sign * change
                counted[side] += 1
                seasons[side], known[side] = contest.season, (rating, n)
            if first_n and second_n:
                self.told.append((contest.season, day, contest.score, share))
        for side, (rating, n) in known.items():
            self.states[side].append((day, rating + moved[side], seasons[side], n + counted[side]))

    def as_of(self, day):
        """Ratings of contests before a day."""
        rows = []
        for subject, states in self.states.items():
            passed = [state for state in states if state[0] < day]
            if passed:
                newest, rating, season, contests = passed[-1]
                valid_from = str(datetime.date.fromisoformat(newest) + datetime.timedelta(1))
                rows.append({"subject": subject, "rating": rating, "season": season, "contests": contests, "valid_from": valid_from})
        return rows

    def validity(self, season):
        """Errors in a season, or in all after the day up to which constants were chosen."""
        pairs = [(score, share) for of, day, score, share in self.told
                 if (day > self.fitted_to if season == "measured" else of == season)]
        n = len(pairs)
        return {
            "season": season, "contests": n, "brier": sum((share - score) ** 2 for score, share in pairs) / n,
            "log_loss": -sum(score * math.log(share) + (1 - score) * math.log(1 - share) for score, share in pairs) / n,
            "accuracy": sum(0.5 if share == 0.5 else score if share > 0.5 else 1 - score for score, share in pairs) / n,
        }


def answers(path, ratings, draw, until="9999", days=(), key="subject", spelt=lambda subject: subject, pool="league", asked=""):
    """Lists as of days before another: by chance, of a contest and after it, before the first of all, where a season begins, and those
    given; and errors of seasons that were over."""
    played = sorted({contest.day for contest in ratings.contests if contest.day < until})
    next_day = lambda day: str(datetime.date.fromisoformat(day) + datetime.timedelta(1))
    begun = sorted({season: day for season, day in ((contest.season, contest.day) for contest in reversed(ratings.contests))}.values())
    one, season = draw.choice(played), draw.choice([day for day in begun if day < until])
    span = (datetime.date.fromisoformat(played[-1]) - datetime.date.fromisoformat(played[0])).days
    chosen = {one, next_day(one), played[0], next_day(played[0]), season, next_day(season), *days}
    for _ in range(3):
        chosen.add(str(datetime.date.fromisoformat(played[0]) + datetime.timedelta(draw.randrange(span))))
    for day in sorted(chosen):
        rows = [{(key if name == "subject" else name): value for name, value in row.items()} for row in ratings.as_of(day)]
        yield f"{path}?{asked}as_of={day}&limit={HIGHEST}", Unordered({key: spelt}, rows)
    ends = {contest.season: contest.day for contest in ratings.contests}
    over = sorted({season for season, *_ in ratings.told if ends[season] < until})
    seasons = draw.sample(over, min(3, len(over))) + ["measured"] * (until == "9999")
    yield f"{path}/validity?limit={HIGHEST}", Some(["pool", "season"], [{"pool": pool} | ratings.validity(season) for season in seasons])

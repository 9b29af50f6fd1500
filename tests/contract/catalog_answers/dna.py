"""Values of DNA as the design has them: drawn towards the mean of the pool in two years before the day."""

import bisect
import collections
import datetime
import functools
import itertools
import pathlib
import tomllib

CONTRACTS = pathlib.Path(__file__).resolve().parents[3] / "schemas/catalog/dna"
MONTHS, LEAST = 24, 100
# A value is told from this weight of the subject's own games on, if there are so many.
WEIGHT, GAMES = 0.3, 3


class Contract:
    """Windows, least samples and priors that are declared; without a window everything counts."""

    def __init__(self, name):
        self.told = tomllib.loads(next(CONTRACTS.glob(f"*/{name}.toml")).read_text())
        self.metrics = {metric["name"]: metric for metric in self.told["metric"]}

    def window(self, pool):
        return self.told["pools"][pool].get("history_observations", self.told.get("engine", {}).get("history_observations", 0))

    def prior(self, pool, metric):
        return self.told["pools"][pool]["metrics"][metric]["prior_observations"]

    def suffices(self, metric, under):
        least = self.metrics[metric]["min"]
        return under >= least["value"] * {"count": 1, "min": 60}[least["unit"]]


class Pool:
    """Observations of everybody in a pool: of each the day, and by metric what is divided by what."""

    def __init__(self, observations):
        self.observations = sorted(observations, key=lambda pair: pair[0])
        self.days = [day for day, _ in self.observations]

    @functools.cache
    def sums(self, metric):
        pairs = [values.get(metric, (0, 0)) for _, values in self.observations]
        columns = [over for over, _ in pairs], [under for _, under in pairs], [under > 0 for _, under in pairs]
        return [list(itertools.accumulate(column, initial=0)) for column in columns]

    def mean(self, metric, day):
        """Mean of the pool before a day and mean exposure of an observation; nothing where there are too few."""
        year, month, in_month = (int(part) for part in day.split("-"))
        begin = f"{year - MONTHS // 12:04}-{month:02}-{28 if (month, in_month) == (2, 29) else in_month:02}"
        first, last = bisect.bisect_left(self.days, begin), bisect.bisect_left(self.days, day)
        over, under, n = (float(column[last] - column[first]) for column in self.sums(metric))
        return (over / under, under / n) if n >= LEAST else None


def rows(contract, pool_name, pool, mine):
    """Metrics of a subject from his observations, oldest first, within the window of his pool."""
    newest = mine[-contract.window(pool_name) :]
    valid_from = str(datetime.date.fromisoformat(newest[-1][0]) + datetime.timedelta(1))
    sums, found = collections.defaultdict(lambda: [0, 0]), []
    for _, values in newest:
        for metric, pair in values.items():
            sums[metric] = [total + part for total, part in zip(sums[metric], pair)]
    for metric, (over, under) in sums.items():
        over, under = float(over), float(under)
        row = {"metric": metric, "raw_value": over / under if under else None, "valid_from": valid_from}
        prior = pool.mean(metric, valid_from)
        if prior:
            mean, exposure = prior
            prior = contract.prior(pool_name, metric) * exposure
            weight = under / (under + prior)
            told = contract.suffices(metric, under) and weight >= WEIGHT and len(newest) >= GAMES
            row |= {"pool_mean": mean, "weight": weight, "value": (over + prior * mean) / (under + prior) if told else None}
        found.append(row)
    return found

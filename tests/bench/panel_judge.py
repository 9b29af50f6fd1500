"""How a model is judged by years, and what it may know of a day: for panel_worth.py, which has the sports."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix, identity
from scipy.sparse.linalg import splu
from sklearn.linear_model import LogisticRegression

# Chosen on bouts of 2010 to 2021: inverse penalty, half-life of a bout in years, and the bouts of average strength that each
# side begins with.
PENALTY, HALF_LIFE, LEAN = 0.005, 3.0, 1.5


@dataclass
class Pairs:
    """Decided contests: whether the first side won, year, event to resample by, and rows that are not judged."""

    won: np.ndarray
    year: np.ndarray
    event: np.ndarray
    judged: np.ndarray


def predict(pairs, columns, years, penalty=PENALTY, first_year=0, half_life=None):
    """P(first side wins) of the contests of these years, each from a model of the years before; NaN of all others."""
    shares = np.full(len(pairs.won), np.nan)
    for year in years:
        known = (pairs.year < year) & (pairs.year >= first_year)
        asked = (pairs.year == year) & pairs.judged
        if not asked.any() or len(set(pairs.won[known])) < 2:
            continue
        # Scaled and not centred: a difference of nothing stays nothing.
        scale = np.sqrt((columns[known] ** 2).mean(axis=0)) + 1e-9
        weight = None if half_life is None else 0.5 ** ((year - pairs.year[known]) / half_life)
        model = LogisticRegression(C=penalty, fit_intercept=False, max_iter=2000)
        model.fit(columns[known] / scale, pairs.won[known], sample_weight=weight)
        shares[asked] = model.predict_proba(columns[asked] / scale)[:, 1]
    return shares


def log_losses(shares, won):
    shares = np.clip(shares, 1e-9, 1 - 1e-9)
    return -(won * np.log(shares) + (1 - won) * np.log(1 - shares))


def tenths(shares, won):
    """Of each tenth of the predictions: contests, mean prediction, share that was won."""
    place = np.minimum((shares * 10).astype(int), 9)
    return [(t, (place == t).sum(), shares[place == t].mean(), won[place == t].mean()) for t in range(10) if (place == t).any()]


def calibration_error(shares, won):
    """Expected calibration error: mean distance of predicted and seen over tenths, weighted by contests."""
    return sum(n * abs(said - seen) for _, n, said, seen in tenths(shares, won)) / len(won)


def interval(values, event, rounds=2000):
    """95 % of the mean, events resampled."""
    _, group = np.unique(event, return_inverse=True)
    total, count = np.bincount(group, values), np.bincount(group)
    drawn = np.random.default_rng(1).integers(0, len(total), (rounds, len(total)))
    return np.quantile(total[drawn].sum(axis=1) / count[drawn].sum(axis=1), [0.025, 0.975])


def line(name, shares, pairs, within=None):
    """A row of a table: contests, log loss with its interval, share right, Brier score, calibration error."""
    kept = ~np.isnan(shares) if within is None else ~np.isnan(shares) & within
    if not kept.any():
        return f"| {name} | 0 | nothing to judge | | | | |"
    said, won = shares[kept], pairs.won[kept]
    losses = log_losses(said, won)
    low, high = interval(losses, pairs.event[kept])
    right = np.mean(np.where(said == 0.5, 0.5, (said > 0.5) == won))
    cells = (f"{len(won):,}", f"{losses.mean():.4f}", f"{low:.3f} to {high:.3f}", f"{right:.1%}".replace("%", " %"))
    return f"| {name} | {' | '.join(cells)} | {np.mean((said - won) ** 2):.4f} | {calibration_error(said, won):.3f} |"


def heading(title):
    print(f"\n## {title}\n\n| what the model has | contests | log loss | 95 % by event | right | Brier | ECE |")
    print("|---|---|---|---|---|---|---|")


def calibration(shares, pairs):
    kept = ~np.isnan(shares)
    print("\n| tenth | contests | said | seen |\n|---|---|---|---|")
    for tenth, n, said, seen in tenths(shares[kept], pairs.won[kept]):
        print(f"| {tenth * 10} to {tenth * 10 + 10} % | {n} | {said:.1%} | {seen:.1%} |".replace("%", " %").replace("  %", " %"))


# Features


def as_of(values, asked, key):
    """Beside each asked row (`key`, `date`) the values that hold on its date: the newest with `valid_from` not after it."""
    rows = asked.with_row_index("row").sort("date")
    held = rows.join_asof(values.sort("valid_from"), left_on="date", right_on="valid_from", by=key, check_sortedness=False)
    return held.sort("row").drop("row")


def of_today(values, asked, key):
    """The leak: beside each asked row the newest values of all, whatever its date is."""
    newest = values.sort("valid_from").group_by(key, maintain_order=True).last()
    return asked.join(newest, on=key, how="left", maintain_order="left")


def gap(first, second):
    """First less second side; 0 where a side is not known, which favours neither."""
    return np.nan_to_num(np.asarray(first, float) - np.asarray(second, float))


def strengths(first, second, day, margins, half_life=HALF_LIFE, lean=LEAN, adjusted=True):
    """Gap of strength of both sides before each day, a column a margin: (contests, margins).

    A margin of a contest is strength less strength and chance; least squares over all contests of earlier days, each worth
    half after `half_life` years, each side drawn to 0 as if by `lean` contests. Not `adjusted`: against opponents of
    strength 0. Margins are NaN where they are not known, in all columns alike.
    """
    ids, sides = np.unique(np.concatenate([first, second]), return_inverse=True)
    i, j, size = sides[: len(first)], sides[len(first) :], len(ids)
    known, gaps = ~np.isnan(margins).any(axis=1), np.zeros(margins.shape)
    for today in np.unique(day):
        past, now = known & (day < today), day == today
        if not past.any():
            continue
        a, b, one = i[past], j[past], np.ones(past.sum())
        weight = one if half_life is None else 0.5 ** ((today - day[past]) / 365.25 / half_life)
        rows, columns, entries = [a, b], [a, b], [weight, weight]
        if adjusted:
            rows, columns, entries = [*rows, a, b], [*columns, b, a], [*entries, -weight, -weight]
        system = coo_matrix((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), (size, size))
        sums = np.array([np.bincount(a, weight * m, size) - np.bincount(b, weight * m, size) for m in margins[past].T]).T
        system = (system + lean * identity(size)).tocsc()
        solved = splu(system, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve(sums)
        gaps[now] = solved[i[now]] - solved[j[now]]
    return gaps


def elo(first, second, won, day, known_from, step):
    """Gap of plain Elo ratings, the script's own, before each day; `step` is K by the number of earlier contests."""
    rating, contests, gaps, told = {}, {}, np.zeros(len(won)), 0
    ready = np.argsort(known_from, kind="stable")
    for today in np.unique(day):
        while told < len(ready) and known_from[ready[told]] <= today:
            a, b, score = first[ready[told]], second[ready[told]], won[ready[told]]
            surprise = score - 1 / (1 + 10 ** ((rating.get(b, 0) - rating.get(a, 0)) / 400))
            for side, change in ((a, surprise), (b, -surprise)):
                rating[side] = rating.get(side, 0) + step(contests.get(side, 0)) * change
                contests[side] = contests.get(side, 0) + 1
            told += 1
        for row in np.flatnonzero(day == today):
            gaps[row] = rating.get(first[row], 0) - rating.get(second[row], 0)
    return gaps[:, None]

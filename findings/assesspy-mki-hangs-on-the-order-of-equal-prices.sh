#!/usr/bin/env bash
# The modified Kakwani index of assesspy 2.0.2, a measure of the fairness of assessments, changes when the rows of a sample are
# shuffled, if prices repeat, as prices do: its sort keeps the order of equal prices, and each gets a rank of its own. Of 200
# invented sales at round prices it is 1.021 to 1.039 by the order of rows: where values within a price happen to rise, the
# sample reads as more progressive than where they fall. With the mean of the values of each price it is one number in every order.
#
# Needs python3 with pip and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check assesspy==2.0.2
"$work/venv/bin/python" - <<'PY'
import random

import assesspy
import pandas

random.seed(7)
prices = [10_000 * random.randint(15, 60) for _ in range(200)]
values = [price * random.lognormvariate(0, 0.15) for price in prices]


def mki(rows):
    return assesspy.mki([value for value, _ in rows], [price for _, price in rows])


rows = list(zip(values, prices))
rising, falling = mki(sorted(rows)), mki(sorted(rows, reverse=True))
shuffled = {round(mki(random.sample(rows, len(rows))), 6) for _ in range(20)}
frame = pandas.DataFrame({"value": values, "price": prices})
frame["value"] = frame.groupby("price")["value"].transform("mean")
of_means = {round(mki(random.sample(list(zip(frame.value, frame.price)), 200)), 9) for _ in range(20)}
print(f"{len(set(prices))} prices of 200 sales; values rising within a price {rising:.4f}, falling {falling:.4f}")
print(f"20 shuffles: {len(shuffled)} answers, {min(shuffled)} to {max(shuffled)}; with the mean value of each price: {of_means}")
assert rising - falling > 0.01 and len(shuffled) > 5 and len(of_means) == 1
PY

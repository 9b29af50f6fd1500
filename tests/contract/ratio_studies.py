#!/usr/bin/env python3
"""Ratio studies of the published properties against two programs of the trade, and a sample report made twice.

    tests/contract/ratio_study PROGRAM LAKE    LAKE is one of `properties run`

Each slice is recomputed by assesspy and ratio-study from the pairs that the program writes. Their MKI hangs on which of
equal prices comes first; ours does not, so they are given the mean value of each price.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import assesspy
import numpy
import ratio_study

LIMIT = 1e-9


def run(program, lake, *arguments, code=0):
    done = subprocess.run([program, "properties", "--lake", lake, *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


def is_of(slice_row, pair):
    dimension, name = slice_row["dimension"], slice_row["slice"]
    return {
        "all": True, "type": pair["type"] == name, "quarter": f"from {pair['valued_as_of']}" == name,
        "area": f"area {pair['area']}" == name, "neighborhood": f"neighborhood {pair['neighborhood']}" == name,
    }[dimension]


def of_equal_prices(values, prices):
    """Values of which those of one price are their mean."""
    order = numpy.argsort(prices, kind="stable")
    values, prices = values[order], prices[order]
    _, place, count = numpy.unique(prices, return_inverse=True, return_counts=True)
    return numpy.bincount(place, values)[place] / count[place], prices


def compare(row, pairs):
    values, prices = (numpy.array([float(pair[name]) for pair in pairs]) for name in ("value", "price"))
    ratios = values / prices
    assert len(pairs) == row["valued"], row["slice"]
    expected = {
        "median_ratio": [numpy.median(ratios), ratio_study.asr_median(ratios)],
        "cod": [assesspy.cod(values, prices), 100 * ratio_study.cod(ratios)],
        "prd": [assesspy.prd(values, prices), ratio_study.prd(prices, ratios)],
        "prb": [assesspy.prb(values, prices)],
        "mki": [assesspy.mki(*of_equal_prices(values, prices))],
    }
    for name, others in expected.items():
        for other in others:
            assert math.isclose(row[name], other, rel_tol=LIMIT, abs_tol=LIMIT), (row["market"], row["slice"], name, row[name], other)
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"], (row["slice"], name)
    # It takes .693 for the logarithm of 2, and answers with five digits.
    other = float(str(ratio_study.prb(prices, values, ratios)[0]).rstrip("*")) * math.log(2) / 0.693
    assert abs(row["prb"] - other) < 6e-6, (row["slice"], row["prb"], other)


def check_bootstrap(row, pairs):
    """Intervals of the dispersion and the differential by assesspy, whose resamples are others."""
    values, prices = ([float(pair[name]) for pair in pairs] for name in ("value", "price"))
    numpy.random.seed(1)
    for name, interval in (("cod", assesspy.cod_ci), ("prd", assesspy.prd_ci)):
        low, high = interval(values, prices, nboot=300)
        width = high - low
        assert abs(row[f"{name}_low"] - low) < 0.3 * width and abs(row[f"{name}_high"] - high) < 0.3 * width, (name, low, high, row)


def main():
    program, lake = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        study = json.loads(run(program, lake, "--json", "ratio-study", "--pairs", str(folder / "pairs.csv")).stdout)["ratio_study"]
        pairs = list(csv.DictReader((folder / "pairs.csv").open()))
        compared = 0
        for row in study:
            if row["dimension"] == "price_tenth":
                assert row["prd"] is None and row["cod"] is not None, row
                continue
            own = [pair for pair in pairs if pair["market"] == row["market"] and is_of(row, pair)]
            if row["cod"] is None:
                assert len(own) < 20, row
                continue
            compare(row, own)
            compared += 1
            if row["slice"] == "three_family":
                check_bootstrap(row, own)
        print(f"   {compared} slices as assesspy and ratio-study have them")

        report = folder / "report.json"
        made = [run(program, lake, "sample-report", "--sample", "50", "--seed", "7").stdout for _ in range(2)]
        assert made[0] == made[1] and made[0] != run(program, lake, "sample-report", "--sample", "50", "--seed", "8").stdout
        report.write_text(made[0])
        run(program, lake, "sample-report", "--check", str(report))
        changed = json.loads(made[0])
        changed["rows"][0]["price"] += 1
        report.write_text(json.dumps(changed))
        assert "rows differ" in run(program, lake, "sample-report", "--check", str(report), code=65).stderr
        print(f"   a sample report of {len(changed['rows'])} sales is made again and checked; a changed one is refused")


if __name__ == "__main__":
    main()

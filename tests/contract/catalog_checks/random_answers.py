#!/usr/bin/env python3
"""Random answers of every sport, each calculated once more from the captured files.

    tests/contract/catalog_checks/random_answers.py URL DATA [--seed N] [--only SPORT[.FAMILY]]

What is asked comes from a seeded generator. Nothing here reads a table of ours or a model: `catalog_answers` has, by
sport, families of questions with what the files come to by their own meaning.
"""

import argparse
import collections
import importlib
import itertools
import json
import pathlib
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ANSWERS = pathlib.Path(__file__).resolve().parents[1] / "catalog_answers"
sys.path.insert(0, str(ANSWERS.parent))
from catalog_answers.compare import differences  # noqa: E402

SPORTS = ["mlb", "nfl", "nba", "wnba", "nhl", "tennis", "soccer"]


def asked(url, path):
    try:
        return json.load(urllib.request.urlopen(url + urllib.parse.quote(path, safe="/?&=%-_.,+")))["data"]
    except urllib.error.HTTPError as error:
        return f"{error.code} {json.load(error)['error']['code']}"


def check(url, data, query=None, seed=1, only=""):
    begun, compared, wrong = time.monotonic(), collections.Counter(), collections.defaultdict(list)
    for sport in SPORTS:
        if only and only.split(".")[0] != sport:
            continue
        modules = [importlib.import_module(f"catalog_answers.{file.stem}") for file in sorted(ANSWERS.glob(f"{sport}*.py"))]
        captures = modules[0].Captures(data / sport)
        for family in itertools.chain.from_iterable(module.FAMILIES for module in modules):
            name = f"{sport}.{family.__name__}"
            if not name.startswith(only):
                continue
            for path, expected in family(captures, random.Random(f"{seed} {name}")):
                compared[name] += 1
                found = differences(asked(url, path), expected)
                if found:
                    wrong[name].append(f"{path}: {len(found)} differences, such as {'; '.join(found[:3])}")
    assert not wrong, f"seed {seed}\n" + "\n".join(f"{name} {line}" for name, lines in wrong.items() for line in lines[:8])
    seconds = time.monotonic() - begun
    assert only or len(compared) >= 25 and compared.total() >= 200, compared
    print(f"   seed {seed}: {compared.total()} answers of {len(compared)} families calculated once more, {seconds:.0f} s")
    return compared


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("url")
    arguments.add_argument("data", type=pathlib.Path)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    for name, answers in check(given.url, given.data / "sports", None, given.seed, given.only).items():
        print(f"   {answers:4} {name}")

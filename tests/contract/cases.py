#!/usr/bin/env python3
"""Cases after public bug reports: small invented captures, and what is right of each.

    cases.py PROGRAM CASES [NAME ...]    PROGRAM is a built `fightdna` with `fightdna-sql` beside it

`cases.toml` states for each folder of CASES the commands that are run on a new lake, how they end, and queries with their
rows. Every folder must be stated, and every statement must have its folder.
"""

import csv
import io
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path


def run(program: Path, words: list[str], lake: Path, case: Path) -> subprocess.CompletedProcess[str]:
    """One command, with LAKE and CASE filled in."""
    filled = [word.replace("LAKE", str(lake)).replace("CASE", str(case)) for word in words]
    return subprocess.run([program, *filled], capture_output=True, text=True, check=False)


def rows(program: Path, lake: Path, sql: str) -> list[list[str]]:
    """The answer to a query, as texts; a null is empty."""
    asked = subprocess.run(
        [program, "sql", "--lake", lake, "query", "--format", "csv", sql], capture_output=True, text=True, check=False
    )
    if asked.returncode != 0:
        return [[f"exit {asked.returncode}", asked.stderr.strip()]]
    return list(csv.reader(io.StringIO(asked.stdout)))[1:]


def check(program: Path, case: Path, stated: dict) -> list[str]:
    """What is wrong of a case."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        for step in stated["run"]:
            ran = run(program, step["command"].split(), lake, case)
            told = ran.stdout + ran.stderr
            exits = step.get("exit", [0])
            if ran.returncode not in exits:
                wrong.append(f"`{step['command']}` ended with {ran.returncode}, not {exits}: {told.strip()[-600:]}")
            wrong += [f"`{step['command']}` does not say {text!r}: {told.strip()[-600:]}" for text in step.get("says", []) if text not in told]
        for asked in stated.get("query", []):
            got = rows(program, lake, asked["sql"])
            expected = [[str(cell) for cell in row] for row in asked["rows"]]
            if got != expected:
                wrong.append(f"{asked['sql']}\n      expected {expected}\n      got      {got}")
    return wrong


def main() -> int:
    program, cases, *names = sys.argv[1:]
    program, cases = Path(program).resolve(), Path(cases).resolve()
    stated = tomllib.loads((Path(__file__).parent / "cases.toml").read_text())
    there = {folder.name for folder in cases.iterdir() if folder.is_dir()}
    if there != stated.keys():
        print(f"cases that are not stated, or stated and not there: {sorted(there ^ stated.keys())}", file=sys.stderr)
        return 1
    failed = 0
    for name in names or sorted(there):
        wrong = check(program, cases / name, stated[name])
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'ok    '} {name}")
        for line in wrong:
            print(f"    {line}")
    tried = len(names or there)
    print(f"{tried - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    os.environ["TZ"] = "America/New_York"
    sys.exit(main())

"""150 random fighters' records as the API has them, today and on a random day, reckoned once more from raw captures.

    records.py PROGRAM LAKE CAPTURES    LAKE is of all captures

The statistics source by its ids (all promotions, until 2024-12-14) and its newest results after that, by names; the records
that were stated on 2023-11-16. Fighters whose name is not one fighter's in every file are left out.
"""
import csv
import json
import random
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections import Counter, defaultdict
from datetime import date, datetime
from pathlib import Path

STATED, BY_ID, NEWEST = "career/fighters_2023-11-16.json", "statsdb-ids/2024-12-14", "statsdb-csv/2025-11-02"
STATED_ON, SWITCH = date(2023, 11, 16), date(2024, 12, 14)
WORDS = {"W": "wins", "L": "losses", "D": "draws", "NC": "no_contests"}
FIELDS = list(WORDS.values())


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def find_unique(names):
    return {name for name, n in Counter(names).items() if n == 1}


def read_bouts(captures):
    """Day and outcome of every bout by name."""
    folder, bouts = captures / BY_ID, defaultdict(list)
    names = {row["id"]: row["name"] for row in read_rows(folder / "fighters.csv")}
    days = {row["id"]: date.fromisoformat(row["date"]) for row in read_rows(folder / "events.csv")}
    for row in read_rows(folder / "bouts.csv"):
        for side in ("red", "blue"):
            bouts[names[row[f"{side}_fighter_id"]]].append((days[row["event_id"]], row[f"{side}_outcome"]))
    folder = captures / NEWEST
    days = {row["EVENT"].strip(): datetime.strptime(row["DATE"], "%B %d, %Y").date() for row in read_rows(folder / "ufc_event_details.csv")}
    for row in read_rows(folder / "ufc_fight_results.csv"):
        day = days[row["EVENT"].strip()]
        if day > SWITCH:
            for name, outcome in zip(row["BOUT"].split("vs."), row["OUTCOME"].split("/")):
                bouts[" ".join(name.split())].append((day, outcome))
    return bouts, find_unique(names.values())


def reckon_record(stated, bouts, day):
    """The stated record with the bouts between its day and another; None before the first bout, unless nothing is left."""
    sign, first, last = (1, STATED_ON, day) if day > STATED_ON else (-1, day, STATED_ON)
    between = Counter(WORDS[outcome] for on, outcome in bouts if first <= on < last)
    record = [stated[field] + sign * between[field] for field in FIELDS]
    is_before_all = sign < 0 and all(day < on for on, _ in bouts)
    return None if is_before_all and any(record[:3]) else record


def main():
    program, lake, captures = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    bouts, unique = read_bouts(captures)
    listed = json.loads((captures / STATED).read_text())
    name = lambda one: " ".join(filter(None, (one["name"].get("firstName"), one["name"].get("lastName"))))
    stated = {name(one): {"wins": one["record"]["wins"], "losses": one["record"]["losses"], "draws": one["record"]["draws"],
                          "no_contests": one["record"].get("noContests", 0)} for one in listed if "record" in one}
    known = sorted(unique & find_unique(map(name, listed)) & stated.keys())
    active = [who for who in known if any(on > STATED_ON for on, _ in bouts[who])]
    chosen = random.Random(150).sample(active, 150)
    server = subprocess.Popen([program, "serve", "--lake", lake, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    base = server.stdout.readline().split(" on ")[-1].strip().removesuffix("/v1/mma")

    def get(path):
        for _ in range(300):
            try:
                with urllib.request.urlopen(base + path, timeout=30) as answer:
                    return json.load(answer)["data"]
            except (urllib.error.HTTPError, ConnectionError, urllib.error.URLError):
                time.sleep(0.2)
        raise SystemExit(f"no answer of {path}")

    chance, right, wrong = random.Random(2015), Counter(), []
    try:
        for who in chosen:
            found = [one for one in get(f"/v1/mma/fighters?q={urllib.parse.quote(who)}") if one["name"] == who]
            if len(found) != 1:
                right["not one of the name"] += 1
                continue
            past = date(2010, 1, 1).toordinal() + chance.randrange(365 * 14)
            for kind, day in (("today", None), ("on a day", date.fromordinal(past))):
                record = get(f"/v1/mma/fighters/{found[0]['id']}/record" + (f"?as_of={day}" if day else ""))["record"]
                told = record and [record[field] for field in FIELDS]
                ours = reckon_record(stated[who], bouts[who], day or date.max)
                right[kind] += told == ours
                wrong += [] if told == ours else [f"{who}, {day or 'today'}: {told} for {ours}"]
    finally:
        server.kill()
    print("\n".join(wrong))
    print(f"{len(chosen)} fighters: {dict(right)}")
    # A bout whose day another source corrects, or that another source alone has, may change a few.
    sys.exit(right["today"] + right["on a day"] + 2 * right["not one of the name"] < 294)


main()

"""Batters of 2019 by the pitcher's hand and at home and away before a day, counted once more from events of Retrosheet."""

import collections

from .compare import Some, text
from .mlb import at_bat


def hands(folder):
    """Hand of each pitcher, from rosters of clubs."""
    rows = (line.split(",") for file in sorted((folder / "retrosheet").glob("*.ROS")) for line in text(file, "latin1").splitlines())
    return {row[0]: {"R": "right", "L": "left"}[row[4]] for row in rows if row}


def turns(folder):
    """Turns at bat by batter: day, ground, hand of the pitcher and what each was. A batter who pitched, or whose game went on on another day, is left out."""
    batters, left_out, throws = collections.defaultdict(list), set(), hands(folder)
    for file in sorted((folder / "retrosheet").glob("*.EV?.gz")):
        game = day = None
        on_mound, seen, is_suspended = {}, set(), False
        for line in [*text(file, "latin1").splitlines(), "id,end"]:
            kind, *fields = line.split(",")
            if kind == "id":
                left_out |= seen if is_suspended else set()
                game, seen, is_suspended = fields[0], set(), False
            elif kind == "info" and fields[0] == "date":
                day = fields[1].replace("/", "-")
            elif kind == "com":
                is_suspended |= "suspended" in line
            elif kind in ("start", "sub") and fields[-1] == "1":
                on_mound[fields[-3]] = fields[0]
                left_out.add(fields[0])
            elif kind == "play":
                _, half, batter, _, _, event = fields
                seen.add(batter)
                if counted := at_bat(event):
                    ground = "home" if half == "1" else "away"
                    batters[batter].append((day, game, ground, throws[on_mound["1" if half == "0" else "0"]], counted))
    return {batter: rows for batter, rows in batters.items() if batter not in left_out}


def batter_splits(captures, draw):
    batters = turns(captures.folder)
    for batter in draw.sample(sorted(batter for batter, rows in batters.items() if len(rows) > 100), 8):
        days = sorted({day for day, *_ in batters[batter]})
        day = draw.choice(days[len(days) // 3 :])
        splits = collections.defaultdict(list)
        for on, game, ground, hand, counted in batters[batter]:
            if on < day:
                splits["ground", ground].append((game, counted))
                splits["opponent_hand", hand].append((game, counted))
        rows = []
        for (split, value), seen in splits.items():
            count = lambda name: sum(counted.get(name, 0) for _, counted in seen)
            rows.append({"role": "batting", "split": split, "split_value": value, "games": len({game for game, _ in seen}),
                         "plate_appearances": len(seen), "strikeouts": count("strikeouts"), "walks": count("walks"),
                         "home_runs": count("home_runs"), "home_run_share": count("home_runs") / len(seen)})
        yield f"/mlb/player/{batter}/dna?as_of={day}", {"splits": Some(["role", "split", "split_value"], rows)}


FAMILIES = [batter_splits]

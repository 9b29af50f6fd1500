"""How an answer is compared with what the captures come to."""

import collections
import csv
import gzip
import io
import json
import math

NONE = "<no such field>"


def text(path, encoding="utf-8"):
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode(encoding)


def table(path):
    return list(csv.DictReader(io.StringIO(text(path, "utf-8-sig"), newline="")))


def document(path):
    return json.loads(text(path))


def ratio(over, under, times=1):
    """A quotient, or nothing where the denominator is zero or one of both is not known."""
    return None if not under or over is None else over * times / under


def total(values):
    """The sum of what is known, or nothing where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


class Unordered(list):
    """Rows whose order is not looked at: each is found by fields, as they are or as a function spells them."""

    def __init__(self, key, rows):
        super().__init__(rows)
        self.key = key if isinstance(key, dict) else dict.fromkeys(key, lambda value: value)


class Some(Unordered):
    """The same, where the answer may have further rows."""


class Among(Unordered):
    """The same, where each row of the answer must be one of these, and these may be more."""


class Counted:
    """How often rows with the same values of some fields are there."""

    def __init__(self, fields, counts):
        self.fields, self.counts = fields, counts


def field(row, name):
    """A column of the dictionary: `home_score` may stand in the answer as `home: {score}`."""
    if name in row:
        return row[name]
    for at in (at for at, letter in enumerate(name) if letter == "_" and isinstance(row.get(name[:at]), dict)):
        found = field(row[name[:at]], name[at + 1 :])
        if found is not NONE:
            return found
    return NONE


def differences(told, expected, where="data"):
    """Every place where an answer is not what is expected. Fields that nobody expects are not looked at."""
    if isinstance(expected, dict):
        if not isinstance(told, dict):
            return [f"{where}: {told!r} is no object"]
        return [d for name, value in expected.items() for d in differences(field(told, name), value, f"{where}.{name}")]
    if isinstance(expected, Counted):
        found = collections.Counter(tuple(field(row, name) for name in expected.fields) for row in told) if isinstance(told, list) else told
        return [] if found == expected.counts else [f"{where}: {found!r}, not {expected.counts!r}"]
    if isinstance(expected, Unordered):
        return by_key(told, expected, where)
    if isinstance(expected, list):
        if not isinstance(told, list) or len(told) != len(expected):
            return [f"{where}: {len(told) if isinstance(told, list) else told!r} rows, not {len(expected)}"]
        return [d for at, value in enumerate(expected) for d in differences(told[at], value, f"{where}[{at}]")]
    return [] if same(told, expected) else [f"{where}: {told!r}, not {expected!r}"]


def by_key(told, expected, where):
    name = lambda row: tuple(spelt(field(row, part)) for part, spelt in expected.key.items())
    if not isinstance(told, list):
        return [f"{where}: {told!r} is no list"]
    ours, theirs = {name(row): row for row in expected}, {name(row): row for row in told}
    if len(ours) != len(expected) or len(theirs) != len(told):
        return [f"{where}: {list(expected.key)} does not tell rows apart"]
    lost = [f"{where}: no row {key}" for key in ours.keys() - theirs.keys() if not isinstance(expected, Among)]
    more = [f"{where}: row {key} should not be there" for key in theirs.keys() - ours.keys() if not isinstance(expected, Some)]
    both = [(key, {part: value for part, value in ours[key].items() if part not in expected.key}) for key in ours.keys() & theirs.keys()]
    return lost + more + [d for key, row in both for d in differences(theirs[key], row, f"{where}{list(key)}")]


def same(told, expected):
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (told, expected))
    if numbers:
        return math.isclose(told, expected, rel_tol=1e-9, abs_tol=1e-12)
    return type(told) is type(expected) and told == expected

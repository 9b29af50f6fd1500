"""Every model of a sport over facts of which some cells are odd: none fails, and no published column that must not be null is.

What a contract reads as text may be any text, what is nullable may be null, and counts may be zero. The facts are those of a lake; the
models are run here as the program runs them, one `SELECT` each, with tables of DNA as the lake has them, and ratings that stay.
"""

import csv
import json
import pathlib
import os
import random
import re
import tomllib

import duckdb

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas/catalog"
TYPES = {"int32": "INTEGER", "int64": "BIGINT", "bool": "BOOLEAN", "date": "DATE", "instant": "TIMESTAMP", "float64": "DOUBLE"}
ODD = ["0a", "x", "99999999999999", "3.7.1", "2024-13-45", "-", "12:75", "∅"]


def declared(sport):
    """Files of the sport's sources: source and declaration."""
    for file in sorted((SCHEMAS / "sources").glob(f"{sport}-*.toml")):
        source = tomllib.loads(file.read_text())
        yield from ((source["source"], one) for one in source["file"])


def named(column):
    return column.get("as") or column["name"]


def quoted(name):
    return f'"{name}"'


def make_facts(connection, lake, sport):
    for source, file in declared(sport):
        table = file["table"]
        found = sorted((lake / "facts" / source).glob(f"*/{table}.parquet"))
        if found:
            # Days and hours with a zone are those of UTC.
            zoned = [name for name, kind, *_ in connection.execute(f"DESCRIBE SELECT * FROM '{found[0]}'").fetchall() if "TIME ZONE" in kind]
            plain = ", ".join(f"CAST({quoted(name)} AS TIMESTAMP) AS {quoted(name)}" for name in zoned)
            kept = f"* REPLACE ({plain})" if zoned else "*"
            connection.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT {kept}, TIMESTAMP '2026-08-25' AS captured_at FROM '{found[0]}'")
        else:
            columns = [(named(one), TYPES.get(one.get("type"), "VARCHAR")) for one in file["columns"] if one["rule"] != "ignored"]
            columns += [("file", "VARCHAR"), ("line", "BIGINT"), ("captured_at", "TIMESTAMP")]
            typed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
            connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({typed})")
    for seed in sorted((SCHEMAS / "seeds").glob(f"{sport}_*.csv")):
        head, *rows = csv.reader(seed.open())
        typed, marks = ", ".join(f"{quoted(name)} VARCHAR" for name in head), ", ".join("?" * len(head))
        connection.execute(f"CREATE TABLE {seed.stem} ({typed})")
        connection.executemany(f"INSERT INTO {seed.stem} VALUES ({marks})", [[cell or None for cell in row] for row in rows])
    connection.execute(f"CREATE TABLE {sport}_corrections (table_name VARCHAR)")


def spoil(connection, sport, kind, draw, share):
    """Changes a share of the cells of every column that may be so."""
    for table, file in {file["table"]: file for _, file in declared(sport)}.items():
        columns = {named(one): one for one in file["columns"]}
        for name, stored, *_ in connection.execute(f"DESCRIBE {table}").fetchall():
            column = columns.get(name)
            if column is None or name in file.get("key", []):
                continue
            is_text = stored == "VARCHAR" and not column.get("values") and not column.get("type")
            value = {"text": f"'{draw.choice(ODD)}'" if is_text else None, "null": "NULL" if column["rule"] == "nullable" else None,
                     "zero": "0" if column["rule"] == "nullable" and stored in ("INTEGER", "DOUBLE") else None}[kind]
            if value:
                connection.execute(f"UPDATE {table} SET {quoted(name)} = {value} WHERE hash(rowid, {draw.randrange(10_000)}) % 1000 < {1000 * share}")


def make_ratings(connection, name, rating):
    """A row for each side of each contest, with the rating that everybody begins with. The program refuses a null."""
    contests, known = rating["contests"], ("step", "contest", "pool", "season", "played_on", "first", "second", "score", "is_neutral")
    is_null = " OR ".join(f"{column} IS NULL" for column in known)
    assert not connection.execute(f"SELECT count(*) FROM {contests} WHERE {is_null}").fetchall()[0][0], f"a null in {contests}"
    start = float(rating["rating"]["start"])
    side = f"""SELECT pool, {{}} AS subject, {{}} AS subject_name, played_on + 1 AS valid_from, season, contest, step, {{}} AS opponent, {{}} AS score,
                      0.0 AS advantage, {start} AS rating_before, {start} AS opponent_rating_before, {start} AS rating_after, 1 AS contests FROM {contests}"""
    sides = side.format("first", "first", "second", "score"), side.format("second", "second", "first", "1 - score")
    connection.execute(f"CREATE TABLE {name}_contests AS {' UNION ALL '.join(sides)}")
    none = f"""SELECT pool, season, season AS first_season, season AS last_season, 0.0 AS log_loss, 0.0 AS brier, 0.0 AS accuracy,
                      '' AS source, '' AS url FROM {name}_contests WHERE false"""
    for table, query in ((name, "ratings"), (f"{name}_validity", "ratings_validity")):
        sql = (SCHEMAS / f"{query}.sql").read_text().replace("FROM rated", f"FROM {name}_contests")
        sql = sql.replace("JOIN published", f"JOIN ({none})").replace("'fitted_to'", f"'{rating['fitted_to']}'")
        connection.execute(f"CREATE TABLE {table} AS {sql}")


def run_models(connection, sport, tables):
    """Runs every model behind those that it reads; tables of DNA are those of the snapshot."""
    models = {file.stem: file.read_text() for file in (SCHEMAS / "models" / sport).glob("*.sql")}
    dna = {file.stem: tomllib.loads(file.read_text())["observations"] for file in (SCHEMAS / "dna" / sport).glob("*.toml")}
    words = {name: set(re.findall(r"\w+", re.sub("--.*", "", sql))) for name, sql in models.items()}
    words |= {name: {observations} for name, observations in dna.items()}
    ratings = {file.stem: tomllib.loads(file.read_text()) for file in (SCHEMAS / "ratings" / sport).glob("*.toml")}
    words |= {name: {rating["contests"]} for name, rating in ratings.items()}
    made = set()
    while len(made) < len(words):
        waited_for = {other: {other, *(f"{other}_{part}" for part in ("metrics", "contests", "validity"))} for other in words.keys() - made}
        ready = sorted(name for name in waited_for if not any(tables & words[name] for other, tables in waited_for.items() if other != name))
        assert ready, set(words) - made
        for name in ready:
            if name in dna:
                for table in (name, f"{name}_metrics"):
                    connection.execute(f"CREATE TABLE {table} AS FROM '{tables}/{table}.parquet'")
            elif name in ratings:
                make_ratings(connection, name, ratings[name])
            else:
                connection.execute(f"CREATE TABLE {name} AS {models[name]}")
            made.add(name)


def nulls(connection, sport):
    """Columns of published tables that are null against their contract."""
    for file in sorted((SCHEMAS / "models" / sport).glob("*.toml")):
        for column in tomllib.loads(file.read_text())["columns"]:
            if "null_means" not in column:
                name = column["name"]
                if connection.execute(f"SELECT count(*) FROM {file.stem} WHERE {quoted(name)} IS NULL").fetchall()[0][0]:
                    yield f"{file.stem}.{name}"


def check(lake, seed=None):
    """All sports, each with odd text, nulls and zeros; what was asked of chance is in the seed."""
    seed = int(os.environ.get("FIGHTDNA_SEED", "0")) if seed is None else seed
    lake, ran = pathlib.Path(lake), 0
    tables = lake / "snapshots" / json.loads((lake / "current.json").read_text())["snapshot_id"] / "tables"
    for sport in sorted(folder.name for folder in (SCHEMAS / "models").iterdir() if folder.name != "properties"):
        for kind in ("text", "null", "zero"):
            with duckdb.connect() as connection:
                connection.execute("SET enable_progress_bar = false")
                make_facts(connection, lake, sport)
                spoil(connection, sport, kind, random.Random(f"{seed} {sport} {kind}"), 0.03)
                try:
                    run_models(connection, sport, tables)
                except duckdb.Error as error:
                    raise AssertionError(f"seed {seed}: {sport}, {kind}: {error}") from error
                found = list(nulls(connection, sport))
                assert not found, f"seed {seed}: {sport}, {kind}: null in {found}"
                ran += 1
    return f"{ran} runs of models, seed {seed}"

"""Every table over HTTP by every engine: the same rows, and types as the book's table says.

python over_http.py PROGRAM LAKE FOLDER PAGE
"""

import io
import sys
import urllib.request
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq
from engines import DataFusion, DuckDB, Polars, PyArrow, Sail, as_rows, sail_session
from serving import serving


def documented_types(page: Path) -> dict[str, dict[str, str]]:
    """The first table of the page whose head begins with `our type`: engine by engine, type by type."""
    lines = iter(page.read_text().splitlines())
    head = next(line for line in lines if line.startswith("| our type |"))
    engines = [cell.strip() for cell in head.strip("|").split("|")][1:]
    next(lines)
    found = {engine: {} for engine in engines}
    for line in lines:
        if not line.startswith("|"):
            break
        ours, *theirs = [cell.strip() for cell in line.strip("|").split("|")]
        for name in ours.replace("`", "").split(", "):
            for engine, cell in zip(engines, theirs):
                found[engine][name] = cell.strip("`")
    return found


def check(engine, tables: list[dict], address, types: dict[str, set[str]]) -> int:
    rows = 0
    for table in tables:
        plain, url = address(table["name"])
        with urllib.request.urlopen(plain) as answer:
            reference = pq.read_table(io.BytesIO(answer.read()))
        read = as_rows(engine.table(url), reference.schema)
        assert read.num_rows == table["rows"], (engine.name, table["name"], read.num_rows, table["rows"])
        for name in reference.column_names:
            assert read[name].equals(reference[name]), (engine.name, table["name"], name)
        seen = engine.types(url)
        for column in table["columns"]:
            types[column["type"]].add(seen[column["name"]])
        rows += read.num_rows
    return rows


def main(program: str, lake: str, folder: Path, page: Path) -> None:
    documented = documented_types(page)
    with serving(program, lake, folder / "tls", tls=True) as safe, serving(program, lake, folder / "plain") as plain:
        snapshot = next(found["id"] for found in plain.json("/v1/mma/snapshots") if found["is_current"])
        tables = plain.json(f"/v1/mma/snapshots/{snapshot}/tables")
        assert len(tables) > 20
        over_http = lambda table: (plain.url(snapshot, table), plain.url(snapshot, table))
        over_tls = lambda table: (plain.url(snapshot, table), safe.url(snapshot, table))
        wrong = {}
        with sail_session() as spark:
            for engine, address in [
                (DuckDB(), over_http),
                (Polars(), over_http),
                (PyArrow(), over_http),
                (DataFusion(), over_tls),
                (Sail(spark), over_tls),
            ]:
                types = defaultdict(set)
                rows = check(engine, tables, address, types)
                seen = {kind: ", ".join(sorted(names)) for kind, names in types.items()}
                assert len(seen) >= 8, seen
                for kind, name in seen.items():
                    if documented[engine.name].get(kind) != name:
                        wrong[engine.name, kind] = (documented[engine.name].get(kind), name)
                print(f"{engine.name}: {len(tables)} tables, {rows} rows, {seen}")
        assert not wrong, f"the page says otherwise: {wrong}"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))

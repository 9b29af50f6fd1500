"""What a projection and filter of the largest table takes of its bytes, by the server's access log: under 10 %.

python bytes_read.py PROGRAM LAKE FOLDER [SNAPSHOTS]
"""

import io
import sys
import urllib.request
from pathlib import Path

import pyarrow.parquet as pq
from engines import DataFusion, DuckDB, Polars, PyArrow, Sail, sail_session
from serving import serving


def main(program: str, lake: str, folder: Path, snapshots: str = "/v1/mma/snapshots") -> None:
    with (
        serving(program, lake, folder / "tls", tls=True, snapshots=snapshots) as safe,
        serving(program, lake, folder / "plain", snapshots=snapshots) as plain,
    ):
        tables = plain.json(f"{snapshots}/current/tables")
        table = max(tables, key=lambda table: table["bytes"])
        snapshot = table["links"]["parquet"].split("/")[-3]
        column = table["key"][0]
        with urllib.request.urlopen(plain.url(snapshot, table["name"])) as answer:
            values = pq.read_table(io.BytesIO(answer.read()), columns=[column])[column].to_pylist()
        below = sorted(values)[len(values) // 100]
        expected = sorted((value,) for value in values if value < below)
        assert 0 < len(expected) < len(values) // 50
        print(f"{table['name']}: {table['bytes']} bytes, {table['rows']} rows, {len(expected)} of them wanted")
        with sail_session() as spark:
            for engine, served in [
                (DuckDB(), plain),
                (Polars(), plain),
                (PyArrow(), plain),
                (DataFusion(), safe),
                (Sail(spark), safe),
            ]:
                with served.counted() as counts:
                    read = engine.few(served.url(snapshot, table["name"]), column, below)
                assert read == expected, (engine.name, len(read))
                share = counts["bytes"] / table["bytes"]
                print(f"{engine.name}: {counts['requests']} requests, {counts['bytes']} bytes, {share:.2%}")
                assert 0 < share < 0.1, (engine.name, share)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])

"""Engines that read a table at an address, each as rows of Arrow and as its own names of types."""

from contextlib import contextmanager

import datafusion
import duckdb
import duckdb_extensions
import fsspec
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from datafusion.object_store import Http


class DuckDB:
    name = "DuckDB"

    def __init__(self):
        self.connection = duckdb.connect()
        self.connection.sql("SET TimeZone = 'UTC'")
        for extension in ("httpfs", "delta"):
            duckdb_extensions.import_extension(extension, con=self.connection)
            self.connection.sql(f"LOAD {extension}")

    def table(self, url: str) -> pa.Table:
        return self.connection.sql(f"FROM read_parquet('{url}')").to_arrow_table()

    def types(self, url: str) -> dict[str, str]:
        described = self.connection.sql(f"DESCRIBE FROM read_parquet('{url}')").fetchall()
        return {name: kind for name, kind, *_ in described}

    def few(self, url: str, column: str, below: str) -> list:
        return self.connection.sql(
            f"SELECT {column} FROM read_parquet('{url}') WHERE {column} < '{below}' ORDER BY ALL"
        ).fetchall()


class Polars:
    name = "Polars"

    def table(self, url: str) -> pa.Table:
        return pl.scan_parquet(url).collect().to_arrow()

    def types(self, url: str) -> dict[str, str]:
        return {name: str(kind) for name, kind in pl.scan_parquet(url).collect_schema().items()}

    def few(self, url: str, column: str, below: str) -> list:
        lazy = pl.scan_parquet(url).filter(pl.col(column) < below).select(column)
        return lazy.collect().sort(column).rows()


class PyArrow:
    name = "PyArrow"

    # By default fsspec reads 5 MiB ahead wherever something is read.
    BLOCK = 1 << 16

    def open(self, url: str):
        return fsspec.filesystem("http").open(url, block_size=self.BLOCK)

    def table(self, url: str) -> pa.Table:
        with self.open(url) as file:
            return pq.read_table(file)

    def types(self, url: str) -> dict[str, str]:
        with self.open(url) as file:
            return {field.name: str(field.type) for field in pq.read_schema(file)}

    def few(self, url: str, column: str, below: str) -> list:
        with self.open(url) as file:
            read = pq.read_table(file, columns=[column], filters=[(column, "<", below)], pre_buffer=False)
        return sorted((row[column],) for row in read.to_pylist())


class DataFusion:
    """Reads addresses with TLS alone."""

    name = "DataFusion"

    def frame(self, url: str):
        context = datafusion.SessionContext()
        origin = "/".join(url.split("/")[:3]) + "/"
        context.register_object_store(origin, Http(origin), None)
        return context.read_parquet(url)

    def table(self, url: str) -> pa.Table:
        return self.frame(url).to_arrow_table()

    def types(self, url: str) -> dict[str, str]:
        return {field.name: str(field.type) for field in self.frame(url).schema()}

    def few(self, url: str, column: str, below: str) -> list:
        frame = self.frame(url).filter(datafusion.col(f'"{column}"') < datafusion.lit(below)).select(f'"{column}"')
        return sorted(tuple(row.values()) for row in frame.to_pylist())


class Sail:
    """Reads addresses with TLS alone."""

    name = "Sail"

    def __init__(self, spark):
        self.spark = spark

    def table(self, url: str) -> pa.Table:
        return self.spark.read.parquet(url).toArrow()

    def types(self, url: str) -> dict[str, str]:
        return {field.name: field.dataType.simpleString() for field in self.spark.read.parquet(url).schema}

    def few(self, url: str, column: str, below: str) -> list:
        rows = self.spark.read.parquet(url).where(f"{column} < '{below}'").select(column).collect()
        return sorted(tuple(row) for row in rows)


@contextmanager
def sail_session():
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession

    server = SparkConnectServer()
    server.start()
    _, port = server.listening_address
    spark = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    try:
        yield spark
    finally:
        spark.stop()
        server.stop()


def as_rows(table: pa.Table, like: pa.Schema) -> pa.Table:
    """The rows with the types of `like`, so that what differs is a value."""
    assert table.column_names == like.names, (table.column_names, like.names)
    return pa.table([table[name].cast(like.field(name).type) for name in like.names], names=like.names)

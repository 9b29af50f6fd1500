"""Runs a SQL text on a Spark Connect server and writes its rows as Parquet, a folder a date.

    python -I ratios.py REMOTE OBSERVATIONS OUT < SQL

REMOTE is the server, such as sc://localhost:15002; OBSERVATIONS a Parquet file, and OUT a folder that is not there yet, both
under paths that the server sees. What the SQL says is made by `fightdna backfill`, which runs this text and checks what came
of it. Exit code 3: a package is missing; 4: there is no such server; 1: the server could not do it.
"""

import socket
import sys
import urllib.parse
import warnings

warnings.simplefilter("ignore")

try:
    from pyspark.sql import SparkSession
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(3)

remote, observations, out = sys.argv[1:]

try:
    # The client by itself tries for minutes to reach a server that is not there.
    server = urllib.parse.urlsplit(remote)
    socket.create_connection((server.hostname, server.port or 15002), timeout=10).close()
    spark = SparkSession.builder.remote(remote).getOrCreate()
    spark.version  # asks the server, which nothing before does
except Exception as unreachable:
    print(unreachable, file=sys.stderr)
    sys.exit(4)

try:
    spark.read.parquet(observations).createOrReplaceTempView("bout_observations")
    sql = sys.stdin.buffer.read().decode("utf-8")
    # Of the codecs that engines write, the lake reads this one.
    spark.sql(sql).write.option("compression", "zstd").partitionBy("as_of").parquet(out)
except Exception as failed:
    print(failed, file=sys.stderr)
    sys.exit(1)

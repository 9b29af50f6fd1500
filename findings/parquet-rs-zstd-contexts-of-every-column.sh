#!/usr/bin/env bash
# The Rust crate parquet (59.x, as arro3-io 0.9.1 and datafusion 55.0.0 bring it) keeps a zstd decompressor for every column of a
# row group that it reads, and a compressor beside it, which reading never uses. A table of 2,000 columns and one row therefore
# takes 62 MiB to read where the same table in snappy takes 20, and three times the CPU time; pyarrow 26.0.1 (C++) takes the
# same for both, some 26 MiB. It is paid for by columns, not by rows: wide tables of few rows (features, panels) are what it hits.
#
# Needs python3 with venv, and the Python registry; Linux. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check pyarrow==26.0.1 arro3-io==0.9.1 arro3-core==0.9.1 datafusion==55.0.0

cat > read.py <<'PY'
"""Reads a table in a process of its own, and prints by how many MiB its peak grew."""
import re
import sys

reader, file = sys.argv[1:]


def peak():
    return int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read())[1]) / 1024


if reader == "arro3":
    from arro3.io import read_parquet

    before = peak()
    rows = sum(batch.num_rows for batch in read_parquet(file))
elif reader == "datafusion":
    from datafusion import SessionConfig, SessionContext

    context = SessionContext(SessionConfig().with_target_partitions(1))
    before = peak()
    rows = sum(batch.to_pyarrow().num_rows for batch in context.read_parquet(file).execute_stream())
else:
    from pyarrow.parquet import ParquetFile

    before = peak()
    rows = ParquetFile(file).read(use_threads=False).num_rows
assert rows == 1
print(round(peak() - before))
PY

cat > compare.py <<'PY'
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

COLUMNS = 2000
table = pa.table({f"c{i}": [float(i)] for i in range(COLUMNS)})
for codec in ("zstd", "snappy"):
    pq.write_table(table, f"{codec}.parquet", compression=codec, use_dictionary=False, write_statistics=False)


def grown(reader, codec):
    runs = [subprocess.run([sys.executable, "read.py", reader, f"{codec}.parquet"], check=True, capture_output=True) for _ in range(3)]
    return min(int(run.stdout) for run in runs)


more = {}
for reader in ("arro3", "datafusion", "pyarrow"):
    zstd, snappy = grown(reader, "zstd"), grown(reader, "snappy")
    more[reader] = (zstd - snappy) * 1024 / COLUMNS
    print(f"{reader}: {zstd} MiB for zstd, {snappy} for snappy: {more[reader]:.0f} KiB more a column")
changed = more["arro3"] < 10 or more["datafusion"] < 8 or more["pyarrow"] > 5
sys.exit("it is otherwise now" if changed else 0)
PY
venv/bin/python compare.py

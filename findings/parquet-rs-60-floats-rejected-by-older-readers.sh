#!/usr/bin/env bash
# A Parquet file with a float column, even without rows, that the Rust crate parquet 60.x wrote cannot be read by polars before
# 1.43.1, nor by what reads with that crate before 57 (datafusion up to 50). For floats the crate names the order of minima and
# maxima as IEEE_754_TOTAL_ORDER (parquet-format 2.13), number 2 of the union ColumnOrder in the footer; no property of the writer
# changes that. By the format, who does not know an order ignores the minima and maxima, as pyarrow does; these reject the file:
# "bad data" (polars up to 1.40.1, datafusion), "ColumnOrder union has no variant set" (polars 1.41.1 to 1.43.0). polars 1.43.0 and
# 1.43.1 are yanked: 1.43.2 is the first to take. See https://github.com/pola-rs/polars/issues/27893 and pull request 27896.
#
# mq-bridge 1.2.0, which brings parquet 60.0.0, is the writer here. Files of integers alone, and the same file with the byte of the
# float's order set from 2 to 1 ("patched"), are read by all: nothing else is in the way.
#
# Needs python3 (3.10 or later) with venv, and the Python registry; Linux, x86-64. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
pip=(venv/bin/pip install --quiet --disable-pip-version-check)
"${pip[@]}" mq-bridge==1.2.0 pyarrow==26.0.1
for version in 1.40.1 1.42.1 1.43.2; do
    "${pip[@]}" --no-deps --target "polars-$version" "polars==$version" "polars-runtime-32==$version"
done
"${pip[@]}" --no-deps --target datafusion-50.1.0 datafusion==50.1.0
"${pip[@]}" --no-deps --target datafusion-51.0.0 datafusion==51.0.0

cat > write.py <<'PY'
import sys
from mq_bridge import Publisher
for name, row in {"float": {"weight": 70.5, "n": 1}, "integer": {"n": 1}}.items():
    Publisher.from_config({"object_store": {"url": f"file://{sys.argv[1]}/{name}", "format": "parquet"}}).send_json(row)
PY
mkdir float integer && venv/bin/python write.py "$work"
for name in float integer; do cp "$(find $name -type f)" $name.parquet; done
grep -qa 'parquet-rs version 60.0.0' float.parquet
# In the footer a list of two structs, in each an empty struct: as its field 2 (0x2c) in the first, as field 1 in the second.
LC_ALL=C sed 's/\x2c\x2c\x00\x00\x1c\x00\x00/\x2c\x1c\x00\x00\x1c\x00\x00/' float.parquet > patched.parquet
[ "$(cmp -l float.parquet patched.parquet | wc -l)" = 1 ]

cat > read.py <<'PY'
import sys
if sys.argv[1].startswith("polars"):
    from polars import read_parquet as read
elif sys.argv[1].startswith("pyarrow"):
    from pyarrow.parquet import read_table as read
else:
    from datafusion import SessionContext
    read = lambda file: SessionContext().read_parquet(file).to_arrow_table()
assert read("integer.parquet").shape == (1, 1) and read("patched.parquet").shape == (1, 2)
try:
    print(sys.argv[1], "reads", read("float.parquet").shape)
except Exception as error:
    print(sys.argv[1], "fails:", str(error).splitlines()[0])
PY
for reader in polars-1.40.1 polars-1.42.1 polars-1.43.2 datafusion-50.1.0 datafusion-51.0.0 pyarrow-26.0.1; do
    PYTHONPATH="$reader" venv/bin/python read.py "$reader" | tee -a seen.txt
done
[ "$(cut -d ' ' -f 2 seen.txt | xargs)" = "fails: fails: reads fails: reads reads" ]
[ "$(grep -cE 'bad data|ColumnOrder union has no variant set' seen.txt)" = 3 ]
echo "as described"

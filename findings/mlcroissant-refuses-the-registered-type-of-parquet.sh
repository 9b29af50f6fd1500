#!/usr/bin/env bash
# mlcroissant 1.1.1 does not read Parquet files of a Croissant document that states their media type as IANA has registered it,
# `application/vnd.apache.parquet`. The document is valid to it, without an error or a word about the type; reading a record
# raises "None of the provided encoding formats … returned a valid pandas dataframe". With `application/x-parquet`, which is
# registered nowhere, the same file is read.
#
# Needs python3 (3.10 or later) with venv, and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check mlcroissant==1.1.1 pyarrow==26.0.1 pandas==3.1.1

cat > read.py <<'PY'
import hashlib, json, logging, sys
import mlcroissant as mlc, pyarrow as pa, pyarrow.parquet as pq
from mlcroissant._src.core.rdf import make_context

logging.disable(logging.WARNING)
pq.write_table(pa.table({"n": [1, 2]}), "t.parquet")
digest = hashlib.sha256(open("t.parquet", "rb").read()).hexdigest()
field = {"@type": "cr:Field", "@id": "t/n", "name": "n", "dataType": "cr:Int64",
         "source": {"fileObject": {"@id": "f"}, "extract": {"column": "n"}}}
file = {"@type": "cr:FileObject", "@id": "f", "name": "f", "contentUrl": "t.parquet", "encodingFormat": sys.argv[1], "sha256": digest}
document = {"@context": make_context(), "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1", "name": "d",
            "description": "d", "distribution": [file],
            "recordSet": [{"@type": "cr:RecordSet", "@id": "t", "name": "t", "field": [field]}]}
json.dump(document, open("d.json", "w"))
dataset = mlc.Dataset("d.json")
assert not dataset.metadata.ctx.issues.errors
try:
    print(sys.argv[1], "reads", [int(record["t/n"]) for record in dataset.records("t")])
except Exception as error:
    cause = error.__cause__ or error
    print(sys.argv[1], "fails:", str(cause).splitlines()[0])
PY
for type in application/vnd.apache.parquet application/x-parquet; do
    venv/bin/python -W ignore read.py "$type" 2>/dev/null | sed "s|$work/||" | tee -a seen.txt
done
grep -q '^application/vnd.apache.parquet fails: None of the provided encoding formats' seen.txt
grep -qx 'application/x-parquet reads \[1, 2\]' seen.txt
echo "as described"

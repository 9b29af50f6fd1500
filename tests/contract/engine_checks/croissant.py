"""The Croissant document of an export: valid, and its records are the rows of the tables.

python croissant.py PROGRAM LAKE FOLDER
"""

import json
import logging
import math
import subprocess
import sys
from pathlib import Path

import mlcroissant as mlc
import pandas as pd
import pyarrow.parquet as pq


def plain(value):
    """A value of a record as Python has it: texts come as bytes, dates and times as those of pandas."""
    match value:
        case None:
            return None
        case bytes():
            return value.decode()
        case pd.Timestamp():
            return value.to_pydatetime()
        case float() if math.isnan(value):
            return None
    return value.item() if hasattr(value, "item") else value


def expected(value, kind: str):
    if value is not None and kind == "sc:Date":
        return pd.Timestamp(value).to_pydatetime()
    return value


# Of each record the reader compares every field with every other: of a table of 1,386 columns a record takes seconds.
FIELDS = 20


def narrowed(document: dict, out: Path) -> tuple[mlc.Dataset, dict]:
    """The document with the first fields of each record set, and what they refer to."""
    narrow = json.loads(json.dumps(document))
    for record_set in narrow["recordSet"]:
        record_set["field"] = record_set["field"][:FIELDS]
    (out / "narrow.json").write_text(json.dumps(narrow))
    return mlc.Dataset(jsonld=str(out / "narrow.json")), narrow


def check_records(dataset: mlc.Dataset, document: dict, out: Path) -> int:
    files = {file["@id"]: file for file in document["distribution"]}
    rows = 0
    for record_set in document["recordSet"]:
        table, fields = record_set["@id"], record_set["field"]
        reference = pq.read_table(out / files[f"{table}.parquet"]["contentUrl"])
        read = list(dataset.records(table))
        assert len(read) == reference.num_rows, (table, len(read), reference.num_rows)
        assert [field["name"] for field in fields] == reference.column_names[:FIELDS]
        for field in fields:
            name, kind = field["name"], field["dataType"]
            ours = [expected(value, kind) for value in reference[name].to_pylist()]
            theirs = [plain(record[f"{table}/{name}"]) for record in read]
            assert ours == theirs, (table, name, next((pair for pair in zip(ours, theirs) if pair[0] != pair[1]), None))
        rows += len(read)
    return rows


def check_references(document: dict, out: Path) -> int:
    """Keys are unique, and what a field refers to is there."""
    files = {file["@id"]: file["contentUrl"] for file in document["distribution"]}
    column = lambda field: pq.read_table(out / files[field.split("/")[0] + ".parquet"], columns=[field.split("/")[1]])
    values = lambda field: set(column(field)[0].to_pylist()) - {None}
    checked = 0
    for record_set in document["recordSet"]:
        for field in record_set["field"]:
            if "references" in field:
                target = field["references"]["field"]["@id"]
                assert values(field["@id"]) <= values(target), (field["@id"], target)
                checked += 1
    return checked


def main(program: str, lake: str, folder: Path) -> None:
    subprocess.run([program, "export", "--quiet", "--lake", lake, "--out", str(folder)], check=True)
    document = json.loads((folder / "croissant.json").read_text())
    logging.disable(logging.WARNING)
    dataset = mlc.Dataset(jsonld=str(folder / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors, issues.report()
    assert document["conformsTo"] == "http://mlcommons.org/croissant/1.1" and "citeAs" not in document
    for record_set in document["recordSet"]:
        file = folder / next(file["contentUrl"] for file in document["distribution"] if file["@id"] == f"{record_set['@id']}.parquet")
        assert [field["name"] for field in record_set["field"]] == pq.read_schema(file).names
    references = check_references(document, folder)
    rows = check_records(*narrowed(document, folder), folder)
    print(f"{len(document['recordSet'])} record sets, {rows} records, {references} references")
    print("\n".join(sorted(issues.warnings)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))

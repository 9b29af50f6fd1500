#!/usr/bin/env python3
"""Published tables of properties over HTTP: the files of the lake, whole, in parts, as CSV, and what is refused.

    tests/contract/property_tables.py URL KEY LAKE
"""
import base64
import csv
import hashlib
import io
import json
import sys
import urllib.error
import urllib.request

url, key, lake = sys.argv[1:]
snapshot = json.load(open(f"{lake}/current.json"))["snapshot_id"]


def fetch(path, key=key, **headers):
    request = urllib.request.Request(url + path, headers={name.replace("_", "-"): text for name, text in headers.items()})
    if key:
        request.add_header("X-API-Key", key)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def refused(path, status, code, **more):
    got, headers, body = fetch(path, **more)
    error = json.loads(body)["error"]
    assert (got, error["code"]) == (status, code), (path, got, error)
    return headers, error


base = "/v1/properties/snapshots"
status, _, body = fetch(f"{base}/current/tables")
listed = json.loads(body)
assert status == 200 and listed["meta"]["snapshot_id"] == snapshot, (status, listed["meta"])
tables = {table["name"]: table for table in listed["data"]}
assert len(tables) == listed["meta"]["total"] > 3, list(tables)
assert json.loads(fetch(f"{base}/{snapshot}/tables")[2]) == listed

for name, table in tables.items():
    status, headers, whole = fetch(table["links"]["parquet"])
    on_disk = open(f"{lake}/snapshots/{snapshot}/tables/{name}.parquet", "rb").read()
    assert status == 200 and whole == on_disk and len(whole) == table["bytes"], (name, status)
    digest = hashlib.sha256(whole)
    assert digest.hexdigest() == table["sha256"] and headers["ETag"] == f'"{table["sha256"]}"', name
    assert headers["Repr-Digest"] == f"sha-256=:{base64.b64encode(digest.digest()).decode()}:", name
    assert "immutable" in headers["Cache-Control"] and headers["X-Snapshot-Id"] == snapshot, name
    assert table["columns"] and table["key"] and table["grain"], name

smallest = min((table for table in tables.values() if table["rows"]), key=lambda table: table["bytes"])
path, tag = smallest["links"]["parquet"], f'"{smallest["sha256"]}"'
whole = fetch(path)[2]
status, headers, parts = fetch(path, Range="bytes=0-3,-4")
assert status == 206 and headers["Content-Type"].startswith("multipart/byteranges") and b"PAR1" in parts, status
status, headers, part = fetch(path, Range="bytes=4-99", If_Range=tag)
assert (status, part) == (206, whole[4:100]), status
assert fetch(path, If_None_Match=tag)[0] == 304
headers, _ = refused(path, 416, "range_not_satisfiable", Range=f"bytes={len(whole)}-")
assert headers["Content-Range"] == f"bytes */{len(whole)}", headers["Content-Range"]
refused(path, 412, "precondition_failed", If_Match='"other"')

rows = list(csv.reader(io.StringIO(fetch(smallest["links"]["csv"])[2].decode())))
assert rows[0] == [column["name"] for column in smallest["columns"]] and len(rows) == smallest["rows"] + 1

current = fetch(f'{base}/current/tables/{smallest["name"]}.parquet')[1]
assert "max-age=60" in current["Cache-Control"] and current["Content-Location"] == path, current.items()

refused(path, 401, "unauthorized", key=None)
_, error = refused(f"{base}/{'0' * 32}/tables", 404, "snapshot_not_found")
assert "properties" in error["message"], error
refused(f"{base}/current/tables/nothing.parquet", 404, "not_found")
refused(f"{base}/current/tables?limit=1", 400, "invalid_parameter")
print(len(tables), "tables,", sum(table["bytes"] for table in tables.values()), "bytes")

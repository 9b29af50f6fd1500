"""Every record of every file of declared sources is a row of a table, or set aside with its reason: the manifests of their facts
add up. (Facts of fights are another thing than rows of files.)

    row_accounting.py LAKE
"""
import json
import pathlib
import sys


def list_unaccounted(manifest):
    """Why the counts of a capture do not add up, or nothing."""
    files = manifest["notes"]["rows"]
    rows = {table["name"]: table["rows"] for table in manifest["tables"]}
    quarantined = rows.pop("quarantine", 0)
    for file in files:
        if file["rows_in"] != file["rows_out"] + file["set_aside"]:
            yield f"{file}: rows are lost"
    if sum(file["rows_out"] for file in files) != sum(rows.values()):
        yield f"{sum(file['rows_out'] for file in files)} rows were read, {sum(rows.values())} are in the tables"
    if sum(file["set_aside"] for file in files) > quarantined:
        yield f"{sum(file['set_aside'] for file in files)} rows were set aside, {quarantined} stand in the quarantine"


def check_lake(lake):
    manifests = sorted(pathlib.Path(lake).glob("facts/*/*/manifest.json"))
    assert manifests, f"{lake} has no facts"
    for path in manifests:
        problems = list(list_unaccounted(json.loads(path.read_text())))
        assert not problems, f"{path}: {problems}"
    print(f"rows of {len(manifests)} captures are accounted for")


if __name__ == "__main__":
    check_lake(sys.argv[1])

#!/usr/bin/env python3
"""A panel of all fighters by the Python package, beside the same look-up by Feast, in one run.

    feature_store.py LAKE [MONTHS]     needs polars and pandas here, and feast (pip install feast==0.67.0)

Rows are every fighter on the first day of each of the last MONTHS (241) months before the end of the facts from his first
version on; each wants `value` of every metric. Each side runs alone in a process of its own and writes nothing: CPU-seconds and
peak memory are the process's, rows what it returns. Values of rows that both have must be equal.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python" / "src"))

STORE = """\
project: fights
registry: registry.db
provider: local
offline_store: {type: file}
online_store: {type: sqlite, path: online.db}
entity_key_serialization_version: 3
"""


def make_inputs(lake: str, months: int, folder: Path) -> None:
    """The versions and the rows that are asked for, as files of Parquet."""
    import fightdna as fd
    import polars as pl

    snapshot = fd.open(lake)
    metrics = snapshot.metrics["metric"].to_list()
    versions = snapshot.scan("dna_versions").select("fighter_id", "valid_from", *(f"{m}__value" for m in metrics)).collect()
    instants = versions.with_columns(pl.col("valid_from").cast(pl.Datetime("us", "UTC")))
    instants.write_parquet(folder / "versions.parquet")
    end = snapshot.facts_until.replace(day=1)
    days = pl.date_range(pl.lit(end).dt.offset_by(f"-{months - 1}mo"), pl.lit(end), "1mo", eager=True).alias("date")
    begun = versions.group_by("fighter_id", maintain_order=True).agg(pl.min("valid_from"))
    rows = begun.join(days.to_frame(), how="cross").filter(pl.col("date") >= pl.col("valid_from"))
    rows.select("fighter_id", "date").write_parquet(folder / "rows.parquet")


def ask_package(lake: str, folder: Path) -> "pl.DataFrame":  # noqa: F821
    import fightdna as fd
    import polars as pl

    return fd.open(lake).panel(pl.read_parquet(folder / "rows.parquet"))


def ask_feast(folder: Path) -> "pd.DataFrame":  # noqa: F821
    import pandas as pd
    from feast import Entity, FeatureStore, FeatureView, Field, FileSource
    from feast.types import Float64

    (folder / "feature_store.yaml").write_text(STORE)
    store = FeatureStore(repo_path=str(folder))
    names = [name for name in pd.read_parquet(folder / "versions.parquet").columns if name.endswith("__value")]
    fighter = Entity(name="fighter", join_keys=["fighter_id"])
    source = FileSource(path=str(folder / "versions.parquet"), timestamp_field="valid_from")
    fields = [Field(name=name, dtype=Float64) for name in names]
    view = FeatureView(name="dna", entities=[fighter], schema=fields, source=source, ttl=timedelta(0))
    store.apply([fighter, view])
    rows = pd.read_parquet(folder / "rows.parquet")
    rows["event_timestamp"] = pd.to_datetime(rows.pop("date"), utc=True)
    return store.get_historical_features(entity_df=rows, features=[f"dna:{name}" for name in names]).to_df()


def measure(side: str, lake: str, folder: Path) -> None:
    """Asks one side and prints what it took; the answer's sum tells whether two are equal."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    begun = time.monotonic()
    answer = ask_feast(folder) if side == "feast" else ask_package(lake, folder)
    wall = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rows = answer.shape[0]
    sums = answer["sig_landed_per_min__value"].sum() / max(1, answer["sig_landed_per_min__value"].count())
    print(json.dumps({"rows": rows, "cpu": cpu, "wall": wall, "mib": after.ru_maxrss / 1024, "mean": sums}))


def main() -> None:
    if sys.argv[1] == "--measure":
        return measure(sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    lake, months = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 241
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_inputs(lake, months, folder)
        print("| | rows | CPU-s | s | peak MiB | mean of sig_landed_per_min |\n|---|---|---|---|---|---|")
        for side in ("fightdna", "feast"):
            command = [sys.executable, __file__, "--measure", side, lake, str(folder)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            made = json.loads(said.strip().splitlines()[-1])
            figures = f"{made['rows']:,} | {made['cpu']:.1f} | {made['wall']:.1f} | {made['mib']:,.0f} | {made['mean']:.9f}"
            print(f"| {side} | {figures} |", flush=True)


if __name__ == "__main__":
    main()

"""What last night changed: two snapshots of a lake, table by table, down to fighters and their ratings.

FIGHTDNA_LAKE is the lake, a folder or the address of a server (default: lake). FIGHTDNA_BEFORE is the id of the
snapshot before; without it, in a folder, the newest other one.
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="What last night changed")


@app.cell
def _():
    import os
    from pathlib import Path

    import marimo as mo
    import polars as pl

    import fightdna as fd

    lake = os.environ.get("FIGHTDNA_LAKE", "lake")
    after = fd.open(lake)
    return Path, after, fd, lake, mo, os, pl


@app.cell
def _(Path, after, fd, lake, os):
    made = sorted(Path(lake).glob("snapshots/*/manifest.json"), key=lambda path: path.stat().st_mtime)
    others = [path.parent.name for path in made if path.parent.name != after.id]
    known = os.environ.get("FIGHTDNA_BEFORE") or (others[-1] if others else None)
    if known is None:
        raise SystemExit(f"{lake} has one snapshot: FIGHTDNA_BEFORE names another one")
    before = fd.open(lake, snapshot=known)
    return (before,)


@app.cell(hide_code=True)
def _(after, before, mo):
    mo.md(f"""
    # What last night changed

    From `{before.id}` (facts until {before.facts_until}) to `{after.id}` (facts until {after.facts_until}).
    `fightdna diff` says the cause of each change.
    """)


@app.cell
def _(after, before, pl):
    changes = after.diff(before).filter(pl.sum_horizontal("added", "removed", "changed") > 0)
    changes
    return (changes,)


@app.cell
def _(after, before, pl):
    # Bouts of which the result is new, or is another one.
    names = after.scan("fighters").select("fighter_id", "name")
    keys = after.diff(before, table="results").filter(pl.col("change") != "removed")
    results = (
        keys.lazy()
        .join(after.scan("results").select("bout_id", "outcome", "method", "winner_id"), on="bout_id")
        .join(after.scan("bouts").select("bout_id", "event_date", "fighter_a_id", "fighter_b_id"), on="bout_id")
        .join(names.rename({"name": "a"}), left_on="fighter_a_id", right_on="fighter_id", how="left")
        .join(names.rename({"name": "b"}), left_on="fighter_b_id", right_on="fighter_id", how="left")
        .join(names.rename({"name": "winner"}), left_on="winner_id", right_on="fighter_id", how="left")
        .select("event_date", "change", "a", "b", "outcome", "winner", "method")
        .sort("event_date", "a", descending=[True, False])
        .collect()
    )
    results
    return names, results


@app.cell
def _(after, before, names, pl):
    # The newest version of each fighter on both sides, where it is another one.
    def _newest(snapshot):
        versions = snapshot.scan("dna_versions").sort("version").group_by("fighter_id").last()
        return versions.select("fighter_id", "version", rating="house_rating__value")

    fighters = (
        _newest(after)
        .join(_newest(before), on="fighter_id", how="left", suffix="_before")
        .filter(pl.struct("version", "rating").ne_missing(pl.struct(version="version_before", rating="rating_before")))
        .join(names, on="fighter_id", how="left")
        .select(
            "name",
            "version_before",
            "version",
            "rating_before",
            "rating",
            change=pl.col("rating") - pl.col("rating_before"),
        )
        .sort(pl.col("change").abs(), descending=True, nulls_last=True)
        .collect()
    )
    fighters
    return (fighters,)


if __name__ == "__main__":
    app.run()

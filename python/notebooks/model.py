"""A model of who wins in 20 lines: logistic regression on what was known before each bout.

FIGHTDNA_LAKE is the lake, a folder or the address of a server (default: lake).
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="A model in 20 lines")


@app.cell
def _():
    import os

    import marimo as mo
    import numpy as np
    import polars as pl

    import fightdna as fd

    snapshot = fd.open(os.environ.get("FIGHTDNA_LAKE", "lake"))
    return mo, np, pl, snapshot


@app.cell(hide_code=True)
def _(mo, snapshot):
    mo.md(f"""
    # A model in 20 lines

    Of snapshot `{snapshot.id}`, facts until {snapshot.facts_until}. Each bout is one observation, with the differences
    of both sides' Fight DNA as it stood before the day of the bout. The newest fifth of the bouts is held out. It is an
    exercise in measuring, and says nothing of a coming bout.
    """)


@app.cell
def _(np, pl, snapshot):
    METRICS = ["house_rating", "sig_diff_per_min", "td_landed_per_15", "layoff_days", "win_streak"]
    bouts = snapshot.bouts(metrics=METRICS).filter(pl.col("outcome").is_in(["won", "lost"]), side="a")
    # A null is not known and is never filled: bouts without all values are left out.
    gaps = bouts.select(
        "event_date",
        won=(pl.col("outcome") == "won").cast(pl.Float64),
        **{m: pl.col(f"{m}__value") - pl.col(f"opponent_{m}__value") for m in METRICS},
    ).drop_nulls()
    cut = gaps["event_date"].sort()[int(len(gaps) * 0.8)]
    train, held_out = gaps.filter(pl.col("event_date") < cut), gaps.filter(pl.col("event_date") >= cut)
    scale = train.select(METRICS).to_numpy().std(axis=0)
    x, y = train.select(METRICS).to_numpy() / scale, train["won"].to_numpy()
    weights = np.zeros(len(METRICS))
    # Newton's method with a slight penalty; no intercept, since sides a and b are only a matter of order.
    for _ in range(20):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.eye(len(METRICS))
        weights += np.linalg.solve(hessian, x.T @ (y - p) - weights)
    shares = 1 / (1 + np.exp(-(held_out.select(METRICS).to_numpy() / scale) @ weights))
    outcomes = held_out["won"].to_numpy()
    log_loss = float(-np.mean(outcomes * np.log(shares) + (1 - outcomes) * np.log(1 - shares)))
    return METRICS, bouts, cut, gaps, held_out, log_loss, outcomes, scale, shares, train, weights


@app.cell
def _(bouts, cut, gaps, held_out, log_loss, mo, train):
    mo.md(f"""
    **Held-out log loss: {log_loss:.4f}**, on {len(held_out)} bouts from {cut} on; a coin has 0.6931. Trained on
    {len(train)} earlier ones; {len(bouts) - len(gaps)} of {len(bouts)} decided bouts lack a value of a side,
    and are left out.
    """)


@app.cell
def _(METRICS, pl, weights):
    # Of a difference of one standard deviation, in log-odds.
    coefficients = pl.DataFrame({"metric": METRICS, "log_odds_per_sd": weights})
    coefficients
    return (coefficients,)


@app.cell
def _(outcomes, pl, shares):
    # What was said against what came: in each fifth the two should be near each other.
    calibration = (
        pl.DataFrame({"said": shares, "won": outcomes})
        .with_columns(fifth=(pl.col("said").rank("ordinal") * 5 / (pl.len() + 1)).floor().cast(pl.Int32) + 1)
        .group_by("fifth")
        .agg(pl.col("said").mean(), pl.col("won").mean(), bouts=pl.len())
        .sort("fifth")
    )
    calibration
    return (calibration,)


if __name__ == "__main__":
    app.run()

"""Two fighters beside each other, with intervals: where they differ, and where nobody can say.

FIGHTDNA_LAKE is the lake, a folder or the address of a server (default: lake). FIGHTDNA_A and FIGHTDNA_B are the two,
as of today; without them, the two of the newest bout between fighters with three bouts or more, as of its day.
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="A matchup with intervals")


@app.cell
def _():
    import os
    from html import escape

    import marimo as mo
    import polars as pl

    import fightdna as fd

    snapshot = fd.open(os.environ.get("FIGHTDNA_LAKE", "lake"))
    return escape, mo, os, pl, snapshot


@app.cell
def _(os, pl, snapshot):
    seasoned = (
        snapshot.bouts(metrics=[])
        .filter(side="a")
        .filter(pl.col("eligible_bouts") >= 3, pl.col("opponent_eligible_bouts") >= 3)
    )
    newest = seasoned.sort("event_date").row(-1, named=True)
    a, b, day = newest["fighter_id"], newest["opponent_id"], newest["event_date"]
    if "FIGHTDNA_A" in os.environ:
        a, b, day = os.environ["FIGHTDNA_A"], os.environ["FIGHTDNA_B"], None
    pair = snapshot.matchup(a, b, as_of=day)
    as_of = pair["as_of"][0]
    fighters = snapshot.scan("fighters").select("fighter_id", "name").collect()
    names = dict(fighters.iter_rows())
    name_a, name_b = names[pair["a_fighter_id"][0]], names[pair["b_fighter_id"][0]]
    return as_of, name_a, name_b, pair


@app.cell(hide_code=True)
def _(as_of, mo, name_a, name_b, snapshot):
    mo.md(f"""
    # {name_a} and {name_b}

    As of {as_of}, before that day, of snapshot `{snapshot.id}`. Values are shrunk towards the class; an interval
    holds the true value with 90 %. It is no pick, and no probability of winning.
    """)


@app.cell
def _(pair, pl):
    # Where the gap has held in past bouts: the only differences to speak of.
    edges = pair.filter(pl.col("edge").is_in(["a", "b"])).sort(pl.col("z").abs(), descending=True)
    edges.select("metric", "a_value", "b_value", "z", "edge", "gate_hold_share", "gate_bouts")
    return (edges,)


@app.cell
def _(pair, pl):
    # And why the others are not stated.
    reasons = pair.drop_nulls("edge_reason").group_by("edge_reason").agg(pl.len(), pl.col("metric").head(4))
    reasons.sort("len", descending=True)
    return (reasons,)


@app.cell
def _(escape, mo, name_a, name_b, pair, pl):
    shown = pair.drop_nulls(["a_interval_low", "b_interval_low"]).sort(pl.col("z").abs(), descending=True).head(12)

    def _line(row, at):
        low = min(row["a_interval_low"], row["b_interval_low"])
        span = max(row["a_interval_high"], row["b_interval_high"]) - low or 1.0
        marks = []
        for side, colour, y in (("a", "#1f6feb", 16), ("b", "#d1711c", 28)):
            left, value, right = (
                200 + 400 * (row[f"{side}_{f}"] - low) / span for f in ("interval_low", "value", "interval_high")
            )
            marks.append(
                f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="3"/>'
            )
            marks.append(f'<circle cx="{value:.1f}" cy="{y}" r="5" fill="{colour}"/>')
        text = f'<text x="0" y="26" font-size="13" fill="currentColor">{escape(row["metric"])}</text>'
        return f'<g transform="translate(0,{at})">{text}{"".join(marks)}</g>'

    lines = "".join(_line(row, 40 * i) for i, row in enumerate(shown.iter_rows(named=True)))
    chart = (
        f'<p><b style="color:#1f6feb">{escape(name_a)}</b> and <b style="color:#d1711c">{escape(name_b)}</b>: '
        "value and 90 % interval, each metric on its own scale</p>"
        f'<svg role="img" aria-label="Intervals of both" viewBox="0 0 620 {40 * max(shown.height, 1)}">{lines}</svg>'
    )
    mo.Html(chart)
    return chart, shown


if __name__ == "__main__":
    app.run()

#!/usr/bin/env python3
"""What a panel is worth: one plain logistic model a year on what was known before each contest, judged on the contests of that
year. It measures the panels; nothing of it is served, and it is no pick.

    python3 tests/bench/panel_worth.py LAKE [CATALOG_LAKE]     the figures of MMA, and of tennis and the NFL
    python3 tests/bench/panel_worth.py --choose LAKE           what was tried, on bouts to 2021 alone
    python3 tests/bench/panel_worth.py --year YEAR LAKE        MMA on one year, such as one that was held out

Needs the Python package of the repository (pip install ./python) with scikit-learn. The model has no intercept and every
column is a difference of the two sides, so that the order of the sides cannot tell the winner: p(a, b) = 1 - p(b, a).
Choices (columns, penalty, half-life) were made on folds to 2021; the later ones are only judged.
"""

import argparse
import datetime

import fightdna as fd
import numpy as np
import polars as pl
from panel_judge import PENALTY, Pairs, as_of, calibration, elo, gap, heading, line, log_losses, of_today, predict, strengths

CHOSEN_ON, JUDGED_ON = range(2010, 2022), range(2022, 2026)
# Statistics of a bout of which a side's share is taken, and how much each side is given beforehand.
SHARES = {
    "sig_landed": 5, "head_landed": 5, "total_landed": 8, "ground_landed": 3, "distance_landed": 5, "sig_attempted": 10,
    "control_secs": 40, "td_landed": 1, "knockdowns": 0.5, "sub_attempts": 1,
}
FINISHES = ("ko_tko", "doctor_stoppage", "submission")
CLOSE = ("decision_split", "decision_majority")
LIGHT = ("FLYWEIGHT", "BANTAMWEIGHT", "FEATHERWEIGHT", "LIGHTWEIGHT")
BEST = "**adjusted strengths, age, reach, experience, rank**"
FACTS = ["age", "age_over_32", "age_light", "reach_in", "is_newcomer", "log_bouts"]
# Published elsewhere, on other choices of bouts; docs/src/panel-worth.md has the addresses.
PUBLISHED = [
    ("mma-ai, ensemble, without odds, 2022 to 2025", "1,108", ".6196", "65.5 %", ".2154", ".026"),
    ("haymaker.gg, ensemble, with odds where there are any, 2023", "402", ".626", "63.4 %", ".219", ""),
]


# MMA


def read_bouts(snapshot, until):
    """All decided bouts before a day: a row each with side a, and side b behind `opponent_`, as they were before the day."""
    names = snapshot.metrics["metric"].to_list()
    bouts = snapshot.scan("bouts").select("bout_id", "promotion").collect()
    fighters = snapshot.scan("fighters").select("fighter_id", "date_of_birth", "reach_in").collect()
    ratings = snapshot.scan("ratings").select("bout_id", "fighter_id", "rating_before").collect()
    results = snapshot.scan("results").select("bout_id", "method").collect()
    statistics = snapshot.scan("round_stats").group_by("bout_id", "fighter_id").agg(pl.col(*SHARES).sum()).collect()
    rows = snapshot.bouts(metrics=names, fields=["value"]).filter(pl.col("event_date") < until, pl.col("outcome").is_not_null())
    rows = rows.drop(pl.selectors.starts_with("opponent_") & ~pl.selectors.by_name("opponent_id"))
    rows = rows.join(bouts, "bout_id", "left").join(fighters, "fighter_id", "left").join(results, "bout_id", "left")
    rows = rows.join(ratings, ["bout_id", "fighter_id"], "left").join(statistics, ["bout_id", "fighter_id"], "left")
    rows = with_facts(rows.join(earlier_bouts(rows), ["fighter_id", "event_date"], "left"))
    rows = rows.join(ranks(snapshot, rows), ["bout_id", "fighter_id"], "left").filter(pl.col("outcome").is_in(["won", "lost"]))
    first, second = rows.filter(side="a").sort("bout_id"), rows.filter(side="b").sort("bout_id")
    return pl.concat([first, second.select(pl.all().name.prefix("opponent_"))], how="horizontal")


def earlier_bouts(rows):
    """UFC bouts of each fighter before each of his days."""
    in_ufc = (pl.col("promotion") == "UFC").fill_null(False)
    days = rows.group_by("fighter_id", "event_date").agg(on_day=in_ufc.sum()).sort("event_date")
    before = pl.col("on_day").cum_sum().over("fighter_id").cast(pl.Int64) - pl.col("on_day")
    return days.select("fighter_id", "event_date", earlier=before)


def with_facts(rows):
    """Age with its curve, and experience."""
    age = (pl.col("event_date") - pl.col("date_of_birth")).dt.total_days() / 365.25
    return rows.with_columns(
        age=age,
        age_over_32=(age - 32).clip(0),
        age_light=age * pl.col("weight_class").is_in(LIGHT).fill_null(False),
        is_newcomer=pl.col("earlier") == 0,
        log_bouts=(1 + pl.col("earlier")).log(),
        has_no_version=pl.col("absence").is_not_null(),
        has_no_age=age.is_null(),
        long_layoff=pl.col("layoff_days__value") > 400,
    )


def ranks(snapshot, rows):
    """Places above the 16th of each side in the newest official ranking of an earlier day; 0 where it is in none."""
    lists = snapshot.scan("rankings").filter(~pl.col("is_p4p"), pl.col("fighter_id").is_not_null())
    places = lists.group_by("snapshot_date", "fighter_id").agg(pl.col("rank").min()).collect()
    days = places.select("snapshot_date", valid_from=pl.col("snapshot_date").dt.offset_by("1d"), list=pl.lit(1)).unique()
    newest = as_of(days, rows.select("bout_id", "fighter_id", date="event_date", list=pl.lit(1)), "list")
    ranked = newest.join(places, ["snapshot_date", "fighter_id"], "left")
    return ranked.select("bout_id", "fighter_id", rank=(16 - pl.col("rank")).clip(0).fill_null(0))


def bout_pairs(frame):
    """The UFC's bouts are judged; those of other promotions teach."""
    won = (frame["outcome"] == "won").to_numpy().astype(float)
    ufc = (frame["promotion"] == "UFC").fill_null(False).to_numpy()
    return Pairs(won, frame["event_date"].dt.year().to_numpy(), frame["event_id"].to_numpy(), ufc)


def seasoned(frame):
    """Both sides have three earlier UFC bouts."""
    return np.minimum(frame["earlier"].to_numpy(), frame["opponent_earlier"].to_numpy()) >= 3


def gaps_of(frame, names):
    return gap(frame.select(names), frame.select(f"opponent_{name}" for name in names))


def panel_gaps(snapshot, frame, join=as_of):
    """Gaps of all metrics: shrunk values, also where the sample is too small for `value`; facts as they stand."""
    names = snapshot.metrics["metric"].to_list()
    columns = []
    for name in names:
        weight, raw, prior = (pl.col(f"{name}__{field}") for field in ("weight", "raw_value", "prior_mean"))
        shrunk = weight * raw.fill_null(0) + (1 - weight) * prior
        columns.append(pl.when(weight.is_not_null()).then(shrunk).otherwise(pl.col(f"{name}__value")).alias(name))
    versions = snapshot.scan("dna_versions").select("fighter_id", "valid_from", *columns).collect()
    sides = [frame.select(fighter_id=side, date="event_date") for side in ("fighter_id", "opponent_id")]
    return gap(*(join(versions, side, "fighter_id").select(names) for side in sides))


def margins_of(frame):
    """What a bout says of its sides: (bouts, 12). Shares and accuracy, NaN without statistics; and the result."""
    own = {name: frame[name].cast(pl.Float64).to_numpy() for name in SHARES}
    other = {name: frame[f"opponent_{name}"].cast(pl.Float64).to_numpy() for name in SHARES}
    shares = [(own[name] + n) / (own[name] + other[name] + 2 * n) * 2 - 1 for name, n in SHARES.items()]
    accuracy = own["sig_landed"] / (own["sig_attempted"] + 10) - other["sig_landed"] / (other["sig_attempted"] + 10)
    finish, close = (frame["method"].is_in(methods).fill_null(False).to_numpy() for methods in (FINISHES, CLOSE))
    result = np.where((frame["outcome"] == "won").to_numpy(), 1, -1) * (1 + 0.5 * finish - 0.5 * close)
    return np.column_stack([*shares, accuracy]), result[:, None]


def bout_strengths(frame, **settings):
    first, second = frame["fighter_id"].to_numpy(), frame["opponent_id"].to_numpy()
    day = frame["event_date"].cast(pl.Int32).to_numpy()
    return np.hstack([strengths(first, second, day, margins, **settings) for margins in margins_of(frame)])


# Other sports


def wide(table, key):
    """DNA of a catalog with a column a metric: shrunk values, also where the sample is too small for `value`."""
    shrunk = pl.col("weight") * pl.col("raw_value").fill_null(0) + (1 - pl.col("weight")) * pl.col("pool_mean")
    rows = table.select(key=pl.concat_str(key, separator=" "), valid_from="valid_from", metric="metric", shrunk=shrunk)
    return rows.collect().pivot("metric", index=["key", "valid_from"], values="shrunk", aggregate_function="first")


def sides_gap(join, values, asked):
    """Gap of these values between two sides, each asked by `key` and `date`."""
    names = [name for name in values.columns if name not in ("key", "valid_from")]
    return gap(*(join(values, side, "key").select(names) for side in asked))


def tennis(snapshot):
    """Matches of both tours as of the day their event began; earlier rounds of the event are not known."""
    matches = snapshot.scan("tennis_matches").filter("is_counted").sort("event_week", "match_id").collect()
    # The winner is listed first: the order of the names is taken instead.
    flipped = (matches["winner_slug"] > matches["loser_slug"]).to_numpy()

    def pick(name, other):
        sides = pl.col(f"winner_{name}"), pl.col(f"loser_{name}")
        return matches.select(pl.when(pl.lit(pl.Series(flipped))).then(sides[1 - other]).otherwise(sides[other])).to_series()

    first, second, won = pick("slug", 0), pick("slug", 1), 1.0 - flipped
    day, known = matches["event_week"].cast(pl.Int32).to_numpy(), matches["last_day"].cast(pl.Int32).to_numpy() + 1
    year = matches["season"].cast(pl.Int32).to_numpy()
    event = (matches["season"] + " " + matches["tour"] + " " + matches["event_slug"]).to_numpy()
    pairs = Pairs(won, year, event, np.full(len(won), True))
    points = gap(*(pick("rank_points", other).cast(pl.Float64).fill_null(1).clip(1).log() for other in (0, 1)))[:, None]
    dna = wide(snapshot.scan("tennis_player_dna"), ["tour", "player_slug", "surface"])

    def asked(slug, surface):
        return pl.DataFrame({"key": matches["tour"] + " " + slug + " " + surface, "date": matches["event_week"]})

    def panel(join):
        surfaces = (pl.Series(["all"]).new_from_index(0, len(matches)), matches["surface"])
        return np.hstack([sides_gap(join, dna, [asked(slug, s) for slug in (first, second)]) for s in surfaces])

    rating = elo(first.to_list(), second.to_list(), won, day, known, lambda n: 250 / (n + 5) ** 0.4)
    return pairs, points, rating, panel


def nfl(snapshot):
    """Games with a result; the quarterback of a side is who threw most in its game before."""
    games = snapshot.scan("nfl_games").filter(pl.col("phase") != "preseason", pl.col("home_score") != pl.col("away_score"))
    games = games.sort("league_date", "game_id").collect()
    won = (games["home_score"] > games["away_score"]).to_numpy().astype(float)
    day = games["league_date"].cast(pl.Int32).to_numpy()
    pairs = Pairs(won, games["season"].cast(pl.Int32).to_numpy(), games["game_id"].to_numpy(), np.full(len(won), True))
    home = 1.0 - games["is_neutral"].fill_null(False).cast(pl.Float64).to_numpy()[:, None]
    thrown = snapshot.scan("nfl_box_players").filter(pl.col("category") == "passing", pl.col("phase") != "preseason")
    passers = thrown.sort("attempts").group_by("team_id", "league_date").last().collect()
    passers = passers.select("team_id", "player_id", valid_from=pl.col("league_date").dt.offset_by("1d"))
    dna = wide(snapshot.scan("nfl_player_dna").filter(pool="QB"), ["player_id"])

    def asked(side):
        held = as_of(passers, games.select(team_id=f"{side}_id", date="league_date"), "team_id")
        return held.select(key="player_id", date="date")

    rating = elo(games["home_id"].to_list(), games["away_id"].to_list(), won, day, day + 1, lambda n: 20)
    return pairs, home, rating, lambda join: sides_gap(join, dna, [asked("home"), asked("away")])


# Reports


def show(title, pairs, models, years, within=None):
    """A row a model: (columns, inverse penalty); returns the predictions by name."""
    heading(title)
    said = {name: predict(pairs, columns, years, penalty) for name, (columns, penalty) in models.items()}
    for name, shares in said.items():
        print(line(name, shares, pairs, within))
    return said


def mma_models(snapshot, frame):
    rating, facts = gaps_of(frame, ["rating_before"]), gaps_of(frame, FACTS)
    panel, leak = (panel_gaps(snapshot, frame, join) for join in (as_of, of_today))
    others = np.hstack([facts, gaps_of(frame, ["rank", "bouts_last_36m__value"])])
    return {
        "house rating alone": (rating, 1.0),
        "house rating, age": (np.hstack([rating, facts[:, :1]]), 1.0),
        "panel: 81 metrics, age, reach": (np.hstack([panel, facts[:, :4]]), 0.003),
        BEST: (np.hstack([bout_strengths(frame), others]), PENALTY),
        "leak: 81 metrics of today, age, reach": (np.hstack([leak, facts[:, :4]]), 0.003),
    }


def report_mma(snapshot, years):
    frame = read_bouts(snapshot, datetime.date(max(years) + 1, 1, 1))
    pairs, models = bout_pairs(frame), mma_models(snapshot, frame)
    said = show(f"MMA: all decided UFC bouts of {' to '.join(sorted({str(min(years)), str(max(years))}))}", pairs, models, years)
    heading("MMA: both with three earlier UFC bouts")
    for name, shares in said.items():
        print(line(name, shares, pairs, seasoned(frame)))
    for name, n, *figures in PUBLISHED:
        print(f"| published: {name} | {n} | {figures[0]} | | {' | '.join(figures[1:])} |")
    calibration(said[BEST], pairs)
    kept = ~np.isnan(said[BEST])
    for column, lacks in (("has_no_version", "a version"), ("has_no_age", "a date of birth")):
        either = frame.select(pl.col(column) | pl.col(f"opponent_{column}")).to_series().to_numpy()
        print(f"\n{either[kept].sum()} of {kept.sum():,} bouts have a side without {lacks}: a gap of 0, none left out.")


def choose(snapshot):
    """What was tried, on folds of 2010 to 2021: bouts from 2022 on are not read."""
    frame = read_bouts(snapshot, datetime.date(2022, 1, 1))
    pairs, models = bout_pairs(frame), mma_models(snapshot, frame)
    best, panel = models.pop(BEST)[0], models["panel: 81 metrics, age, reach"][0][:, :81]
    kept, others, facts = best[:, :12], best[:, 12:], gaps_of(frame, FACTS)
    models.pop("leak: 81 metrics of today, age, reach")

    def row(name, columns, penalty=PENALTY, **settings):
        shares = predict(pairs, columns, CHOSEN_ON, penalty, **settings)
        losses, known = log_losses(shares, pairs.won), ~np.isnan(shares)
        print(f"| {name} | {losses[known].mean():.4f} | {losses[known & seasoned(frame)].mean():.4f} |", flush=True)

    print("| tried on 2010 to 2021 | all | both three |\n|---|---|---|")
    for name, (columns, penalty) in models.items():
        row(name, columns, penalty)
    row(BEST, best)
    for name, settings in {
        "half-life 1.5 years": {"half_life": 1.5},
        "half-life 6 years": {"half_life": 6.0},
        "no time decay": {"half_life": None},
        "each begins with 0.75 bouts": {"lean": 0.75},
        "each begins with 3 bouts": {"lean": 3.0},
        "not adjusted for opponents": {"adjusted": False},
    }.items():
        row(name, np.hstack([bout_strengths(frame, **settings), others]))
    row("the result's strength alone of the twelve", np.hstack([kept[:, 11:], others]))
    row("strengths alone", kept)
    row("without the age curve", np.hstack([kept, facts[:, :1], others[:, 3:]]))
    row("without age", np.hstack([kept, others[:, 3:]]))
    row("without reach", np.delete(best, 15, axis=1))
    row("without experience", np.delete(best, [16, 17], axis=1))
    row("without rank", np.delete(best, 18, axis=1))
    row("without bouts of 36 months", np.delete(best, 19, axis=1))
    added = {"house rating": "rating_before", "a layoff over 400 days": "long_layoff", "no version": "has_no_version"}
    for name, column in added.items():
        row(f"and {name}", np.hstack([best, gaps_of(frame, [column])]))
    row("and all 81 metrics", np.hstack([best, panel]))
    row("trained from 2007", best, first_year=2007)
    row("training bouts worth half after 4 years", best, half_life=4)
    row("penalty a fifth", best, PENALTY * 5)
    row("penalty fivefold", best, PENALTY / 5)


def report_tennis(snapshot):
    pairs, points, rating, panel = tennis(snapshot)
    known, leak = panel(as_of), panel(of_today)
    models = {
        "Elo of the script alone": (rating, 1.0),
        "official ranking points alone": (points, 1.0),
        "panel: 13 metrics, on all surfaces and on this one": (known, 0.02),
        "panel, Elo, ranking points": (np.hstack([known, rating, points]), 0.02),
        "leak: the same of today, Elo, ranking points": (np.hstack([leak, rating, points]), 0.02),
    }
    said = show("Tennis: matches of both tours, 2022 to 2024, as of the day the event began", pairs, models, range(2022, 2025))
    calibration(said["panel, Elo, ranking points"], pairs)


def report_nfl(snapshot):
    pairs, home, rating, panel = nfl(snapshot)
    elo_home = np.hstack([home, rating])
    models = {
        "home side alone": (home, 1.0), "home, Elo of the script": (elo_home, 1.0),
        "home, Elo, QB panel": (np.hstack([elo_home, panel(as_of)]), 0.01),
        "leak: home, Elo, QB panel of today": (np.hstack([elo_home, panel(of_today)]), 0.01),
    }
    show("NFL: 2019, one fold: DNA of quarterbacks covers 2018 and 2019", pairs, models, [2019])
    show("NFL: 2023 to 2025, where no DNA is", pairs, dict(list(models.items())[:2]), range(2023, 2026))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("lake", metavar="LAKE")
    arguments.add_argument("catalog", metavar="CATALOG_LAKE", nargs="?")
    arguments.add_argument("--choose", action="store_true", help="what was tried, on bouts to 2021 alone")
    arguments.add_argument("--year", type=int, help="judge MMA on this year alone, such as one that was held out")
    asked = arguments.parse_args()
    snapshot = fd.open(asked.lake)
    print(f"Snapshot {snapshot.id}, facts until {snapshot.facts_until}")
    if asked.choose:
        choose(snapshot)
        return
    report_mma(snapshot, JUDGED_ON if asked.year is None else [asked.year])
    if asked.catalog:
        catalog = fd.open(asked.catalog, product="catalog")
        print(f"\nCatalog: snapshot {catalog.id}")
        report_tennis(catalog)
        report_nfl(catalog)


if __name__ == "__main__":
    main()

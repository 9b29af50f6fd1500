//! `/bouts/{id}`: round by round, the judges, the fight week.

mod week;

use fdna_api::Scorecard;
use fdna_picture::{Caption, Dumbbell, HeatCell, dumbbells};
use serde_json::Value;

use super::grid::{ShadedRow, shaded_grid};
use crate::ask::{Refusal, read_part, text_at};
use crate::declared::PageView;
use crate::page::{Cell, Figure, Section, Table, TableColumn};
use crate::shown::{name_parties, order_parties};

pub(super) use week::{draw_held_week, draw_written_week};

/// Counts of a round.
const COUNTS: [(&str, &str); 6] = [
    ("sig_landed", "Sig. strikes landed"),
    ("sig_attempted", "Sig. strikes attempted"),
    ("td_landed", "Takedowns landed"),
    ("td_attempted", "Takedowns attempted"),
    ("knockdowns", "Knockdowns"),
    ("control_secs", "Control, seconds"),
];

/// Names of both.
fn fighter_names<'a>(view: &PageView<'a>) -> [&'a str; 2] {
    ["/fighter_a/name", "/fighter_b/name"].map(|path| text_at(view.answer_data("bout"), path))
}

pub(super) fn draw_rounds(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let stats = view.answer_data("stats")["round_stats"].as_array().map_or(&[][..], Vec::as_slice);
    let mut rounds: Vec<i64> = stats.iter().filter_map(|stat| stat["round"].as_i64()).collect();
    rounds.sort_unstable();
    rounds.dedup();
    if rounds.is_empty() {
        let section = Section::new("rounds", "Rounds");
        return Ok(vec![section.line("No source has round statistics of this bout.")]);
    }
    Ok(rounds.into_iter().map(|round| one_round(view, stats, round)).collect())
}

fn one_round(view: &PageView<'_>, stats: &[Value], round: i64) -> Section {
    let parties = order_parties(view.answer_data("bout"));
    let pairs = COUNTS.map(|(name, label)| {
        let count = |id: &Value| {
            let mut stats = stats.iter().filter(|stat| stat["round"] == round);
            stats.find(|stat| stat["fighter_id"] == *id)?[name].as_f64()
        };
        (name, label, count(&parties[0]["id"]), count(&parties[1]["id"]))
    });
    let most = |name: &str| stats.iter().filter_map(|stat| stat[name].as_f64()).fold(1.0, f64::max);
    let text =
        |value: Option<f64>| value.map_or_else(|| "not recorded".to_owned(), |value| format!("{value:.0}"));
    let rows = pairs.map(|(name, label, first, second)| Dumbbell {
        label: label.to_owned(),
        text: format!("{} | {}", text(first), text(second)),
        a: first,
        b: second,
        interval_a: None,
        interval_b: None,
        domain: (0.0, most(name)),
    });
    let (id, title) = (format!("round-{round}"), format!("Round {round}"));
    let caption = Caption {
        id: &id,
        title: &title,
        description: "Counts of both; the scale of a count is the same in all rounds. The numbers are in the table below.",
    };
    let [a, b] = name_parties(view.answer_data("bout"));
    let svg = dumbbells(caption, (a, b), &rows);
    let cell = |value: Option<f64>| {
        value.map_or_else(|| Cell::missing("not recorded"), |value| Cell::text(format!("{value:.0}")))
    };
    let table = pairs.map(|(_, label, first, second)| vec![Cell::text(label), cell(first), cell(second)]);
    let columns = [TableColumn::text("Count"), TableColumn::number(a), TableColumn::number(b)];
    let section = Section::new(format!("r{round}"), title.clone()).figure(Figure::new(svg, ""));
    section.table(Table::new(title, columns, table))
}

/// The scores of a judge, round by round, and their total, which has no shade of its own.
fn card_scores(card: &Scorecard<'_>, last: i32) -> ShadedRow {
    let heat = |scale: f64, (a, b): (i32, i32)| HeatCell {
        shade: 0.5 + f64::from(a - b) * scale,
        text: format!("{a}–{b}"),
    };
    let round = |number: i32| {
        let round = card.rounds.as_ref()?.iter().find(|round| round.round == number)?;
        Some(heat(0.125, round.score_a.zip(round.score_b)?))
    };
    let total = card.score_a.zip(card.score_b).map(|scores| heat(0.0, scores));
    let name = card.judge.unwrap_or("judge not named");
    (name.to_owned(), (1..=last).map(round).chain([total]).collect())
}

pub(super) fn draw_judges(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let section = Section::new("judges", "The judges");
    let cards: Vec<Scorecard<'_>> = read_part(&view.answer_data("bout")["result"]["scorecards"])?;
    if cards.is_empty() {
        return Ok(vec![section.line("No scorecard is known.")]);
    }
    let [a, b] = fighter_names(view);
    let rounds = cards.iter().flat_map(|card| card.rounds.iter().flatten()).map(|round| round.round);
    let last = rounds.max().unwrap_or(0);
    let rows: Vec<ShadedRow> = cards.iter().map(|card| card_scores(card, last)).collect();
    let columns: Vec<String> =
        (1..=last).map(|round| format!("R{round}")).chain(["Total".to_owned()]).collect();
    let title = format!("Cards: {a} first, {b} second");
    let caption = Caption {
        id: "cards",
        title: &title,
        description: "Scores of each judge, round by round; darker is more for the first named. The numbers are in the table below.",
    };
    let (svg, table) = shaded_grid(caption, "Judge", columns, &rows, "not known");
    let note = format!("{a} first. Darker is more for {a}; hatched: not known.");
    Ok(vec![section.figure(Figure::new(svg, note)).table(table)])
}

//! `/matchups/{a}/{b}`: offence against defence, and both values of each metric.

use fdna_api::{MatchupMetric, MatchupPairing};
use fdna_picture::{Caption, Dumbbell, dumbbells};
use serde_json::Value;

use crate::ask::{read_part, text_at};
use crate::declared::PageView;
use crate::page::Figure;
use crate::shown::{dumbbell, family_name};

/// Names of both.
fn fighter_names<'a>(view: &PageView<'a>) -> [&'a str; 2] {
    ["/a/fighter/name", "/b/fighter/name"].map(|path| text_at(view.answer_data("matchup"), path))
}

pub(super) fn draw_pairings(view: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let [a, b] = fighter_names(view);
    let pair = |row: &&Value| {
        let pairing: MatchupPairing<'_> = read_part(row).ok()?;
        let definition = view.find_definition(pairing.offence_metric)?;
        let name = if pairing.offence_of == "a" { a } else { b };
        let label = format!("{name}: {}", definition.label);
        Some(dumbbell(definition, label, [pairing.offence, pairing.defence], [None; 2]))
    };
    let rows: Vec<Dumbbell> = rows.iter().filter_map(pair).collect();
    let caption = Caption {
        id: "pairings",
        title: "Offence against defence",
        description: "What one lands beside what the other allows; the numbers are in the table below.",
    };
    let svg = dumbbells(caption, ("lands", "the other allows, or stops"), &rows);
    let note = "Dot: offence; square: what the other's defence allows or stops, on the same scale. No forecast of a result.";
    Some(Figure::new(svg, note))
}

/// Both values of the metrics of a family.
pub(super) fn draw_both_values(view: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let family = rows.first()?["family"].as_str()?;
    let both = |row: &&Value| {
        let metric: MatchupMetric<'_> = read_part(row).ok()?;
        let definition = view.find_definition(metric.metric)?;
        Some(dumbbell(definition, definition.label, [metric.a.value, metric.b.value], [None; 2]))
    };
    let rows: Vec<Dumbbell> = rows.iter().filter_map(both).collect();
    let (id, title) = (format!("m-{family}"), family_name(family));
    let caption = Caption {
        id: &id,
        title: &title,
        description: "Both values on one scale; the numbers are in the table below.",
    };
    Some(Figure::new(dumbbells(caption, fighter_names(view).into(), &rows), ""))
}

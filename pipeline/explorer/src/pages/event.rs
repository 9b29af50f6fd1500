//! `/events/{id}`: both fighters of each bout beside each other.

use fdna_api::{Interval, MetricDefinition};
use fdna_picture::{Caption, Dumbbell, dumbbells};
use serde_json::Value;

use crate::ask::{Refusal, read_part};
use crate::declared::PageView;
use crate::page::{Cell, Figure, Link, Section, Table, TableColumn};
use crate::shown::{dumbbell, ends, order_parties, quantity, words};

/// What each bout is compared by.
const METRICS: [&str; 4] =
    ["sig_landed_per_min", "sig_absorbed_per_min", "td_landed_per_15", "control_share"];

/// Both sides of a metric.
type Sides<'v, 'a> = (&'v MetricDefinition<'a>, [Option<&'a Value>; 2]);

pub(super) fn compare_bouts(view: &PageView<'_>) -> Result<Vec<Section>, Refusal> {
    let bouts = view.answer_data("card")["bouts"].as_array().into_iter().flatten();
    // What was called off is on the card, and is not compared.
    let held = bouts.filter(|bout| bout["status"] != "cancelled");
    let sections = held.filter_map(|bout| compare_bout(view, bout)).enumerate();
    // The main event is compared at once, the others where somebody asks for it.
    Ok(sections.map(|(place, section)| Section { is_folded: place > 0, ..section }).collect())
}

/// A fighter's value before the day of the card, of those that were asked for.
fn find_value<'a>(view: &PageView<'a>, fighter: &Value, metric: &str) -> Option<&'a Value> {
    let fighters = view.answer_data("dna").as_array()?;
    let dna = &fighters.iter().find(|one| one["id"] == fighter["id"])?["dna"];
    dna["metrics"].as_array()?.iter().find(|value| value["metric"] == metric)
}

fn compare_bout(view: &PageView<'_>, bout: &Value) -> Option<Section> {
    let fighters = order_parties(bout);
    let sides = METRICS.iter().filter_map(|name| {
        Some((view.find_definition(name)?, fighters.map(|fighter| find_value(view, fighter, name))))
    });
    let sides: Vec<Sides<'_, '_>> = sides.collect();
    if sides.iter().all(|(_, values)| values.iter().all(Option::is_none)) {
        return None;
    }
    let [a, b] = fighters.map(|fighter| fighter["name"].as_str().unwrap_or_default());
    let id = bout["id"].as_str()?;
    let (picture, title) = (format!("bout-{id}"), format!("{a} and {b}"));
    let caption = Caption {
        id: &picture,
        title: &title,
        description: "Values and 90 % intervals of both before the event; the numbers are in the table below.",
    };
    let rows: Vec<Dumbbell> = sides.iter().map(both_values).collect();
    let svg = dumbbells(caption, (a, b), &rows);
    let row = |(metric, [a, b]): &Sides<'_, '_>| {
        let name = Cell::link(metric.label, format!("/metrics/{}", metric.metric));
        vec![name, value_cell(metric, *a), value_cell(metric, *b)]
    };
    let columns = [TableColumn::text("Metric"), TableColumn::number(a), TableColumn::number(b)];
    let table = Table::new(format!("{title} before the event"), columns, sides.iter().map(row));
    let mut section = Section::new(format!("c-{id}"), title).figure(Figure::new(svg, "")).table(table);
    section.links.push(Link::new("The bout", format!("/bouts/{id}")));
    Some(section)
}

fn both_values((metric, sides): &Sides<'_, '_>) -> Dumbbell {
    let interval = |side: &Value| read_part::<Option<Interval>>(&side["interval"]).ok()?.as_ref().map(ends);
    let values = sides.map(|side| side?["value"].as_f64());
    dumbbell(metric, metric.label, values, sides.map(|side| interval(side?)))
}

fn value_cell(metric: &MetricDefinition<'_>, side: Option<&Value>) -> Cell {
    let Some(side) = side else { return Cell::missing("no DNA before this day") };
    match side["value"].as_f64() {
        Some(value) => Cell::number(value, quantity(metric, value)),
        None => Cell::missing(side["status"].as_str().map_or_else(String::new, words)),
    }
}

//! Pictures of fighters by a metric: leaders, and a pool.

use fdna_api::QueryItem;
use fdna_picture::{Caption, Leader, StripMark, caterpillar, strip};
use serde_json::Value;

use crate::ask::read_part;
use crate::declared::PageView;
use crate::page::Figure;
use crate::shown::{domain, ends, format_number, scale_lines};

/// Names and metrics, as far as they can be read.
fn read_items<'a>(rows: &[&'a Value]) -> Vec<(&'a str, QueryItem<'a>)> {
    let item = |row: &&'a Value| Some((row["fighter"]["name"].as_str()?, read_part(row).ok()?));
    rows.iter().filter_map(item).collect()
}

pub(super) fn draw_leaders(view: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let metric = view.page_metric()?;
    let leader = |(name, item): (&str, QueryItem<'_>)| Leader {
        label: name.to_owned(),
        text: item.metric.value.map_or_else(|| "no value".to_owned(), |value| format_number(metric, value)),
        value: item.metric.value,
        interval: item.metric.interval.as_ref().map(ends),
        raw: item.metric.raw_value.filter(|_| item.metric.shrinkage.is_some()),
    };
    let leaders: Vec<Leader> = read_items(rows).into_iter().map(leader).collect();
    let limits = leaders
        .iter()
        .flat_map(|row| row.interval.into_iter().flat_map(|(low, high)| [low, high]).chain(row.value));
    let domain = domain(metric, limits);
    let title = format!("Leaders by {}", metric.label);
    let caption = Caption {
        id: "leaders-picture",
        title: &title,
        description: "A row a fighter with the 90 % interval; the numbers are in the table below.",
    };
    let svg = caterpillar(caption, &leaders, domain, &scale_lines(metric, domain, 4));
    let note =
        "Dot: shrunk value; line: 90 % interval; tick: raw ratio, at the edge where it is beyond the scale.";
    Some(Figure::new(svg, note))
}

pub(super) fn draw_pool(view: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let metric = view.page_metric()?;
    let known: Vec<(&str, f64)> =
        read_items(rows).into_iter().filter_map(|(name, item)| Some((name, item.metric.value?))).collect();
    let domain = domain(metric, known.iter().map(|(_, value)| *value));
    let mark = |(place, (name, value)): (usize, &(&str, f64))| StripMark {
        value: *value,
        text: format!("{name}: {}", format_number(metric, *value)),
        is_named: place == 0,
    };
    let marks: Vec<StripMark> = known.iter().enumerate().map(mark).collect();
    let title = format!(
        "The pool: active fighters, {}",
        crate::shown::class(view.query_value("weight_class").unwrap_or("LIGHTWEIGHT"))
    );
    let caption = Caption {
        id: "pool-strip",
        title: &title,
        description: "A line for each fighter, the best longer; the numbers are in the table below.",
    };
    let svg = strip(caption, &marks, domain, &scale_lines(metric, domain, 6));
    Some(Figure::new(svg, "The long line is the first row of the table."))
}

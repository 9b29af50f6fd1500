//! The fight week of a bout: what became known when, by two clocks.

use std::collections::BTreeMap;

use chrono::DateTime;
use fdna_picture::{Caption, Lane, LaneEvent, Tick, swim_lanes, ticks};

use crate::ask::{Api, Refusal};
use crate::model::{LedgerChange, LedgerRow};
use crate::page::{Cell, Figure, Section, Table};
use crate::shown::{minute, trimmed, words};

/// Hours before and after the start that are drawn at most.
const EARLIEST: f64 = -336.0;
const LATEST: f64 = 72.0;

pub(crate) async fn section(api: &Api, id: &str) -> Result<Section, Refusal> {
    let section = Section::new("week", "The fight week").wide();
    let rows: Vec<LedgerRow> = match api.data(&format!("/v1/mma/bouts/{id}/ledger?limit=200")).await {
        Ok(rows) => rows,
        Err(refusal) if refusal.status == 404 || refusal.status == 503 => {
            return Ok(section.line(format!("Not available: {}.", refusal.message)));
        }
        Err(refusal) => return Err(refusal),
    };
    if rows.is_empty() {
        return Ok(section.line("The ledger has no row of this bout."));
    }
    let figures: Vec<Figure> = CLOCKS.iter().filter_map(|clock| picture(&rows, clock)).collect();
    let section = match figures.is_empty() {
        true => section.line("No row has hours to the start: there is nothing to draw."),
        false => figures.into_iter().fold(section, Section::figure),
    };
    let row = |row: &LedgerRow| {
        let changes: Vec<String> = row.diff.iter().map(change).collect();
        vec![
            Cell::text(&row.checkpoint),
            Cell::text(minute(&row.valid_at)),
            Cell::text(minute(&row.recorded_at)),
            row.hours_to_start
                .map_or_else(|| Cell::missing("not known"), |hours| Cell::number(hours, trimmed(hours))),
            if changes.is_empty() { Cell::missing("nothing") } else { Cell::text(changes.join("; ")) },
        ]
    };
    let head = [
        "Checkpoint",
        "Held at",
        "Written down at",
        "#Hours to the start",
        "Changed since the row before, why, and who told",
    ];
    let unavailable = rows.last().map(|row| {
        let missing = row.sources.iter().filter(|source| source.status != "available");
        missing
            .map(|source| {
                format!(
                    "{} ({})",
                    words(&source.name),
                    words(source.reason.as_deref().unwrap_or(&source.status))
                )
            })
            .collect::<Vec<_>>()
    });
    let section = section.table(Table::new(
        "Rows of the ledger, oldest first; corrections are among them",
        &head,
        rows.iter().map(row).collect(),
    ));
    Ok(match unavailable.filter(|names| !names.is_empty()) {
        Some(names) => {
            section.line(format!("Not available: {}. Nothing is put in their place.", names.join(", ")))
        }
        None => section,
    })
}

/// A clock by which the week is drawn.
struct WeekClock {
    id: &'static str,
    title: &'static str,
    caption: &'static str,
    /// Hours from the start to a row, by it.
    at: fn(&LedgerRow) -> Option<f64>,
}

const CLOCKS: [WeekClock; 2] = [
    WeekClock {
        id: "lanes",
        title: "When it held",
        caption: "By the clock of when it held; what is earlier than two weeks before or later than three days after stands at the edge.",
        at: held,
    },
    WeekClock {
        id: "written",
        title: "When it was written down",
        caption: "By the clock of when the ledger learned of it: what stands further right than above was told late.",
        at: written,
    },
];

fn held(row: &LedgerRow) -> Option<f64> {
    Some(-row.hours_to_start?)
}

fn written(row: &LedgerRow) -> Option<f64> {
    let instant = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let late = instant(&row.recorded_at)? - instant(&row.valid_at)?;
    let minutes = i32::try_from(late.num_minutes()).ok()?;
    Some(held(row)? + f64::from(minutes) / 60.0)
}

/// A place in the row as it is told.
fn told(path: &str) -> &str {
    path.strip_prefix("/state/").unwrap_or(path).trim_start_matches('/')
}

fn change(change: &LedgerChange) -> String {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::Null => "not told".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let who = change.source.as_deref().map_or_else(String::new, |source| format!(", {source}"));
    format!(
        "{}: {} → {} ({}{who})",
        words(told(&change.path)),
        text(&change.from),
        text(&change.to),
        words(&change.cause)
    )
}

/// A lane for each part of the state that changed, over the hours to the start.
fn picture(rows: &[LedgerRow], clock: &WeekClock) -> Option<Figure> {
    let timed: Vec<(f64, &LedgerRow)> = rows.iter().filter_map(|row| Some(((clock.at)(row)?, row))).collect();
    let first = timed.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
    let last = timed.iter().map(|(at, _)| *at).fold(0.0, f64::max);
    if !first.is_finite() {
        return None;
    }
    let mut lanes: BTreeMap<String, Vec<LaneEvent>> = BTreeMap::new();
    let checkpoints = timed.iter().map(|(at, row)| LaneEvent {
        at: *at,
        text: format!("{}, {}", row.checkpoint, minute(&row.valid_at)),
    });
    let checkpoints: Vec<LaneEvent> = checkpoints.collect();
    for (at, row) in &timed {
        for one in &row.diff {
            let part = told(&one.path).split('/').next().unwrap_or_default();
            lanes.entry(words(part)).or_default().push(LaneEvent { at: *at, text: change(one) });
        }
    }
    let lane = |(label, events): (String, Vec<LaneEvent>)| Lane { label, events };
    // What a late capture brought may lie a year behind: the week itself is to be read.
    let (first, last) = (first.max(EARLIEST), last.min(LATEST));
    let lanes: Vec<Lane> = std::iter::once(Lane { label: "rows".to_owned(), events: checkpoints })
        .chain(lanes.into_iter().map(lane))
        .collect();
    let days = ticks((first / 24.0, last / 24.0), 5).into_iter().map(|day| Tick {
        at: day * 24.0,
        text: if day.abs() < 1e-9 {
            "start".to_owned()
        } else {
            format!("{}{} d", if day > 0.0 { "+" } else { "−" }, trimmed(day.abs()))
        },
    });
    let caption = Caption {
        id: clock.id,
        title: clock.title,
        description: "Days before and after the start at which each part of the state changed; the table below has both clocks.",
    };
    let svg = swim_lanes(caption, &lanes, (first, last.max(first + 1.0)), &days.collect::<Vec<_>>());
    Some(Figure::new(svg, clock.caption))
}

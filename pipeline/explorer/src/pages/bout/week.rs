//! The fight week of a bout: what became known when, by two clocks.

use std::collections::BTreeMap;

use chrono::DateTime;
use fdna_api::{LedgerChange, LedgerMoment};
use fdna_picture::{Caption, Lane, LaneEvent, Tick, swim_lanes, ticks};
use serde_json::Value;

use crate::ask::{Refusal, read_part};
use crate::declared::PageView;
use crate::page::Figure;
use crate::shown::{ledger_change, ledger_place, minute, trimmed, words};

/// Hours before and after the start that are drawn at most.
const EARLIEST: f64 = -336.0;
const LATEST: f64 = 72.0;

/// A row of the ledger, of whose state the changes alone are shown.
struct LedgerRow<'a> {
    moment: LedgerMoment<'a>,
    changes: Vec<LedgerChange>,
}

impl<'a> LedgerRow<'a> {
    fn read_part(row: &'a Value) -> Result<Self, Refusal> {
        Ok(Self { moment: read_part(row)?, changes: read_part(&row["diff"])? })
    }
}

/// By the clock of when a state held.
pub(crate) fn draw_held_week(_: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let note = "By the clock of when it held; what is earlier than two weeks before or later than three days after stands at the edge.";
    Some(Figure::new(draw_week(rows, ("lanes", "When it held"), held)?, note))
}

/// By the clock of when the ledger learned of it.
pub(crate) fn draw_written_week(_: &PageView<'_>, rows: &[&Value]) -> Option<Figure> {
    let note =
        "By the clock of when the ledger learned of it: what stands further right than above was told late.";
    Some(Figure::new(draw_week(rows, ("written", "When it was written down"), written_hours)?, note))
}

/// Hours from the start to a row, by a clock.
type HoursAt = fn(&LedgerMoment<'_>) -> Option<f64>;

fn held(row: &LedgerMoment<'_>) -> Option<f64> {
    Some(-row.hours_to_start?)
}

fn written_hours(row: &LedgerMoment<'_>) -> Option<f64> {
    let instant = |text: &str| DateTime::parse_from_rfc3339(text).ok();
    let late = instant(&row.recorded_at)? - instant(&row.valid_at)?;
    let minutes = i32::try_from(late.num_minutes()).ok()?;
    Some(held(row)? + f64::from(minutes) / 60.0)
}

/// A lane for each part of the state that changed, over the hours to the start.
fn draw_week(rows: &[&Value], (id, title): (&str, &str), at: HoursAt) -> Option<String> {
    let rows = rows.iter().filter_map(|row| LedgerRow::read_part(row).ok());
    let timed: Vec<(f64, LedgerRow<'_>)> = rows.filter_map(|row| Some((at(&row.moment)?, row))).collect();
    let first = timed.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
    let last = timed.iter().map(|(at, _)| *at).fold(0.0, f64::max);
    if !first.is_finite() {
        return None;
    }
    let mut lanes: BTreeMap<String, Vec<LaneEvent>> = BTreeMap::new();
    let checkpoints = timed.iter().map(|(at, row)| LaneEvent {
        at: *at,
        text: format!("{}, {}", row.moment.checkpoint, minute(&row.moment.valid_at)),
    });
    let checkpoints: Vec<LaneEvent> = checkpoints.collect();
    for (at, row) in &timed {
        for one in &row.changes {
            let part = ledger_place(&one.path).split('/').next().unwrap_or_default();
            lanes.entry(words(part)).or_default().push(LaneEvent { at: *at, text: ledger_change(one) });
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
        id,
        title,
        description: "Days before and after the start at which each part of the state changed; the table below has both clocks.",
    };
    Some(swim_lanes(caption, &lanes, (first, last.max(first + 1.0)), &days.collect::<Vec<_>>()))
}

//! The ledger of an event or a bout as a diary: in the order of time, in names and words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fdna_ledger::{LedgerEntry, StateChange, StateField, StateValue};
use fdna_run::report::count_with_noun;
use uuid::Uuid;

use super::names::EntityNames;

/// Fields derived from elsewhere, or only counted: a reader of events does not miss them.
const LEFT_OUT: [StateField; 7] = [
    StateField::HasDnaA,
    StateField::HasDnaB,
    StateField::DnaFromA,
    StateField::DnaFromB,
    StateField::WireCount,
    StateField::ArticleCount,
    StateField::VideoCount,
];

const RESULT: [StateField; 4] =
    [StateField::ResultStatus, StateField::ResultOutcome, StateField::ResultMethod, StateField::ResultWinner];

/// In the order of the diary: by time, the main event first.
pub(super) fn in_order<'a>(entries: impl Iterator<Item = &'a LedgerEntry>) -> Vec<&'a LedgerEntry> {
    let mut rows: Vec<&LedgerEntry> = entries.collect();
    // As the card stands last, so that a bout keeps its place when it moves.
    let mut places: BTreeMap<Uuid, (bool, i32)> = BTreeMap::new();
    for entry in &rows {
        let order = match entry.state.get(StateField::BoutOrder) {
            StateValue::Int(order) => *order,
            _ => 0,
        };
        places
            .insert(entry.bout_id, (entry.state.get(StateField::CardPosition).is_word("main_event"), order));
    }
    let place = |entry: &LedgerEntry| places.get(&entry.bout_id).copied().unwrap_or_default();
    rows.sort_by_key(|entry| {
        (entry.valid_at, entry.checkpoint, std::cmp::Reverse(place(entry)), entry.sequence)
    });
    rows
}

/// The rows as text, under a header.
pub(super) fn to_text(rows: &[&LedgerEntry], names: &EntityNames) -> String {
    let mut out = String::new();
    let bouts: BTreeSet<Uuid> = rows.iter().map(|entry| entry.bout_id).collect();
    let events: BTreeSet<Uuid> = rows.iter().map(|entry| names.survivor_of(entry.event_id)).collect();
    for id in events {
        match names.find_event(id) {
            Some(event) => {
                let place = event.place.iter().map(|place| format!(", {place}")).collect::<String>();
                let _ = writeln!(out, "{}\n{}{place} (event {id})", event.name, event.date);
            }
            None => _ = writeln!(out, "event {id}"),
        }
    }
    let _ =
        writeln!(out, "{} of {}\n", count_with_noun(rows.len(), "row"), count_with_noun(bouts.len(), "bout"));
    let mut left_out = 0;
    for at_once in rows.chunk_by(|a, b| (a.valid_at, a.checkpoint) == (b.valid_at, b.checkpoint)) {
        let (mut unchanged, mut told) = (0, Vec::new());
        for entry in at_once {
            left_out += entry.diff.iter().filter(|change| LEFT_OUT.contains(&change.path)).count();
            match describe_entry(entry, names) {
                Some(what) => told.push(format!("{}: {what}", names.bout_of(entry))),
                None => unchanged += 1,
            }
        }
        if unchanged > 0 {
            told.push(format!("{} unchanged", count_with_noun(unchanged, "bout")));
        }
        let first = at_once[0];
        let (valid, name) = (first.valid_at.format("%Y-%m-%d %H:%MZ"), first.checkpoint.to_string());
        let mut head = format!("{valid}  {name:<10} {:<19}", lead_time(first.hours_to_start));
        for line in told {
            let _ = writeln!(out, "{head}  {line}");
            head = " ".repeat(head.len());
        }
    }
    if left_out > 0 {
        let changes = count_with_noun(left_out, "change");
        let _ = writeln!(out, "\n{changes} of Fight DNA and of counts of media left out: --json has them");
    }
    out
}

/// The news in a row; `None` for a row that repeats the one before.
fn describe_entry(entry: &LedgerEntry, names: &EntityNames) -> Option<String> {
    if entry.is_baseline && entry.diff.is_empty() {
        return Some(describe_first(entry, names));
    }
    let changes = entry.diff.iter().filter(|change| !LEFT_OUT.contains(&change.path));
    let (of_result, others): (Vec<&StateChange>, Vec<&StateChange>) =
        changes.partition(|change| RESULT.contains(&change.path));
    let mut sentences: Vec<String> =
        others.into_iter().map(|change| describe_change(change, entry, names)).collect();
    if let Some(change) = of_result.first() {
        sentences.insert(0, format!("{}{}", describe_result(entry, names), describe_source(change)));
    }
    (!sentences.is_empty()).then(|| sentences.join("; "))
}

/// A bout as it is first told.
fn describe_first(entry: &LedgerEntry, names: &EntityNames) -> String {
    let get = |field| entry.state.get(field);
    let mut parts = vec![get(StateField::BoutStatus).to_string()];
    if let Some(position) = get(StateField::CardPosition).as_text() {
        parts.push(position.replace('_', " "));
    }
    if let Some(id) = get(StateField::ReplacedBout).as_id() {
        parts.push(format!("in place of {}", names.bout_name(id)));
    }
    if let StateValue::Int(days) = get(StateField::ShortNotice) {
        let days = count_with_noun(usize::try_from(*days).unwrap_or_default(), "day");
        let apostrophe = if days.ends_with('s') { "'" } else { "'s" };
        parts.push(format!("on {days}{apostrophe} notice"));
    }
    if !matches!(get(StateField::ResultStatus), StateValue::Null)
        && !get(StateField::ResultStatus).is_word("pending")
    {
        parts.push(describe_result(entry, names));
    }
    parts.join(", ")
}

fn describe_result(entry: &LedgerEntry, names: &EntityNames) -> String {
    let get = |field| entry.state.get(field);
    let method =
        get(StateField::ResultMethod).as_text().map(|method| format!(" by {}", method.replace('_', " ")));
    let method = method.unwrap_or_default();
    let outcome = match (get(StateField::ResultWinner).as_id(), get(StateField::ResultOutcome).as_text()) {
        (Some(winner), _) => format!("{} wins{method}", names.fighter_name(winner)),
        (None, Some(outcome)) => format!("{}{method}", outcome.replace('_', " ")),
        (None, None) => "no outcome".to_owned(),
    };
    format!("result {}: {outcome}", get(StateField::ResultStatus))
}

fn describe_change(change: &StateChange, entry: &LedgerEntry, names: &EntityNames) -> String {
    let value = |value: &StateValue| names.value_name(change.path, value).replace('_', " ");
    let what = match change.path {
        StateField::RankingA => ranking_of(StateField::FighterA, entry, names),
        StateField::RankingB => ranking_of(StateField::FighterB, entry, names),
        path => path.column_name().trim_end_matches("_id").replace('_', " "),
    };
    let (to, by) = (value(&change.to), describe_source(change));
    match change.from {
        StateValue::Null => format!("{what} {to}{by}"),
        _ => format!("{what} {} -> {to}{by}", value(&change.from)),
    }
}

fn ranking_of(side: StateField, entry: &LedgerEntry, names: &EntityNames) -> String {
    let fighter = entry.state.get(side).as_id().map(|id| names.fighter_name(id));
    format!("ranking of {}", fighter.unwrap_or_else(|| "an unknown fighter".to_owned()))
}

/// Source of a change, and its cause where that is no news of a source.
fn describe_source(change: &StateChange) -> String {
    let source = change.source.as_deref().unwrap_or("no source");
    match change.cause {
        fdna_ledger::ChangeCause::SourceChange => format!(" ({source})"),
        cause => format!(" ({cause}, {source})"),
    }
}

/// Time before the start, or after it.
fn lead_time(hours: Option<f64>) -> String {
    let Some(hours) = hours else { return "no start".to_owned() };
    let side = if hours < 0.0 { "after" } else { "before" };
    let hours = hours.abs();
    if hours < 1.0 {
        return format!("{:.0} min {side}", hours * 60.0);
    }
    if hours < 48.0 {
        return format!("{hours:.0} h {side}");
    }
    let (days, rest) = ((hours / 24.0).floor(), (hours % 24.0).floor());
    let rest = if rest > 0.0 { format!(" {rest:.0} h") } else { String::new() };
    format!("{days:.0} days{rest} {side}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_said_in_days_where_they_are_many() {
        let cases = [
            (0.4, "24 min before"),
            (-3.2, "3 h after"),
            (47.4, "47 h before"),
            (1129.7, "47 days 1 h before"),
            (168.0, "7 days before"),
        ];
        for (hours, text) in cases {
            assert_eq!(lead_time(Some(hours)), text);
        }
        assert_eq!(
            (lead_time(None).as_str(), count_with_noun(1, "day"), count_with_noun(2, "day")),
            ("no start", "1 day".into(), "2 days".into())
        );
    }
}

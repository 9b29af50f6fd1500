//! Consistency of rows merged from several captures: a newer capture may restate a result and lack the rounds
//! or scorecards that an older one has. Each capture passed the gates by itself; this holds them between.

use std::collections::BTreeMap;

use fdna_model::{Finding, FindingKind, Method, Severity, TimeFormat};
use fdna_rows::CellValue;
use fdna_schemas::tables::{ColumnPlace, ContractRow as _, ResultsRow, RoundStatsRow, ScorecardsRow};

use super::track::TrackedRow;
use super::{MergeOutcome, MergedTable};

/// A bout's result, as far as rounds and scorecards hang on it.
struct EndedRow {
    last_round: i32,
    clock_secs: i32,
    format: Option<TimeFormat>,
    method: Option<Method>,
    /// Capture that last had it.
    seen: usize,
}

impl MergeOutcome {
    /// Takes out rounds and scorecards of older captures that the newest result contradicts, and times the
    /// rounds that stay by that result. Gives a finding per bout, with the capture that had the rows.
    pub(crate) fn remove_contradictions(&mut self) -> Vec<(String, Finding)> {
        let Some(results) = self.tables.iter().find(|t| t.rule.table == ResultsRow::TABLE).map(ended_bouts)
        else {
            return Vec::new();
        };
        let mut findings = Vec::new();
        for name in [RoundStatsRow::TABLE, ScorecardsRow::TABLE] {
            let Some(place) = self.tables.iter().position(|t| t.rule.table == name) else { continue };
            let table = &mut self.tables[place];
            let refused = if name == RoundStatsRow::TABLE {
                refuse_rounds(table, &results)
            } else {
                refuse_cards(table, &results)
            };
            for (bout, (seen, reason)) in &refused {
                findings.push((self.captures[*seen].id.clone(), bout_finding(name, bout, reason)));
                let now = results.get(bout).map_or(*seen, |ended| ended.seen);
                table.withdraw_rows(bout, now, &mut self.corrections, |_| true);
            }
        }
        findings
    }
}

fn bout_finding(table: &str, bout: &CellValue, reason: &str) -> Finding {
    Finding {
        kind: FindingKind::Contradiction,
        severity: Severity::Quarantine,
        file: table.to_owned(),
        line: 0,
        key: bout.display(),
        reason: format!("bout {}: {reason}", bout.display().unwrap_or_default()),
        raw: None,
    }
}

fn ended_bouts(results: &MergedTable) -> BTreeMap<CellValue, EndedRow> {
    let rows = results.iter().map(|(key, tracked)| {
        let cells = tracked.to_cells();
        let int = |column: ColumnPlace| cells[column.place].as_int().unwrap_or_default();
        let text = |column: ColumnPlace| cells[column.place].as_text().unwrap_or_default();
        let ended = EndedRow {
            last_round: int(ResultsRow::ROUND),
            clock_secs: int(ResultsRow::CLOCK_SECS),
            format: TimeFormat::parse(text(ResultsRow::TIME_FORMAT)),
            method: Method::from_name(text(ResultsRow::METHOD)),
            seen: tracked.last_seen,
        };
        (key[0].clone(), ended)
    });
    rows.collect()
}

type RefusedMerge = BTreeMap<CellValue, (usize, String)>;

/// Bouts whose rounds are not those of their result.
fn refuse_rounds(table: &mut MergedTable, results: &BTreeMap<CellValue, EndedRow>) -> RefusedMerge {
    let mut refused = RefusedMerge::new();
    let MergedTable { places, rows, .. } = table;
    // The key is bout, round, fighter.
    let places: Vec<(&Vec<CellValue>, usize)> = places.iter().map(|(key, place)| (key, *place)).collect();
    for of_bout in places.chunk_by(|(a, _), (b, _)| a[0] == b[0]) {
        let there = |rows: &[Option<TrackedRow>], place: usize| rows[place].as_ref().map(|row| row.last_seen);
        let seen = of_bout.iter().filter_map(|(_, place)| there(rows, *place)).max().unwrap_or_default();
        let bout = &of_bout[0].0[0];
        let Some(ended) = results.get(bout) else {
            refused.insert(bout.clone(), (seen, "rounds of a bout without a result".to_owned()));
            continue;
        };
        if ended.seen == seen {
            continue;
        }
        let of_round = |(key, _): &(&Vec<CellValue>, usize)| key[1].as_int();
        let control = |(_, place): &(&Vec<CellValue>, usize)| {
            rows[*place].as_ref()?.to_cells()[RoundStatsRow::CONTROL_SECS.place].as_int()
        };
        let held = of_bout.iter().filter_map(control).sum();
        if let Some(reason) = round_contradiction(ended, of_bout.iter().filter_map(of_round), held) {
            refused.insert(bout.clone(), (seen, reason));
            continue;
        }
        for (key, place) in of_bout {
            let (Some(tracked), Some(round)) = (&mut rows[*place], key[1].as_int()) else { continue };
            let fought = ended.format.as_ref();
            let fought = fought.and_then(|f| f.fought_secs(round, ended.last_round, ended.clock_secs));
            tracked.set_value(RoundStatsRow::ROUND_SECS.place, fought.into());
        }
    }
    refused
}

fn round_contradiction(ended: &EndedRow, rounds: impl Iterator<Item = i32>, held: i32) -> Option<String> {
    let mut of_round: BTreeMap<i32, usize> = BTreeMap::new();
    rounds.for_each(|round| *of_round.entry(round).or_default() += 1);
    let whole = of_round.len() == usize::try_from(ended.last_round).unwrap_or(0)
        && (1..=ended.last_round).all(|round| of_round.get(&round) == Some(&2));
    if !whole {
        return Some(format!(
            "rounds {:?} of a bout that a newer capture ends in {}",
            of_round.keys(),
            ended.last_round
        ));
    }
    let total = ended.format.as_ref().and_then(|f| f.total_secs(ended.last_round, ended.clock_secs));
    let total = total.filter(|total| held > *total)?;
    Some(format!("{held} s of control in a fight that a newer capture gives {total} s"))
}

/// Bouts with scorecards that a newer capture ends without the judges.
fn refuse_cards(table: &MergedTable, results: &BTreeMap<CellValue, EndedRow>) -> RefusedMerge {
    let mut refused = RefusedMerge::new();
    for (key, tracked) in table.iter() {
        let Some(ended) = results.get(&key[0]) else { continue };
        let has_cards =
            |method: Method| method.is_decision() || matches!(method, Method::Overturned | Method::Other);
        if ended.seen != tracked.last_seen && ended.method.is_some_and(|method| !has_cards(method)) {
            let reason = "scorecards of a bout that a newer capture ends without the judges";
            refused.insert(key[0].clone(), (tracked.last_seen, reason.to_owned()));
        }
    }
    refused
}

//! Captures that look cut: kept and named, and believed only when a person says so, or when enough of them agree
//! (`agreement.rs`). Believed at once, what they lack would be withdrawn, and half a row be a fighter or bout of its own.
//!
//! Which ones is found anew by every run, from what all captures say and in the order of their times: it hangs on
//! nothing that was found before, so that an older capture which arrives late is what it is compared with from then on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use chrono::{DateTime, Utc};
use fdna_ingest::FileEnd;
use fdna_lake::{Capture, Lake, StageOutput};
use fdna_schemas::{CatalogFile, CatalogSource, SourceContract, without_gz};

use super::agreement::{AgreeingCaptures, CaptureRows, EndedHold, HeldEvidence};
use super::facts::WithFacts;
use super::notes::FactsNotes;
use crate::product::Product;

/// A capture may have this many rows of a file less than the one before, whatever share of them that is.
const FEW_ROWS: usize = 20;

/// A capture that is not believed.
#[derive(Debug)]
pub struct HeldCapture {
    pub source: String,
    pub capture: String,
    pub reasons: Vec<String>,
    /// Whether a later capture of the source is believed, so that nothing waits for a decision.
    pub is_superseded: bool,
    captured_at: DateTime<Utc>,
    /// Later ones that need decisions of their own even if it is believed: how many, and the first of them with its reasons.
    others: Option<(usize, String)>,
    /// Of the captures that may end the hold, on how many days they must agree, and on how many they do.
    outlook: Option<(usize, usize)>,
}

impl HeldCapture {
    /// Which capture, why, and what to do.
    fn describe(&self, lake: &Lake) -> String {
        let Self { source, capture, reasons, .. } = self;
        let (command, lake) = (Product::of_source(source).run_command(), lake.root().display());
        let accept = format!("{command} --lake {lake} --accept {source}/{capture}");
        format!("{source} {capture}: {}; if it is right: {accept}", reasons.join("; "))
    }
}

/// A sentence for each source about its captures that are held, and one about those that wait for nobody.
pub fn describe_held<'h>(held: impl IntoIterator<Item = &'h HeldCapture>, lake: &Lake) -> Vec<String> {
    let held: Vec<&HeldCapture> = held.into_iter().collect();
    let are_together =
        |a: &&HeldCapture, b: &&HeldCapture| (&a.source, a.is_superseded) == (&b.source, b.is_superseded);
    held.chunk_by(are_together).map(|together| describe_together(together, lake)).collect()
}

fn describe_together(held: &[&HeldCapture], lake: &Lake) -> String {
    let (first, others) = (held[0], held.len() - 1);
    let mut text = match others {
        0 => format!("capture {}", first.describe(lake)),
        _ => {
            let (n, source, since) = (held.len(), &first.source, first.captured_at.date_naive());
            format!("{n} captures of {source} since {since}, first {}", first.describe(lake))
        }
    };
    if first.is_superseded {
        return text;
    }
    match &first.others {
        Some((n, next)) => text += &format!("; {n} of the others need decisions of their own, first {next}"),
        None if others > 0 => text += "; the others follow",
        None => {}
    }
    if let Some((needed, days)) = held.iter().rev().find_map(|held| held.outlook) {
        text += &format!("; it ends by itself once captures of {needed} later days agree (now of {days})");
    }
    text
}

/// What people said of captures.
#[derive(Debug, Default)]
pub struct DecidedCaptures {
    /// Those that are believed although they look cut, by source and id.
    pub accepted: BTreeSet<(String, String)>,
    /// Those that do not count, by source and time.
    withdrawn: BTreeSet<(String, DateTime<Utc>)>,
}

impl DecidedCaptures {
    pub fn read_log(lake: &Lake) -> anyhow::Result<Self> {
        let mut decided = Self::default();
        for known in &lake.capture_log()?.captures {
            let Capture { source, id, captured_at, .. } = &known.capture;
            if known.is_accepted {
                decided.accepted.insert((source.clone(), id.clone()));
            }
            if !known.is_active && known.decisions.last().is_some_and(|last| last.action == "withdraw") {
                decided.withdrawn.insert((source.clone(), *captured_at));
            }
        }
        Ok(decided)
    }

    /// Whether a person withdrew a capture of the source from between these times: what comes then is not believed for its
    /// number.
    fn is_refused(&self, source: &str, after: DateTime<Utc>, until: DateTime<Utc>) -> bool {
        let [after, until] = [after, until].map(|at| (source.to_owned(), at));
        self.withdrawn.range((Bound::Excluded(after), Bound::Included(until))).next().is_some()
    }
}

/// Verdicts on captures beside those before them.
#[derive(Default)]
pub struct JudgedCaptures {
    /// Those that are held, by source and time.
    pub held: Vec<HeldCapture>,
    /// Holds that ended by themselves, by source and time.
    pub ended: Vec<EndedHold>,
    /// Of those that are believed, by source and id, the files that have fewer rows than before.
    pub lessened: BTreeMap<(String, String), Vec<String>>,
}

impl JudgedCaptures {
    /// Of a capture that is believed; these files of it have fewer rows than before.
    fn believe_capture(&mut self, name: (String, String), lessened: Vec<String>) {
        if !lessened.is_empty() {
            self.lessened.insert(name, lessened);
        }
        self.held.iter_mut().for_each(|held| held.is_superseded = true);
    }
}

/// Judges all captures, which are by source and time.
pub fn judge_captures(captures: &[WithFacts], decided: &DecidedCaptures) -> JudgedCaptures {
    let mut judged = JudgedCaptures::default();
    for of_source in captures.chunk_by(|a, b| a.0.source == b.0.source) {
        let mut own = judge_source(of_source, decided, &decided.accepted);
        find_others(of_source, decided, &mut own.held);
        judged.held.extend(own.held);
        judged.ended.extend(own.ended);
        judged.lessened.extend(own.lessened);
    }
    judged
}

/// Finds the captures of a source that still wait once the first of those that wait is believed.
fn find_others(captures: &[WithFacts], decided: &DecidedCaptures, held: &mut [HeldCapture]) {
    let Some(first) = held.iter_mut().find(|held| !held.is_superseded) else { return };
    let mut believed = decided.accepted.clone();
    believed.insert((first.source.clone(), first.capture.clone()));
    let left = judge_source(captures, decided, &believed).held;
    let left: Vec<&HeldCapture> = left.iter().filter(|left| !left.is_superseded).collect();
    let describe = |next: &&HeldCapture| format!("{}: {}", next.capture, next.reasons.join("; "));
    first.others = left.first().map(|next| (left.len(), describe(next)));
}

/// Judges the captures of a source: a hold that ends by itself ends as if a person had believed its first capture.
fn judge_source(
    captures: &[WithFacts],
    decided: &DecidedCaptures,
    believed: &BTreeSet<(String, String)>,
) -> JudgedCaptures {
    let (mut believed, mut ended) = (believed.clone(), Vec::new());
    loop {
        let (judged, end) = judge_in_order(captures, decided, &believed);
        let Some(end) = end else { return JudgedCaptures { ended, ..judged } };
        believed.insert((end.source.clone(), end.capture.clone()));
        ended.push(end);
    }
}

/// The verdicts up to a hold that ends by itself, and its end.
fn judge_in_order(
    captures: &[WithFacts],
    decided: &DecidedCaptures,
    believed: &BTreeSet<(String, String)>,
) -> (JudgedCaptures, Option<EndedHold>) {
    let (mut judged, mut before): (_, Option<TableSizes>) = (JudgedCaptures::default(), None);
    let mut agreeing = AgreeingCaptures::default();
    for (capture, facts) in captures {
        let Some(facts) = facts else { continue };
        let notes = FactsNotes::from_facts(facts);
        if !notes.is_usable() {
            continue;
        }
        let tables = TableSizes::new(capture, facts, notes);
        let doubts = tables.find_doubts(before.as_ref());
        let name = (capture.source.clone(), capture.id.clone());
        if doubts.is_empty() || believed.contains(&name) {
            judged.believe_capture(
                name,
                before.iter().flat_map(|before| tables.shrunk_files(before)).collect(),
            );
            before = Some(tables.carry_over(before));
            agreeing = AgreeingCaptures::default();
            continue;
        }
        let has_fewer = doubts.iter().all(|doubt| doubt.is_of_fewer);
        let reasons: Vec<String> = doubts.into_iter().map(|doubt| doubt.reason).collect();
        let may_end = |before: &&TableSizes| {
            has_fewer && !decided.is_refused(&capture.source, before.captured_at, capture.captured_at)
        };
        let needed = SourceContract::get(&capture.source).and_then(|contract| contract.agreeing_days);
        let mut outlook = None;
        if let Some((needed, before)) = needed.zip(before.as_ref().filter(may_end)) {
            if tables.counts.is_evidence(&before.counts) {
                let (id, day) = (capture.id.clone(), capture.captured_at.date_naive());
                let (rows, reasons) = (tables.counts, reasons.clone());
                agreeing.add_capture(HeldEvidence { capture: id, day, rows, reasons });
            }
            outlook = Some((needed, agreeing.later_days()));
            if agreeing.later_days() >= needed {
                return (judged, agreeing.end_hold(&capture.source));
            }
        }
        let (source, capture) = name;
        judged.held.push(HeldCapture {
            source,
            capture,
            reasons,
            is_superseded: false,
            captured_at: tables.captured_at,
            others: None,
            outlook,
        });
    }
    (judged, None)
}

/// Why a capture is not believed at once.
struct CaptureDoubt {
    reason: String,
    /// Whether it has fewer rows, and nothing shows that the rest was cut off or cannot be read.
    is_of_fewer: bool,
}

impl CaptureDoubt {
    fn of_damage(reason: String) -> Self {
        Self { reason, is_of_fewer: false }
    }
}

/// Rows of a file.
#[derive(Clone, Copy, Default)]
struct FileRows {
    /// In the file.
    stated: usize,
    /// Rows that are facts.
    kept: usize,
}

/// Row count of a file, in the newest capture that has it.
struct KnownRows {
    rows: usize,
    capture: String,
}

/// How many rows each file of a capture has: by its name in the contract, or of a declared source by its own, without
/// the end that says how it is compressed.
struct TableSizes {
    capture: String,
    captured_at: DateTime<Utc>,
    counts: CaptureRows,
    source: Option<&'static CatalogSource>,
    least_share: Option<f64>,
    files: BTreeMap<String, FileRows>,
    /// Of the files that are believed, those of earlier captures that this one has not.
    known: BTreeMap<String, KnownRows>,
    ends: BTreeMap<String, FileEnd>,
    /// Tables with a line end behind their last row.
    whole: BTreeSet<String>,
}

impl TableSizes {
    fn new(capture: &Capture, facts: &StageOutput, notes: FactsNotes) -> Self {
        let contract = SourceContract::get(&capture.source);
        let source = CatalogSource::get(&capture.source);
        let mut counts = CaptureRows::default();
        // Of a difference to another capture the tables are not whole.
        if notes.base.is_none() {
            let tables = facts.tables.iter().filter(|table| table.name != "quarantine");
            counts.tables = tables.map(|table| (table.name.clone(), table.rows)).collect();
        }
        let ends = notes.ends;
        let mut files: BTreeMap<String, FileRows> = BTreeMap::new();
        let mut complete_files = BTreeSet::new();
        for file in notes.rows.into_iter().flatten() {
            counts.stated += file.rows_in;
            counts.kept += file.rows_out;
            let mut names = contract.iter().flat_map(|contract| &contract.files);
            let name = match source {
                Some(_) => Some(without_gz(&file.name)),
                None => names.find(|known| known.is_named(&file.name)).map(|known| &*known.name),
            };
            if let Some(name) = name {
                let rows = files.entry(name.to_owned()).or_default();
                rows.stated += file.rows_in;
                rows.kept += file.rows_out;
            }
            if is_table(&file.name) && !ends.contains_key(&file.name) {
                complete_files.insert(file.name);
            }
        }
        let least_share = contract.and_then(|contract| contract.least_share);
        let (capture, captured_at) = (capture.id.clone(), capture.captured_at);
        let of_now = |(name, rows): (&String, &FileRows)| {
            (name.clone(), KnownRows { rows: rows.kept, capture: capture.clone() })
        };
        let known = files.iter().map(of_now).collect();
        Self { capture, captured_at, counts, source, least_share, files, known, ends, whole: complete_files }
    }

    /// With the files of earlier captures that this one has not: of a declared source they still count.
    fn carry_over(mut self, before: Option<Self>) -> Self {
        if self.source.is_some() {
            for (file, rows) in before.into_iter().flat_map(|before| before.known) {
                self.known.entry(file).or_insert(rows);
            }
        }
        self
    }

    /// Reasons why the capture looks cut, beside the one before it that is believed.
    fn find_doubts(&self, before: Option<&Self>) -> Vec<CaptureDoubt> {
        let cut = self.ends.iter().filter_map(|(file, end)| match end {
            FileEnd::CutRow => Some(format!("`{file}` ends within a row")),
            FileEnd::NoLineEnd if self.source.is_some() => {
                // Its last row has all its fields: alone, that says nothing.
                let known = before?.known.get(without_gz(file))?;
                let has = self.kept_rows(without_gz(file));
                (has < known.rows).then(|| {
                    format!(
                        "`{file}` has no line end behind its last row, and {has} rows of {} in capture {}",
                        known.rows, known.capture
                    )
                })
            }
            FileEnd::NoLineEnd if !self.whole.is_empty() => {
                Some(format!("`{file}` has no line end behind its last row, as others of its files have"))
            }
            FileEnd::NoLineEnd => {
                let had = before.filter(|before| before.whole.contains(file))?;
                let had = &had.capture;
                Some(format!("`{file}` has no line end behind its last row, as in capture {had}"))
            }
        });
        cut.chain(self.unread_files())
            .map(CaptureDoubt::of_damage)
            .chain(before.into_iter().flat_map(|before| self.lost_files(before)))
            .collect()
    }

    /// Files of a declared source none of whose rows could be used. A few rows beside other files of their form are said as
    /// set aside: sources leave tests of their own behind.
    fn unread_files(&self) -> impl Iterator<Item = String> {
        let declared =
            self.source.into_iter().flat_map(|source| self.files.iter().map(move |file| (source, file)));
        let unread = declared.filter(|(source, (file, rows))| {
            let is_of_its_form = |other: &&String| {
                source
                    .forms_of(file)
                    .any(|form| source.forms_of(other).any(|of_other| std::ptr::eq(form, of_other)))
            };
            let has_others =
                || self.files.keys().filter(is_of_its_form).any(|other| self.kept_rows(other) > 0);
            rows.stated > 0 && rows.kept == 0 && (rows.stated > FEW_ROWS || !has_others())
        });
        unread
            .map(|(_, (file, rows))| format!("`{file}` has {} rows, all of which are set aside", rows.stated))
    }

    fn kept_rows(&self, file: &str) -> usize {
        self.files.get(file).map_or(0, |rows| rows.kept)
    }

    /// Files of the captures before that this one must have too, or has and may not lessen; and the least share.
    fn compared_files<'b>(
        &self,
        before: &'b Self,
    ) -> impl Iterator<Item = (&'b String, &'b KnownRows, Option<f64>)> {
        before.known.iter().filter_map(|(file, known)| match self.source {
            Some(source) => {
                let least = source.forms_of(file).filter_map(|form| form.least_share()).reduce(f64::max)?;
                self.files.contains_key(file).then_some((file, known, Some(least)))
            }
            None => Some((file, known, self.least_share)),
        })
    }

    fn lost_files(&self, before: &Self) -> Vec<CaptureDoubt> {
        let lost = self.compared_files(before).filter_map(|(file, known, least)| {
            let (has, KnownRows { rows: had, capture: than }) = (self.kept_rows(file), known);
            let is_replaced = self.source.is_some() && least.is_some_and(|least| least > 0.0);
            if has == 0 && *had > 0 && (is_table(file) || is_replaced) {
                // That all its rows are set aside is said already.
                let is_empty = self.files.get(file).is_none_or(|rows| rows.stated == 0);
                return (is_empty || self.source.is_none()).then(|| {
                    CaptureDoubt::of_damage(format!(
                        "`{file}` holds its header alone, of {had} rows in capture {than}"
                    ))
                });
            }
            let least = least?;
            #[expect(clippy::cast_precision_loss, reason = "rows are counted in millions at most")]
            let is_short = (has as f64) < least * (*had as f64) && has + FEW_ROWS < *had;
            let share = least * 100.0;
            is_short.then(|| CaptureDoubt {
                reason: format!("`{file}` has {has} rows, less than {share:.0} % of {had} in capture {than}"),
                is_of_fewer: true,
            })
        });
        lost.collect()
    }

    /// Files of a declared source that have fewer rows than they had, and replace those.
    fn shrunk_files(&self, before: &Self) -> Vec<String> {
        let is_replaced = |file: &str| {
            self.source.is_some_and(|source| source.forms_of(file).any(CatalogFile::is_replaced))
        };
        let compared = self.compared_files(before).filter(|(file, ..)| is_replaced(file));
        let less = compared.filter_map(|(file, KnownRows { rows: had, capture: than }, _)| {
            let gone = had.checked_sub(self.kept_rows(file)).filter(|gone| *gone > 0)?;
            Some(format!("`{file}`: {gone} of {had} rows of capture {than} are gone"))
        });
        less.collect()
    }
}

fn is_table(file: &str) -> bool {
    file.ends_with(".csv")
}

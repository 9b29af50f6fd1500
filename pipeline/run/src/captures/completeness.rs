//! Captures that look cut: kept and named, and believed only when a person says so. Believed at once, what they lack
//! would be withdrawn, and half a row be a fighter or bout of its own.
//!
//! Which ones is found anew by every run, from what all captures say and in the order of their times: it hangs on
//! nothing that was found before, so that an older capture which arrives late is what it is compared with from then on.

use std::collections::{BTreeMap, BTreeSet};

use fdna_ingest::FileEnd;
use fdna_lake::{Capture, Lake};
use fdna_schemas::{CatalogFile, CatalogSource, SourceContract, without_gz};

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
    /// How many later ones need no decision once it is believed.
    frees: usize,
    /// Whether it is one of those.
    is_freed: bool,
}

impl HeldCapture {
    /// A sentence for a person: which capture, why, and what to do.
    fn describe(&self, lake: &Lake) -> String {
        let Self { source, capture, reasons, .. } = self;
        let (command, lake) = (Product::of_source(source).run_command(), lake.root().display());
        let accept = format!("{command} --lake {lake} --accept {source}/{capture}");
        format!("{source} {capture}: {}; if it is right: {accept}", reasons.join("; "))
    }
}

/// Sentences about the captures that are held. Those that believing an earlier one frees come with it, and
/// of those that wait for nobody the first of each source.
pub fn describe_held<'h>(held: impl IntoIterator<Item = &'h HeldCapture>, lake: &Lake) -> Vec<String> {
    let held: Vec<&HeldCapture> = held.into_iter().filter(|held| !held.is_freed).collect();
    let is_told_with =
        |a: &&HeldCapture, b: &&HeldCapture| a.source == b.source && a.is_superseded && b.is_superseded;
    let tell = |together: &[&HeldCapture]| {
        let (first, others) = (together[0], together.len() - 1);
        let (text, source) = (first.describe(lake), &first.source);
        match (first.frees, others) {
            (0, 0) => text,
            (0, others) => format!("{text}; {others} more of {source} are held"),
            (frees, _) => format!("{text}; that frees {frees} later ones of {source} too"),
        }
    };
    held.chunk_by(is_told_with).map(tell).collect()
}

/// Captures that a person believes although they look cut, by source and id.
pub type AcceptedCaptures = BTreeSet<(String, String)>;

/// The captures that people believe although they look cut.
pub fn accepted_captures(lake: &Lake) -> anyhow::Result<AcceptedCaptures> {
    let log = lake.capture_log()?;
    let accepted = log.captures.iter().filter(|known| known.is_accepted);
    Ok(accepted.map(|known| (known.capture.source.clone(), known.capture.id.clone())).collect())
}

/// Verdicts on captures beside those before them.
#[derive(Default)]
pub struct JudgedCaptures {
    /// Those that are held, by source and time.
    pub held: Vec<HeldCapture>,
    /// Of those that are believed, by source and id, the files that have fewer rows than before.
    pub lessened: BTreeMap<(String, String), Vec<String>>,
}

/// Judges all captures, which are by source and time.
pub fn judge_captures(captures: &[WithFacts], accepted: &AcceptedCaptures) -> JudgedCaptures {
    let mut judged = JudgedCaptures::default();
    for of_source in captures.chunk_by(|a, b| a.0.source == b.0.source) {
        let mut own = judge_source(of_source, accepted);
        find_freed(of_source, accepted, &mut own.held);
        judged.held.extend(own.held);
        judged.lessened.extend(own.lessened);
    }
    judged
}

/// Finds which of the captures of a source that wait need no decision once earlier ones are believed.
fn find_freed(captures: &[WithFacts], accepted: &AcceptedCaptures, held: &mut [HeldCapture]) {
    let mut believed = accepted.clone();
    let mut waiting: Vec<usize> = (0..held.len()).filter(|place| !held[*place].is_superseded).collect();
    while waiting.len() > 1 {
        let first = waiting.remove(0);
        believed.insert((held[first].source.clone(), held[first].capture.clone()));
        let left = judge_source(captures, &believed).held;
        let waits = |name: &str| left.iter().any(|left| left.capture == name && !left.is_superseded);
        let (still, freed): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|place| waits(&held[*place].capture));
        held[first].frees = freed.len();
        freed.into_iter().for_each(|place| held[place].is_freed = true);
        waiting = still;
    }
}

fn judge_source(captures: &[WithFacts], accepted: &AcceptedCaptures) -> JudgedCaptures {
    let (mut judged, mut before) = (JudgedCaptures::default(), None);
    for (capture, facts) in captures {
        let notes = facts.as_ref().map(FactsNotes::from_facts);
        let Some(notes) = notes.filter(FactsNotes::is_usable) else { continue };
        let tables = TableSizes::new(capture, notes);
        let reasons = tables.find_doubts(before.as_ref());
        let name = (capture.source.clone(), capture.id.clone());
        if reasons.is_empty() || accepted.contains(&name) {
            let lessened: Vec<String> =
                before.iter().flat_map(|before| tables.shrunk_files(before)).collect();
            if !lessened.is_empty() {
                judged.lessened.insert(name, lessened);
            }
            judged.held.iter_mut().for_each(|held| held.is_superseded = true);
            before = Some(tables.carry_over(before));
            continue;
        }
        let (source, capture) = name;
        judged.held.push(HeldCapture {
            source,
            capture,
            reasons,
            is_superseded: false,
            frees: 0,
            is_freed: false,
        });
    }
    judged
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
    fn new(capture: &Capture, notes: FactsNotes) -> Self {
        let contract = SourceContract::get(&capture.source);
        let source = CatalogSource::get(&capture.source);
        let ends = notes.ends;
        let mut files: BTreeMap<String, FileRows> = BTreeMap::new();
        let mut complete_files = BTreeSet::new();
        for file in notes.rows.into_iter().flatten() {
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
        let capture = capture.id.clone();
        let of_now = |(name, rows): (&String, &FileRows)| {
            (name.clone(), KnownRows { rows: rows.kept, capture: capture.clone() })
        };
        let known = files.iter().map(of_now).collect();
        Self { capture, source, least_share, files, known, ends, whole: complete_files }
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
    fn find_doubts(&self, before: Option<&Self>) -> Vec<String> {
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

    fn lost_files(&self, before: &Self) -> Vec<String> {
        let lost = self.compared_files(before).filter_map(|(file, known, least)| {
            let (has, KnownRows { rows: had, capture: than }) = (self.kept_rows(file), known);
            let is_replaced = self.source.is_some() && least.is_some_and(|least| least > 0.0);
            if has == 0 && *had > 0 && (is_table(file) || is_replaced) {
                // That all its rows are set aside is said already.
                let is_empty = self.files.get(file).is_none_or(|rows| rows.stated == 0);
                return (is_empty || self.source.is_none())
                    .then(|| format!("`{file}` holds its header alone, of {had} rows in capture {than}"));
            }
            let least = least?;
            #[expect(clippy::cast_precision_loss, reason = "rows are counted in millions at most")]
            let is_short = (has as f64) < least * (*had as f64) && has + FEW_ROWS < *had;
            let share = least * 100.0;
            is_short.then(|| {
                format!("`{file}` has {has} rows, less than {share:.0} % of {had} in capture {than}")
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

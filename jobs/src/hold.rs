//! Captures that look cut: kept and named, and believed only when a person says so. Believed at once, what they lack
//! would be withdrawn, and half a row be a fighter or bout of its own.
//!
//! Which ones is found anew by every run, from what all captures say and in the order of their times: it hangs on
//! nothing that was found before, so that an older capture which arrives late is what it is compared with from then on.

use std::collections::{BTreeMap, BTreeSet};

use fdna_ingest::FileEnd;
use fdna_lake::{Capture, Lake, StageOutput};
use fdna_schemas::SourceContract;

use crate::facts;
use crate::ingest::reasons;
use crate::view::WithFacts;

/// A capture may have this many rows of a file less than the one before, whatever share of them that is.
const FEW_ROWS: usize = 20;

/// A capture that is not believed.
#[derive(Debug)]
pub(crate) struct HeldCapture {
    pub(crate) source: String,
    pub(crate) capture: String,
    reasons: Vec<String>,
    /// Whether a later capture of the source is believed, so that nothing waits for a decision.
    pub(crate) is_superseded: bool,
}

impl HeldCapture {
    /// What a person is told: which, why, and what to do.
    pub(crate) fn text(&self, lake: &Lake) -> String {
        let Self { source, capture, reasons, .. } = self;
        let accept = format!("fightdna run --lake {} --accept {source}/{capture}", lake.root().display());
        format!("{source} {capture}: {}; if it is right: {accept}", reasons.join("; "))
    }
}

/// Captures that a person believes although they look cut, by source and id.
pub(crate) type AcceptedCaptures = BTreeSet<(String, String)>;

/// The captures that are held, of all by source and time.
pub(crate) fn held(captures: &[WithFacts], accepted: &AcceptedCaptures) -> Vec<HeldCapture> {
    let mut held: Vec<HeldCapture> = Vec::new();
    for of_source in captures.chunk_by(|a, b| a.0.source == b.0.source) {
        let (mut before, first) = (None, held.len());
        for (capture, facts) in of_source {
            let Some(facts) = facts.as_ref().filter(|facts| reasons(facts).is_empty()) else { continue };
            let tables = TableSizes::of(capture, facts);
            let reasons = tables.doubts(before.as_ref());
            let is_accepted = accepted.contains(&(capture.source.clone(), capture.id.clone()));
            if reasons.is_empty() || is_accepted {
                held[first..].iter_mut().for_each(|held| held.is_superseded = true);
                before = Some(tables);
                continue;
            }
            let (source, capture) = (capture.source.clone(), capture.id.clone());
            held.push(HeldCapture { source, capture, reasons, is_superseded: false });
        }
    }
    held
}

/// How many rows each file of a capture has, by its name in the contract.
struct TableSizes<'c> {
    capture: &'c str,
    least_share: Option<f64>,
    rows: BTreeMap<&'static str, usize>,
    ends: BTreeMap<String, FileEnd>,
    /// Tables with a line end behind their last row.
    whole: BTreeSet<String>,
}

impl<'c> TableSizes<'c> {
    fn of(capture: &'c Capture, facts: &StageOutput) -> Self {
        let contract = SourceContract::get(&capture.source);
        let ends: BTreeMap<String, FileEnd> =
            serde_json::from_value(facts.notes["ends"].clone()).unwrap_or_default();
        let (mut rows, mut whole) = (BTreeMap::new(), BTreeSet::new());
        for file in facts::rows(facts) {
            let mut names = contract.iter().flat_map(|contract| &contract.files);
            if let Some(known) = names.find(|known| known.is_named(&file.name)) {
                *rows.entry(&known.name[..]).or_default() += file.rows_out;
            }
            if is_table(&file.name) && !ends.contains_key(&file.name) {
                whole.insert(file.name);
            }
        }
        let least_share = contract.and_then(|contract| contract.least_share);
        Self { capture: &capture.id, least_share, rows, ends, whole }
    }

    /// Why the capture looks cut, beside the one before it that is believed.
    fn doubts(&self, before: Option<&Self>) -> Vec<String> {
        let cut = self.ends.iter().filter_map(|(file, end)| match end {
            FileEnd::CutRow => Some(format!("`{file}` ends within a row")),
            FileEnd::NoLineEnd if !self.whole.is_empty() => {
                Some(format!("`{file}` has no line end behind its last row, as others of its files have"))
            }
            FileEnd::NoLineEnd => {
                let had = before.filter(|before| before.whole.contains(file))?;
                let had = had.capture;
                Some(format!("`{file}` has no line end behind its last row, as in capture {had}"))
            }
        });
        cut.chain(before.into_iter().flat_map(|before| self.lost(before))).collect()
    }

    fn lost(&self, before: &Self) -> impl Iterator<Item = String> {
        before.rows.iter().filter_map(|(file, had)| {
            let (has, than) = (self.rows.get(file).copied().unwrap_or_default(), before.capture);
            if has == 0 && *had > 0 && is_table(file) {
                return Some(format!("`{file}` holds its header alone, of {had} rows in capture {than}"));
            }
            let least = self.least_share?;
            #[expect(clippy::cast_precision_loss, reason = "rows are counted in millions at most")]
            let is_short = (has as f64) < least * (*had as f64) && has + FEW_ROWS < *had;
            let share = least * 100.0;
            is_short.then(|| {
                format!("`{file}` has {has} rows, less than {share:.0} % of {had} in capture {than}")
            })
        })
    }
}

fn is_table(file: &str) -> bool {
    file.ends_with(".csv")
}

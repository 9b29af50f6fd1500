//! Recording of a run: for each bout in the window the row of the newest checkpoint that it has come to, and within
//! a checkpoint a further one if its state is another.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::checkpoint::{POST_EVENT_WINDOW, RESULT_FOLLOW_UP, WINDOW};
use crate::diff::{diff_states, with_survivors};
use crate::entry::{EntryDraft, LedgerEntry};
use crate::history::LedgerHistory;
use crate::state::{BoutState, KnownState};
use crate::state_at::{sources_at, start_of};
use crate::{Checkpoint, StateChange, StateField};

/// Last ledger entry of a bout.
#[derive(Debug, Clone)]
struct LastEntry {
    checkpoint: Checkpoint,
    valid_at: DateTime<Utc>,
    ledger_id: Uuid,
    state: BoutState,
    /// Rows by checkpoint.
    rows: BTreeMap<Checkpoint, i32>,
    /// `valid_at` of the first row with a result.
    result_at: Option<DateTime<Utc>>,
}

/// The ledger as far as a run has to know it: the newest row of each bout, and the last row of all.
#[derive(Debug, Clone, Default)]
pub struct LedgerState {
    last: BTreeMap<Uuid, LastEntry>,
    head: String,
    recorded_at: Option<DateTime<Utc>>,
}

/// A checkpoint that a bout went past without a row, because nothing ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissedCheckpoint {
    pub bout: Uuid,
    pub checkpoint: Checkpoint,
}

/// Rows that one run adds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedRows {
    pub entries: Vec<LedgerEntry>,
    pub missed: Vec<MissedCheckpoint>,
}

/// Inputs of a run at one time, the same for all bouts.
struct RecordingRun<'a> {
    history: &'a LedgerHistory,
    /// When the run began.
    now: DateTime<Utc>,
    /// When the newest capture was taken.
    captured: DateTime<Utc>,
}

/// A bout at a run: which checkpoint it has come to, and since when.
struct DueCheckpoint {
    checkpoint: Checkpoint,
    valid_at: DateTime<Utc>,
    known: KnownState,
    start: Option<DateTime<Utc>>,
}

impl LedgerState {
    /// The ledger after these rows. Rows of an id that has been merged into another count for the survivor.
    #[must_use]
    pub fn from_entries(entries: &[LedgerEntry], history: &LedgerHistory) -> Self {
        let mut book = Self::default();
        entries.iter().for_each(|entry| book.add_entry(history, entry));
        book
    }

    fn add_entry(&mut self, history: &LedgerHistory, entry: &LedgerEntry) {
        let bout = history.aliases.survivor_of(entry.bout_id);
        let before = self.last.remove(&bout);
        let (mut rows, result_at) = before.map(|last| (last.rows, last.result_at)).unwrap_or_default();
        *rows.entry(entry.checkpoint).or_default() += 1;
        let is_result = entry.checkpoint == Checkpoint::Result;
        let last = LastEntry {
            checkpoint: entry.checkpoint,
            valid_at: entry.valid_at,
            ledger_id: entry.ledger_id,
            state: entry.state.clone(),
            rows,
            result_at: result_at.or(is_result.then_some(entry.valid_at)),
        };
        self.last.insert(bout, last);
        self.head.clone_from(&entry.row_digest);
        self.recorded_at = self.recorded_at.max(Some(entry.recorded_at));
    }

    /// Writes what a run at `now` writes. `recorded_at` is the time of writing, which a replay has another one of;
    /// a clock that was set back does not take it before a row that is there.
    pub fn record_run(
        &mut self,
        history: &LedgerHistory,
        now: DateTime<Utc>,
        recorded_at: DateTime<Utc>,
    ) -> RecordedRows {
        let bouts = self.watched_bouts(history, now);
        self.record_some(history, &bouts, now, recorded_at)
    }

    /// Bouts that may get a row, in order: those near their start, and those of which there are rows and not yet a
    /// result for good.
    pub(crate) fn watched_bouts(&self, history: &LedgerHistory, now: DateTime<Utc>) -> Vec<Uuid> {
        let is_open = |bout: &Uuid| {
            let last = self.last.get(bout);
            last.is_some_and(|last| last.result_at.is_none_or(|result_at| now - result_at <= WINDOW))
        };
        let of_card = |(is_near, bouts): (bool, &[Uuid])| {
            bouts.iter().copied().filter(|bout| is_near || is_open(bout)).collect::<Vec<_>>()
        };
        history.event_cards(now).flat_map(of_card).collect()
    }

    pub(crate) fn record_some(
        &mut self,
        history: &LedgerHistory,
        bouts: &[Uuid],
        now: DateTime<Utc>,
        recorded_at: DateTime<Utc>,
    ) -> RecordedRows {
        let mut recorded = RecordedRows::default();
        let Some(captured) = history.captures.newest_until(now) else { return recorded };
        let run = RecordingRun { history, now, captured };
        let recorded_at = self.recorded_at.map_or(recorded_at, |last| last.max(recorded_at));
        for bout in bouts {
            let Some((draft, missed)) = self.draft_entry(&run, *bout) else { continue };
            let entry = draft.seal_entry(&self.head, recorded_at);
            self.add_entry(history, &entry);
            recorded.entries.push(entry);
            recorded.missed.extend(missed);
        }
        recorded
    }

    fn draft_entry(&self, run: &RecordingRun<'_>, bout: Uuid) -> Option<(EntryDraft, Vec<MissedCheckpoint>)> {
        let last = self.last.get(&bout);
        let come = run.due_checkpoint(bout, last)?;
        // Nothing is written before what is there: a clock was set back.
        if last.is_some_and(|last| come.valid_at < last.valid_at) {
            return None;
        }
        let before = last.map(|last| with_survivors(run.history, &last.state));
        let diff = before.as_ref().map(|before| diff_states(before, &come.known)).unwrap_or_default();
        let is_written = match (last, &before) {
            (Some(last), Some(before)) => is_news(last, before, &come, diff.iter().map(|change| change.path)),
            _ => run.is_open(&come),
        };
        if !is_written {
            return None;
        }
        let missed = match (last, &before) {
            (Some(last), Some(before)) if !before.is_cancelled() => {
                missed_checkpoints(last, &come, run.now, bout)
            }
            _ => Vec::new(),
        };
        Some((run.draft_row(bout, last, come, diff), missed))
    }

    /// The first time after `now` at which a run over the same history may have rows to write, where one at `now` has none;
    /// `None` if the clock alone brings no such time.
    #[must_use]
    pub fn next_due(&self, history: &LedgerHistory, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let capture = history.captures.next_after(now);
        let watched = self.watched_bouts(history, now).into_iter();
        watched.filter_map(|bout| self.next_instant(history, bout, now)).chain(capture).min()
    }

    /// When a bout comes to its next checkpoint by the clock alone; `None` if only a capture can bring it on.
    pub(crate) fn next_instant(
        &self,
        history: &LedgerHistory,
        bout: Uuid,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let last = self.last.get(&bout);
        if let Some(result_at) = last.and_then(|last| last.result_at) {
            let day_after = result_at.checked_add_signed(RESULT_FOLLOW_UP)?;
            return (day_after > now && !has_checkpoint(last, Checkpoint::ResultDay)).then_some(day_after);
        }
        let known = history.known_state(bout, history.captures.newest_until(now)?)?;
        Checkpoint::next_instant(start_of(&known)?, now)
    }
}

fn has_checkpoint(last: Option<&LastEntry>, checkpoint: Checkpoint) -> bool {
    last.is_some_and(|last| last.rows.contains_key(&checkpoint))
}

/// Whether a bout of which there are rows gets another.
fn is_news(
    last: &LastEntry,
    before: &BoutState,
    come: &DueCheckpoint,
    mut changed: impl Iterator<Item = StateField>,
) -> bool {
    // Off is off, until it is on again.
    if before.is_cancelled() && come.known.state.is_cancelled() {
        return false;
    }
    let is_reached = last.checkpoint != come.checkpoint && come.checkpoint != Checkpoint::Correction;
    // What is written about a fighter long after, or where he is ranked then, is no news of this bout.
    let is_past = come.start.is_some_and(|start| come.valid_at - start > POST_EVENT_WINDOW);
    let is_settled = matches!(come.checkpoint, Checkpoint::ResultDay | Checkpoint::Correction);
    is_reached || changed.any(|field| field.is_fact() || !(is_past || is_settled))
}

/// Checkpoints that passed between the newest row and the one now come to.
fn missed_checkpoints(
    last: &LastEntry,
    come: &DueCheckpoint,
    now: DateTime<Utc>,
    bout: Uuid,
) -> Vec<MissedCheckpoint> {
    let Some(start) = come.start else { return Vec::new() };
    let between = Checkpoint::BEFORE.into_iter().filter(|c| *c > last.checkpoint && *c < come.checkpoint);
    let passed = between.filter(|c| c.instant_for(start).is_some_and(|at| at > last.valid_at && at <= now));
    passed.map(|checkpoint| MissedCheckpoint { bout, checkpoint }).collect()
}

impl RecordingRun<'_> {
    /// The checkpoint that a bout has come to; `None` if nothing is known of it, or if it left the window.
    fn due_checkpoint(&self, bout: Uuid, last: Option<&LastEntry>) -> Option<DueCheckpoint> {
        let known = self.history.known_state(bout, self.captured)?;
        let start = start_of(&known);
        let (checkpoint, instant) = match last.and_then(|last| last.result_at) {
            Some(result_at) => self.after_result(last, result_at)?,
            None if known.state.has_result() => (Checkpoint::Result, None),
            None => {
                let checkpoint = Checkpoint::newest_reached(start?, self.now);
                (checkpoint, checkpoint.instant_for(start?))
            }
        };
        let valid_at = instant.map_or(self.captured, |instant| instant.max(self.captured));
        // Between the newest capture and then nothing but time went by, which some counts depend on.
        let known = if valid_at > self.captured { self.history.known_state(bout, valid_at)? } else { known };
        Some(DueCheckpoint { checkpoint, valid_at, known, start })
    }

    fn after_result(
        &self,
        last: Option<&LastEntry>,
        result_at: DateTime<Utc>,
    ) -> Option<(Checkpoint, Option<DateTime<Utc>>)> {
        if self.now - result_at > WINDOW {
            return None;
        }
        let day_after = result_at.checked_add_signed(RESULT_FOLLOW_UP)?;
        Some(if has_checkpoint(last, Checkpoint::ResultDay) {
            (Checkpoint::Correction, None)
        } else if self.now >= day_after {
            (Checkpoint::ResultDay, Some(day_after))
        } else {
            (Checkpoint::Result, None)
        })
    }

    /// Whether a bout that has no row yet may enter: it is not off, and not long past.
    fn is_open(&self, come: &DueCheckpoint) -> bool {
        !come.known.state.is_cancelled() && come.start.is_some_and(|start| self.now - start < WINDOW)
    }

    fn draft_row(
        &self,
        bout: Uuid,
        last: Option<&LastEntry>,
        come: DueCheckpoint,
        diff: Vec<StateChange>,
    ) -> EntryDraft {
        let DueCheckpoint { checkpoint, valid_at, known, start } = come;
        let rows = last.and_then(|last| last.rows.get(&checkpoint)).copied().unwrap_or_default();
        EntryDraft {
            bout_id: bout,
            event_id: self.history.bouts.get(&bout).map(|bout| bout.event).unwrap_or_default(),
            checkpoint,
            sequence: rows + 1,
            valid_at,
            hours_to_start: start.map(|start| hours_between(start, valid_at)),
            state: known.state,
            sources: sources_at(&self.history.captures, valid_at),
            diff,
            is_baseline: last.is_none(),
            supersedes: last.filter(|last| last.checkpoint == checkpoint).map(|last| last.ledger_id),
        }
    }
}

/// To the second, which a double holds exactly enough to be read back the same.
#[expect(clippy::cast_precision_loss, reason = "seconds of some years are far below 2^53")]
fn hours_between(start: DateTime<Utc>, at: DateTime<Utc>) -> f64 {
    (start - at).num_seconds() as f64 / 3600.0
}

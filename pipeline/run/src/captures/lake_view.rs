//! The lake as one run sees it: what counts, looked up once and not by each job again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use fdna_lake::{Capture, Lake};
use fdna_schemas::{CatalogSource, SourceContract, SourceGroup};

use super::completeness::{self, DecidedCaptures, JudgedCaptures};
use super::facts::{self, CaptureOutput, WithFacts};
use super::notes::FactsNotes;
use crate::decisions::DecisionFiles;
use crate::stages::definition::{StageName, StageState};

/// A lake, of which the captures up to a time count. Everything in it is found as a run that resumes would
/// find it: what was looked up is forgotten whenever a job adds to it.
pub struct LakeView {
    lake: Lake,
    known_at: Option<DateTime<Utc>>,
    decisions: DecisionFiles,
    found: Mutex<Option<Arc<Vec<WithFacts>>>>,
    judged: Mutex<Option<Arc<JudgedCaptures>>>,
    usable: Mutex<Option<Arc<Vec<CaptureOutput>>>>,
    stages: Mutex<BTreeMap<StageName, Arc<StageState>>>,
}

impl std::ops::Deref for LakeView {
    type Target = Lake;

    fn deref(&self) -> &Lake {
        &self.lake
    }
}

impl LakeView {
    pub fn new(lake: Lake, known_at: Option<DateTime<Utc>>, decisions: DecisionFiles) -> Self {
        let (found, judged, usable, stages) = Default::default();
        Self { lake, known_at, decisions, found, judged, usable, stages }
    }

    /// Decisions of people about identities.
    pub fn decisions(&self) -> &DecisionFiles {
        &self.decisions
    }

    /// The time after which captures do not count; all count without.
    pub fn known_at(&self) -> Option<DateTime<Utc>> {
        self.known_at
    }

    /// The captures that count, by source and time.
    pub fn captures(&self) -> anyhow::Result<Vec<Capture>> {
        let mut all = all_captures(&self.lake)?;
        all.retain(|capture| self.known_at.is_none_or(|until| capture.captured_at <= until));
        Ok(all)
    }

    /// The same, each with its facts where they have been made.
    pub fn with_facts(&self) -> anyhow::Result<Arc<Vec<WithFacts>>> {
        let mut found = lock_cache(&self.found);
        if let Some(found) = &*found {
            return Ok(Arc::clone(found));
        }
        let looked_up = Arc::new(facts::find_all(&self.lake, self.captures()?)?);
        *found = Some(Arc::clone(&looked_up));
        Ok(looked_up)
    }

    /// Those that can be used and are believed; an error if the facts of some have not been made.
    pub fn usable_captures(&self) -> anyhow::Result<Arc<Vec<CaptureOutput>>> {
        let mut usable = lock_cache(&self.usable);
        if let Some(usable) = &*usable {
            return Ok(Arc::clone(usable));
        }
        let looked_up = Arc::new(self.find_usable()?);
        *usable = Some(Arc::clone(&looked_up));
        Ok(looked_up)
    }

    fn find_usable(&self) -> anyhow::Result<Vec<CaptureOutput>> {
        let judged = self.judged_captures()?;
        let held: BTreeSet<(&str, &str)> =
            judged.held.iter().map(|held| (&*held.source, &*held.capture)).collect();
        let mut usable = Vec::new();
        for (capture, facts) in self.with_facts()?.iter() {
            let missing = || format!("no facts of capture {}; run `fightdna ingest` first", capture.id);
            let facts = facts.as_ref().with_context(missing)?;
            if FactsNotes::from_facts(facts).is_usable() && !held.contains(&(&*capture.source, &*capture.id))
            {
                usable.push((capture.clone(), facts.clone()));
            }
        }
        Ok(usable)
    }

    /// Captures beside those before them: which look cut and are not believed, and which have fewer rows.
    pub fn judged_captures(&self) -> anyhow::Result<Arc<JudgedCaptures>> {
        let mut judged = lock_cache(&self.judged);
        if let Some(judged) = &*judged {
            return Ok(Arc::clone(judged));
        }
        let decided = DecidedCaptures::read_log(&self.lake)?;
        let looked_up = Arc::new(completeness::judge_captures(&self.with_facts()?, &decided));
        *judged = Some(Arc::clone(&looked_up));
        Ok(looked_up)
    }

    /// Every capture that was found unusable, and why.
    pub fn refusals(&self) -> anyhow::Result<Vec<(Capture, Vec<String>)>> {
        let refusal = |(capture, facts): &WithFacts| {
            let reasons = FactsNotes::from_facts(facts.as_ref()?).refused;
            (!reasons.is_empty()).then(|| (capture.clone(), reasons))
        };
        Ok(self.with_facts()?.iter().filter_map(refusal).collect())
    }

    /// The same, in words.
    pub fn describe_refusals(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.refusals()?.iter().map(|(capture, reasons)| describe_refusal(capture, reasons)).collect())
    }

    /// Cached state of a stage.
    pub fn known_state(&self, name: StageName) -> Option<Arc<StageState>> {
        lock_cache(&self.stages).get(&name).cloned()
    }

    /// Clears the cache after a job added captures or facts, or a capture was accepted.
    pub fn clear_cache(&self) {
        *lock_cache(&self.found) = None;
        *lock_cache(&self.judged) = None;
        *lock_cache(&self.usable) = None;
        lock_cache(&self.stages).clear();
    }

    /// Caches the state of a stage.
    pub fn add_state(&self, state: Arc<StageState>) {
        lock_cache(&self.stages).insert(state.name(), state);
    }
}

fn lock_cache<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every capture of the lake, by source and time.
pub fn all_captures(lake: &Lake) -> anyhow::Result<Vec<Capture>> {
    let all = lake.all_captures()?;
    let captures_of = |source| all.iter().filter(move |capture| capture.source == source).cloned();
    Ok(SourceContract::names().chain(CatalogSource::names()).flat_map(captures_of).collect())
}

/// A sentence about a capture that cannot be used.
pub fn describe_refusal(capture: &Capture, reasons: &[String]) -> String {
    format!("{} {}: {}", capture.source, capture.id, reasons.join("; "))
}

/// Those of sources that tell of these things; all without any.
pub fn of_groups<'c>(
    captures: &'c [CaptureOutput],
    groups: &[SourceGroup],
) -> impl Iterator<Item = &'c CaptureOutput> {
    let tells = |source: &SourceContract| source.feeds().iter().any(|group| groups.contains(group));
    let is_of = move |name: &str| groups.is_empty() || SourceContract::get(name).is_some_and(tells);
    captures.iter().filter(move |(capture, _)| is_of(&capture.source))
}

//! The lake as one run sees it: what counts, looked up once and not by each job again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use fdna_lake::{Capture, Lake, StageOutput};
use fdna_schemas::{CatalogSource, SourceContract};

use crate::decisions::DecisionFiles;
use crate::facts;
use crate::ingest::{self, CaptureOutput};
use crate::stage_graph::{self, StageName, StageState};

/// A capture that counts, and its facts where they have been made.
pub(crate) type WithFacts = (Capture, Option<StageOutput>);

/// A lake, of which the captures up to a time count. Everything in it is found as a run that resumes would
/// find it: what was looked up is forgotten whenever a job adds to it.
pub(crate) struct LakeView {
    lake: Lake,
    known_at: Option<DateTime<Utc>>,
    decisions: DecisionFiles,
    found: Mutex<Option<Arc<Vec<WithFacts>>>>,
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
    pub(crate) fn new(lake: Lake, known_at: Option<DateTime<Utc>>, decisions: DecisionFiles) -> Self {
        let (found, usable, stages) = Default::default();
        Self { lake, known_at, decisions, found, usable, stages }
    }

    /// What people decided about who is who.
    pub(crate) fn decisions(&self) -> &DecisionFiles {
        &self.decisions
    }

    /// Where a stage stands; `None` where a stage before it has not made its output.
    pub(crate) fn stage_state(&self, name: StageName) -> anyhow::Result<Option<Arc<StageState>>> {
        if let Some(state) = locked(&self.stages).get(&name) {
            return Ok(Some(Arc::clone(state)));
        }
        let state = stage_graph::find(self, name)?.map(Arc::new);
        if let Some(state) = &state {
            locked(&self.stages).insert(name, Arc::clone(state));
        }
        Ok(state)
    }

    /// What a stage made of the captures that count, where it has been made.
    pub(crate) fn output(&self, name: StageName) -> anyhow::Result<Option<StageOutput>> {
        Ok(self.stage_state(name)?.and_then(|state| state.output.clone()))
    }

    /// The time after which captures do not count; all count without.
    pub(crate) fn known_at(&self) -> Option<DateTime<Utc>> {
        self.known_at
    }

    /// The captures that count, by source and time.
    pub(crate) fn captures(&self) -> anyhow::Result<Vec<Capture>> {
        let mut all = all_captures(&self.lake)?;
        all.retain(|capture| self.known_at.is_none_or(|until| capture.captured_at <= until));
        Ok(all)
    }

    /// The same, each with its facts where they have been made.
    pub(crate) fn with_facts(&self) -> anyhow::Result<Arc<Vec<WithFacts>>> {
        let mut found = locked(&self.found);
        if let Some(found) = &*found {
            return Ok(Arc::clone(found));
        }
        let looked_up = Arc::new(facts::find_all(&self.lake, self.captures()?)?);
        *found = Some(Arc::clone(&looked_up));
        Ok(looked_up)
    }

    /// Those that can be used and are believed; an error if the facts of some have not been made.
    pub(crate) fn usable(&self) -> anyhow::Result<Arc<Vec<CaptureOutput>>> {
        let mut usable = locked(&self.usable);
        if let Some(usable) = &*usable {
            return Ok(Arc::clone(usable));
        }
        let looked_up = Arc::new(ingest::usable(self)?);
        *usable = Some(Arc::clone(&looked_up));
        Ok(looked_up)
    }

    /// That a job has added captures or facts, or that a capture is believed from now on.
    pub(crate) fn forget(&self) {
        *locked(&self.found) = None;
        *locked(&self.usable) = None;
        locked(&self.stages).clear();
    }

    /// That a stage has made its output.
    pub(crate) fn add_state(&self, state: StageState) {
        locked(&self.stages).insert(state.name(), Arc::new(state));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every capture of the lake, by source and time.
pub(crate) fn all_captures(lake: &Lake) -> anyhow::Result<Vec<Capture>> {
    let all = lake.all_captures()?;
    let of = |source| all.iter().filter(move |capture| capture.source == source).cloned();
    Ok(SourceContract::names().chain(CatalogSource::names()).flat_map(of).collect())
}

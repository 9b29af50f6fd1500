//! The lake as one run sees it: what counts, looked up once and not by each job again.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use fdna_lake::{Capture, Lake, StageOutput};
use fdna_schemas::SourceContract;

use crate::facts;

/// A capture that counts, and its facts where they have been made.
pub(crate) type WithFacts = (Capture, Option<StageOutput>);

/// A lake, of which the captures up to a time count. Everything in it is found as a run that resumes would
/// find it: what was looked up is forgotten whenever a job adds to it.
pub struct LakeView {
    lake: Lake,
    known_at: Option<DateTime<Utc>>,
    found: Mutex<Option<Arc<Vec<WithFacts>>>>,
}

impl std::ops::Deref for LakeView {
    type Target = Lake;

    fn deref(&self) -> &Lake {
        &self.lake
    }
}

impl LakeView {
    #[must_use]
    pub fn new(lake: Lake, known_at: Option<DateTime<Utc>>) -> Self {
        Self { lake, known_at, found: Mutex::default() }
    }

    /// The time after which captures do not count; all count without.
    #[must_use]
    pub fn known_at(&self) -> Option<DateTime<Utc>> {
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
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = &*found {
            return Ok(Arc::clone(found));
        }
        let looked_up = Arc::new(facts::find_all(&self.lake, self.captures()?)?);
        *found = Some(Arc::clone(&looked_up));
        Ok(looked_up)
    }

    /// That a job has added captures or facts.
    pub(crate) fn forget(&self) {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Every capture of the lake, by source and time.
pub(crate) fn all_captures(lake: &Lake) -> anyhow::Result<Vec<Capture>> {
    let all = lake.all_captures()?;
    let of = |source| all.iter().filter(move |capture| capture.source == source).cloned();
    Ok(SourceContract::names().flat_map(of).collect())
}

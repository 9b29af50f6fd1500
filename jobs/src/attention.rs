//! `status --check`: what a person should look at.

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;

use crate::run_log::RunEnd;

/// Clocks of several machines differ by so much.
const SKEW: Duration = Duration::minutes(5);

/// Why someone should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A source gave nothing for longer than its rhythm.
    Overdue,
    /// A capture cannot be used.
    Refused,
    /// The newest capture of a source looks cut, and waits for a person's word.
    Held,
    /// A file of the lake is not what was written.
    Damaged,
    /// The last run failed or was killed.
    LastRun,
    /// The clock is behind what is written down, or a capture before its time.
    Clock,
}

/// One thing to look at.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Reason {
    pub(crate) kind: Kind,
    pub(crate) what: String,
}

impl Reason {
    pub(crate) fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }

    /// That something of the lake cannot be read: the innermost cause names it and says why.
    pub(crate) fn damaged(error: &anyhow::Error) -> Self {
        Self::new(Kind::Damaged, format!("failed to {error:#}"))
    }

    pub(crate) fn line(&self) -> String {
        let kind = match self.kind {
            Kind::Overdue => "overdue",
            Kind::Refused => "refused",
            Kind::Held => "held",
            Kind::Damaged => "damaged",
            Kind::LastRun => "last run",
            Kind::Clock => "clock",
        };
        format!("ATTENTION {kind}: {}", self.what)
    }
}

/// What was read, or nothing and one more reason.
pub(crate) fn or_damaged<T: Default>(read: anyhow::Result<T>, reasons: &mut Vec<Reason>) -> T {
    read.unwrap_or_else(|error| {
        reasons.push(Reason::damaged(&error));
        T::default()
    })
}

pub(crate) fn of_last_run(run: &RunEnd) -> Option<Reason> {
    let error = run.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    run.is_bad().then(|| Reason::new(Kind::LastRun, format!("{} {}{error}", run.id, run.outcome)))
}

/// Of what happened at `at`, if that is still to come.
pub(crate) fn of_clock(what: &str, at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<Reason> {
    let at = at.filter(|at| *at > now + SKEW)?;
    let what = format!("{what} is of {}, and now it is {}", at.to_rfc3339(), now.to_rfc3339());
    Some(Reason::new(Kind::Clock, what))
}

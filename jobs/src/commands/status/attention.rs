//! `status --check`: what a person should look at.

use chrono::{DateTime, Duration, Utc};
use fdna_run::report::NOT_IMPORTED;
use fdna_run::run_log::RunEnd;
use serde::Serialize;

/// Clocks of several machines differ by so much.
const SKEW: Duration = Duration::minutes(5);

/// Reason why someone should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AttentionKind {
    /// A source gave nothing for longer than its rhythm.
    Overdue,
    /// A capture cannot be used.
    Refused,
    /// The newest capture of a source looks cut, or a snapshot is made and not published: both wait for a person's word.
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
pub(crate) struct AttentionReason {
    pub(crate) kind: AttentionKind,
    pub(crate) what: String,
}

impl AttentionReason {
    pub(crate) fn new(kind: AttentionKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }

    /// A damaged part of the lake: the innermost cause names it and says why.
    pub(crate) fn from_damage(error: &anyhow::Error) -> Self {
        Self::new(AttentionKind::Damaged, format!("{error:#}"))
    }

    pub(crate) fn to_line(&self) -> String {
        let kind = match self.kind {
            AttentionKind::Overdue => "overdue",
            AttentionKind::Refused => "refused",
            AttentionKind::Held => "held",
            AttentionKind::Damaged => "damaged",
            AttentionKind::LastRun => "last run",
            AttentionKind::Clock => "clock",
        };
        format!("ATTENTION {kind}: {}", self.what)
    }
}

/// The value, or the default and one more reason.
pub(crate) fn or_damaged<T: Default>(read: anyhow::Result<T>, reasons: &mut Vec<AttentionReason>) -> T {
    read.unwrap_or_else(|error| {
        reasons.push(AttentionReason::from_damage(&error));
        T::default()
    })
}

pub(crate) fn of_last_run(run: &RunEnd) -> Option<AttentionReason> {
    let error = run.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
    let kind = match run.outcome.as_str() {
        "held" => AttentionKind::Held,
        // Captures that cannot be used are told by themselves; what could not be taken in is known to the run alone.
        "refused" if run.error.as_ref().is_some_and(|error| error.contains(NOT_IMPORTED)) => {
            AttentionKind::LastRun
        }
        _ if run.is_bad() => AttentionKind::LastRun,
        _ => return None,
    };
    Some(AttentionReason::new(kind, format!("{} {}{error}", run.id, run.outcome)))
}

/// Of what happened at `at`, if that is still to come.
pub(crate) fn of_clock(what: &str, at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<AttentionReason> {
    let at = at.filter(|at| *at > now + SKEW)?;
    let what = format!("{what} is of {}, and now it is {}", at.to_rfc3339(), now.to_rfc3339());
    Some(AttentionReason::new(AttentionKind::Clock, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_failed_was_killed_or_is_held_is_to_be_looked_at_and_one_that_is_at_work_is_not() {
        let kind = |outcome: &str| {
            let (id, outcome) = ("000001-x".to_owned(), outcome.to_owned());
            let run = RunEnd { id, started_at: None, outcome, exit_code: None, error: None, seconds: None };
            of_last_run(&run).map(|reason| reason.kind)
        };
        let told = ["failed", "killed", "held", "running", "done", "nothing_to_do", "refused"].map(kind);
        let (bad, held) = (Some(AttentionKind::LastRun), Some(AttentionKind::Held));
        // What is refused is told by the captures.
        assert_eq!(told, [bad, bad, held, None, None, None, None]);
    }

    #[test]
    fn what_is_still_to_come_is_told_beyond_what_clocks_differ_by() {
        let now = DateTime::UNIX_EPOCH;
        let is_told = |minutes| of_clock("a run", Some(now + Duration::minutes(minutes)), now).is_some();
        assert_eq!([-60, 0, 5, 6].map(is_told), [false, false, false, true]);
        assert_eq!(of_clock("a run", None, now), None);
    }
}

//! Status of an event or bout, for filters.

/// The states of the contract, as far as lists tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// announced, scheduled or in_progress.
    Upcoming,
    /// completed, or over without a result.
    Completed,
    /// cancelled or postponed: on no date.
    Off,
    /// Its day is over, and no source told what came of it.
    Untold,
}

impl Status {
    pub(crate) fn of(name: Option<&str>) -> Self {
        match name {
            Some("completed" | "result_unknown") => Self::Completed,
            Some("announced" | "scheduled" | "in_progress") => Self::Upcoming,
            Some(_) => Self::Off,
            None => Self::Untold,
        }
    }
}

//! Where an event or bout stands, for filters.

/// The states of the contract, as far as lists tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// announced, scheduled or in_progress.
    Upcoming,
    /// completed.
    Completed,
    /// cancelled or postponed: on no date.
    Off,
}

impl Status {
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "completed" => Self::Completed,
            "announced" | "scheduled" | "in_progress" => Self::Upcoming,
            _ => Self::Off,
        }
    }
}

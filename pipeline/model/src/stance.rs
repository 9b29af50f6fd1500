//! Stances.

/// The five stances that the statistics source names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stance {
    Orthodox,
    Southpaw,
    Switch,
    OpenStance,
    Sideways,
}

impl Stance {
    const ALL: [Self; 5] = [Self::Orthodox, Self::Southpaw, Self::Switch, Self::OpenStance, Self::Sideways];

    /// Upper case, as the API writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Orthodox => "ORTHODOX",
            Self::Southpaw => "SOUTHPAW",
            Self::Switch => "SWITCH",
            Self::OpenStance => "OPEN_STANCE",
            Self::Sideways => "SIDEWAYS",
        }
    }

    /// Reads `Orthodox`, `Open Stance` and the like, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.trim().to_uppercase().replace(' ', "_");
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

//! Outcomes and methods of bouts.

/// Result of a bout for both fighters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Win,
    Draw,
    NoContest,
}

impl Outcome {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::NoContest => "no_contest",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Win, Self::Draw, Self::NoContest].into_iter().find(|o| o.name() == name)
    }
}

/// Method of an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    KoTko,
    DoctorStoppage,
    Submission,
    DecisionUnanimous,
    DecisionSplit,
    DecisionMajority,
    /// Of a kind that the source does not state: three early bouts of other promotions.
    Decision,
    Disqualification,
    CouldNotContinue,
    Overturned,
    Other,
}

impl Method {
    const ALL: [(Self, &'static str, &'static str); 11] = [
        (Self::KoTko, "ko_tko", "KO/TKO"),
        (Self::DoctorStoppage, "doctor_stoppage", "TKO - Doctor's Stoppage"),
        (Self::Submission, "submission", "Submission"),
        (Self::DecisionUnanimous, "decision_unanimous", "Decision - Unanimous"),
        (Self::DecisionSplit, "decision_split", "Decision - Split"),
        (Self::DecisionMajority, "decision_majority", "Decision - Majority"),
        (Self::Decision, "decision", "Decision"),
        (Self::Disqualification, "disqualification", "DQ"),
        (Self::CouldNotContinue, "could_not_continue", "Could Not Continue"),
        (Self::Overturned, "overturned", "Overturned"),
        (Self::Other, "other", "Other"),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(m, ..)| *m == self).map_or("other", |(_, name, _)| name)
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n, _)| *n == name).map(|(m, ..)| *m)
    }

    /// Reads the statistics source's text; `None` for one that it never used.
    #[must_use]
    pub fn from_source(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(.., t)| *t == text.trim()).map(|(m, ..)| *m)
    }

    /// Knockout, technical knockout or doctor's stoppage.
    #[must_use]
    pub fn is_knockout(self) -> bool {
        matches!(self, Self::KoTko | Self::DoctorStoppage)
    }

    /// A knockout of any kind or a submission; a disqualification is no finish.
    #[must_use]
    pub fn is_finish(self) -> bool {
        self.is_knockout() || self == Self::Submission
    }

    #[must_use]
    pub fn is_decision(self) -> bool {
        matches!(
            self,
            Self::DecisionUnanimous | Self::DecisionSplit | Self::DecisionMajority | Self::Decision
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_source_texts_lead_back_to_the_method() {
        for (method, name, text) in Method::ALL {
            assert_eq!((method.name(), Method::from_name(name)), (name, Some(method)));
            assert_eq!(Method::from_source(&format!("{text} ")), Some(method));
        }
        assert_eq!(Method::from_source("Magic"), None);
    }
}

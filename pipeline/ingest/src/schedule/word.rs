//! The words of the schedule tables.

macro_rules! words {
    ($(#[$doc:meta])* $kind:ident { $($variant:ident $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum $kind { $($variant),+ }

        impl $kind {
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

words! {
    /// Where a bout stands on the card.
    CardPosition {
        MainEvent "main_event",
        CoMain "co_main",
        MainCard "main_card",
        Prelims "prelims",
        EarlyPrelims "early_prelims",
    }
}

words! {
    /// What is to happen with an event or bout, or has happened.
    Status {
        Scheduled "scheduled",
        InProgress "in_progress",
        Completed "completed",
        Cancelled "cancelled",
        Postponed "postponed",
    }
}

words! {
    /// Result of a bout, by the source's order of its fighters.
    Winner {
        First "first",
        Second "second",
        Draw "draw",
        NoContest "no_contest",
    }
}

impl CardPosition {
    /// The part of the card as sources head it.
    pub(crate) fn of_segment(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().as_str() {
            "main card" | "main" => Some(Self::MainCard),
            "prelims" | "prelims1" | "preliminary card" => Some(Self::Prelims),
            "early prelims" | "prelims2" => Some(Self::EarlyPrelims),
            _ => None,
        }
    }
}

/// Whether a name is none: `TBA`, `TBD`, `Opponent TBA`, or nothing at all.
pub(crate) fn stands_for_nobody(name: &str) -> bool {
    let is_none = |word: &str| ["tba", "tbd", "opponent"].contains(&word.to_lowercase().as_str());
    name.split_whitespace().all(is_none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fighter_to_be_announced_is_nobody_and_batbayar_is_somebody() {
        for nobody in ["TBA", "TBD", "Opponent TBA", "tba", " "] {
            assert!(stands_for_nobody(nobody), "{nobody}");
        }
        assert!(!stands_for_nobody("Namsrai Batbayar") && !stands_for_nobody("Tba Lee"));
    }

    #[test]
    fn segments_are_read_however_they_are_cased_and_no_other_text_is_one() {
        assert_eq!(CardPosition::of_segment("Main Card"), Some(CardPosition::MainCard));
        assert_eq!(CardPosition::of_segment("prelims2"), Some(CardPosition::EarlyPrelims));
        assert_eq!(CardPosition::of_segment("Undercard"), None);
        assert_eq!(CardPosition::of_segment(""), None);
    }
}

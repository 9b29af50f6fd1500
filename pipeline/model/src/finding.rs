//! Findings: what a stage noticed about its input, row by row, so that nothing is lost in silence.

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing was lost: the row says nothing, or says it twice.
    Note,
    /// The row is set aside.
    Quarantine,
    /// The stage cannot go on.
    Fatal,
}

impl Severity {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Quarantine => "quarantine",
            Self::Fatal => "fatal",
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident $name:literal),+ $(,)?) => {
        /// Kind of a finding: the closed list of the `quarantine` table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum FindingKind { $($(#[$doc])* $variant),+ }

        impl FindingKind {
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

kinds! {
    /// A file of the contract is not in the capture.
    MissingFile "missing_file",
    /// A column of the contract is not in the file.
    MissingColumn "missing_column",
    /// A column that the contract does not name.
    UnknownColumn "unknown_column",
    /// The bytes are no UTF-8.
    NotUtf8 "not_utf8",
    /// More or fewer fields than the header.
    FieldCount "field_count",
    /// A required value is missing.
    MissingValue "missing_value",
    /// A value that cannot be read.
    UnreadableValue "unreadable_value",
    /// A line of a text that is nothing which the source's layout has.
    UnreadableLine "unreadable_line",
    /// The source's way of saying that a bout has no statistics.
    NoStatistics "no_statistics",
    /// The same row, or the same entity, once more.
    Duplicate "duplicate",
    /// The row names an event that the capture does not list.
    UnknownEvent "unknown_event",
    /// The row names a fighter that no rule ties to one id.
    UnknownFighter "unknown_fighter",
    /// A name tied to a fighter who is called otherwise.
    OtherName "other_name",
    /// The row names a bout that the event does not have.
    UnknownBout "unknown_bout",
    /// An event that is over and of which no bout is known.
    NoBout "no_bout",
    /// A bout address without a result, so that its pairing cannot be checked.
    NoResult "no_result",
    /// Statistics that contradict themselves or the result.
    Contradiction "contradiction",
    /// Rounds missing for one or both fighters.
    IncompleteRounds "incomplete_rounds",
    /// Judges' totals that cannot be read or tied to sides.
    UnreadableScorecard "unreadable_scorecard",
}

/// One finding about one row of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    pub severity: Severity,
    pub file: String,
    /// Line on which the row begins, the header being line 1; 0 for the whole file.
    pub line: i32,
    /// The entity that the row speaks of, where known.
    pub key: Option<String>,
    /// In words, a lowercase fragment.
    pub reason: String,
    /// The row as received, where it could not be decoded into a table.
    pub raw: Option<String>,
}

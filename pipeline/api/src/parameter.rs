//! Query parameters: what each is called, allows and means.

/// What a query parameter allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number within bounds.
    Integer { min: u32, max: u32, default: u32 },
    /// The same, or left out.
    OptionalInteger { min: u32, max: u32 },
    /// One of the words.
    Choice { words: &'static [&'static str], default: &'static str },
    /// One of the words, or left out.
    Word { words: &'static [&'static str] },
    /// A list of the words, not longer than theirs; each may be left out.
    Choices { words: &'static [&'static str] },
    /// The same of names that a vocabulary gives.
    Names,
    /// `YYYY-MM-DD`.
    Date,
    /// `YYYY-MM-DD` for its whole day, or an instant as RFC 3339.
    Instant,
    /// `YYYY-MM-DD` for its first instant, or an instant as RFC 3339.
    Since,
    /// `true` or `false`.
    Boolean,
    /// Text that is not blank, of so many characters at most.
    Text { max_chars: usize },
    /// A list of UUIDs.
    Ids { max: usize },
    /// A number as JSON writes it.
    Number,
    /// The year of a season, or its two: `2024`, `2024-25`.
    Season,
}

impl ParameterKind {
    /// What is allowed, in words.
    #[must_use]
    pub fn allows(&self) -> String {
        match self {
            Self::Integer { min, max: u32::MAX, .. } | Self::OptionalInteger { min, max: u32::MAX } => {
                format!("an integer of {min} or more")
            }
            Self::Integer { min, max, .. } | Self::OptionalInteger { min, max } => {
                format!("an integer from {min} to {max}")
            }
            Self::Choice { words, .. } | Self::Word { words } => format!("one of {}", words.join(", ")),
            Self::Choices { words } => comma_list(words),
            Self::Names => "a comma-separated list of names".to_owned(),
            Self::Date => "a date such as 2025-01-31 (YYYY-MM-DD)".to_owned(),
            Self::Instant | Self::Since => {
                "a date such as 2025-01-31, or an instant such as 2025-01-31T06:00:00Z".to_owned()
            }
            Self::Boolean => "true or false".to_owned(),
            Self::Text { max_chars } => format!("1 to {max_chars} characters"),
            Self::Ids { max } => format!("a comma-separated list of 1 to {max} UUIDs"),
            Self::Number => "a number such as -1.5".to_owned(),
            Self::Season => "a season such as 2024 or 2024-25".to_owned(),
        }
    }

    /// Whether it holds several values: comma-separated, in one parameter or in several of the name.
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Choices { .. } | Self::Names | Self::Ids { .. })
    }
}

/// What a list of some of the words is. The bound is on what is written: an address has one too, and a list that
/// the document allows is not to run into it.
#[must_use]
pub fn comma_list(words: &[&str]) -> String {
    match words {
        [word] => format!("`{word}`"),
        _ => format!("a comma-separated list of at most {} of {}", words.len(), words.join(", ")),
    }
}

/// A query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    /// What it does, for the documentation.
    pub about: &'static str,
    pub required: bool,
}

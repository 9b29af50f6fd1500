//! What an operation is: name, path, parameters, plan and origin.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::{ErrorCode, OperationId, enums};

/// Plans, lowest first. An operation with minimum plan P is open to P and every plan after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    Developer,
    Pro,
    Ultra,
    Scale,
    Enterprise,
}

impl Plan {
    /// As written in `meta.access_tier` and `X-Plan`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Developer => "developer",
            Self::Pro => "pro",
            Self::Ultra => "ultra",
            Self::Scale => "scale",
            Self::Enterprise => "enterprise",
        }
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for Plan {
    fn schema_name() -> Cow<'static, str> {
        enums::PlanName::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        enums::PlanName::json_schema(generator)
    }
}

/// Where the data of an operation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    SourceFact,
    HouseDerived,
    Licensed,
    Editorial,
    Media,
    ThirdPartyLink,
}

impl Origin {
    /// As the contract writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceFact => "SOURCE_FACT",
            Self::HouseDerived => "HOUSE_DERIVED",
            Self::Licensed => "LICENSED",
            Self::Editorial => "EDITORIAL",
            Self::Media => "MEDIA",
            Self::ThirdPartyLink => "THIRD_PARTY_LINK",
        }
    }
}

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

impl Parameter {
    /// The same with another description.
    pub(crate) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// The same, which may not be left out.
    pub(crate) const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

/// What an operation is answered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataSource {
    /// The contract alone.
    Contract,
    /// A snapshot: the current one, or the one that `snapshot` names.
    Snapshot,
    /// The fight-week ledger, beside the current snapshot.
    Ledger,
    /// All published snapshots.
    Lake,
}

/// Names the snapshot to answer from.
const SNAPSHOT: Parameter = Parameter {
    name: "snapshot",
    kind: ParameterKind::Text { max_chars: 64 },
    about: "Id of the snapshot to answer from; without it, the current one.",
    required: false,
};

/// The schema of `data` in a success, and the kind of its `meta`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response {
    pub(crate) data: fn(&mut SchemaGenerator) -> Schema,
    /// Name of its schema without the `Meta` at the end.
    pub(crate) meta: &'static str,
}

impl Response {
    /// `data` is of this type.
    pub(crate) const fn of<T: JsonSchema>(meta: &'static str) -> Option<Self> {
        Some(Self { data: SchemaGenerator::subschema_for::<T>, meta })
    }
}

/// There never is a success.
pub(crate) const NO_RESPONSE: Option<Response> = None;

/// One operation of the contract. All are GET.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    pub id: OperationId,
    /// Route name of the index, and `operationId` of the document.
    pub name: &'static str,
    /// Path template.
    pub path: &'static str,
    /// Group of the documentation.
    pub tag: &'static str,
    pub summary: &'static str,
    /// Markdown.
    pub description: &'static str,
    /// What the path parameters are; empty without any.
    pub path_parameter: &'static str,
    /// Query parameters of its own.
    pub(crate) parameters: &'static [Parameter],
    /// Example query string, without `?`; may be empty.
    pub example: &'static str,
    /// Lowest plan that allows it.
    pub plan: Plan,
    pub origin: Origin,
    pub source: DataSource,
    /// Error where the operation cannot be served.
    pub unavailable: ErrorCode,
    /// Errors beside those that every operation of its kind can give.
    pub(crate) errors: &'static [ErrorCode],
    pub(crate) response: Option<Response>,
}

impl Operation {
    /// Path template with the example query string.
    #[must_use]
    pub fn with_example(&self) -> String {
        let question = if self.example.is_empty() { "" } else { "?" };
        format!("{}{question}{}", self.path, self.example)
    }

    /// Query parameters; anything else is refused. Whatever is answered from a snapshot takes its id.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> + Clone + use<> {
        let pin = (self.source == DataSource::Snapshot).then_some(&SNAPSHOT);
        self.parameters.iter().chain(pin)
    }

    /// Minimum plan of a request: `include=stats` needs pro wherever it may be asked.
    #[must_use]
    pub fn plan_with(&self, includes: &[&str]) -> Plan {
        if includes.contains(&"stats") { self.plan.max(Plan::Pro) } else { self.plan }
    }
}

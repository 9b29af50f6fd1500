//! An operation: name, path, parameters, plan and origin.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::operations::parameters::SNAPSHOT;
use crate::{ErrorCode, OperationId, Parameter, enums};

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
    pub errors: &'static [ErrorCode],
    pub(crate) response: Option<Response>,
}

impl Operation {
    /// What an operation is unless it says otherwise.
    pub(crate) const DEFAULT: Self = Self {
        id: OperationId::Index,
        name: "",
        path: "",
        tag: "",
        summary: "",
        description: "",
        path_parameter: "",
        parameters: &[],
        example: "",
        plan: Plan::Developer,
        origin: Origin::SourceFact,
        source: DataSource::Snapshot,
        unavailable: ErrorCode::SnapshotNotAvailable,
        errors: &[],
        response: NO_RESPONSE,
    };

    /// Path template with the example query string.
    #[must_use]
    pub fn with_example(&self) -> String {
        let question = if self.example.is_empty() { "" } else { "?" };
        format!("{}{question}{}", self.path, self.example)
    }

    /// Query parameters; anything else is refused. Whatever is answered from a snapshot takes its id.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> + Clone + use<> {
        const PIN: Parameter = SNAPSHOT.declared();
        let pin = (self.source == DataSource::Snapshot).then_some(&PIN);
        self.parameters.iter().chain(pin)
    }

    /// Minimum plan of a request: `include=stats` needs pro wherever it may be asked.
    #[must_use]
    pub fn plan_with(&self, includes: &[&str]) -> Plan {
        if includes.contains(&"stats") { self.plan.max(Plan::Pro) } else { self.plan }
    }
}

//! Facts of an error for programs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Id, enums, formats};

/// Facts of an error for programs; which are given depends on its code.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct ErrorDetails {
    /// invalid_parameter: what it allows, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub allowed: Option<String>,
    /// dna_not_available: the asked date.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<formats::Date>")]
    pub as_of: Option<Option<String>>,
    /// not_found: those that have the id, where it is several's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Candidate>")]
    pub candidates: Option<Vec<Candidate>>,
    /// invalid_parameter: what was asked for, perhaps: the names that are nearest to what was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub did_you_mean: Option<Vec<String>>,
    /// dna_not_available: the first day on which there is any; null where there never is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<formats::Date>")]
    pub first_valid_from: Option<Option<String>>,
    /// A source that is not there: what it would tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group: Option<String>,
    /// not_found: the id that nobody has, or several have.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub id: Option<String>,
    /// not_found: what was looked for: fighter, event, bout or article.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub kind: Option<String>,
    /// rate_limited, quota_exceeded: requests that are allowed in a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub limit: Option<u64>,
    /// position_profile_not_available: LICENSED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "enums::OriginLabel")]
    pub origin: Option<&'static str>,
    /// invalid_parameter: its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub parameter: Option<String>,
    /// rate_limited, quota_exceeded: the window, minute or month.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "enums::Window")]
    pub per: Option<&'static str>,
    /// plan_required: the plan that the key has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "enums::PlanName")]
    pub plan: Option<&'static str>,
    /// dna_not_available: no_eligible_bout or before_first_version. position_profile_not_available:
    /// no_licensed_source. A source that is not there: no_source or never_captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reason: Option<String>,
    /// plan_required: the lowest plan that allows what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "enums::PlanName")]
    pub required_plan: Option<&'static str>,
    /// snapshot_not_found, snapshot_not_available, busy: the id that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub snapshot: Option<String>,
}

impl ErrorDetails {
    /// invalid_parameter: which, and what it allows.
    #[must_use]
    pub fn of_parameter(name: &str, allowed: &str) -> Self {
        Self { parameter: Some(name.to_owned()), allowed: Some(allowed.to_owned()), ..Self::default() }
    }

    /// not_found: what was looked for.
    #[must_use]
    pub fn of_id(kind: &str, id: &str) -> Self {
        Self { kind: Some(kind.to_owned()), id: Some(id.to_owned()), ..Self::default() }
    }

    /// A snapshot that was asked for.
    #[must_use]
    pub fn of_snapshot(id: &str) -> Self {
        Self { snapshot: Some(id.to_owned()), ..Self::default() }
    }

    /// rate_limited, quota_exceeded: the requests that are allowed, `per` minute or month.
    #[must_use]
    pub fn of_limit(limit: u64, per: &'static str) -> Self {
        Self { limit: Some(limit), per: Some(per), ..Self::default() }
    }
}

/// One of several that have an id.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Candidate {
    /// To ask for it by.
    pub id: Id,
    pub name: String,
}

//! Stories of outlets on the wire: headline, link, outlet and time, and nothing else of theirs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{About, Id, formats};

/// A story, however many outlets tell it.
#[derive(Debug, JsonSchema, Serialize)]
pub struct WireStory<'a> {
    pub id: Id,
    pub headline: &'a str,
    /// Address at the outlet, without tracking.
    #[schemars(with = "formats::Address")]
    pub link: &'a str,
    /// Who published it first.
    pub outlet: &'a str,
    /// RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub published_at: Option<String>,
    /// The capture that first had it, RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub first_seen_at: Option<String>,
    pub also_in: &'a [AlsoIn],
    #[serde(flatten)]
    pub about: About,
}

/// Another outlet that tells the same story.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct AlsoIn {
    pub outlet: String,
    #[schemars(with = "formats::Address")]
    pub link: String,
}

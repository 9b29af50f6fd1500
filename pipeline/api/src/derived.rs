//! Header of every answer that rests on one version of a fighter's DNA.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{DnaHead, enums, formats};

/// The version, and that its values are derived.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Derived<'a> {
    #[serde(flatten)]
    pub head: DnaHead<'a>,
    /// HOUSE_DERIVED.
    #[schemars(with = "enums::OriginLabel")]
    pub origin: &'static str,
    #[schemars(with = "formats::False")]
    pub is_official: bool,
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: &'a str,
}

//! What stands before every answer that rests on one version of a fighter's DNA.

use serde::Serialize;

use crate::DnaHead;

/// The version, and that its values are derived.
#[derive(Debug, Serialize)]
pub struct Derived<'a> {
    #[serde(flatten)]
    pub head: DnaHead<'a>,
    /// HOUSE_DERIVED.
    pub origin: &'static str,
    pub is_official: bool,
    pub snapshot_id: &'a str,
}

//! Common parts of answers that rest on one version.

use fdna_api::{Derived, Origin};

use super::dna::AskedVersion;

/// The version as it stands before what is made of it.
pub(crate) fn derived<'a>(version: &'a AskedVersion<'_>) -> Derived<'a> {
    Derived {
        head: version.head(),
        origin: Origin::HouseDerived.name(),
        is_official: false,
        snapshot_id: version.data.snapshot_id(),
    }
}

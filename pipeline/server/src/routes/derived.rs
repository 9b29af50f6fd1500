//! What answers that rest on one version have in common.

use fdna_api::{Derived, Failure, MetaExtra, Origin};
use serde::Serialize;

use super::dna::Version;
use super::{Asked, to_json};
use crate::respond::Answer;
use crate::splice::Object;

/// The version as it stands before what is made of it.
pub(crate) fn derived<'a>(version: &'a Version<'_>) -> Derived<'a> {
    Derived {
        head: version.head(),
        origin: Origin::HouseDerived.name(),
        is_official: false,
        snapshot_id: version.data.snapshot_id(),
    }
}

/// An answer about one fighter: who he is, and what is said of him.
pub(crate) fn about_fighter<T: Serialize>(
    version: &Version<'_>,
    asked: &Asked,
    said: &T,
) -> Result<Answer, Failure> {
    let fighter = version.data.fighter_compact(version.fighter, asked.shown());
    let body = Object::new().field("fighter", &fighter).and(&to_json(said)?);
    Ok(asked.answer(body.finish(), MetaExtra::None {}))
}

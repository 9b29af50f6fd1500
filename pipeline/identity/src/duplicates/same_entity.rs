//! Two entities that are one, and by what.

use fdna_model::Kind;
use uuid::Uuid;

/// By what two entities are one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SameEntity {
    pub(super) rule: &'static str,
    pub(super) score: f64,
}

/// Two entities that are one: kind, lost, kept, and by what.
pub(super) type Duplicate = (Kind, Uuid, Uuid, SameEntity);

//! Parameters that several operations take.

use crate::{METRIC_FIELDS, Parameter, ParameterKind as K, VIDEO_TYPES};

pub(super) const fn parameter(name: &'static str, kind: K, about: &'static str) -> Parameter {
    Parameter { name, kind, about, required: false }
}

pub(super) const fn limit(max: u32, default: u32) -> Parameter {
    parameter("limit", K::Integer { min: 1, max, default }, "Rows at most.")
}

/// An id of ours, a source's, or of an entity that was merged into another.
pub(super) const ID: K = K::Text { max_chars: 200 };

pub(super) const FIGHTER: Parameter =
    parameter("fighter_id", ID, "About this fighter, by any id. An id that no fighter has is 404.");
pub(super) const EVENT: Parameter =
    parameter("event_id", ID, "About this event: any id of it. One that none has is 404.");
pub(super) const BOUT: Parameter =
    parameter("bout_id", ID, "About this bout: any id of it. One that none has is 404.");

pub(super) const AS_OF: Parameter =
    parameter("as_of", K::Date, "What was known before this date began; without it, the latest.");
pub(super) const FROM: Parameter = parameter("from", K::Date, "First date; not after `to`.");
pub(super) const TO: Parameter = parameter("to", K::Date, "Last date; not before `from`.");
pub(super) const AT: Parameter =
    parameter("at", K::Instant, "Rows that held at this instant or before; of a date, its last.");
pub(super) const KNOWN_AT: Parameter = parameter(
    "known_at",
    K::Instant,
    "Rows that were written down at this instant or before; of a date, its last.",
);

/// Where a page begins; every list has it.
pub(super) const CURSOR: Parameter = parameter(
    "cursor",
    K::Text { max_chars: 100 },
    "`meta.next_cursor` of the page before: of the same query on the same snapshot.",
);
pub(super) const OFFSET: Parameter = parameter(
    "offset",
    K::Integer { min: 0, max: u32::MAX, default: 0 },
    "Rows to leave out before the first. `cursor` goes on by itself; give one of the two.",
);

pub(super) const PROMOTION: Parameter = parameter("promotion", K::Word { words: crate::PROMOTIONS }, "");
pub(super) const VIDEO_TYPE: Parameter =
    parameter("type", K::Word { words: VIDEO_TYPES }, "Videos of this type.");
pub(super) const METRIC: Parameter =
    parameter("metric", K::Text { max_chars: 100 }, "Metric to look at.").required();
pub(super) const METRICS: Parameter = parameter("metrics", K::Names, "Metrics to show; all without it.");
pub(super) const FAMILIES: Parameter =
    parameter("families", K::Names, "Families of metrics to show; all without it.");
pub(super) const FIELDS: Parameter = parameter(
    "fields",
    K::Choices { words: METRIC_FIELDS },
    "Fields to show of each metric, beside its name; all without it.",
);

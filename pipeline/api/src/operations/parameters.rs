//! Parameters that several operations take.

use crate::param::{Date, Instant, Integer, Param, RequiredText, Text, Word, Words};
use crate::{METRIC_FIELDS, PROMOTIONS, VIDEO_TYPES};

/// Characters of an id of ours, a source's, or of an entity that was merged into another, at most.
const ID_CHARS: usize = 200;

/// Rows of a page; operations set the bounds.
pub const LIMIT: Param<Integer> = Param::integer("limit", (1, 1000), 100, "Rows at most.");
pub const OFFSET: Param<Integer> = Param::integer(
    "offset",
    (0, u32::MAX),
    0,
    "Rows to leave out before the first. `cursor` goes on by itself; give one of the two.",
);
/// Where a page begins; every list has it.
pub const CURSOR: Param<Text> = Param::text(
    "cursor",
    100,
    "`meta.next_cursor` of the page before: of the same query on the same snapshot.",
);
/// Names the snapshot to answer from.
pub const SNAPSHOT: Param<Text> =
    Param::text("snapshot", 64, "Id of the snapshot to answer from; without it, the current one.");

/// What is beside the answer; operations say which words there are.
pub const INCLUDE: Param<Words> = Param::words("include", &[], "What to add.");

pub const FIGHTER: Param<Text> =
    Param::text("fighter_id", ID_CHARS, "About this fighter, by any id. An id that no fighter has is 404.");
pub const EVENT: Param<Text> =
    Param::text("event_id", ID_CHARS, "About this event: any id of it. One that none has is 404.");
pub const BOUT: Param<Text> =
    Param::text("bout_id", ID_CHARS, "About this bout: any id of it. One that none has is 404.");

pub const AS_OF: Param<Date> =
    Param::date("as_of", "What was known before this date began; without it, the latest.");
pub const FROM: Param<Date> = Param::date("from", "First date; not after `to`.");
pub const TO: Param<Date> = Param::date("to", "Last date; not before `from`.");
pub const AT: Param<Instant> =
    Param::instant("at", "Rows that held at this instant or before; of a date, its last.");
pub const KNOWN_AT: Param<Instant> =
    Param::instant("known_at", "Rows that were written down at this instant or before; of a date, its last.");

pub const PROMOTION: Param<Word> = Param::word("promotion", PROMOTIONS, "");
pub const VIDEO_TYPE: Param<Word> = Param::word("type", VIDEO_TYPES, "Videos of this type.");
pub const METRIC: Param<RequiredText> = Param::required_text("metric", 100, "Metric to look at.");
pub const METRICS: Param<Text> = Param::names("metrics", "Metrics to show; all without it.");
pub const FAMILIES: Param<Text> = Param::names("families", "Families of metrics to show; all without it.");
pub const FIELDS: Param<Words> =
    Param::words("fields", METRIC_FIELDS, "Fields to show of each metric, beside its name; all without it.");

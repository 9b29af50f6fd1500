//! Closed lists of words on the wire: each is a schema of its own, and a field says which it holds.
//!
//! A closed list does not grow within `/v1`: a client may match on it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::{
    BOUT_CLASSES, CHECKPOINTS, METHODS, PROMOTIONS, RANKING_DIVISIONS, SEARCH_KINDS, STANCES, VIDEO_TYPES,
    WEIGHT_CLASSES,
};

/// A closed list, by which its words are read back.
pub(crate) trait ClosedList {
    const WORDS: &'static [&'static str];
}

/// A word of a closed list. A name of its own, for serde takes a field that is written as `&'static str` to borrow from what is
/// read.
pub(crate) type Word = &'static str;

/// For `#[serde(deserialize_with)]`: a word of a closed list as the constant that it is in Rust.
pub(crate) fn read_word<'de, L: ClosedList, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    let word = L::WORDS.iter().find(|word| **word == text);
    word.copied().ok_or_else(|| D::Error::unknown_variant(&text, L::WORDS))
}

macro_rules! words {
    ($($name:ident $about:literal $words:expr;)+) => { $(
        #[doc = $about]
        pub(crate) struct $name;

        impl ClosedList for $name {
            const WORDS: &'static [&'static str] = $words;
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"description": $about, "type": "string", "enum": Self::WORDS})
            }
        }
    )+ };
}

words! {
    WeightClass "Class of a bout or fighter; `WOMENS_` first for women." WEIGHT_CLASSES;
    Stance "Stance of a fighter." STANCES;
    Method "How a bout ended." METHODS;
    BoutClass "What a bout is fought at: a class, or a weight that is none." BOUT_CLASSES;
    TitleKind "What is at stake." &["undisputed", "interim", "superfight", "bmf", "tournament"];
    ClassTitleKind "Kind of title that a class has." &["undisputed", "interim"];
    TitleStatus "Whether somebody holds a title." &["held", "vacant", "closed"];
    TitleBasis "What says who the champion is." &["title_bout", "ranking"];
    Promotion "Whose event it is." PROMOTIONS;
    EventDateRule "Where the day of an event is from." &["venue", "public_record", "source"];
    Status "Where an event stands."
        &["announced", "scheduled", "in_progress", "completed", "cancelled", "postponed"];
    BoutStatus "Where a bout stands."
        &["announced", "scheduled", "in_progress", "completed", "result_unknown", "cancelled", "postponed"];
    CardPosition "Part of the card." &["main_event", "co_main", "main_card", "prelims", "early_prelims"];
    RoundsRule "Where the number of rounds is from." &["stated", "title_bout", "main_event"];
    StartStatus "How much is known of a start." &["known", "date_only", "unknown"];
    ResultStatus "Whether a result stands as it was given, or a commission changed it." &["final", "overturned"];
    Window "A window of requests." &["minute", "month"];
    WebhookState "State of a webhook endpoint." &["enabled", "retrying", "disabled", "suspended"];
    Outcome "How a bout ended, whoever won." &["win", "draw", "no_contest"];
    SideOutcome "How a bout ended for one fighter." &["win", "loss", "draw", "no_contest"];
    ChangeKind "What a change is." &["added", "linked", "merged", "changed", "filled", "withdrawn"];
    ChangedEntity "What has changed."
        &["event", "bout", "fighter", "result", "round_stats", "scorecard", "ranking"];
    MetricStatus "Whether a metric has a value, and why not."
        &["ok", "insufficient_sample", "not_recorded", "not_applicable", "source_unavailable"];
    Direction "Which end is better for the fighter." &["higher", "lower", "neutral"];
    Unit "Unit of a metric's value."
        &["per_min", "per_15_min", "share", "per_bout", "per_100", "min", "ratio", "points", "bouts", "days", "rating"];
    Estimator
        "How a metric is modelled: GP rate, BB proportion, DM shares that sum to one, NN difference, CT fact, EL rating."
        &["GP", "BB", "DM", "NN", "CT", "EL"];
    Kernel "What computes a metric." &["ratio", "adjusted", "recent", "history", "form", "experience", "ratings"];
    SumUnit "What a sum of columns counts."
        &["seconds", "count", "bouts", "wins", "losses", "decisions", "points", "judged_rounds"];
    NoPercentile
        "Why there is no percentile: no value, no class, the fighter's own sums weigh too little, or too few to compare with."
        &["no_value", "no_weight_class", "weight_below_0.30", "pool_below_30"];
    ExposureUnit "What a sample counts." &["min", "count", "takedowns", "bouts", "wins", "losses", "decisions"];
    Confidence "How far a value may be trusted, least first." &["insufficient", "low", "medium", "high"];
    ValidityClass "How well a metric predicts the next bout." &["A", "B", "C", "D"];
    IntervalMethod "Distribution of an interval; degenerate where nothing is left uncertain."
        &["gamma", "beta", "normal", "degenerate"];
    ExcludedReason "Why a bout does not enter a metric."
        &["not_recorded", "before_2000_11_17", "no_time_format", "no_fought_time", "no_round_statistics",
          "no_contest", "no_result"];
    NoSplitReason "Why a split has no value."
        &["not_recorded", "zero_denominator", "below_min_sample", "no_overall_value"];
    SplitDimension "Kind of split." &["opponent_stance", "weight_class", "scheduled_rounds", "title", "result"];
    NotStated "Which side's is not stated." &["a_not_stated", "b_not_stated", "neither_stated"];
    Edge "Side that a difference favours: none within the gate, not_rated where no edge may be stated."
        &["a", "b", "none", "not_rated"];
    FailedGate "Why a difference is not stated."
        &["different_populations", "value_missing", "confidence", "validity_class", "no_gate", "no_variance",
          "z_below_gate"];
    Side "One of two fighters." &["a", "b"];
    NoExpectation "Why nothing can be expected."
        &["different_populations", "value_missing", "confidence", "no_prior", "undefined"];
    ExpectationMethod "How an expectation is made."
        &["offence_times_defence_over_class_mean", "odds_of_offence_times_odds_of_allowed_over_odds_of_class_mean",
          "odds_of_offence_times_odds_of_one_less_defence_over_odds_of_class_mean"];
    StanceRelation "Whether two stances are the same." &["same", "different"];
    RecordBouts "Which bouts a counted record counts." &["all_held"];
    StreakKind "What a streak is of." &["win", "loss", "draw"];
    Division "Division of the rankings." RANKING_DIVISIONS;
    SearchKind "What was found." SEARCH_KINDS;
    Nearness "The least near of the asked words: exact, prefix (a word begins with it) or similar (small errors)."
        &["exact", "prefix", "similar"];
    VideoType "What a video shows, in the order of a fight week." VIDEO_TYPES;
    Checkpoint "Moment on a bout's way to its start." CHECKPOINTS;
    LedgerResultStatus "How far a result was known." &["pending", "reported", "official", "overturned", "cancelled"];
    LedgerSourceName "Source of a state."
        &["schedule", "statistics", "rankings", "wire", "articles", "videos", "weigh_in", "odds", "market", "model"];
    LedgerSourceStatus "Whether a source could be read." &["available", "stale", "unavailable"];
    LedgerSourceReason "Why a source is not available." &["overdue", "never_captured", "no_licensed_source"];
    LedgerCause "Why a value is another than before." &["source_change", "correction", "derivation"];
    LedgerOp "What happened to a value." &["add", "remove", "replace"];
    ImageKind "What an image shows." &["portrait", "action", "other"];
    EventStatus "Which events are listed." &["all", "upcoming", "recent"];
    CardInclude "What is on a card; media and results always are." &["media", "results", "stats"];
    FighterInclude "What is beside a fighter; media always is." &["media", "ranking", "next", "history", "stats"];
    QueryOn "Which number of a metric bounds are on." &["value", "raw", "percentile"];
    QuerySort "Order of a query."
        &["value", "-value", "raw", "-raw", "percentile", "-percentile", "interval_low", "-interval_low"];
    ColumnType "Logical type of a column."
        &["string", "uuid", "int32", "int64", "float64", "bool", "date", "instant", "json"];
    PlanName "Plans, lowest first; each opens what the ones before it open."
        &["developer", "pro", "ultra", "scale", "enterprise"];
    OriginLabel "Where data come from."
        &["SOURCE_FACT", "HOUSE_DERIVED", "LICENSED", "EDITORIAL", "MEDIA", "THIRD_PARTY_LINK"];
}

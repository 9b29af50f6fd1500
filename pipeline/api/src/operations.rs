//! Every operation of the API, one file each: path, parameters, plan, origin, errors, documentation and response type.
//! Router, index, OpenAPI document and plan checks are made from this list.
//!
//! To add an operation: its file here, a line below, and its function in `fdna-view`, whose match on [`OperationId`] does
//! not compile without it.

use crate::operation::{NO_RESPONSE, Parameter, ParameterKind as K};
use crate::{DataSource, ErrorCode, METRIC_FIELDS, Operation, Origin, Plan, VIDEO_TYPES};

macro_rules! operations {
    (contract { $($id:ident $module:ident,)+ } extra { $($extra_id:ident $extra_module:ident,)+ }) => {
        $(mod $module;)+
        $(mod $extra_module;)+

        /// Names an operation: a `match` on it that forgets one does not compile.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum OperationId { $($id,)+ $($extra_id,)+ }

        /// Every operation of the specification, in its order.
        pub const OPERATIONS: &[Operation] = &[$($module::OPERATION,)+];

        /// Operations beyond the specification's, under the same conventions.
        pub const EXTRA_OPERATIONS: &[Operation] = &[$($extra_module::OPERATION,)+];
    };
}

pub use bout::BoutDetail;
pub use bout_stats::BoutStats;
pub use card::{Card, CardBout, IncludedStats};
pub use champions::{Champion, RankedChampion, TitleBout, TitleWon};
pub use dna_query::QueryMatch;
pub use event_intelligence::IntelligenceOfBout;
pub use event_matchups::{EventMatchups, MatchupInShort, MatchupOfBout};
pub use fighter::{FighterComposite, NextBout};
pub use fighter_dna::FighterDna;
pub use fighter_dna_series::FighterDnaSeries;
pub use fighter_finish_profile::FighterFinishProfile;
pub use fighter_history::HistoryItem;
pub use fighter_record::RecordOfFighter;
pub use fighter_round_profile::FighterRoundProfile;
pub use fighter_splits::FighterSplits;
pub use fighter_stats::StatsOfFighter;
pub use fighters_dna::DnaOfOne;
pub use matchup_dna::{CommonOpponent, MatchupDna, MatchupSide};
pub use results::BoutWithParties;
pub use search::{FoundArticle, FoundBout, FoundEvent, FoundFighter, SearchResult};

operations! {
    contract {
        Index index,
        Events events,
        Event event,
        Card card,
        EventArticles event_articles,
        Fighters fighters,
        FightersMedia fighters_media,
        Fighter fighter,
        FighterHistory fighter_history,
        FighterStats fighter_stats,
        FighterArticles fighter_articles,
        Bout bout,
        BoutStats bout_stats,
        Results results,
        Rankings rankings,
        News news,
        Wire wire,
        Article article,
        Search search,
        Counts counts,
        DnaMetrics dna_metrics,
        DnaQuery dna_query,
        FighterDna fighter_dna,
        FighterSplits fighter_splits,
        FighterRoundProfile fighter_round_profile,
        FighterFinishProfile fighter_finish_profile,
        FighterPositionProfile fighter_position_profile,
        MatchupDna matchup_dna,
        BoutLedger bout_ledger,
        EventIntelligence event_intelligence,
        Videos videos,
        FighterVideos fighter_videos,
        EventVideos event_videos,
        BoutVideos bout_videos,
    }
    extra {
        FightersDna fighters_dna,
        FighterDnaSeries fighter_dna_series,
        EventMatchups event_matchups,
        DnaValidity dna_validity,
        Snapshots snapshots,
        Snapshot snapshot,
        Changes changes,
        FighterRecord fighter_record,
        Champions champions,
        Coverage coverage,
    }
}

/// What an operation is unless it says otherwise.
const DEFAULT: Operation = Operation {
    id: OperationId::Index,
    name: "",
    path: "",
    tag: "",
    summary: "",
    description: "",
    path_parameter: "",
    parameters: &[],
    example: "",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    source: DataSource::Snapshot,
    unavailable: ErrorCode::SnapshotNotAvailable,
    errors: &[],
    response: NO_RESPONSE,
};

const fn parameter(name: &'static str, kind: K, about: &'static str) -> Parameter {
    Parameter { name, kind, about, required: false }
}

const fn limit(max: u32, default: u32) -> Parameter {
    parameter("limit", K::Integer { min: 1, max, default }, "Rows at most.")
}

/// An id of ours, a source's, or of an entity that was merged into another.
const ID: K = K::Text { max_chars: 200 };

const FIGHTER: Parameter =
    parameter("fighter_id", ID, "About this fighter, by any id. An id that no fighter has is 404.");
const EVENT: Parameter =
    parameter("event_id", ID, "About this event: any id of it. One that none has is 404.");
const BOUT: Parameter = parameter("bout_id", ID, "About this bout: any id of it. One that none has is 404.");

const AS_OF: Parameter =
    parameter("as_of", K::Date, "What was known before this date began; without it, the latest.");
const FROM: Parameter = parameter("from", K::Date, "First date; not after `to`.");
const TO: Parameter = parameter("to", K::Date, "Last date; not before `from`.");
const AT: Parameter =
    parameter("at", K::Instant, "Rows that held at this instant or before; of a date, its last.");
const KNOWN_AT: Parameter = parameter(
    "known_at",
    K::Instant,
    "Rows that were written down at this instant or before; of a date, its last.",
);

/// Where a page begins; every list has it.
const CURSOR: Parameter = parameter(
    "cursor",
    K::Text { max_chars: 100 },
    "`meta.next_cursor` of the page before: of the same query on the same snapshot.",
);
const OFFSET: Parameter = parameter(
    "offset",
    K::Integer { min: 0, max: u32::MAX, default: 0 },
    "Rows to leave out before the first. `cursor` goes on by itself; give one of the two.",
);

const PROMOTION: Parameter = parameter("promotion", K::Word { words: crate::PROMOTIONS }, "");
const VIDEO_TYPE: Parameter = parameter("type", K::Word { words: VIDEO_TYPES }, "Videos of this type.");
const METRIC: Parameter = parameter("metric", K::Text { max_chars: 100 }, "Metric to look at.").required();
const METRICS: Parameter = parameter("metrics", K::Names, "Metrics to show; all without it.");
const FAMILIES: Parameter = parameter("families", K::Names, "Families of metrics to show; all without it.");
const FIELDS: Parameter = parameter(
    "fields",
    K::Choices { words: METRIC_FIELDS },
    "Fields to show of each metric, beside its name; all without it.",
);

/// Every operation that is served: the specification's and ours.
pub fn all_operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().chain(EXTRA_OPERATIONS)
}

/// The operation of a route name.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    all_operations().find(|o| o.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Route names as the specification lists them.
    const NAMES: &str = "index, events, event, card, event_articles, fighters, fighters_media, fighter, \
        fighter_history, fighter_stats, fighter_articles, bout, bout_stats, results, rankings, news, wire, \
        article, search, counts, dna_metrics, dna_query, fighter_dna, fighter_splits, \
        fighter_round_profile, fighter_finish_profile, fighter_position_profile, matchup_dna, bout_ledger, \
        event_intelligence, videos, fighter_videos, event_videos, bout_videos";

    #[test]
    fn the_list_is_the_specifications() {
        let names: Vec<_> = OPERATIONS.iter().map(|o| o.name).collect();
        assert_eq!(names, NAMES.split(", ").collect::<Vec<_>>());
        let paths: BTreeSet<_> = OPERATIONS.iter().map(|o| o.path).collect();
        assert_eq!(paths.len(), 34);
    }

    #[test]
    fn ours_are_none_of_the_contracts() {
        let names: BTreeSet<_> = all_operations().map(|o| o.name).collect();
        let paths: BTreeSet<_> = all_operations().map(|o| o.path).collect();
        let all = OPERATIONS.len() + EXTRA_OPERATIONS.len();
        assert_eq!((names.len(), paths.len()), (all, all));
    }

    #[test]
    fn what_is_answered_from_a_snapshot_takes_the_id_of_one() {
        let takes = |name: &str| operation(name).unwrap().parameters().any(|p| p.name == "snapshot");
        for name in ["events", "card", "fighter_dna", "matchup_dna", "dna_query", "counts", "changes"] {
            assert!(takes(name), "{name}");
        }
        for name in ["index", "bout_ledger", "event_intelligence", "snapshots", "snapshot"] {
            assert!(!takes(name), "{name}");
        }
    }

    #[test]
    fn every_operation_and_parameter_is_documented() {
        for operation in all_operations() {
            assert!(!operation.summary.is_empty(), "{}", operation.name);
            assert_eq!(
                operation.path.contains('{'),
                !operation.path_parameter.is_empty(),
                "{}",
                operation.name
            );
            for parameter in operation.parameters() {
                assert!(!parameter.about.is_empty(), "{} {}", operation.name, parameter.name);
            }
        }
    }

    #[test]
    fn statistics_need_pro_wherever_they_are_asked() {
        assert_eq!(operation("card").unwrap().plan_with(&["media", "stats"]), Plan::Pro);
        assert_eq!(operation("card").unwrap().plan_with(&["media"]), Plan::Developer);
        assert_eq!(operation("matchup_dna").unwrap().plan_with(&[]), Plan::Ultra);
    }

    #[test]
    fn bounds_are_said_in_words() {
        let words =
            |name: &str, i: usize| operation(name).unwrap().parameters().nth(i).unwrap().kind.allows();
        assert_eq!(words("events", 0), "one of all, upcoming, recent");
        assert_eq!(words("events", 5), "an integer from 1 to 1000");
        assert_eq!(words("fighters", 3), "an integer of 0 or more");
    }
}

//! Every operation of the API: path, parameters, plan, origin, errors, documentation and response type. Those over the same
//! rows are in one file. Router, index, OpenAPI document and plan checks are made from this list.
//!
//! To add an operation: its constant here, a line in a list below, its name in [`OperationId`](crate::OperationId), and its
//! function or list in `fdna-view`, whose match on that does not compile without it.

pub mod articles;
pub mod bout_ledger;
mod bouts;
pub mod champions;
pub mod changes;
mod coverage;
mod dna_metrics;
pub mod dna_query;
mod event_matchups;
pub mod events;
pub mod fighter;
pub mod fighter_dna;
mod fighter_history;
mod fighter_profiles;
pub mod fighter_splits;
pub mod fighters;
pub mod fighters_media;
mod index;
mod matchup_dna;
pub mod parameters;
pub mod rankings;
pub mod results;
pub mod search;
pub mod snapshots;
mod videos;
pub mod wire;

use crate::Operation;

pub use bout_ledger::IntelligenceOfBout;
pub use bouts::{BoutDetail, BoutStats};
pub use champions::{Champion, RankedChampion, TitleBout, TitleChange, TitleVerdict, TitleWon};
pub use dna_query::QueryMatch;
pub use event_matchups::{EventMatchups, MatchupInShort, MatchupOfBout};
pub use events::{Card, CardBout, IncludedStats};
pub use fighter::{FighterComposite, NextBout};
pub use fighter_dna::{DnaOfOne, FighterDna, FighterDnaSeries};
pub use fighter_history::{HistoryItem, RecordOfFighter, StatsOfFighter};
pub use fighter_profiles::{FighterFinishProfile, FighterRoundProfile};
pub use fighter_splits::FighterSplits;
pub use matchup_dna::{CommonOpponent, MatchupDna, MatchupSide};
pub use results::BoutWithParties;
pub use search::{FoundArticle, FoundBout, FoundEvent, FoundFighter, SearchResult};

/// Every operation of the specification, in its order.
pub const OPERATIONS: &[Operation] = &[
    index::OPERATION,
    events::EVENTS,
    events::EVENT,
    events::CARD,
    articles::EVENT_ARTICLES,
    fighters::OPERATION,
    fighters_media::OPERATION,
    fighter::OPERATION,
    fighter_history::HISTORY,
    fighter_history::STATS,
    articles::FIGHTER_ARTICLES,
    bouts::BOUT,
    bouts::STATS,
    results::OPERATION,
    rankings::OPERATION,
    articles::NEWS,
    wire::OPERATION,
    articles::ARTICLE,
    search::OPERATION,
    coverage::COUNTS,
    dna_metrics::METRICS,
    dna_query::OPERATION,
    fighter_dna::DNA,
    fighter_splits::OPERATION,
    fighter_profiles::ROUNDS,
    fighter_profiles::FINISHES,
    fighter_profiles::POSITIONS,
    matchup_dna::OPERATION,
    bout_ledger::BOUT_LEDGER,
    bout_ledger::EVENT_INTELLIGENCE,
    videos::VIDEOS,
    videos::FIGHTER_VIDEOS,
    videos::EVENT_VIDEOS,
    videos::BOUT_VIDEOS,
];

/// Operations beyond the specification's, under the same conventions.
pub const EXTRA_OPERATIONS: &[Operation] = &[
    fighter_dna::SEVERAL,
    fighter_dna::SERIES,
    event_matchups::OPERATION,
    dna_metrics::VALIDITY,
    snapshots::SNAPSHOTS,
    snapshots::SNAPSHOT,
    snapshots::TABLES,
    snapshots::TABLE_FILE,
    snapshots::EXPLAIN_ROW,
    changes::OPERATION,
    changes::STREAM,
    fighter_history::RECORD,
    champions::OPERATION,
    coverage::COVERAGE,
];

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
    use crate::Plan;
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
        assert_eq!(words("events", 6), "an integer from 1 to 1000");
        assert_eq!(words("fighters", 3), "an integer of 0 or more");
    }
}

//! The one list of operations: router, index, OpenAPI document and plan checks are made from it.

use crate::ErrorCode as E;
use crate::operation::{Ground, Operation, Origin as O, Parameter, ParameterKind as K, Plan as P};
use crate::{METRIC_FIELDS, RANKING_DIVISIONS, SEARCH_KINDS, VIDEO_TYPES};

const fn parameter(name: &'static str, kind: K) -> Parameter {
    Parameter { name, kind, required: false }
}

const fn limit(max: u32, default: u32) -> Parameter {
    parameter("limit", K::Integer { min: 1, max, default })
}

const AS_OF: Parameter = parameter("as_of", K::Date);

/// Dates are inclusive.
const FROM: Parameter = parameter("from", K::Date);
const TO: Parameter = parameter("to", K::Date);

/// What a bout is fought at: [`WEIGHT_CLASSES`] first, then what is no class.
pub const BOUT_CLASSES: &[&str] = &[
    "STRAWWEIGHT",
    "FLYWEIGHT",
    "BANTAMWEIGHT",
    "FEATHERWEIGHT",
    "LIGHTWEIGHT",
    "WELTERWEIGHT",
    "MIDDLEWEIGHT",
    "LIGHT_HEAVYWEIGHT",
    "HEAVYWEIGHT",
    "SUPER_HEAVYWEIGHT",
    "WOMENS_STRAWWEIGHT",
    "WOMENS_FLYWEIGHT",
    "WOMENS_BANTAMWEIGHT",
    "WOMENS_FEATHERWEIGHT",
    "CATCH_WEIGHT",
    "OPEN_WEIGHT",
];

/// Classes of bouts and fighters, as `weight_class` writes them.
pub const WEIGHT_CLASSES: &[&str] = BOUT_CLASSES.split_at(BOUT_CLASSES.len() - 2).0;

/// Codes of promotions.
pub const PROMOTIONS: &[&str] = &[
    "UFC",
    "DWCS",
    "ROAD_TO_UFC",
    "PRIDE",
    "STRIKEFORCE",
    "WEC",
    "DREAM",
    "K1",
    "ELITE_XC",
    "INVICTA",
    "SENGOKU",
    "AFFLICTION",
    "IFL",
    "BELLATOR",
    "PFL",
    "ONE",
    "RIZIN",
    "CAGE_WARRIORS",
    "KOTC",
    "SHOOTO",
    "PANCRASE",
    "DEEP",
    "M1",
    "LFA",
    "TITAN_FC",
    "FURY_FC",
];

/// Ways in which bouts end, as `method` writes them.
pub const METHODS: &[&str] = &[
    "ko_tko",
    "doctor_stoppage",
    "submission",
    "decision_unanimous",
    "decision_split",
    "decision_majority",
    "decision",
    "disqualification",
    "could_not_continue",
    "overturned",
    "other",
];

/// Stances, as `stance` writes them.
pub const STANCES: &[&str] = &["ORTHODOX", "SOUTHPAW", "SWITCH", "OPEN_STANCE", "SIDEWAYS"];

/// Where a page begins; every list has it.
const CURSOR: Parameter = parameter("cursor", K::Text { max_chars: 100 });

const OFFSET: Parameter = parameter("offset", K::Integer { min: 0, max: u32::MAX, default: 0 });

/// An id of ours, a source's, or of an entity that was merged into another.
const fn id(name: &'static str) -> Parameter {
    parameter(name, K::Text { max_chars: 200 })
}

const VIDEO_TYPE: Parameter = parameter("type", K::Word { words: VIDEO_TYPES });

const EVENTS: &[Parameter] = &[
    parameter("status", K::Choice { words: &["all", "upcoming", "recent"], default: "all" }),
    parameter("date", K::Date),
    FROM,
    TO,
    PROMOTION,
    limit(1000, 25),
    CURSOR,
];

const CARD: &[Parameter] = &[parameter("include", K::Choices { words: &["media", "results", "stats"] })];

const FIGHTERS: &[Parameter] = &[
    parameter("q", K::Text { max_chars: 100 }),
    parameter("active", K::Boolean),
    limit(250, 60),
    OFFSET,
    CURSOR,
];

const FIGHTERS_MEDIA: &[Parameter] = &[Parameter { required: true, ..parameter("ids", K::Ids { max: 150 }) }];

/// `as_of` is before a day, as everywhere; `on` is what stood on it.
const RANKINGS: &[Parameter] =
    &[parameter("division", K::Word { words: RANKING_DIVISIONS }), AS_OF, parameter("on", K::Date)];

const NEWS: &[Parameter] = &[parameter("tag", K::Text { max_chars: 100 }), limit(100, 20), OFFSET, CURSOR];

/// Articles about an event or a fighter.
const ARTICLES_ABOUT: &[Parameter] = &[limit(100, 12), CURSOR];

const WIRE: &[Parameter] = &[
    id("fighter_id"),
    id("event_id"),
    parameter("outlet", K::Text { max_chars: 100 }),
    limit(100, 20),
    OFFSET,
    CURSOR,
];

const VIDEOS: &[Parameter] =
    &[VIDEO_TYPE, id("fighter_id"), id("event_id"), id("bout_id"), limit(200, 50), OFFSET, CURSOR];

/// Videos of an event, a fighter or a bout.
const VIDEOS_OF: &[Parameter] = &[VIDEO_TYPE, limit(200, 100), CURSOR];

const FIGHTER: &[Parameter] = &[
    parameter("include", K::Choices { words: &["media", "ranking", "next", "history", "stats"] }),
    parameter("history_limit", K::Integer { min: 1, max: 250, default: 100 }),
];

const FIGHTER_HISTORY: &[Parameter] = &[limit(250, 100), OFFSET, CURSOR];

const RESULTS: &[Parameter] = &[
    FROM,
    TO,
    id("event_id"),
    id("fighter_id"),
    parameter("method", K::Word { words: METHODS }),
    parameter("weight_class", K::Word { words: BOUT_CLASSES }),
    PROMOTION,
    limit(250, 50),
    OFFSET,
    CURSOR,
];

const SEARCH: &[Parameter] = &[
    Parameter { required: true, ..parameter("q", K::Text { max_chars: 100 }) },
    parameter("kind", K::Choices { words: SEARCH_KINDS }),
    limit(100, 20),
    CURSOR,
];

const SNAPSHOTS: &[Parameter] = &[limit(100, 20), OFFSET, CURSOR];

const CHANGES: &[Parameter] = &[parameter("since", K::Since), limit(1000, 100), CURSOR];

const PROMOTION: Parameter = parameter("promotion", K::Word { words: PROMOTIONS });

const METRICS: Parameter = parameter("metrics", K::Names);
const FAMILIES: Parameter = parameter("families", K::Names);
const FIELDS: Parameter = parameter("fields", K::Choices { words: METRIC_FIELDS });

const FIGHTER_DNA: &[Parameter] =
    &[AS_OF, parameter("include", K::Choices { words: &["provenance"] }), FAMILIES, METRICS, FIELDS];

/// So many that an answer is some megabytes at most.
const FIGHTERS_DNA: &[Parameter] = &[
    Parameter { required: true, ..parameter("ids", K::Ids { max: 25 }) },
    AS_OF,
    parameter("include", K::Choices { words: &["provenance"] }),
    FAMILIES,
    METRICS,
    FIELDS,
];

const METRIC: Parameter = Parameter { required: true, ..parameter("metric", K::Text { max_chars: 100 }) };

const DNA_SERIES: &[Parameter] = &[METRIC, FROM, TO, limit(250, 250), CURSOR];

/// A filter names the dimension; several filters show several dimensions, none shows all.
const FIGHTER_SPLITS: &[Parameter] = &[
    AS_OF,
    parameter("opponent_stance", K::Choices { words: STANCES }),
    parameter("weight_class", K::Choices { words: WEIGHT_CLASSES }),
    parameter("scheduled_rounds", K::Choices { words: &["1", "2", "3", "4", "5"] }),
    parameter("title", K::Choices { words: &["title", "no_title"] }),
    parameter("result", K::Choices { words: &["win", "loss", "draw", "no_contest"] }),
    parameter("metric", K::Names),
    parameter("family", K::Names),
    parameter("distinguishable", K::Boolean),
];

/// Names of checkpoints, in order.
pub const CHECKPOINTS: &[&str] = &[
    "ANNOUNCED",
    "T-7D",
    "T-6D",
    "T-5D",
    "T-4D",
    "T-3D",
    "T-2D",
    "T-1D",
    "T-0",
    "RESULT",
    "RESULT+24H",
    "CORRECTION",
];

/// The time at which a row held, and the one at which it was written; rows at or before are given.
const AT: Parameter = parameter("at", K::Instant);
const KNOWN_AT: Parameter = parameter("known_at", K::Instant);

const LEDGER: &[Parameter] =
    &[AS_OF, AT, KNOWN_AT, parameter("checkpoint", K::Word { words: CHECKPOINTS }), limit(1000, 100), CURSOR];

const INTELLIGENCE: &[Parameter] = &[AS_OF, AT, KNOWN_AT];

const AT_A_DATE: &[Parameter] = &[AS_OF];

/// Bounds are decimal numbers on what `on` names; the order is best first unless it is given.
const DNA_QUERY: &[Parameter] = &[
    METRIC,
    parameter("min", K::Number),
    parameter("max", K::Number),
    parameter("on", K::Choice { words: &["value", "raw", "percentile"], default: "value" }),
    parameter(
        "min_confidence",
        K::Choice { words: &["insufficient", "low", "medium", "high"], default: "low" },
    ),
    parameter("min_bouts", K::Integer { min: 0, max: 1000, default: 0 }),
    parameter("weight_class", K::Choices { words: WEIGHT_CLASSES }),
    parameter("sex", K::Word { words: &["men", "women"] }),
    parameter("stance", K::Word { words: STANCES }),
    parameter("active", K::Choice { words: &["true", "false", "all"], default: "true" }),
    AS_OF,
    parameter(
        "sort",
        K::Word {
            words: &[
                "value",
                "-value",
                "raw",
                "-raw",
                "percentile",
                "-percentile",
                "interval_low",
                "-interval_low",
            ],
        },
    ),
    limit(250, 50),
    CURSOR,
];

const fn at(name: &'static str, path: &'static str, plan: P, origin: O, unavailable: E) -> Operation {
    Operation { name, path, example: "", own: &[], plan, origin, ground: Ground::Snapshot, unavailable }
}

impl Operation {
    const fn taking(self, own: &'static [Parameter], example: &'static str) -> Self {
        Self { own, example, ..self }
    }

    const fn on(self, ground: Ground) -> Self {
        Self { ground, ..self }
    }
}

/// Every operation of the contract, in its order.
pub const OPERATIONS: &[Operation] = &[
    at("index", "/v1/mma", P::Developer, O::SourceFact, E::SnapshotNotAvailable).on(Ground::Contract),
    at("events", "/v1/mma/events", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(EVENTS, "status=upcoming&limit=25"),
    at("event", "/v1/mma/events/{id}", P::Developer, O::SourceFact, E::SnapshotNotAvailable),
    at("card", "/v1/mma/events/{id}/card", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(CARD, "include=media,results,stats"),
    at("event_articles", "/v1/mma/events/{id}/articles", P::Developer, O::Editorial, E::ArticlesNotAvailable)
        .taking(ARTICLES_ABOUT, "limit=12"),
    at("fighters", "/v1/mma/fighters", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(FIGHTERS, "q=silva&active=true&limit=60&offset=0"),
    at("fighters_media", "/v1/mma/fighters/media", P::Developer, O::Media, E::SnapshotNotAvailable)
        .taking(FIGHTERS_MEDIA, "ids={id},{id}"),
    at("fighter", "/v1/mma/fighters/{id}", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(FIGHTER, "include=media,ranking,next,history,stats&history_limit=100"),
    at(
        "fighter_history",
        "/v1/mma/fighters/{id}/history",
        P::Developer,
        O::SourceFact,
        E::SnapshotNotAvailable,
    )
    .taking(FIGHTER_HISTORY, "limit=100"),
    at("fighter_stats", "/v1/mma/fighters/{id}/stats", P::Pro, O::SourceFact, E::SnapshotNotAvailable),
    at(
        "fighter_articles",
        "/v1/mma/fighters/{id}/articles",
        P::Developer,
        O::Editorial,
        E::ArticlesNotAvailable,
    )
    .taking(ARTICLES_ABOUT, "limit=12"),
    at("bout", "/v1/mma/bouts/{id}", P::Developer, O::SourceFact, E::SnapshotNotAvailable),
    at("bout_stats", "/v1/mma/bouts/{id}/stats", P::Pro, O::SourceFact, E::SnapshotNotAvailable),
    at("results", "/v1/mma/results", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(RESULTS, "from=2024-01-01&limit=50"),
    at("rankings", "/v1/mma/rankings", P::Developer, O::SourceFact, E::RankingsNotAvailable)
        .taking(RANKINGS, "division=LIGHTWEIGHT"),
    at("news", "/v1/mma/news", P::Developer, O::Editorial, E::NewsNotAvailable).taking(NEWS, "limit=20"),
    at("wire", "/v1/mma/wire", P::Developer, O::Editorial, E::WireNotAvailable).taking(WIRE, "limit=20"),
    at("article", "/v1/mma/articles/{slug}", P::Developer, O::Editorial, E::ArticlesNotAvailable),
    at("search", "/v1/mma/search", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(SEARCH, "q=silva"),
    at("counts", "/v1/mma/counts", P::Developer, O::SourceFact, E::SnapshotNotAvailable),
    at("dna_metrics", "/v1/mma/dna/metrics", P::Pro, O::HouseDerived, E::DnaMetricsNotAvailable),
    at("dna_query", "/v1/mma/dna/query", P::Pro, O::HouseDerived, E::DnaQueryNotAvailable)
        .taking(DNA_QUERY, "metric=sig_landed_per_min&min=5&min_confidence=low&limit=50"),
    at("fighter_dna", "/v1/mma/fighters/{id}/dna", P::Pro, O::HouseDerived, E::SnapshotNotAvailable)
        .taking(FIGHTER_DNA, "as_of=2024-01-01"),
    at("fighter_splits", "/v1/mma/fighters/{id}/splits", P::Pro, O::HouseDerived, E::SplitsNotAvailable)
        .taking(FIGHTER_SPLITS, "opponent_stance=SOUTHPAW"),
    at(
        "fighter_round_profile",
        "/v1/mma/fighters/{id}/round-profile",
        P::Pro,
        O::HouseDerived,
        E::RoundProfileNotAvailable,
    )
    .taking(AT_A_DATE, "as_of=2024-01-01"),
    at(
        "fighter_finish_profile",
        "/v1/mma/fighters/{id}/finish-profile",
        P::Pro,
        O::HouseDerived,
        E::FinishProfileNotAvailable,
    )
    .taking(AT_A_DATE, "as_of=2024-01-01"),
    at(
        "fighter_position_profile",
        "/v1/mma/fighters/{id}/position-profile",
        P::Pro,
        O::Licensed,
        E::PositionProfileNotAvailable,
    )
    .taking(AT_A_DATE, ""),
    at(
        "matchup_dna",
        "/v1/mma/matchups/{fighterA}/{fighterB}/dna",
        P::Ultra,
        O::HouseDerived,
        E::MatchupDnaNotAvailable,
    )
    .taking(AT_A_DATE, "as_of=2024-01-01"),
    at("bout_ledger", "/v1/mma/bouts/{id}/ledger", P::Ultra, O::HouseDerived, E::LedgerNotAvailable)
        .taking(LEDGER, "limit=50")
        .on(Ground::Ledger),
    at(
        "event_intelligence",
        "/v1/mma/events/{id}/intelligence",
        P::Ultra,
        O::HouseDerived,
        E::LedgerNotAvailable,
    )
    .taking(INTELLIGENCE, "")
    .on(Ground::Ledger),
    at("videos", "/v1/mma/videos", P::Developer, O::ThirdPartyLink, E::VideosNotAvailable)
        .taking(VIDEOS, "type=interview&limit=20"),
    at(
        "fighter_videos",
        "/v1/mma/fighters/{id}/videos",
        P::Developer,
        O::ThirdPartyLink,
        E::VideosNotAvailable,
    )
    .taking(VIDEOS_OF, "limit=100"),
    at("event_videos", "/v1/mma/events/{id}/videos", P::Developer, O::ThirdPartyLink, E::VideosNotAvailable)
        .taking(VIDEOS_OF, "limit=100&type=fight_preview"),
    at("bout_videos", "/v1/mma/bouts/{id}/videos", P::Developer, O::ThirdPartyLink, E::VideosNotAvailable)
        .taking(VIDEOS_OF, "limit=100"),
];

/// Operations beyond the contract's, under the same conventions.
pub const EXTRA_OPERATIONS: &[Operation] = &[
    at("fighters_dna", "/v1/mma/fighters/dna", P::Pro, O::HouseDerived, E::SnapshotNotAvailable)
        .taking(FIGHTERS_DNA, "ids={id},{id}&families=striking_offence"),
    at(
        "fighter_dna_series",
        "/v1/mma/fighters/{id}/dna/series",
        P::Pro,
        O::HouseDerived,
        E::SnapshotNotAvailable,
    )
    .taking(DNA_SERIES, "metric=sig_landed_per_min"),
    at(
        "event_matchups",
        "/v1/mma/events/{id}/matchups",
        P::Ultra,
        O::HouseDerived,
        E::MatchupDnaNotAvailable,
    )
    .taking(AT_A_DATE, ""),
    at("dna_validity", "/v1/mma/dna/validity", P::Pro, O::HouseDerived, E::SnapshotNotAvailable),
    at("snapshots", "/v1/mma/snapshots", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(SNAPSHOTS, "limit=20")
        .on(Ground::Lake),
    at("snapshot", "/v1/mma/snapshots/{id}", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .on(Ground::Lake),
    at("changes", "/v1/mma/changes", P::Developer, O::SourceFact, E::SnapshotNotAvailable)
        .taking(CHANGES, "since=2024-12-01&limit=100"),
    at(
        "fighter_record",
        "/v1/mma/fighters/{id}/record",
        P::Developer,
        O::SourceFact,
        E::SnapshotNotAvailable,
    )
    .taking(AT_A_DATE, "as_of=2024-01-01"),
    at("coverage", "/v1/mma/coverage", P::Developer, O::SourceFact, E::SnapshotNotAvailable),
];

/// Every operation that is served: the contract's and ours.
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
    fn statistics_need_pro_wherever_they_are_asked() {
        assert_eq!(operation("card").unwrap().plan_with(&["media", "stats"]), P::Pro);
        assert_eq!(operation("card").unwrap().plan_with(&["media"]), P::Developer);
        assert_eq!(operation("matchup_dna").unwrap().plan_with(&[]), P::Ultra);
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

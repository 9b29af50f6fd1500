//! Contract of the HTTP interface: wire types, the error envelope, and the one list of operations.
//!
//! No sources, and no logic but the reading of parameters: the server fills these types, the gateway reads the list of
//! operations, and both answer errors with the same closed list of codes. Every field of the contract is always
//! present; what is not known is `null`.

mod about;
mod account;
mod api_info;
mod article;
mod bout;
mod change;
mod code;
mod coverage;
mod derived;
mod dna;
pub mod docs;
mod enums;
mod envelope;
mod error_details;
mod event;
mod explanation;
mod fighter;
mod formats;
mod id;
mod index;
mod ledger;
mod matchup;
mod metrics;
mod openapi;
mod operation;
mod operation_id;
pub mod operations;
pub mod param;
mod parameter;
mod params;
mod prepared;
mod profile;
mod ranking;
mod record;
mod search;
mod series;
mod snapshot;
mod split;
mod stats;
mod video;
mod vocabulary;
mod wire;

pub use about::About;
pub use account::{
    ACCOUNT_USAGE, ACCOUNT_WEBHOOKS, AccountKey, AccountUsage, AccountWebhook, AccountWebhooks,
    DownloadUsage, FailingWebhookMessage, WindowUsage,
};
pub use api_info::{API_NAME, API_STATUS, API_VERSION, ApiInfo, CATALOG_API, MMA_API};
pub use article::{Article, ArticleDetail, ArticleFacts};
pub use bout::{
    Bout, BoutCompact, BoutFacts, BoutResult, Circumstances, Deduction, RoundScore, Scorecard, ShortNotice,
    WeighIn,
};
pub use change::{Change, PublishedChanges, StreamReset};
pub use code::ErrorCode;
pub use coverage::{
    Coverage, FieldCoverage, PromotionCoverage, SnapshotCounts, SourceCoverage, StatisticsOfYear,
    YearCoverage,
};
pub use derived::Derived;
pub use dna::{
    Dna, DnaContext, DnaHead, ExcludedBout, Interval, METRIC_FIELDS, MetricFields, MetricObject,
    MetricProvenance, MetricShown, Percentile, Quantity, QueryItem, Sample, Shrinkage,
};
pub use envelope::{ErrorBody, ErrorMeta, Failure, Meta, MetaExtra, QueryMeta};
pub use error_details::{Candidate, ErrorDetails};
pub use event::{Event, EventCompact, ScheduledStart};
pub use explanation::{LinkDecision, RowExplanation, RowStatement};
pub use fighter::{
    Fighter, FighterCompact, FighterDetail, FighterFacts, FighterNames, FightersMedia, Image, PrimaryImage,
};
pub use id::Id;
pub use index::{Index, PRINCIPLES};
pub use ledger::{
    CardShock, IntelligenceBout, LedgerChange, LedgerMoment, LedgerResult, LedgerRow, LedgerSource,
    LedgerStart, LedgerState, Sides,
};
pub use matchup::{
    BoutEnd, CommonBout, MATCHUP_NOTES, Matchup, MatchupGate, MatchupInsight, MatchupMetric, MatchupPairing,
    MatchupPhysical, MatchupSummary, MatchupValue, PhysicalPair, PreviousMeeting, WithheldInsight,
};
pub use metrics::{
    ColumnSum, Gate, MetricCatalogue, MetricChange, MetricDefinition, MetricFamily, MetricValidity,
    MinSample, NextYear, Prior, ShrunkBeatsRaw, Stabilisation, TestYears, Validity, ValidityRow,
    ValiditySummary,
};
pub use openapi::{
    Vocabulary, change_stream_schema, document, parameter_schema, skeleton, table_file_schema, tidy,
};
pub use operation::{DataSource, Operation, Origin, Plan};
pub use operation_id::OperationId;
pub use operations::{
    BoutDetail, BoutStats, BoutWithParties, Card, CardBout, Champion, CommonOpponent, DnaOfOne,
    EXTRA_OPERATIONS, EventMatchups, FighterComposite, FighterDna, FighterDnaSeries, FighterFinishProfile,
    FighterRoundProfile, FighterSplits, FoundArticle, FoundBout, FoundEvent, FoundFighter, HistoryItem,
    IncludedStats, IntelligenceOfBout, MatchupDna, MatchupInShort, MatchupOfBout, MatchupSide, NextBout,
    OPERATIONS, QueryMatch, RankedChampion, RecordOfFighter, SearchResult, StatsOfFighter, TitleBout,
    TitleChange, TitleVerdict, TitleWon, all_operations, operation,
};
pub use param::{Param, ParamType, ParamValue};
pub use parameter::{Parameter, ParameterKind, comma_list};
pub use params::{Params, invalid, listed, must_be, nearest, no_such_name, path_ids};
pub use prepared::PreparedJson;
pub use profile::{
    ComparableRounds, DetailCount, Endings, FINISH_NOTES, Fade, FinishProfile, FinishTime, FinishedEndings,
    MethodCount, MethodRoundCount, ROUND_NOTES, Round, RoundCount, RoundProfile, RoundRates, RoundSide,
    RoundTotals,
};
pub use ranking::{RankedPlace, Ranking, RankingPosition, RankingSnapshot, Rankings};
pub use record::{
    CountedRecord, CurrentRecord, FighterRecord, LatestBout, PromotionRecord, RecordCounts, RecordScope,
    StatedRecord, Streak,
};
pub use search::SearchHead;
pub use series::{DnaSeries, SeriesPoint};
pub use snapshot::{
    PublishedTable, Snapshot, SnapshotCapture, SnapshotManifest, SnapshotTable, TableColumn, TableLinks,
};
pub use split::{SPLIT_NOTES, Split, SplitDelta, SplitMetric, SplitOverall, SplitSample, Splits};
pub use stats::{
    BoutLine, BoutTotals, CareerRates, CareerSnapshot, CareerTotals, ComputedStats, Counts, FighterStats,
    RoundStat, StatProvenance, StatTotals,
};
pub use video::{EventVideos, Video, VideoGroup, VideoGroupHead};
pub use vocabulary::{
    BOUT_CLASSES, CHECKPOINTS, METHODS, PROMOTIONS, RANKING_DIVISIONS, SEARCH_KINDS, STANCES, VIDEO_LABELS,
    VIDEO_TYPES, WEIGHT_CLASSES,
};
pub use wire::{AlsoIn, WireStory};

/// What must be shown beside the display-only career figures.
pub const LEAKAGE_WARNING: &str = "career figures include every bout to the day of capture: display only, \
     not to be used as features for bouts before that day";

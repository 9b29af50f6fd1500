//! The closed list of error codes.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $status:literal),+ $(,)?) => {
        /// What went wrong, for programs. The list is closed: a client may match on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ErrorCode { $($(#[doc = $doc])+ $variant),+ }

        impl ErrorCode {
            /// All codes, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The code as written in `error.code`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii()),+ }
            }

            /// HTTP status that goes with the code.
            #[must_use]
            pub fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }
        }
    };
}

codes! {
    /// A query parameter is unknown, repeated or out of bounds; the message names it and what it allows.
    InvalidParameter "invalid_parameter" 400,
    /// The request itself is refused: a path not in normal form, not exactly one host, a body.
    InvalidRequest "invalid_request" 400,
    /// No key, or one that is not valid.
    Unauthorized "unauthorized" 401,
    /// The key's plan is below what was asked; the message names the plan.
    PlanRequired "plan_required" 403,
    /// No such route, or no such entity.
    NotFound "not_found" 404,
    /// No snapshot has the id that is asked for; `details.snapshot` names it.
    SnapshotNotFound "snapshot_not_found" 404,
    /// The fighter has no Fight DNA at that date; `details.reason` says why.
    DnaNotAvailable "dna_not_available" 404,
    /// The interface is read-only; `Allow` lists the methods.
    MethodNotAllowed "method_not_allowed" 405,
    /// The file is another than `If-Match` names.
    PreconditionFailed "precondition_failed" 412,
    /// `Range` names no byte of the file, cannot be read, or names too many ranges; `Content-Range` says how long the file is.
    RangeNotSatisfiable "range_not_satisfiable" 416,
    /// Requests of this minute are used up.
    RateLimited "rate_limited" 429,
    /// Requests of this month are used up.
    QuotaExceeded "quota_exceeded" 429,
    /// Path and query are too long.
    UriTooLong "uri_too_long" 414,
    /// Too many header fields.
    HeadersTooLarge "headers_too_large" 431,
    /// A fault of ours.
    Internal "internal" 500,
    /// The gateway cannot reach a canonical host.
    UpstreamUnavailable "upstream_unavailable" 502,
    /// Every connection that the server may hold is at work.
    Overloaded "overloaded" 503,
    /// Loading the snapshot that `snapshot` names would take more work or memory than there is for it now, or too many files
    /// are being downloaded or streams are open; `Retry-After` says when to ask again, `details.snapshot` names the snapshot.
    Busy "busy" 503,
    /// The gateway cannot tell what the account has used.
    AccountingNotAvailable "accounting_not_available" 503,
    /// No snapshot is loaded, or not the one that is asked for; `details.snapshot` names that.
    SnapshotNotAvailable "snapshot_not_available" 503,
    /// No source of rankings has been captured.
    RankingsNotAvailable "rankings_not_available" 503,
    /// No source of articles has been captured.
    ArticlesNotAvailable "articles_not_available" 503,
    /// No source of articles has been captured, so that there is no news.
    NewsNotAvailable "news_not_available" 503,
    /// No source of wire stories has been captured.
    WireNotAvailable "wire_not_available" 503,
    /// No source of videos has been captured.
    VideosNotAvailable "videos_not_available" 503,
    /// The metric definitions are not served yet.
    DnaMetricsNotAvailable "dna_metrics_not_available" 503,
    /// Queries over Fight DNA are not served yet.
    DnaQueryNotAvailable "dna_query_not_available" 503,
    /// Splits are not computed yet.
    SplitsNotAvailable "splits_not_available" 503,
    /// Round profiles are not computed yet.
    RoundProfileNotAvailable "round_profile_not_available" 503,
    /// Finish profiles are not computed yet.
    FinishProfileNotAvailable "finish_profile_not_available" 503,
    /// No licensed source for position profiles.
    PositionProfileNotAvailable "position_profile_not_available" 503,
    /// Matchup DNA is not computed yet.
    MatchupDnaNotAvailable "matchup_dna_not_available" 503,
    /// The fight-week ledger has no row yet.
    LedgerNotAvailable "ledger_not_available" 503,
    /// The fight-week ledger is there, and is not what was written or cannot be read: none of it is served.
    LedgerDamaged "ledger_damaged" 503,
    /// Captures are not live, so that nobody can say what is in progress.
    LiveNotAvailable "live_not_available" 503,
    /// No source tells the output of a model that may be served, and we make none.
    ModelNotAvailable "model_not_available" 503,
    /// No source prices this market.
    MarketNotAvailable "market_not_available" 503,
    /// No event has prices of two bookmakers who are named.
    BestLineNotAvailable "best_line_not_available" 503,
    /// No picks were ever made, so that none can be counted.
    TrackRecordNotAvailable "track_record_not_available" 503,
    /// No source tells who broadcasts.
    BroadcastNotAvailable "broadcast_not_available" 503,
    /// No source tells venues.
    VenueNotAvailable "venue_not_available" 503,
    /// No source tells who won the title.
    ChampionsNotAvailable "champions_not_available" 503,
    /// What is known comes from sources whose licence this host may not publish.
    SourceNotLicensed "source_not_licensed" 503,
    /// No data of this sport has been published.
    SportNotPublished "sport_not_published" 503,
}

impl ErrorCode {
    /// Codes that the multi-sport catalog alone gives.
    const OF_CATALOG_ALONE: &[Self] = &[
        Self::LiveNotAvailable,
        Self::ModelNotAvailable,
        Self::MarketNotAvailable,
        Self::BestLineNotAvailable,
        Self::TrackRecordNotAvailable,
        Self::BroadcastNotAvailable,
        Self::VenueNotAvailable,
        Self::ChampionsNotAvailable,
        Self::SourceNotLicensed,
        Self::SportNotPublished,
    ];

    /// The code of this name, as written in `error.code`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// Codes of the API of mixed martial arts, in the order of its documentation.
    pub fn of_mma() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|code| !Self::OF_CATALOG_ALONE.contains(code))
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for ErrorCode {
    fn schema_name() -> Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Self::of_mma().map(Self::name).collect();
        let list = |code: Self| format!("- `{}` ({}): {}", code.name(), code.status(), code.meaning());
        let list: Vec<_> = Self::of_mma().map(list).collect();
        let about = format!("What went wrong, for programs. The list is closed.\n\n{}", list.join("\n"));
        json_schema!({"description": about, "type": "string", "enum": names})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_what_is_not_available_is_404_or_503() {
        let names: BTreeSet<_> = ErrorCode::ALL.iter().map(|c| c.name()).collect();
        assert_eq!(names.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            if code.name().ends_with("_not_available") {
                let expected = if *code == ErrorCode::DnaNotAvailable { 404 } else { 503 };
                assert_eq!(code.status(), expected, "{}", code.name());
            }
        }
    }
}

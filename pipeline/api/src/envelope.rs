//! The envelope around every answer.
//!
//! Success is `{"ok":true,"data":…,"meta":…}`. It has no type here: the server puts `data` and `meta` together from
//! JSON that was written before.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    API_NAME, API_VERSION, ApiInfo, ErrorCode, ErrorDetails, Id, MMA_API, Operation, Plan, enums, formats,
};

/// `meta` of a success.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Meta<'a> {
    pub api: &'static str,
    pub version: &'static str,
    pub request_id: Id,
    /// Minimum plan of what was asked.
    pub access_tier: Plan,
    #[serde(flatten)]
    #[schemars(skip)]
    pub extra: &'a MetaExtra,
}

impl<'a> Meta<'a> {
    /// Meta of this API and contract version.
    #[must_use]
    pub fn new(request_id: Id, access_tier: Plan, extra: &'a MetaExtra) -> Self {
        Self { api: API_NAME, version: API_VERSION, request_id, access_tier, extra }
    }
}

/// What `meta` holds beside the fields of every answer.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum MetaExtra {
    /// Nothing more.
    #[schemars(title = "NoneMeta")]
    None {},
    /// Echo of the filters of the events list; `total` counts all that match, `count` those in `data`.
    #[schemars(title = "EventsMeta")]
    Events {
        count: usize,
        total: usize,
        #[schemars(with = "enums::EventStatus")]
        status: String,
        #[schemars(with = "Option<formats::Date>")]
        date: Option<String>,
        #[schemars(with = "Option<formats::Date>")]
        from: Option<String>,
        #[schemars(with = "Option<formats::Date>")]
        to: Option<String>,
        /// The day on which what is `upcoming` and `recent` is so: up to it the captures tell.
        #[schemars(with = "Option<formats::Date>")]
        known_until: Option<String>,
        limit: usize,
        /// Where the next page begins; null on the last.
        next_cursor: Option<String>,
    },
    /// A card: includes applied, number of bouts.
    #[schemars(title = "CardMeta")]
    Card {
        #[schemars(with = "Vec<enums::CardInclude>")]
        include: Vec<&'static str>,
        /// Bouts that were fought or are to be.
        bouts: usize,
        /// Bouts in `data` that were called off or postponed.
        off: usize,
    },
    /// The fighters list; `with_media` counts rows with a portrait.
    #[schemars(title = "FightersMeta")]
    Fighters {
        count: usize,
        total: usize,
        limit: usize,
        offset: usize,
        with_media: usize,
        /// The day on which a fighter is active or not.
        #[schemars(with = "Option<formats::Date>")]
        known_until: Option<String>,
        /// Where the next page begins; null on the last.
        next_cursor: Option<String>,
    },
    /// A list in pages; `total` counts all that match, `count` those in `data`, `offset` those before them.
    #[schemars(title = "PageMeta")]
    Page {
        count: usize,
        total: usize,
        limit: usize,
        offset: usize,
        /// Where the next page begins; null on the last.
        next_cursor: Option<String>,
    },
    /// Ids that were asked for, and those of them for which there is what was asked: an image, or DNA.
    #[schemars(title = "MediaMeta")]
    Media { requested: usize, found: usize },
    /// Bouts of a card, and those of them with a matchup.
    #[schemars(title = "MatchupsMeta")]
    Matchups { count: usize, with_matchup: usize },
    /// An event's videos, and the order of its groups.
    #[schemars(title = "TimelineMeta")]
    Timeline {
        count: usize,
        total: usize,
        #[schemars(with = "Vec<enums::VideoType>")]
        timeline_order: &'static [&'static str],
        limit: usize,
        /// Where the next page begins; null on the last.
        next_cursor: Option<String>,
    },
    /// Rankings: places, and echo of the filters.
    #[schemars(title = "RankingsMeta")]
    Rankings {
        count: usize,
        #[schemars(with = "Option<enums::Division>")]
        division: Option<&'static str>,
        #[schemars(with = "Option<formats::Date>")]
        as_of: Option<String>,
        #[schemars(with = "Option<formats::Date>")]
        on: Option<String>,
    },
    /// Champions: titles, and echo of the filters.
    #[schemars(title = "ChampionsMeta")]
    Champions {
        count: usize,
        #[schemars(with = "enums::Promotion")]
        promotion: &'static str,
        #[schemars(with = "Option<enums::WeightClass>")]
        weight_class: Option<&'static str>,
        #[schemars(with = "Option<formats::Date>")]
        as_of: Option<String>,
    },
    /// Entries of an answer that is no list.
    #[schemars(title = "CountMeta")]
    Count { count: usize },
    /// Rows of the ledger; `total` counts all that match, `count` those in `data`.
    #[schemars(title = "LedgerMeta")]
    Ledger {
        count: usize,
        total: usize,
        limit: usize,
        /// Where the next page begins, of older rows; null on the last.
        next_cursor: Option<String>,
        /// Rows of each checkpoint, of all that match.
        checkpoints: BTreeMap<String, usize>,
        /// RFC 3339: when the ledger last grew.
        #[schemars(with = "formats::Instant")]
        ledger_moved_at: String,
    },
    /// What is known of an event's bouts now.
    #[schemars(title = "IntelligenceMeta")]
    Intelligence {
        count: usize,
        /// Rows of each checkpoint.
        checkpoints: BTreeMap<String, usize>,
        /// Sources that are unavailable on every bout.
        #[schemars(with = "Vec<enums::LedgerSourceName>")]
        unavailable_sources: Vec<String>,
        #[schemars(with = "formats::Instant")]
        ledger_moved_at: String,
    },
    /// Changes; `total` counts all since the asked instant, `count` those in `data`.
    #[schemars(title = "ChangesMeta")]
    Changes {
        count: usize,
        total: usize,
        /// RFC 3339: the asked instant.
        #[schemars(with = "Option<formats::Instant>")]
        since: Option<String>,
        limit: usize,
        /// Where the next page begins; null on the last.
        next_cursor: Option<String>,
    },
    /// A query over Fight DNA: what was applied, and how many were left out where.
    #[schemars(title = "QueryMeta")]
    Query(Box<QueryMeta>),
    /// A composite: includes applied.
    #[schemars(title = "CompositeMeta")]
    Composite {
        #[schemars(with = "Vec<enums::FighterInclude>")]
        include: Vec<&'static str>,
    },
}

impl MetaExtra {
    /// Where the next page begins, of a list that has one.
    #[must_use]
    pub fn next_cursor(&self) -> Option<&str> {
        match self {
            Self::Events { next_cursor, .. }
            | Self::Fighters { next_cursor, .. }
            | Self::Page { next_cursor, .. }
            | Self::Timeline { next_cursor, .. }
            | Self::Ledger { next_cursor, .. }
            | Self::Changes { next_cursor, .. } => next_cursor.as_deref(),
            Self::Query(query) => query.next_cursor.as_deref(),
            _ => None,
        }
    }
}

/// `meta` of a query over Fight DNA.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct QueryMeta {
    /// Items of this page.
    pub count: usize,
    /// All that match; `matched` is the same.
    pub total: usize,
    pub matched: usize,
    /// Fighters with a version who are of the asked class, stance and activity.
    pub population: usize,
    /// Those of them with no such number, less confidence or fewer bouts than asked.
    pub excluded_insufficient: usize,
    #[schemars(with = "formats::SnapshotId")]
    pub snapshot_id: String,
    pub metric: String,
    #[schemars(with = "enums::QueryOn")]
    pub on: String,
    /// The order applied; by default the best value first, or the largest where neither end is better.
    #[schemars(with = "enums::QuerySort")]
    pub sort: String,
    #[schemars(with = "enums::Confidence")]
    pub min_confidence: String,
    /// The asked date; null for everyone's latest version.
    #[schemars(with = "Option<formats::Date>")]
    pub as_of: Option<String>,
    pub limit: usize,
    /// Where the next page begins; null on the last.
    pub next_cursor: Option<String>,
}

/// A failed answer before it has a request id.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Failure {
    pub code: ErrorCode,
    /// For people: what is wrong, and what is allowed.
    pub message: String,
    /// Facts for programs, such as the parameter and what it allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ErrorDetails")]
    pub details: Option<Box<ErrorDetails>>,
    /// Where to read on, at the host that answered: the operation's place in `/docs`, or that of errors.
    pub docs: Cow<'static, str>,
    /// Seconds for `Retry-After`, where they are known better than by the code.
    #[serde(skip)]
    pub retry_after: Option<u32>,
    /// The API whose answer it is.
    #[serde(skip)]
    pub api: &'static ApiInfo,
    /// A file of the snapshot cannot be read any more, or is not what it was when the snapshot was loaded.
    #[serde(skip)]
    pub is_damage: bool,
}

/// Where errors are documented.
const DOCS: &str = "/docs#errors";

impl Failure {
    /// A failure without details.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (details, retry_after) = (None, None);
        let (message, docs) = (message.into(), Cow::Borrowed(DOCS));
        Self { code, message, details, docs, retry_after, api: &MMA_API, is_damage: false }
    }

    /// That a file of the snapshot is damaged.
    #[must_use]
    pub fn of_damage(message: impl Into<String>) -> Self {
        Self { is_damage: true, ..Self::new(ErrorCode::Internal, message) }
    }

    /// The same of another API.
    #[must_use]
    pub fn by(self, api: &'static ApiInfo) -> Self {
        Self { api, ..self }
    }

    /// The same, to be asked again after so many seconds.
    #[must_use]
    pub fn after(self, secs: u32) -> Self {
        Self { retry_after: Some(secs), ..self }
    }

    /// The same of an operation: its documentation is the one to read.
    #[must_use]
    pub fn of(self, operation: &Operation) -> Self {
        Self { docs: format!("/docs#{}", operation.name).into(), ..self }
    }

    /// The same with details.
    #[must_use]
    pub fn with(self, details: ErrorDetails) -> Self {
        Self { details: Some(Box::new(details)), ..self }
    }
}

/// Body of every error: `{"ok":false,"error":…,"meta":…}`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ErrorBody<'a> {
    #[schemars(with = "formats::False")]
    pub ok: bool,
    pub error: &'a Failure,
    pub meta: ErrorMeta,
}

/// `meta` of an error.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ErrorMeta {
    pub api: &'static str,
    pub version: &'static str,
    pub request_id: Id,
}

impl<'a> ErrorBody<'a> {
    /// Puts a failure into the envelope.
    #[must_use]
    pub fn new(error: &'a Failure, request_id: Id) -> Self {
        let ApiInfo { name: api, version } = *error.api;
        Self { ok: false, error, meta: ErrorMeta { api, version, request_id } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn meta_holds_the_common_fields_and_those_of_the_route() {
        let extra = MetaExtra::Rankings { count: 1, division: Some("P4P"), as_of: None, on: None };
        let meta = Meta::new(Id::default(), Plan::Developer, &extra);
        assert_eq!(
            serde_json::to_value(meta).unwrap(),
            json!({"api": API_NAME, "version": API_VERSION, "request_id": Id::default().to_string(), "access_tier": "developer",
                   "count": 1, "division": "P4P", "as_of": null, "on": null})
        );
        let bare = serde_json::to_value(Meta::new(Id::default(), Plan::Pro, &MetaExtra::None {})).unwrap();
        assert_eq!(bare.as_object().unwrap().len(), 4);
    }

    #[test]
    fn an_error_has_details_only_where_there_are_any() {
        let failure = Failure::new(ErrorCode::NotFound, "no event with this id");
        let body = serde_json::to_value(ErrorBody::new(&failure, Id::default())).unwrap();
        assert_eq!(
            body["error"],
            json!({"code": "not_found", "message": "no event with this id", "docs": "/docs#errors"})
        );
        let failure = failure.with(ErrorDetails { reason: Some("x".to_owned()), ..ErrorDetails::default() });
        let body = serde_json::to_value(ErrorBody::new(&failure, Id::default())).unwrap();
        assert_eq!(body["error"]["details"]["reason"], "x");
        assert_eq!(body["ok"], false);
    }
}

//! Captures that each source has given: the ground of every `*_not_available`.

use std::collections::BTreeMap;

use arrow::array::{RecordBatch, StringArray};
use fdna_api::{ErrorCode, ErrorDetails, Failure, Operation};
use fdna_schemas::SourceGroup;
use fdna_schemas::tables::SourcesRow;

use super::columns::with_later;
use super::{DatasetError, json_text};

const TABLE: &str = "sources";

/// Why a group of sources cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceUnavailable {
    /// The snapshot knows no source of the group.
    NoSource,
    /// There are sources, and none was ever captured.
    NeverCaptured,
}

impl SourceUnavailable {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::NoSource => "no_source",
            Self::NeverCaptured => "never_captured",
        }
    }
}

/// The table also where it does not say yet what a source feeds beside its group.
pub(crate) fn with_feeds(batch: &RecordBatch) -> Result<RecordBatch, DatasetError> {
    with_later(batch, SourcesRow::FEEDS, |rows| StringArray::from(vec!["[]"; rows]))
}

/// By name of the group: whether one of its sources has been captured.
#[derive(Debug)]
pub struct SourceGroups(BTreeMap<String, bool>);

impl SourceGroups {
    /// A source that was captured counts for all that it feeds, however long ago that was: what it told stands.
    pub(crate) fn of_sources(sources: &[SourcesRow<'_>]) -> Result<Self, DatasetError> {
        let mut captured: BTreeMap<String, bool> = BTreeMap::new();
        for source in sources {
            let feeds: Vec<String> = json_text(source.feeds, TABLE, "feeds")?;
            for group in feeds.into_iter().chain([source.group.to_owned()]) {
                *captured.entry(group).or_default() |= source.last_capture.is_some();
            }
        }
        Ok(Self(captured))
    }

    /// Whether any source of the group has been captured, and if not, why not.
    pub(crate) fn of(&self, group: SourceGroup) -> Result<(), SourceUnavailable> {
        match self.0.get(group.name()) {
            Some(true) => Ok(()),
            Some(false) => Err(SourceUnavailable::NeverCaptured),
            None => Err(SourceUnavailable::NoSource),
        }
    }

    /// 503 for an operation that rests on sources which have given nothing.
    pub fn require(&self, operation: &Operation) -> Result<(), Failure> {
        let Some(group) = group_behind(operation.unavailable) else { return Ok(()) };
        self.of(group).map_err(|unavailable| {
            let (what, source) = told(group);
            let message = format!("No {what} are available: this host has no {source} source");
            let details = ErrorDetails {
                group: Some(group.name().to_owned()),
                reason: Some(unavailable.reason().to_owned()),
                ..ErrorDetails::default()
            };
            Failure::new(operation.unavailable, message).with(details)
        })
    }
}

/// What a group tells, and what its sources are called.
fn told(group: SourceGroup) -> (&'static str, &'static str) {
    match group {
        SourceGroup::Editorial => ("articles", "editorial"),
        SourceGroup::Wire => ("wire stories", "wire"),
        group => (group.name(), group.name()),
    }
}

/// The sources without which an operation with this code has nothing to say. A look-up of images is none of
/// them: who has no image is null there.
fn group_behind(code: ErrorCode) -> Option<SourceGroup> {
    match code {
        ErrorCode::RankingsNotAvailable => Some(SourceGroup::Rankings),
        ErrorCode::ArticlesNotAvailable | ErrorCode::NewsNotAvailable => Some(SourceGroup::Editorial),
        ErrorCode::WireNotAvailable => Some(SourceGroup::Wire),
        ErrorCode::VideosNotAvailable => Some(SourceGroup::Videos),
        _ => None,
    }
}

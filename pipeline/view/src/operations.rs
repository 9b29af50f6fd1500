//! The operations: plain functions of a dataset, the parameters and the time of the request. No clock, no I/O.

mod articles;
mod bouts;
mod champions;
mod changes;
mod composite;
mod counts;
mod cursor;
mod derived;
mod dna;
mod entity_lookup;
mod events;
mod fighter_stats;
mod fighters;
mod finish_profile;
mod history;
mod ledger;
mod matchup;
mod media;
pub mod page;
mod position_profile;
mod rankings;
mod record;
mod results;
mod round_profile;
mod search;
mod splits;
mod videos;
mod wire;

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use fdna_api::{ErrorCode, Failure, MetaExtra, Operation, OperationId, Plan};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::dataset::CompleteDataset;
use crate::dataset::images::ImageVisibility;
use crate::ledger::Ledger;
use crate::{Dataset, DatasetError};
use fdna_api::Params;

pub use ledger::no_ledger;

/// What an operation answers: `data` as finished JSON, and what `meta` says of it.
#[derive(Debug)]
pub struct OperationResponse {
    pub data: Vec<u8>,
    pub meta: MetaExtra,
    /// Lowest plan that allows what was asked.
    pub plan: Plan,
    /// Digest of `data` where it does not depend on a snapshot.
    pub digest: Option<String>,
}

/// A checked request for an operation.
#[derive(Debug)]
pub struct OperationRequest {
    pub operation: &'static Operation,
    /// Path parameters, in order.
    pub ids: Vec<String>,
    pub params: Params,
    /// When it was asked.
    pub now: DateTime<Utc>,
}

impl OperationRequest {
    /// The images that may be shown: of an answer as of a date, none.
    pub(crate) fn shown(&self) -> ImageVisibility {
        if self.is_of_a_day() { ImageVisibility::NONE } else { ImageVisibility::at(self.now) }
    }

    /// Whether it is asked what was known before a day, or stood on one: that does not change with the time.
    pub fn is_of_a_day(&self) -> bool {
        ["as_of", "on"].iter().any(|name| self.params.date(name).is_some())
    }

    /// The `{id}` of the path.
    pub fn id(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    /// An answer of this operation, with the plan that its includes need.
    ///
    /// # Errors
    /// `data` cannot be serialised: a defect.
    pub fn answer<T: Serialize + ?Sized>(
        &self,
        data: &T,
        meta: MetaExtra,
    ) -> Result<OperationResponse, Failure> {
        Ok(self.answer_prepared(to_json(data)?, meta))
    }

    /// The same of JSON that was written before.
    pub(crate) fn answer_prepared(&self, data: Vec<u8>, meta: MetaExtra) -> OperationResponse {
        let plan = self.operation.plan_with(self.params.words("include"));
        OperationResponse { data, meta, plan, digest: None }
    }
}

/// What answers an operation, by what it is answered from.
#[derive(Clone, Copy)]
pub enum Handler {
    Index,
    Snapshots,
    Snapshot(fn(&Dataset, &OperationRequest) -> Result<OperationResponse, Failure>),
    /// What waits for all parts of a snapshot.
    Complete(fn(CompleteDataset<'_>, &OperationRequest) -> Result<OperationResponse, Failure>),
    Ledger(fn(&Dataset, &Ledger, &OperationRequest) -> Result<OperationResponse, Failure>),
}

/// The handler of an operation.
#[must_use]
pub fn handler(id: OperationId) -> Handler {
    use OperationId as Id;
    match id {
        Id::Index => Handler::Index,
        Id::Snapshots | Id::Snapshot => Handler::Snapshots,
        Id::Search => Handler::Complete(search::search),
        Id::Changes => Handler::Complete(changes::changes),
        Id::DnaQuery => Handler::Complete(dna::dna_query),
        Id::FightersDna => Handler::Complete(dna::fighters_dna),
        Id::FighterDnaSeries => Handler::Complete(dna::fighter_dna_series),
        Id::EventMatchups => Handler::Complete(matchup::event_matchups),
        Id::FighterDna => Handler::Complete(dna::fighter_dna),
        Id::FighterSplits => Handler::Complete(splits::fighter_splits),
        Id::FighterRoundProfile => Handler::Complete(round_profile::fighter_round_profile),
        Id::FighterFinishProfile => Handler::Complete(finish_profile::fighter_finish_profile),
        Id::MatchupDna => Handler::Complete(matchup::matchup_dna),
        Id::BoutLedger => Handler::Ledger(ledger::bout_ledger),
        Id::EventIntelligence => Handler::Ledger(ledger::event_intelligence),
        Id::Article => Handler::Snapshot(articles::article),
        Id::EventArticles => Handler::Snapshot(articles::event_articles),
        Id::FighterArticles => Handler::Snapshot(articles::fighter_articles),
        Id::News => Handler::Snapshot(articles::news),
        Id::FightersMedia => Handler::Snapshot(media::fighters_media),
        Id::Counts => Handler::Snapshot(counts::counts),
        Id::Coverage => Handler::Snapshot(counts::coverage),
        Id::Champions => Handler::Snapshot(champions::champions),
        Id::Rankings => Handler::Snapshot(rankings::rankings),
        Id::Results => Handler::Snapshot(results::results),
        Id::Wire => Handler::Snapshot(wire::wire),
        Id::Videos => Handler::Snapshot(videos::videos),
        Id::EventVideos => Handler::Snapshot(videos::event_videos),
        Id::FighterVideos => Handler::Snapshot(videos::fighter_videos),
        Id::BoutVideos => Handler::Snapshot(videos::bout_videos),
        Id::Events => Handler::Snapshot(events::events),
        Id::Event => Handler::Snapshot(events::event),
        Id::Card => Handler::Snapshot(events::card),
        Id::Fighters => Handler::Snapshot(fighters::fighters),
        Id::Fighter => Handler::Snapshot(composite::fighter),
        Id::FighterHistory => Handler::Snapshot(history::fighter_history),
        Id::FighterRecord => Handler::Snapshot(record::fighter_record),
        Id::FighterStats => Handler::Snapshot(fighter_stats::fighter_stats),
        Id::Bout => Handler::Snapshot(bouts::bout),
        Id::BoutStats => Handler::Snapshot(bouts::bout_stats),
        Id::DnaMetrics => Handler::Snapshot(dna::dna_metrics),
        Id::DnaValidity => Handler::Snapshot(dna::dna_validity),
        Id::FighterPositionProfile => Handler::Snapshot(position_profile::fighter_position_profile),
    }
}

/// A value as JSON.
///
/// # Errors
/// It cannot be serialised: a defect.
pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(not_written)
}

/// JSON that cannot be written: a defect of ours.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
pub(crate) fn not_written(error: serde_json::Error) -> Failure {
    tracing::error!(%error, "failed to write json");
    Failure::new(ErrorCode::Internal, "answer could not be written")
}

/// What a snapshot keeps in files cannot be read any more.
pub(crate) fn not_read(error: impl Into<DatasetError>) -> Failure {
    let error = error.into();
    tracing::error!(error = crate::error_chain(&error), "failed to read a part of the snapshot");
    Failure::of_damage("a part of the snapshot could not be read")
}

/// SHA-256 of an answer that is not made from one snapshot, in hexadecimal.
#[must_use]
pub fn digest(data: &[u8]) -> String {
    Sha256::digest(data).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_api::{DataSource, all_operations};

    #[test]
    fn every_operation_is_answered_from_the_data_that_its_contract_names() {
        for operation in all_operations() {
            let source = match handler(operation.id) {
                Handler::Index => DataSource::Contract,
                Handler::Snapshots => DataSource::Lake,
                Handler::Snapshot(_) | Handler::Complete(_) => DataSource::Snapshot,
                Handler::Ledger(_) => DataSource::Ledger,
            };
            assert_eq!(source, operation.source, "{}", operation.name);
        }
    }
}

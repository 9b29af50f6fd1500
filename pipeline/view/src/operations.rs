//! The operations: plain functions of a dataset, the parameters and the time of the request. No clock, no I/O.

mod articles;
mod bouts;
mod champions;
pub(crate) mod changes;
mod composite;
mod counts;
mod cursor;
mod derived;
mod dna;
mod entity_lookup;
mod events;
mod fighter_stats;
mod finish_profile;
mod history;
mod ledger;
mod lists;
mod matchup;
mod media;
pub mod page;
mod position_profile;
mod rankings;
mod record;
mod request;
mod response;
mod results;
mod round_profile;
mod row_list;
mod search;
mod splits;
mod videos;

use fdna_api::{Failure, OperationId};

use crate::Dataset;
use crate::dataset::CompleteDataset;
use crate::ledger::Ledger;

pub use ledger::no_ledger;
pub use request::OperationRequest;
pub use response::{OperationResponse, digest, to_json};
pub(crate) use response::{not_read, not_written};

/// What answers an operation, by what it is answered from.
#[derive(Clone, Copy)]
pub enum Handler {
    Index,
    Snapshots,
    /// Sends a file, not an answer in the envelope.
    TableFile,
    /// Sends the changes of each publication, as they come.
    ChangeStream,
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
        Id::Snapshots | Id::Snapshot | Id::SnapshotTables | Id::ExplainRow => Handler::Snapshots,
        Id::SnapshotTableFile => Handler::TableFile,
        Id::ChangesStream => Handler::ChangeStream,
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
        Id::News | Id::EventArticles | Id::FighterArticles => {
            Handler::Snapshot(|data, request| lists::ARTICLES.answer(data, request))
        }
        Id::Wire => Handler::Snapshot(|data, request| lists::STORIES.answer(data, request)),
        Id::Videos | Id::FighterVideos | Id::BoutVideos => {
            Handler::Snapshot(|data, request| lists::VIDEOS.answer(data, request))
        }
        Id::Results => Handler::Snapshot(|data, request| lists::RESULTS.answer(data, request)),
        Id::Events => Handler::Snapshot(|data, request| lists::EVENTS.answer(data, request)),
        Id::Fighters => Handler::Snapshot(|data, request| lists::FIGHTERS.answer(data, request)),
        Id::Article => Handler::Snapshot(articles::article),
        Id::FightersMedia => Handler::Snapshot(media::fighters_media),
        Id::Counts => Handler::Snapshot(counts::counts),
        Id::Coverage => Handler::Snapshot(counts::coverage),
        Id::Champions => Handler::Snapshot(champions::champions),
        Id::Rankings => Handler::Snapshot(rankings::rankings),
        Id::EventVideos => Handler::Snapshot(videos::event_videos),
        Id::Event => Handler::Snapshot(events::event),
        Id::Card => Handler::Snapshot(events::card),
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

#[cfg(test)]
mod tests {
    use super::*;
    use fdna_api::{DataSource, all_operations};

    #[test]
    fn every_operation_is_answered_from_the_data_that_its_contract_names() {
        for operation in all_operations() {
            let source = match handler(operation.id) {
                Handler::Index => DataSource::Contract,
                Handler::Snapshots | Handler::TableFile | Handler::ChangeStream => DataSource::Lake,
                Handler::Snapshot(_) | Handler::Complete(_) => DataSource::Snapshot,
                Handler::Ledger(_) => DataSource::Ledger,
            };
            assert_eq!(source, operation.source, "{}", operation.name);
        }
    }
}

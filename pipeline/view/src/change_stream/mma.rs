//! New changes of the MMA product. Of a snapshot only the tables are read that `/v1/mma/changes` is made from.

use arrow::array::{RecordBatch, StringArray};
use fdna_lake::{Lake, SnapshotManifest};
use fdna_schemas::tables::{
    BoutsReader, ContractReader as _, EventsReader, EventsRow, FightersReader, FightersRow,
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{NewChanges, new_items, unless_gone};
use crate::LoadError;
use crate::dataset::DatasetError;
use crate::dataset::changes::ChangeHistory;
use crate::dataset::columns::column;
use crate::dataset::ids::{IdIndex, aliases};
use crate::dataset::json;
use crate::load::read;
use crate::operations::changes::{EntityNames, describe_change};

/// Tables of the history of changes, in the order in which [`ChangeHistory::read`] takes them.
const OF_CHANGES: [&str; 3] = ["identities", "aliases", "corrections"];

/// Rows of the history that one snapshot has and the one before it has not; `None` where one of them is no longer kept.
pub(crate) fn new_changes(lake: &Lake, before: &str, after: &str) -> Result<Option<NewChanges>, LoadError> {
    unless_gone(lake, [before, after], read_new_changes(lake, before, after))
}

fn read_new_changes(lake: &Lake, before: &str, after: &str) -> Result<NewChanges, LoadError> {
    let manifest = |id: &str| -> Result<SnapshotManifest, LoadError> {
        let parsed = id.parse().map_err(|source| LoadError::Id { id: id.to_owned(), source })?;
        Ok(lake.snapshot(&parsed)?)
    };
    let (before, after) = (manifest(before)?, manifest(after)?);
    let digest = |of: &SnapshotManifest, table: &str| of.table(table).map(|entry| entry.sha256.clone());
    if OF_CHANGES.iter().all(|table| digest(&before, table) == digest(&after, table)) {
        return Ok(NewChanges::default());
    }
    let known = keys(&read_history(lake, &before)?)?;
    let history = read_history(lake, &after)?;
    let places = new_items(known, keys(&history)?);
    if places.is_empty() {
        return Ok(NewChanges::default());
    }
    let names = ReadNames::read(lake, &after)?;
    let row =
        |place: usize| serde_json::to_string(&describe_change(&names, history.at(place))).map(Box::from);
    let rows: Result<_, serde_json::Error> = places.into_iter().map(row).collect();
    Ok(NewChanges { rows: rows.map_err(DatasetError::from)? })
}

fn read_history(lake: &Lake, manifest: &SnapshotManifest) -> Result<ChangeHistory, LoadError> {
    let [identities, aliases, corrections] = OF_CHANGES.map(|table| read(lake, manifest, table));
    Ok(ChangeHistory::read([&identities?, &aliases?, &corrections?])?)
}

/// What rows say, in their order, without names and words: those are of the snapshot in which they are told, and may be others in
/// the next, where nothing happened.
fn keys(history: &ChangeHistory) -> Result<Vec<[u8; 32]>, DatasetError> {
    let key = |place| Ok(Sha256::digest(json(&history.at(place))?).into());
    history.since(None).map(key).collect()
}

/// Names of a snapshot's entities.
struct ReadNames {
    events: (IdIndex, StringArray),
    fighters: (IdIndex, StringArray),
    bouts: IdIndex,
    /// Event and both fighters of each bout.
    of_bouts: Vec<[Uuid; 3]>,
}

impl ReadNames {
    fn read(lake: &Lake, manifest: &SnapshotManifest) -> Result<Self, LoadError> {
        let [events, fighters, bouts, aliases] =
            ["events", "fighters", "bouts", "aliases"].map(|table| read(lake, manifest, table));
        Ok(Self::of([&events?, &fighters?, &bouts?, &aliases?])?)
    }

    fn of([events, fighters, bouts, aliases]: [&RecordBatch; 4]) -> Result<Self, DatasetError> {
        let ids = |table, kind, ids| indexed(table, kind, ids, aliases);
        let (read, told) = (EventsReader::of(events), FightersReader::of(fighters));
        let paired = BoutsReader::of(bouts);
        let sides = paired.fighter_a_id()?.into_iter().zip(paired.fighter_b_id()?);
        let of_bouts = paired.event_id()?.into_iter().zip(sides);
        Ok(Self {
            events: (
                ids(EventsReader::TABLE, "event", read.event_id()?)?,
                column(events, EventsReader::TABLE, EventsRow::NAME.name)?,
            ),
            fighters: (
                ids(FightersReader::TABLE, "fighter", told.fighter_id()?)?,
                column(fighters, FightersReader::TABLE, FightersRow::NAME.name)?,
            ),
            bouts: ids(BoutsReader::TABLE, "bout", paired.bout_id()?)?,
            of_bouts: of_bouts.map(|(event, (a, b))| [event, a, b]).collect(),
        })
    }
}

/// Rows by their ids, and by those that were merged into them.
fn indexed(
    table: &'static str,
    kind: &str,
    ids: Vec<Uuid>,
    merged: &RecordBatch,
) -> Result<IdIndex, DatasetError> {
    let mut index = IdIndex::of_rows(table, ids)?;
    let aliases = aliases(merged, kind, &index)?;
    aliases.into_iter().for_each(|(alias, row)| index.add_alias(alias, row));
    Ok(index)
}

impl EntityNames for ReadNames {
    fn event(&self, id: Uuid) -> Option<&str> {
        let (ids, names) = &self.events;
        ids.row(id).map(|row| names.value(row))
    }

    fn fighter(&self, id: Uuid) -> Option<&str> {
        let (ids, names) = &self.fighters;
        ids.row(id).map(|row| names.value(row))
    }

    fn bout(&self, id: Uuid) -> Option<[&str; 3]> {
        let [event, a, b] = self.of_bouts[self.bouts.row(id)?];
        Some([self.event(event)?, self.fighter(a)?, self.fighter(b)?])
    }
}

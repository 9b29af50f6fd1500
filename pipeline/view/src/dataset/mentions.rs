//! Fighters, events and bouts that articles, stories and videos are about.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use fdna_api::Id;
use fdna_schemas::tables::{ContractReader as _, MentionsReader};
use uuid::Uuid;

use super::DatasetError;
use super::bouts::BoutTable;
use super::events::EventTable;
use super::fighters::FighterTable;

const TABLE: &str = "mentions";

/// Those that an item is about, by row. What is about a bout is about its event.
#[derive(Debug, Default)]
pub(crate) struct MentionTarget {
    pub(crate) fighters: Vec<usize>,
    pub(crate) events: Vec<usize>,
    pub(crate) bouts: Vec<usize>,
}

/// All mentions, by kind of the item, then by its id.
#[derive(Debug)]
pub(crate) struct MentionTable<'a> {
    by_item: HashMap<String, HashMap<String, MentionTarget>>,
    rows: MentionRows<'a>,
}

/// Where entities are found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MentionRows<'a> {
    pub(crate) events: &'a EventTable,
    pub(crate) bouts: &'a BoutTable,
    pub(crate) fighters: &'a FighterTable,
}

impl<'a> MentionTable<'a> {
    pub(crate) fn read(batch: &RecordBatch, rows: MentionRows<'a>) -> Result<Self, DatasetError> {
        let mut by_item: HashMap<String, HashMap<String, MentionTarget>> = HashMap::new();
        for mention in MentionsReader::of(batch).all_rows()? {
            let of_kind = by_item.entry(mention.item_kind.to_owned()).or_default();
            let of_item = of_kind.entry(mention.item_id.to_owned()).or_default();
            of_item.add(mention.entity_kind, mention.entity_id, rows)?;
        }
        Ok(Self { by_item, rows })
    }

    /// Whom an item is about, taken out, and the same for the wire.
    pub(crate) fn take(&mut self, kind: &str, item: &str) -> (MentionTarget, fdna_api::About) {
        let about = self.by_item.get_mut(kind).and_then(|items| items.remove(item)).unwrap_or_default();
        let MentionRows { events, bouts, fighters } = self.rows;
        let wire = fdna_api::About {
            fighter_ids: about.fighters.iter().map(|&row| Id(fighters.rows[row].id)).collect(),
            event_ids: about.events.iter().map(|&row| Id(events.rows[row].id)).collect(),
            bout_ids: about.bouts.iter().map(|&row| Id(bouts.rows[row].id)).collect(),
        };
        (about, wire)
    }
}

impl MentionTarget {
    fn add(&mut self, what: &str, id: Uuid, rows: MentionRows<'_>) -> Result<(), DatasetError> {
        let dangling = |what| DatasetError::Dangling { table: TABLE, what, id };
        match what {
            "fighter" => push(&mut self.fighters, rows.fighters.ids.row(id).ok_or(dangling("fighter"))?),
            "event" => push(&mut self.events, rows.events.ids.row(id).ok_or(dangling("event"))?),
            "bout" => {
                let bout = rows.bouts.ids.row(id).ok_or(dangling("bout"))?;
                push(&mut self.bouts, bout);
                push(&mut self.events, rows.bouts.rows[bout].event);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Adds a row that is not there: two ids may have been merged into one.
fn push(rows: &mut Vec<usize>, row: usize) {
    if !rows.contains(&row) {
        rows.push(row);
    }
}

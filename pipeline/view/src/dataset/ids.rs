//! Finds a row by our id, by the id of one of the two sources that the contract names, or by a slug.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use arrow::array::RecordBatch;
use fdna_schemas::tables::{AliasesReader, AliasesRow, ContractReader as _, IdentitiesReader};
use rayon::prelude::*;
use uuid::Uuid;

use super::DatasetError;

/// Id spaces whose ids name an entity from outside. Other sources number theirs from 1, so that one number is many.
const NAMING: [&str; 2] = ["statsdb", "feed"];

/// What an id leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FoundIds {
    Row(usize),
    /// Several have it, so that it names none of them.
    Several(Vec<usize>),
    Nothing,
}

/// Rows by UUID, source id and, for fighters, slug.
#[derive(Debug, Default)]
pub(crate) struct IdIndex {
    by_uuid: HashMap<Uuid, usize>,
    by_text: HashMap<String, usize>,
    /// Rows with the same text, where it is more than one row's: mostly there is none.
    shared: HashMap<String, Vec<usize>>,
    /// Ids that were merged into a row's own, by row.
    aliases: HashMap<usize, Vec<Uuid>>,
}

impl IdIndex {
    /// Indexes the rows in their order.
    pub(crate) fn of_rows(
        table: &'static str,
        ids: impl IntoIterator<Item = Uuid>,
    ) -> Result<Self, DatasetError> {
        let mut index = Self::default();
        for (row, id) in ids.into_iter().enumerate() {
            if index.by_uuid.insert(id, row).is_some() {
                return Err(DatasetError::Twice { table, id });
            }
        }
        Ok(index)
    }

    /// The row of the entity, a `what`, that a row of `table` names.
    ///
    /// # Errors
    /// [`DatasetError::Dangling`].
    pub(crate) fn row_of(
        &self,
        what: &'static str,
        table: &'static str,
        id: Uuid,
    ) -> Result<usize, DatasetError> {
        self.row(id).ok_or(DatasetError::Dangling { table, what, id })
    }

    /// Another name of a row. A name of two rows is no name of either.
    pub(crate) fn add_text(&mut self, text: &str, row: usize) {
        let Some(&first) = self.by_text.get(text) else {
            self.by_text.insert(text.to_owned(), row);
            return;
        };
        if first != row {
            let rows = self.shared.entry(text.to_owned()).or_insert_with(|| vec![first]);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }

    /// An id that no longer is the row's own; one that is some row's own stays that row's.
    pub(crate) fn add_alias(&mut self, id: Uuid, row: usize) {
        if let Entry::Vacant(place) = self.by_uuid.entry(id) {
            place.insert(row);
            self.aliases.entry(row).or_default().push(id);
        }
    }

    /// Ids of entities that were merged into a row's.
    pub(crate) fn aliases_of(&self, row: usize) -> &[Uuid] {
        self.aliases.get(&row).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn row(&self, id: Uuid) -> Option<usize> {
        self.by_uuid.get(&id).copied()
    }

    /// What a UUID with hyphens, a source id or a slug leads to.
    pub(crate) fn find(&self, text: &str) -> FoundIds {
        if let Some(rows) = self.shared.get(text) {
            return FoundIds::Several(rows.clone());
        }
        let uuid = if text.len() == 36 { Uuid::try_parse(text).ok() } else { None };
        let row = uuid.map_or_else(|| self.by_text.get(text).copied(), |id| self.row(id));
        row.map_or(FoundIds::Nothing, FoundIds::Row)
    }
}

/// Adds the ids that `identities` keeps of the sources that name entities, ids of merged ones included.
pub(crate) fn add_sources(
    identities: &RecordBatch,
    [events, bouts, fighters]: [&mut IdIndex; 3],
) -> Result<(), DatasetError> {
    let table = IdentitiesReader::of(identities);
    let (kinds, sources) = (table.kind()?, table.source()?);
    let (ids, texts) = (table.entity_id()?, table.source_id()?);
    [("event", events), ("bout", bouts), ("fighter", fighters)].into_par_iter().for_each(|(kind, index)| {
        let of_kind = (0..table.len()).filter(|&i| kinds[i] == kind && NAMING.contains(&sources[i]));
        for i in of_kind {
            if let Some(row) = index.row(ids[i]) {
                index.add_text(texts[i], row);
            }
        }
    });
    Ok(())
}

/// Ids of a kind that were merged into others, with the rows that they stand for now. One may stand for an id
/// that was itself merged later; one that leads to nobody any more is left out, and not found.
pub(crate) fn aliases(
    batch: &RecordBatch,
    kind: &str,
    index: &IdIndex,
) -> Result<Vec<(Uuid, usize)>, DatasetError> {
    let mut aliases = AliasesReader::of(batch).all_rows()?;
    aliases.retain(|row| row.kind == kind);
    let stands_for: HashMap<Uuid, Uuid> = aliases.iter().map(|row| (row.alias_id, row.entity_id)).collect();
    let found = |row: AliasesRow<'_>| Some((row.alias_id, survivor(row.alias_id, &stands_for, index)?));
    Ok(aliases.into_iter().filter_map(found).collect())
}

/// Follows an alias to a row, over no more steps than there are aliases: a circle leads to nobody.
fn survivor(alias: Uuid, stands_for: &HashMap<Uuid, Uuid>, index: &IdIndex) -> Option<usize> {
    let mut id = alias;
    for _ in 0..stands_for.len() {
        id = *stands_for.get(&id)?;
        if let Some(row) = index.row(id) {
            return Some(row);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_found_by_uuid_and_by_source_id_and_a_name_of_two_is_no_name() {
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut ids = IdIndex::of_rows("events", [a, b]).unwrap();
        for (text, row) in [("x", 0), ("x", 0), ("z", 0), ("z", 1), ("z", 0)] {
            ids.add_text(text, row);
        }
        assert_eq!((ids.find("x"), ids.find("y")), (FoundIds::Row(0), FoundIds::Nothing));
        assert_eq!(ids.find("z"), FoundIds::Several(vec![0, 1]));
        assert_eq!(ids.find(&b.to_string().to_uppercase()), FoundIds::Row(1));
        assert_eq!(ids.find(&b.simple().to_string()), FoundIds::Nothing);
        assert!(matches!(IdIndex::of_rows("events", [a, a]), Err(DatasetError::Twice { .. })));
    }

    #[test]
    fn an_alias_of_an_alias_leads_to_the_survivor_and_a_circle_to_nobody() {
        let id = Uuid::from_u128;
        let ids = IdIndex::of_rows("events", [id(1)]).unwrap();
        let stands_for =
            [(id(2), id(3)), (id(3), id(1)), (id(4), id(5)), (id(5), id(4)), (id(6), id(7))].into();
        let found = |alias| survivor(id(alias), &stands_for, &ids);
        assert_eq!([2, 3, 4, 6].map(found), [Some(0), Some(0), None, None]);
    }
}

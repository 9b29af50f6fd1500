//! `identities`, `aliases` and `doubtful_links`.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_model::Kind;
use fdna_rows::{RowsError, TableRow, row_cells, sorted_batch};
use fdna_schemas::tables::{AliasesRow, ContractRow as _, DoubtfulLinksRow, IdentitiesRow};
use uuid::Uuid;

use super::published::AliasRow;
use super::registry::EntityRegistry;

type NamedTable = (String, RecordBatch);

impl EntityRegistry {
    pub(super) fn link_tables(
        &self,
        aliases: &BTreeMap<(Kind, Uuid), AliasRow>,
    ) -> Result<[NamedTable; 3], RowsError> {
        Ok([self.identity_rows()?, alias_table(aliases)?, self.doubtful_links()?])
    }

    fn identity_rows(&self) -> Result<NamedTable, RowsError> {
        let row = |(key, link): (&super::registry::SourceKey, &super::registry::EntityLink)| {
            row_cells(&IdentitiesRow {
                kind: key.kind.name(),
                entity_id: link.entity,
                source: &key.source,
                source_id: &key.source_id,
                rule: &link.rule,
                first_seen_capture: &link.seen.capture,
                first_seen_at: link.seen.at,
                name: link.name.as_deref(),
                score: link.score,
            })
        };
        sorted_batch(IdentitiesRow::TABLE, self.links.iter().map(row).collect())
    }

    /// Those that no later claim settled; of one id and candidate, the one that came nearest.
    fn doubtful_links(&self) -> Result<NamedTable, RowsError> {
        let mut rows: BTreeMap<(&super::registry::SourceKey, Option<Uuid>), (f64, TableRow)> =
            BTreeMap::new();
        for doubt in &self.doubts {
            let settled = self.links.get(&doubt.key).map(|link| link.entity);
            let decided = doubt.candidate.is_some_and(|id| self.is_decided(&doubt.key, id));
            if decided || (settled.is_some() && settled == doubt.candidate) {
                continue;
            }
            let row = row_cells(&DoubtfulLinksRow {
                kind: doubt.key.kind.name(),
                source: &doubt.key.source,
                source_id: &doubt.key.source_id,
                name: &doubt.name,
                candidate: &doubt.candidate.map(|id| id.to_string()).unwrap_or_default(),
                candidate_name: doubt.candidate.and_then(|id| self.name_of(doubt.key.kind, id)).as_deref(),
                rule: doubt.rule,
                score: doubt.score,
                reason: &doubt.reason,
                first_seen_capture: &doubt.seen.capture,
            });
            let nearest = rows.entry((&doubt.key, doubt.candidate)).or_insert((doubt.score, row.clone()));
            if doubt.score > nearest.0 {
                *nearest = (doubt.score, row);
            }
        }
        sorted_batch(DoubtfulLinksRow::TABLE, rows.into_values().map(|(_, row)| row).collect())
    }
}

fn alias_table(aliases: &BTreeMap<(Kind, Uuid), AliasRow>) -> Result<NamedTable, RowsError> {
    let row = |((kind, id), alias): (&(Kind, Uuid), &AliasRow)| {
        row_cells(&AliasesRow {
            kind: kind.name(),
            alias_id: *id,
            entity_id: alias.entity,
            rule: &alias.rule,
            since_capture: &alias.capture,
            since_at: alias.at,
        })
    };
    sorted_batch(AliasesRow::TABLE, aliases.iter().map(row).collect())
}

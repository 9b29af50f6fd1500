//! `identities`, `aliases` and `doubtful_links`.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_model::Kind;
use fdna_rows::{CellValue, RowsError, TableLayout, TableRow, sorted_batch};
use uuid::Uuid;

use super::published::AliasRow;
use super::registry::EntityRegistry;

type NamedTable = (String, RecordBatch);

impl EntityRegistry {
    pub(super) fn link_tables(
        &self,
        aliases: &BTreeMap<(Kind, Uuid), AliasRow>,
    ) -> Result<[NamedTable; 3], RowsError> {
        Ok([self.identities()?, alias_table(aliases)?, self.doubtful_links()?])
    }

    fn identities(&self) -> Result<NamedTable, RowsError> {
        let layout = TableLayout::identities()?;
        let row = |(key, link): (&super::registry::SourceKey, &super::registry::EntityLink)| {
            layout.row([
                key.kind.name().into(),
                link.entity.into(),
                CellValue::text(&key.source),
                CellValue::text(&key.source_id),
                CellValue::text(&link.rule),
                CellValue::text(&link.seen.capture),
                link.seen.at.into(),
                link.name.as_deref().into(),
                link.score.into(),
            ])
        };
        sorted_batch("identities", self.links.iter().map(row).collect())
    }

    /// Those that no later claim settled; of one id and candidate, the one that came nearest.
    fn doubtful_links(&self) -> Result<NamedTable, RowsError> {
        let layout = TableLayout::doubtful_links()?;
        let mut rows: BTreeMap<(&super::registry::SourceKey, Option<Uuid>), (f64, TableRow)> =
            BTreeMap::new();
        for doubt in &self.doubts {
            let settled = self.links.get(&doubt.key).map(|link| link.entity);
            let decided = doubt.candidate.is_some_and(|id| self.is_decided(&doubt.key, id));
            if decided || (settled.is_some() && settled == doubt.candidate) {
                continue;
            }
            let row = layout.row([
                doubt.key.kind.name().into(),
                CellValue::text(&doubt.key.source),
                CellValue::text(&doubt.key.source_id),
                CellValue::text(&doubt.name),
                CellValue::text(doubt.candidate.map(|id| id.to_string()).unwrap_or_default()),
                doubt.candidate.and_then(|id| self.name_of(doubt.key.kind, id)).as_deref().into(),
                doubt.rule.into(),
                doubt.score.into(),
                CellValue::text(&doubt.reason),
                CellValue::text(&doubt.seen.capture),
            ]);
            let nearest = rows.entry((&doubt.key, doubt.candidate)).or_insert((doubt.score, row.clone()));
            if doubt.score > nearest.0 {
                *nearest = (doubt.score, row);
            }
        }
        sorted_batch("doubtful_links", rows.into_values().map(|(_, row)| row).collect())
    }
}

fn alias_table(aliases: &BTreeMap<(Kind, Uuid), AliasRow>) -> Result<NamedTable, RowsError> {
    let names = ["kind", "alias_id", "entity_id", "rule", "since_capture", "since_at"];
    let layout = TableLayout::new("aliases", &names)?;
    let row = |((kind, id), alias): (&(Kind, Uuid), &AliasRow)| {
        layout.row([
            kind.name().into(),
            (*id).into(),
            alias.entity.into(),
            CellValue::text(&alias.rule),
            CellValue::text(&alias.capture),
            alias.at.into(),
        ])
    };
    sorted_batch("aliases", aliases.iter().map(row).collect())
}

//! `identities`, `aliases` and `doubtful_links`.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use fdna_model::Kind;
use uuid::Uuid;

use super::published::Alias;
use super::registry::Registry;
use crate::NormaliseError;
use crate::layout::{Layout, Row, Value};
use crate::tables::sorted_batch;

type NamedTable = (String, RecordBatch);

impl Registry {
    pub(super) fn link_tables(
        &self,
        aliases: &BTreeMap<(Kind, Uuid), Alias>,
    ) -> Result<[NamedTable; 3], NormaliseError> {
        Ok([self.identities()?, alias_table(aliases)?, self.doubtful_links()?])
    }

    fn identities(&self) -> Result<NamedTable, NormaliseError> {
        let layout = Layout::identities()?;
        let row = |(key, link): (&super::registry::Key, &super::registry::Link)| {
            layout.row([
                key.kind.name().into(),
                link.entity.into(),
                Value::text(&key.source),
                Value::text(&key.source_id),
                Value::text(&link.rule),
                Value::text(&link.seen.capture),
                link.seen.at.into(),
                link.name.as_deref().into(),
                link.score.into(),
            ])
        };
        sorted_batch("identities", self.links.iter().map(row).collect())
    }

    /// Those that no later claim settled; of one id and candidate, the one that came nearest.
    fn doubtful_links(&self) -> Result<NamedTable, NormaliseError> {
        let layout = Layout::doubtful_links()?;
        let mut rows: BTreeMap<(&super::registry::Key, Option<Uuid>), (f64, Row)> = BTreeMap::new();
        for doubt in &self.doubts {
            let settled = self.links.get(&doubt.key).map(|link| link.entity);
            let decided = doubt.candidate.is_some_and(|id| self.is_decided(&doubt.key, id));
            if decided || (settled.is_some() && settled == doubt.candidate) {
                continue;
            }
            let row = layout.row([
                doubt.key.kind.name().into(),
                Value::text(&doubt.key.source),
                Value::text(&doubt.key.source_id),
                Value::text(&doubt.name),
                Value::text(doubt.candidate.map(|id| id.to_string()).unwrap_or_default()),
                doubt.candidate.and_then(|id| self.name_of(doubt.key.kind, id)).as_deref().into(),
                doubt.rule.into(),
                doubt.score.into(),
                Value::text(&doubt.reason),
                Value::text(&doubt.seen.capture),
            ]);
            let nearest = rows.entry((&doubt.key, doubt.candidate)).or_insert((doubt.score, row.clone()));
            if doubt.score > nearest.0 {
                *nearest = (doubt.score, row);
            }
        }
        sorted_batch("doubtful_links", rows.into_values().map(|(_, row)| row).collect())
    }
}

fn alias_table(aliases: &BTreeMap<(Kind, Uuid), Alias>) -> Result<NamedTable, NormaliseError> {
    let names = ["kind", "alias_id", "entity_id", "rule", "since_capture", "since_at"];
    let layout = Layout::new("aliases", &names)?;
    let row = |((kind, id), alias): (&(Kind, Uuid), &Alias)| {
        layout.row([
            kind.name().into(),
            (*id).into(),
            alias.entity.into(),
            Value::text(&alias.rule),
            Value::text(&alias.capture),
            alias.at.into(),
        ])
    };
    sorted_batch("aliases", aliases.iter().map(row).collect())
}

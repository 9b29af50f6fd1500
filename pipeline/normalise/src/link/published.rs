//! What the current snapshot has published: ids that were given once stay.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_model::Kind;
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::registry::Key;
use crate::NormaliseError;

/// The `identities` and `aliases` of a snapshot.
#[derive(Debug, Clone, Default)]
pub(crate) struct Published {
    pub(super) rows: BTreeMap<Key, Row>,
    pub(super) aliases: BTreeMap<(Kind, Uuid), Alias>,
}

/// A row of `identities`.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) entity: Uuid,
    pub(super) rule: String,
    pub(super) score: f64,
}

/// A row of `aliases`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alias {
    pub(crate) entity: Uuid,
    pub(crate) rule: String,
    pub(crate) capture: String,
    pub(crate) at: DateTime<Utc>,
}

impl Published {
    pub(super) fn read(
        identities: &RecordBatch,
        aliases: Option<&RecordBatch>,
    ) -> Result<Self, NormaliseError> {
        let reader = TableReader::new("identities", identities);
        let (ids, rules) = (reader.ids("entity_id")?, reader.texts("rule")?);
        let (sources, source_ids) = (reader.texts("source")?, reader.texts("source_id")?);
        // A snapshot of an older build has none: all its links were by id.
        let scores = reader.floats("score").unwrap_or_else(|_| vec![None; reader.rows()]);
        let mut published = Self::default();
        for (i, kind) in reader.texts("kind")?.into_iter().enumerate() {
            let Some(kind) = kind_named(kind) else { continue };
            let row = Row { entity: ids[i], rule: rules[i].to_owned(), score: scores[i].unwrap_or(1.0) };
            published.rows.insert(Key::new(kind, sources[i], source_ids[i]), row);
        }
        let Some(aliases) = aliases else { return Ok(published) };
        let reader = TableReader::new("aliases", aliases);
        let (ids, entities) = (reader.ids("alias_id")?, reader.ids("entity_id")?);
        let (rules, captures) = (reader.texts("rule")?, reader.texts("since_capture")?);
        let times = reader.instants("since_at")?;
        for (i, kind) in reader.texts("kind")?.into_iter().enumerate() {
            let (Some(kind), Some(at)) = (kind_named(kind), times[i]) else { continue };
            let (rule, capture) = (rules[i].to_owned(), captures[i].to_owned());
            published.aliases.insert((kind, ids[i]), Alias { entity: entities[i], rule, capture, at });
        }
        Ok(published)
    }
}

pub(super) fn kind_named(name: &str) -> Option<Kind> {
    [Kind::Event, Kind::Bout, Kind::Fighter].into_iter().find(|kind| kind.name() == name)
}

//! Published ids: an id that was given once stays.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_model::Kind;
use fdna_rows::RowsError;
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{AliasesReader, ContractReader as _, IdentitiesReader};
use uuid::Uuid;

use super::registry::SourceKey;

/// Every id that was published: those that stand, and those whose source ids no snapshot has any more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PublishedIds {
    pub(super) rows: HashMap<SourceKey, PublishedRow>,
    /// Former entities of source ids that are not linked now: if one returns, it gets its id back.
    pub(super) former: HashMap<SourceKey, Uuid>,
    pub(super) aliases: BTreeMap<(Kind, Uuid), AliasRow>,
}

/// A row of `identities`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PublishedRow {
    pub(super) entity: Uuid,
    pub(super) rule: String,
    pub(super) score: f64,
}

/// A row of `aliases`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AliasRow {
    pub(crate) entity: Uuid,
    pub(crate) rule: String,
    pub(crate) capture: String,
    pub(crate) at: DateTime<Utc>,
}

/// An id of a source and what it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedLink {
    pub kind: Kind,
    pub source: String,
    pub source_id: String,
    pub entity: Uuid,
    pub rule: String,
    /// How sure the link is, 0 to 1.
    pub score: f64,
}

/// An id that is no longer its own, and what it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedAlias {
    pub kind: Kind,
    pub alias: Uuid,
    pub entity: Uuid,
    pub rule: String,
    pub capture: String,
    pub at: DateTime<Utc>,
}

/// Changes of a publication.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IdChange {
    /// Links that are new, or other ones.
    pub links: Vec<PublishedLink>,
    /// Kind, source and source id of links that are no more.
    pub unlinked: Vec<(Kind, String, String)>,
    /// Aliases that are new, or other ones.
    pub aliases: Vec<PublishedAlias>,
    /// Aliases that are ids of their own again.
    pub revived: Vec<(Kind, Uuid)>,
}

impl IdChange {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl PublishedIds {
    /// Those of a snapshot's `identities` and `aliases`; an old snapshot has no `aliases`.
    ///
    /// # Errors
    /// A column is missing or of another type.
    pub fn of_tables(identities: &RecordBatch, aliases: Option<&RecordBatch>) -> Result<Self, RowsError> {
        let reader = IdentitiesReader::of(identities);
        let (ids, rules) = (reader.entity_id()?, reader.rule()?);
        let (sources, source_ids) = (reader.source()?, reader.source_id()?);
        // A snapshot of an older build has none: all its links were by id.
        let scores = match reader.score() {
            Err(ColumnError::Missing { .. }) => vec![1.0; reader.len()],
            scores => scores?,
        };
        let mut published = Self::default();
        for (i, kind) in reader.kind()?.into_iter().enumerate() {
            let Some(kind) = kind_named(kind) else { continue };
            let row = PublishedRow { entity: ids[i], rule: rules[i].to_owned(), score: scores[i] };
            published.rows.insert(SourceKey::new(kind, sources[i], source_ids[i]), row);
        }
        let Some(aliases) = aliases else { return Ok(published) };
        for row in AliasesReader::of(aliases).all_rows()? {
            let Some(kind) = kind_named(row.kind) else { continue };
            let (rule, capture) = (row.rule.to_owned(), row.since_capture.to_owned());
            let alias = AliasRow { entity: row.entity_id, rule, capture, at: row.since_at };
            published.aliases.insert((kind, row.alias_id), alias);
        }
        Ok(published)
    }

    /// The change from these ids to `next`, the ids of a snapshot; former ids are not compared.
    #[must_use]
    pub fn change_to(&self, next: &Self) -> IdChange {
        let link = |(key, row): (&SourceKey, &PublishedRow)| PublishedLink {
            kind: key.kind,
            source: key.source.clone(),
            source_id: key.source_id.clone(),
            entity: row.entity,
            rule: row.rule.clone(),
            score: row.score,
        };
        let alias = |((kind, id), alias): (&(Kind, Uuid), &AliasRow)| PublishedAlias {
            kind: *kind,
            alias: *id,
            entity: alias.entity,
            rule: alias.rule.clone(),
            capture: alias.capture.clone(),
            at: alias.at,
        };
        let mut links: Vec<_> =
            next.rows.iter().filter(|(key, row)| self.rows.get(*key) != Some(*row)).collect();
        let mut gone: Vec<_> = self.rows.keys().filter(|key| !next.rows.contains_key(*key)).collect();
        // The log of ids is written in the order of the source ids.
        links.sort_unstable_by_key(|(key, _)| *key);
        gone.sort_unstable();
        IdChange {
            links: links.into_iter().map(link).collect(),
            unlinked: gone
                .into_iter()
                .map(|key| (key.kind, key.source.clone(), key.source_id.clone()))
                .collect(),
            aliases: next
                .aliases
                .iter()
                .filter(|(key, alias)| self.aliases.get(*key) != Some(*alias))
                .map(alias)
                .collect(),
            revived: self.aliases.keys().filter(|key| !next.aliases.contains_key(*key)).copied().collect(),
        }
    }

    /// Follows a publication.
    pub fn apply_change(&mut self, change: IdChange) {
        for (kind, source, source_id) in change.unlinked {
            let key = SourceKey::new(kind, &source, &source_id);
            if let Some(row) = self.rows.remove(&key) {
                self.former.insert(key, row.entity);
            }
        }
        for link in change.links {
            let key = SourceKey::new(link.kind, &link.source, &link.source_id);
            self.former.remove(&key);
            self.rows.insert(key, PublishedRow { entity: link.entity, rule: link.rule, score: link.score });
        }
        for key in change.revived {
            self.aliases.remove(&key);
        }
        for alias in change.aliases {
            let PublishedAlias { kind, alias, entity, rule, capture, at } = alias;
            self.aliases.insert((kind, alias), AliasRow { entity, rule, capture, at });
        }
    }

    /// Ids that stand here and that `next` neither has nor leads on from as aliases: whoever kept one would not find it.
    #[must_use]
    pub fn vanished_in(&self, next: &Self) -> BTreeSet<(&'static str, Uuid)> {
        let has: BTreeSet<(Kind, Uuid)> = next.live_ids().chain(next.aliases.keys().copied()).collect();
        let ids = self.live_ids().chain(self.aliases.keys().copied());
        ids.filter(|id| !has.contains(id)).map(|(kind, id)| (kind.name(), id)).collect()
    }

    fn live_ids(&self) -> impl Iterator<Item = (Kind, Uuid)> {
        self.rows.iter().map(|(key, row)| (key.kind, row.entity))
    }

    /// Number of linked source ids.
    #[must_use]
    pub fn n_links(&self) -> usize {
        self.rows.len()
    }
}

/// The kind of this name: `event`, `bout` or `fighter`.
#[must_use]
pub fn kind_named(name: &str) -> Option<Kind> {
    [Kind::Event, Kind::Bout, Kind::Fighter].into_iter().find(|kind| kind.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(source_id: &str, entity: u128) -> PublishedLink {
        PublishedLink {
            kind: Kind::Fighter,
            source: "feed".to_owned(),
            source_id: source_id.to_owned(),
            entity: Uuid::from_u128(entity),
            rule: "id".to_owned(),
            score: 1.0,
        }
    }

    fn ids(links: &[(&str, u128)]) -> PublishedIds {
        let mut ids = PublishedIds::default();
        let links = links.iter().map(|(id, entity)| link(id, *entity)).collect();
        ids.apply_change(IdChange { links, ..IdChange::default() });
        ids
    }

    #[test]
    fn following_what_changed_leads_to_what_was_published() {
        let (before, after) = (ids(&[("a", 1), ("b", 2), ("c", 3)]), ids(&[("a", 1), ("b", 4), ("d", 5)]));
        let change = before.change_to(&after);
        assert_eq!(change.links, [link("b", 4), link("d", 5)]);
        assert_eq!(change.unlinked, [(Kind::Fighter, "feed".to_owned(), "c".to_owned())]);
        let mut followed = before.clone();
        followed.apply_change(change);
        assert_eq!(followed.rows, after.rows);
        assert_eq!(followed.former.values().collect::<Vec<_>>(), [&Uuid::from_u128(3)]);
        assert!(followed.change_to(&after).is_empty());
    }

    #[test]
    fn an_id_vanishes_unless_something_has_it_or_leads_on_from_it() {
        let (before, mut after) = (ids(&[("a", 1), ("b", 2)]), ids(&[("a", 1)]));
        let vanished = |after: &PublishedIds| before.vanished_in(after).into_iter().collect::<Vec<_>>();
        assert_eq!(vanished(&after), [("fighter", Uuid::from_u128(2))]);
        let alias = PublishedAlias {
            kind: Kind::Fighter,
            alias: Uuid::from_u128(2),
            entity: Uuid::from_u128(1),
            rule: "name".to_owned(),
            capture: "c".to_owned(),
            at: DateTime::default(),
        };
        after.apply_change(IdChange { aliases: vec![alias], ..IdChange::default() });
        assert_eq!(vanished(&after), []);
    }
}

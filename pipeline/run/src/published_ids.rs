//! The registry of ids: every id that was ever published, in `log/identities.jsonl`. Linking begins with it, so that
//! ids stay whatever becomes of the pointer and the snapshots.

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use fdna_identity::{IdChange, PublishedAlias, PublishedIds, PublishedLink, kind_named};
use fdna_lake::{ChainedLog, Lake, LakeWriter, LogEntry, LogName, SnapshotId, SnapshotManifest};
use serde::{Deserialize, Serialize};

/// An entry of the log: what a publication changed. Rows are arrays, since there are many.
#[derive(Serialize, Deserialize)]
struct IdEntry {
    /// The snapshot that was published with these ids.
    snapshot: SnapshotId,
    /// Kind, source, source id, entity, rule, score. The score is a text, which is read back to the same bits.
    links: Vec<(String, String, String, String, String, String)>,
    /// Kind, source, source id.
    unlinked: Vec<(String, String, String)>,
    /// Kind, alias, entity, rule, capture, time.
    aliases: Vec<(String, String, String, String, String, String)>,
    /// Kind, alias.
    revived: Vec<(String, String)>,
}

impl IdEntry {
    fn new(snapshot: SnapshotId, change: IdChange) -> Self {
        let link = |l: PublishedLink| {
            (kind_name(l.kind), l.source, l.source_id, l.entity.to_string(), l.rule, l.score.to_string())
        };
        let alias = |a: PublishedAlias| {
            let at = a.at.to_rfc3339();
            (kind_name(a.kind), a.alias.to_string(), a.entity.to_string(), a.rule, a.capture, at)
        };
        Self {
            snapshot,
            links: change.links.into_iter().map(link).collect(),
            unlinked: change.unlinked.into_iter().map(|(kind, s, id)| (kind_name(kind), s, id)).collect(),
            aliases: change.aliases.into_iter().map(alias).collect(),
            revived: change.revived.into_iter().map(|(kind, id)| (kind_name(kind), id.to_string())).collect(),
        }
    }

    /// `None` if it has a kind or time that this build does not know.
    fn into_change(self) -> Option<IdChange> {
        let known = |kind: &String| kind_named(kind);
        let link = |(kind, source, source_id, entity, rule, score): (_, _, _, String, _, String)| {
            let (kind, entity, score) = (known(&kind)?, entity.parse().ok()?, score.parse().ok()?);
            Some(PublishedLink { kind, source, source_id, entity, rule, score })
        };
        let alias = |(kind, alias, entity, rule, capture, at): (_, String, String, _, _, String)| {
            let at = DateTime::parse_from_rfc3339(&at).ok()?.to_utc();
            let (alias, entity) = (alias.parse().ok()?, entity.parse().ok()?);
            Some(PublishedAlias { kind: known(&kind)?, alias, entity, rule, capture, at })
        };
        Some(IdChange {
            links: self.links.into_iter().map(link).collect::<Option<_>>()?,
            unlinked: self
                .unlinked
                .into_iter()
                .map(|(kind, source, id)| Some((known(&kind)?, source, id)))
                .collect::<Option<_>>()?,
            aliases: self.aliases.into_iter().map(alias).collect::<Option<_>>()?,
            revived: self
                .revived
                .into_iter()
                .map(|(kind, id)| Some((known(&kind)?, id.parse().ok()?)))
                .collect::<Option<_>>()?,
        })
    }
}

fn kind_name(kind: fdna_model::Kind) -> String {
    kind.name().to_owned()
}

/// The registry as it was at a time; as it is now without.
pub struct IdRegistry(ChainedLog);

impl IdRegistry {
    pub fn open_registry(lake: &Lake, until: Option<DateTime<Utc>>) -> anyhow::Result<Self> {
        let log = lake.read_log(LogName::Identities)?;
        Ok(Self(match until {
            Some(until) => log.truncate_at(until),
            None => log,
        }))
    }

    /// Digest of all that it says.
    pub fn digest(&self) -> String {
        self.0.head().sha256
    }

    /// Every id that was published.
    pub fn parse_ids(&self) -> anyhow::Result<PublishedIds> {
        let mut ids = PublishedIds::default();
        for entry in self.0.entries_after_replacement() {
            ids.apply_change(parse_change(entry)?);
        }
        Ok(ids)
    }
}

fn parse_change(entry: &LogEntry) -> anyhow::Result<IdChange> {
    let read = || entry.parse_body::<IdEntry>().ok()?.into_change();
    read().with_context(|| format!("cannot read entry {} of the log of ids", entry.number))
}

/// The ids of a snapshot. One of an older build may have no aliases.
pub fn ids_of(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<PublishedIds> {
    let identities = lake.read_snapshot_table(manifest, "identities")?;
    let aliases = manifest.table("aliases").map(|_| lake.read_snapshot_table(manifest, "aliases"));
    Ok(PublishedIds::of_tables(&identities, aliases.transpose()?.as_ref())?)
}

/// Writes down the ids of a snapshot that is about to be published, where they are not known yet. Says how many links
/// and aliases are new or other ones.
pub fn record_ids(writer: &LakeWriter, by: &str, manifest: &SnapshotManifest) -> anyhow::Result<usize> {
    let lake = writer.lake();
    let known = || IdRegistry::open_registry(lake, None)?.parse_ids();
    let (known, next) = rayon::join(known, || ids_of(lake, manifest));
    let change = known?.change_to(&next?);
    let changed = change.links.len() + change.aliases.len();
    if !change.is_empty() {
        writer.append_log(LogName::Identities, by, &[IdEntry::new(manifest.id.clone(), change)])?;
    }
    Ok(changed)
}

/// Whether the registry lacks ids that a snapshot has.
pub fn lacks_ids(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<bool> {
    let known = IdRegistry::open_registry(lake, None)?.parse_ids()?;
    Ok(!ids_of(lake, manifest)?.vanished_in(&known).is_empty())
}

/// Begins the registry with the ids of a snapshot, in the place of one that is damaged or gone. Says what it did.
pub fn restore_registry(
    writer: &LakeWriter,
    by: &str,
    manifest: &SnapshotManifest,
) -> anyhow::Result<Vec<String>> {
    // Before the old one is set aside: a snapshot that cannot be read restores nothing.
    let ids = ids_of(writer.lake(), manifest)?;
    let n_links = ids.n_links();
    let entry = IdEntry::new(manifest.id.clone(), PublishedIds::default().change_to(&ids));
    let aside = writer.begin_log_with(LogName::Identities, by, &[entry])?;
    let mut lines = vec![format!("ids restored from snapshot {}: {n_links} links", manifest.id)];
    lines.extend(aside.map(|aside| format!("what was there before stays in {aside}")));
    lines.push("ids that were published since that snapshot are given anew by the next run".to_owned());
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_entry_comes_back_as_it_was_written() {
        let change = IdChange {
            links: vec![PublishedLink {
                kind: fdna_model::Kind::Bout,
                source: "feed".to_owned(),
                source_id: "a\"b".to_owned(),
                entity: Uuid::from_u128(1),
                rule: "fighters".to_owned(),
                score: 0.93,
            }],
            unlinked: vec![(fdna_model::Kind::Event, "cards".to_owned(), "x".to_owned())],
            aliases: vec![PublishedAlias {
                kind: fdna_model::Kind::Fighter,
                alias: Uuid::from_u128(2),
                entity: Uuid::from_u128(3),
                rule: "name".to_owned(),
                capture: "c".to_owned(),
                at: DateTime::from_timestamp(1_700_000_000, 0).unwrap(),
            }],
            revived: vec![(fdna_model::Kind::Fighter, Uuid::from_u128(4))],
        };
        let id: SnapshotId = "0".repeat(32).parse().unwrap();
        let text = serde_json::to_string(&IdEntry::new(id, change.clone())).unwrap();
        let read: IdEntry = serde_json::from_str(&text).unwrap();
        assert_eq!(read.into_change(), Some(change));
    }
}

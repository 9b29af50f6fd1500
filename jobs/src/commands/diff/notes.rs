//! Release notes of a snapshot.

use fdna_lake::{Lake, SnapshotManifest};
use fdna_lineage::{CaptureName, FeedEntry, ReleaseNotes};
use fdna_run::lineage::{LakePair, withdrawn_captures};

use super::{compare_snapshots, key_of, read_names};

/// What a snapshot has that the one before has not; of the first of a lake, what it has.
pub(crate) fn release_notes(
    lake: &Lake,
    old: Option<&SnapshotManifest>,
    new: &SnapshotManifest,
) -> anyhow::Result<ReleaseNotes> {
    let published = lake.publications()?.published_at(&new.id);
    let mut notes = ReleaseNotes {
        from: old.map(|old| old.id.to_string()),
        to: new.id.to_string(),
        published_at: published.map(|at| at.format("%FT%H:%M:%SZ").to_string()),
        ..ReleaseNotes::default()
    };
    let Some(old) = old else {
        let name = |capture: &fdna_lake::CaptureRef| CaptureName {
            source: capture.source.clone(),
            id: capture.id.clone(),
        };
        notes.added_captures = new.captures.iter().map(name).collect();
        return Ok(notes);
    };
    let pair = LakePair { lake, old: old.clone(), new: new.clone() };
    let (diff, names) = (compare_snapshots(lake, &pair)?, read_names(&pair)?);
    notes.added_captures = diff.evidence().added_captures().cloned().collect();
    let withdrawn = withdrawn_captures(lake)?;
    let removed = diff.evidence().removed_captures();
    notes.removed_captures =
        removed.map(|capture| (capture.clone(), withdrawn.get(capture).cloned())).collect();
    for table in diff.tables() {
        let summary = diff.compare(&table, |chunk| {
            notes.add_chunk(&table, key_of(&table), chunk, &names);
            Ok(())
        })?;
        notes.tables.push(summary);
    }
    Ok(notes)
}

/// Times at which snapshots were published, the newest first, with what each has that the one before has not.
pub(crate) fn published_notes(lake: &Lake, limit: usize) -> anyhow::Result<Vec<FeedEntry>> {
    let history = lake.publications()?.history;
    let mut entries = Vec::new();
    for (at, publication) in history.iter().enumerate().rev().take(limit) {
        // One that was removed since has no notes any more.
        let Ok(new) = lake.snapshot(&publication.snapshot) else { continue };
        let before = history[..at].last().and_then(|before| lake.snapshot(&before.snapshot).ok());
        let notes = release_notes(lake, before.as_ref(), &new)?;
        let published_at = publication.at.format("%FT%H:%M:%SZ").to_string();
        let notes = ReleaseNotes { published_at: Some(published_at.clone()), ..notes };
        entries.push(FeedEntry { published_at, notes });
    }
    Ok(entries)
}

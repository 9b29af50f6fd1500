//! Names of snapshots as people give them: an id, its beginning, `current`, `previous`.

use fdna_lake::{Lake, SnapshotId, SnapshotManifest};
use fdna_run::exit::{ExitCode, error_with_code};

/// The manifest of the snapshot of this name.
///
/// # Errors
/// There is none of this name, or several, or it cannot be read.
pub(crate) fn find_snapshot(lake: &Lake, name: &str) -> anyhow::Result<SnapshotManifest> {
    let id = match name {
        "current" => lake.current_snapshot()?.ok_or_else(|| no_such(name, "nothing was published yet"))?,
        "previous" => previous_snapshot(lake)?,
        _ => id_of(lake, name)?,
    };
    Ok(lake.snapshot(&id)?)
}

/// The snapshot that was served before the current one, of those that are there.
fn previous_snapshot(lake: &Lake) -> anyhow::Result<SnapshotId> {
    let none = || no_such("previous", "nothing is known to have been served before the current one");
    let log = lake.publications()?;
    let mut at = lake.current_snapshot()?.ok_or_else(none)?;
    loop {
        at = log.previous_snapshot(&at).cloned().ok_or_else(none)?;
        if lake.snapshot(&at).is_ok() {
            return Ok(at);
        }
    }
}

fn id_of(lake: &Lake, name: &str) -> anyhow::Result<SnapshotId> {
    let all = lake.readable_snapshots()?.readable;
    let found: Vec<_> = all.iter().filter(|manifest| manifest.id.as_str().starts_with(name)).collect();
    match found.as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(no_such(
            name,
            "`fightdna snapshots list` names what there is; `current` and `previous` are names too",
        )),
        several => {
            let ids: Vec<&str> = several.iter().map(|manifest| manifest.id.as_str()).collect();
            Err(no_such(name, &format!("several begin with it: {}", ids.join(", "))))
        }
    }
}

fn no_such(name: &str, why: &str) -> anyhow::Error {
    error_with_code(ExitCode::Usage, format!("no snapshot `{name}`: {why}"))
}

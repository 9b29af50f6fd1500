//! Preconditions of a run: the logs, the captures that they name, the pointer. A run that went on without one of them
//! would publish something else under the same addresses, so it refuses and says what to do.

use fdna_lake::{Lake, LakeError, LakeWriter, LogName, MissingCapture, SnapshotManifest};

use crate::exit::{ExitCode, error_with_code};
use crate::product::Product;
use crate::published_ids;
use crate::report::JobReport;

/// Refuses a lake that is damaged where a run builds on it, and changes nothing.
///
/// # Errors
/// A log is damaged or cut, captures are missing, or the lake is of another product.
pub(crate) fn check_foundation(lake: &Lake, product: Product) -> anyhow::Result<()> {
    check_logs(lake)?;
    check_captures(lake, product)
}

fn check_logs(lake: &Lake) -> anyhow::Result<()> {
    let damaged = lake.check_logs().into_iter().next();
    damaged.map_or(Ok(()), |(name, error)| Err(damaged_log(name, &error)))
}

fn check_captures(lake: &Lake, product: Product) -> anyhow::Result<()> {
    let log = lake.capture_log()?;
    if let Some(kind) = log.kind.as_ref().filter(|kind| kind.product != product.name()) {
        let (has, makes) = (&kind.product, product.name());
        let message = format!("the lake is of product `{has}`, and this command makes `{makes}`");
        return Err(error_with_code(ExitCode::Usage, message));
    }
    let missing = lake.missing_captures()?;
    if missing.is_empty() { Ok(()) } else { Err(missing_captures(&missing)) }
}

/// Brings what a run builds on up to date, and says what it did: logs of a lake that is older than they are, captures
/// that a run left between folder and log, a pointer that is gone.
///
/// # Errors
/// As for [`check_foundation`], or the lake cannot be written.
pub(crate) fn establish_foundation(
    writer: &LakeWriter,
    product: Product,
) -> anyhow::Result<Option<JobReport>> {
    let lake = writer.lake();
    let is_older = !lake.has_log(LogName::Captures);
    let mut lines = Vec::new();
    check_logs(lake)?;
    let found = writer.list_found_captures()?;
    if !found.is_empty() {
        lines.push(format!("{} captures taken into the log that it did not know of", found.len()));
    }
    check_captures(lake, product)?;
    if let Some(id) = writer.restore_pointer()? {
        lines.push(format!("current.json was gone or damaged: it names snapshot {id} again"));
    }
    if product == Product::Mma && !lake.has_log(LogName::Identities) {
        lines.extend(begin_ids(writer, is_older)?);
    }
    if writer.note_current()? {
        lines.push("the history of `current` begins with the snapshot that it names".to_owned());
    }
    Ok((!lines.is_empty()).then(|| JobReport::unchanged_lines("lake", lines)))
}

/// Begins the registry of ids of a lake that has none yet, with the ids of its current snapshot.
fn begin_ids(writer: &LakeWriter, is_older: bool) -> anyhow::Result<Option<String>> {
    let lake = writer.lake();
    let current = match lake.current_snapshot().and_then(|id| id.map(|id| lake.snapshot(&id)).transpose()) {
        Ok(current) => current,
        Err(error) => return Err(no_ids(lake, Some(&error))),
    };
    let Some(current) = current else {
        let published = |manifest: &SnapshotManifest| manifest.known_at.is_none();
        return match lake.readable_snapshots()?.readable.iter().any(published) && is_older {
            true => Err(no_ids(lake, None)),
            false => Ok(None),
        };
    };
    let n = published_ids::record_ids(writer, writer.owner(), &current)?;
    Ok(Some(format!("the registry of ids begins with {n} of snapshot {}", current.id)))
}

fn no_ids(lake: &Lake, error: Option<&LakeError>) -> anyhow::Error {
    let why = error.map_or("`current.json` is gone".to_owned(), |error| error.to_string());
    error_with_code(
        ExitCode::BadData,
        format!(
            "the ids that lake {} has published are lost: {why}. Name the snapshot that was served last: \
             `fightdna identities restore --from ID --reason TEXT` (`fightdna snapshots list`)",
            lake.root().display()
        ),
    )
}

fn damaged_log(name: LogName, error: &LakeError) -> anyhow::Error {
    let restore = match name {
        LogName::Identities => {
            "put it back from a backup, or begin it with a snapshot's ids: \
             `fightdna identities restore --from ID --reason TEXT`"
        }
        LogName::Captures => {
            "put it back from a backup, or begin it with the folders in raw/, where withdrawn captures count again: \
             `fightdna repair --begin-log captures --reason TEXT`"
        }
        LogName::Publications => {
            "put it back from a backup, or begin it with the snapshot that is current: \
             `fightdna repair --begin-log publications --reason TEXT`"
        }
    };
    error_with_code(ExitCode::BadData, format!("{error}: {restore}"))
}

fn missing_captures(missing: &[MissingCapture]) -> anyhow::Error {
    const MAX_SHOWN: usize = 5;
    let shown = missing.iter().take(MAX_SHOWN);
    let mut names: Vec<String> =
        shown.map(|m| format!("{} {}: {}", m.capture.source, m.capture.id, m.why)).collect();
    if missing.len() > MAX_SHOWN {
        names.push(format!("and {} more", missing.len() - MAX_SHOWN));
    }
    error_with_code(
        ExitCode::Unavailable,
        format!(
            "{} captures that the lake has had are missing: {}. Is raw/ mounted? Put them back, or say that they no longer \
             count: `fightdna captures withdraw SOURCE ID --reason TEXT`",
            missing.len(),
            names.join("; ")
        ),
    )
}

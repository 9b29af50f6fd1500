//! Checks that there is a lake where a command is to read one.

use std::path::Path;

use fdna_lake::Lake;
use fdna_run::exit::{ExitCode, error_with_code};

/// Entries of a lake from its first run on, or its first capture.
const PARTS: [&str; 5] = ["raw", "log", "runs", "snapshots", "current.json"];

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// A folder that is not there, or is something else, reads as an empty lake, which would hide a mistyped `--lake`.
pub(crate) fn require_lake(lake: &Lake) -> anyhow::Result<()> {
    let root = lake.root();
    if lake.is_in_bucket() {
        return match lake.is_empty()? {
            false => Ok(()),
            true => {
                let why = format!(
                    "no lake in `{}`: nothing was ever written there, or there is no such bucket",
                    root.display()
                );
                Err(error_with_code(ExitCode::Unavailable, why))
            }
        };
    }
    let why = match root.is_dir() {
        true if PARTS.iter().any(|part| root.join(part).exists()) || is_empty(root) => return Ok(()),
        true => "the folder holds other things, and no part of a lake",
        false => "there is no such folder",
    };
    Err(error_with_code(ExitCode::Unavailable, format!("no lake in `{}`: {why}", root.display())))
}

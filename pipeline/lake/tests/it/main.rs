//! The lake under interruptions and faults of the disk, as its callers see them.

mod faults;
mod interrupted;

use std::path::Path;

/// Temporary files and folders in a folder of a lake, at any depth.
pub(crate) fn leftovers(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let count = entries.map(|entry| {
        let inside = if entry.path().is_dir() { leftovers(&entry.path()) } else { 0 };
        inside + usize::from(entry.file_name().to_string_lossy().starts_with('.'))
    });
    count.sum()
}

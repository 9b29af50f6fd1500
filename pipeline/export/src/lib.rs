//! Published snapshots as others read them: each table with a Delta log, and a Croissant document of all.
//!
//! ```text
//! <folder>/_snapshots/<version>.json                what became current, in the order in which it did
//! <folder>/<table>/<sha256>.parquet                 each content of a table once
//! <folder>/<table>/_delta_log/<version>.json        made of the files in `_snapshots` and of nothing else
//! <folder>/croissant.json                           the newest version
//! ```
//!
//! Version K of every table is the same snapshot: the one that was current K publications after the first that was
//! exported. Tables come first, then the version's own file, then logs: an export that broke off is completed by the next
//! from what the folder holds, whatever became of the lake since. Nothing that is there is ever changed but
//! `croissant.json`.

mod columns;
mod croissant;
mod delta;
mod folder;
mod versions;

pub use columns::ExportedColumn;
pub use croissant::{DatasetDescription, DatasetTable, croissant_document};
pub use delta::delta_commit;
pub use folder::{ExportError, ExportFolder, ExportedFiles};
pub use versions::{ExportedSchema, ExportedTable, ExportedVersion, VersionHistory};

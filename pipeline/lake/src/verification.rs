//! Findings of a check of the lake.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Device and number of files, and the digest that each was found to have.
pub(crate) type HashedFile = BTreeMap<(u64, u64), String>;

/// Findings of a check of the whole lake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LakeVerification {
    /// Files that manifests name, each compared with its digest.
    pub files: u64,
    /// Size of those that are as they should be, in bytes; a file with several names counts once.
    pub bytes: u64,
    /// Problems; none in a healthy lake.
    pub problems: Vec<LakeProblem>,
    /// Files hashed already, under another name.
    pub(crate) hashed: HashedFile,
}

/// Something that is not as it was committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LakeProblem {
    /// The file or folder.
    pub path: PathBuf,
    /// Description of the problem.
    pub what: String,
}

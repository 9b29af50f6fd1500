//! Decisions of people about identities: the `*.toml` files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use fdna_lake::{Lake, LakeWriter, sha256};

use crate::exit::{ExitCode, error_with_code};

/// Folder of the lake that is read where none is given.
const FOLDER: &str = "decisions";

/// Name and text of each file, in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct DecisionFiles(Arc<Vec<(String, String)>>);

impl DecisionFiles {
    /// Reads a folder; without one the lake's own, if it is there.
    pub fn read_folder(folder: Option<&Path>, lake: &Lake) -> anyhow::Result<Self> {
        let own = lake.root().join(FOLDER);
        let folder: PathBuf = match folder {
            Some(folder) => folder.to_owned(),
            None if own.is_dir() => own,
            None => return Ok(Self::default()),
        };
        let unavailable = |e: std::io::Error| {
            error_with_code(
                ExitCode::Unavailable,
                format!("cannot read the decisions in `{}`: {e}", folder.display()),
            )
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unavailable)? {
            let path = entry.map_err(unavailable)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") && path.is_file() {
                let text = std::fs::read_to_string(&path).map_err(unavailable)?;
                files.push((path.display().to_string(), text));
            }
        }
        files.sort();
        Ok(Self(Arc::new(files)))
    }

    /// Digest over their texts; `None` where there are none. A file that is moved decides the same.
    pub fn digest(&self) -> Option<String> {
        let digests: Vec<String> = self.0.iter().map(|(_, text)| sha256(text.as_bytes())).collect();
        (!digests.is_empty()).then(|| sha256(digests.concat().as_bytes()))
    }

    /// Keeps a copy in the lake, so that a snapshot can be made again of the lake alone. Refuses to go on without
    /// decisions where the run before followed some: they would be undone without a word.
    pub fn keep_copy(&self, writer: &LakeWriter, is_accepted: bool) -> anyhow::Result<()> {
        let lake = writer.lake();
        if let Some(digest) = self.digest() {
            let name = |path: &str| {
                Path::new(path)
                    .file_name()
                    .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            };
            let files = self.0.iter().map(|(path, text)| (name(path), text.clone())).collect();
            writer.keep_decisions(&digest, files)?;
            return Ok(writer.follow_decisions(Some(&digest))?);
        }
        match lake.publications()?.decisions.filter(|_| !is_accepted) {
            Some(digest) => Err(error_with_code(ExitCode::Unavailable, missing_decisions(lake, &digest))),
            None => Ok(writer.follow_decisions(None)?),
        }
    }

    pub fn parse_decisions(&self) -> anyhow::Result<fdna_identity::LinkDecisions> {
        fdna_identity::LinkDecisions::parse(&self.0).context("cannot read the decisions")
    }
}

fn missing_decisions(lake: &Lake, digest: &str) -> String {
    let root = lake.root().display();
    let own = match lake.is_in_bucket() {
        true => String::new(),
        false => format!("Put them into {root}/{FOLDER}, or "),
    };
    format!(
        "no decisions about who is who: the run before followed some, and now there are none. \
         {own}name their folder with --aliases or FIGHTDNA_ALIASES; a copy is in \
         {root}/{FOLDER}/used/{digest}. To go on without: --accept decisions"
    )
}

//! What people decided about who is who: the `*.toml` files of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use fdna_lake::FingerprintBuilder;

use crate::exit::{ExitCode, coded};

/// The folder that is read where none is given.
const FOLDER: &str = "data/aliases";

/// Files by name, in the order of their names.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecisionFiles(Arc<Vec<(String, String)>>);

impl DecisionFiles {
    /// Reads a folder; without one [`FOLDER`], if it is there.
    pub(crate) fn read(folder: Option<&Path>) -> anyhow::Result<Self> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None if Path::new(FOLDER).is_dir() => PathBuf::from(FOLDER),
            None => return Ok(Self::default()),
        };
        let unavailable = |e: std::io::Error| {
            coded(ExitCode::Unavailable, format!("read the decisions in `{}`: {e}", folder.display()))
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unavailable)? {
            let path = entry.map_err(unavailable)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = std::fs::read_to_string(&path).map_err(unavailable)?;
                files.push((path.display().to_string(), text));
            }
        }
        files.sort();
        Ok(Self(Arc::new(files)))
    }

    /// By content: a file that is moved decides the same.
    pub(crate) fn add_to(&self, builder: FingerprintBuilder) -> FingerprintBuilder {
        self.0.iter().fold(builder, |builder, (_, text)| builder.text("decisions", text))
    }

    pub(crate) fn parse(&self) -> anyhow::Result<fdna_normalise::Decisions> {
        fdna_normalise::Decisions::parse(&self.0).context("read the decisions")
    }
}

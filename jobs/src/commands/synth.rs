//! `fightdna synth`: writes the synthetic sample, and larger or other captures like it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fdna_run::import::sample::MARKER;
use fdna_synth as synth;
use serde_json::json;

use crate::output::CommandReport;

const MARKER_TEXT: &str = "Synthetic: made by `fightdna synth`. No fighter, event or bout in it is real.\n";

#[expect(clippy::disallowed_methods, reason = "files for people, outside any lake")]
fn write_file(path: &Path, content: &str) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("cannot write `{}`", path.display()))
}

/// What is written.
#[derive(clap::Args)]
pub(crate) struct SynthArgs {
    /// Folder to write them into.
    #[arg(long, default_value = "data/sample")]
    out: PathBuf,
    /// Seed of the invented world; the default is the checked-in sample's.
    #[arg(long, default_value_t = synth::SAMPLE_SEED)]
    seed: u64,
    /// Write one capture of the statistics source instead, N times as large as the real history (8,500 bouts a time).
    #[arg(long, value_name = "N")]
    scale: Option<NonZeroUsize>,
    /// Write captures for the multi-sport catalog instead: two of the source soccer-leagues.
    #[arg(long, conflicts_with = "scale")]
    catalog: bool,
}

impl SynthArgs {
    /// Writes the captures; says which files.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(crate) fn run(&self) -> anyhow::Result<CommandReport> {
        let lines = match self.scale {
            Some(scale) => write_scaled(&self.out, self.seed, scale.get())?,
            None if self.catalog => write_captures(&self.out, synth::catalog_captures(self.seed))?,
            None => write_captures(&self.out, synth::sample_captures(self.seed))?,
        };
        Ok(CommandReport::done(lines.join("\n") + "\n", &json!(lines)))
    }
}

/// Writes a capture that is `scale` times as large as the real history into `out`; says what it wrote.
fn write_scaled(out: &Path, seed: u64, scale: usize) -> anyhow::Result<Vec<String>> {
    use std::io::Write as _;
    std::fs::create_dir_all(out).with_context(|| format!("cannot create `{}`", out.display()))?;
    write_file(&out.join(MARKER), MARKER_TEXT)?;
    let mut files = BTreeMap::new();
    synth::write_scaled_capture(seed, scale, |name, rows| {
        let path = out.join(name);
        let file = match files.entry(name) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(new) => {
                new.insert(File::create(&path).with_context(|| format!("cannot write `{}`", path.display()))?)
            }
        };
        file.write_all(rows.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))
    })?;
    Ok(files.keys().map(|name| out.join(name).display().to_string()).collect())
}

/// Writes captures below `out`; says what it wrote.
fn write_captures(out: &Path, captures: Vec<synth::SampleCapture>) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for capture in captures {
        let folder = out.join(capture.folder());
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
        let marker = synth::SampleFile { name: MARKER, content: MARKER_TEXT.to_owned() };
        for file in std::iter::once(marker).chain(capture.files) {
            let path = folder.join(file.name);
            write_file(&path, &file.content)?;
            lines.push(format!("{} {} bytes", path.display(), file.content.len()));
        }
    }
    Ok(lines)
}

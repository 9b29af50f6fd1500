//! `fightdna synth`: writes the synthetic sample, and larger or other captures like it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use fdna_synth as synth;

use crate::run::import::sample::MARKER;

const MARKER_TEXT: &str = "Synthetic: made by `fightdna synth`. No fighter, event or bout in it is real.\n";

#[expect(clippy::disallowed_methods, reason = "files for people, outside any lake")]
fn write_file(path: &Path, content: &str) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("write `{}`", path.display()))
}

/// Writes a capture that is `scale` times as large as the real history into `out`; says what it wrote.
pub(crate) fn write_scaled(out: &Path, seed: u64, scale: usize) -> anyhow::Result<Vec<String>> {
    use std::io::Write as _;
    std::fs::create_dir_all(out).with_context(|| format!("create `{}`", out.display()))?;
    write_file(&out.join(MARKER), MARKER_TEXT)?;
    let mut files = BTreeMap::new();
    synth::scaled(seed, scale, |name, rows| {
        let path = out.join(name);
        let file = match files.entry(name) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(new) => {
                new.insert(File::create(&path).with_context(|| format!("write `{}`", path.display()))?)
            }
        };
        file.write_all(rows.as_bytes()).with_context(|| format!("write `{}`", path.display()))
    })?;
    Ok(files.keys().map(|name| out.join(name).display().to_string()).collect())
}

/// Writes captures below `out`; says what it wrote.
pub(crate) fn write(out: &Path, captures: Vec<synth::SampleCapture>) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for capture in captures {
        let folder = out.join(capture.folder());
        std::fs::create_dir_all(&folder).with_context(|| format!("create `{}`", folder.display()))?;
        let marker = synth::SampleFile { name: MARKER, content: MARKER_TEXT.to_owned() };
        for file in std::iter::once(marker).chain(capture.files) {
            let path = folder.join(file.name);
            write_file(&path, &file.content)?;
            lines.push(format!("{} {} bytes", path.display(), file.content.len()));
        }
    }
    Ok(lines)
}

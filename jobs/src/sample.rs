//! The synthetic sample: compiled in, so that `fightdna run` works anywhere with nothing else, and written
//! anew by `fightdna synth`.

use std::path::Path;

use anyhow::Context as _;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};

use crate::synth;

/// File that marks a folder as synthetic; it is part of the capture.
pub(crate) const MARKER: &str = "SYNTHETIC.txt";

macro_rules! sample {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../data/sample/statsdb/2025-11-01/", $name)).as_slice())),+]
    };
}

const FILES: &[(&str, &[u8])] = sample!(
    "SYNTHETIC.txt",
    "ufc_event_details.csv",
    "ufc_fight_details.csv",
    "ufc_fight_results.csv",
    "ufc_fight_stats.csv",
    "ufc_fighter_details.csv",
    "ufc_fighter_tott.csv",
);

pub(crate) fn files() -> Vec<(String, Bytes)> {
    FILES.iter().map(|(name, bytes)| ((*name).to_owned(), Bytes::from_static(bytes))).collect()
}

/// The date in the folder's name.
pub(crate) fn captured_at() -> DateTime<Utc> {
    let date = NaiveDate::from_ymd_opt(2025, 11, 1).unwrap_or_default();
    date.and_time(chrono::NaiveTime::MIN).and_utc()
}

const MARKER_TEXT: &str = "Synthetic: made by `fightdna synth`. No fighter, event or bout in it is real.\n";

#[expect(clippy::disallowed_methods, reason = "files for people, outside any lake")]
fn write_file(path: &Path, content: &str) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("write `{}`", path.display()))
}

/// Writes both captures of the sample below `out`; says what it wrote.
pub(crate) fn write(out: &Path, seed: u64) -> anyhow::Result<Vec<String>> {
    let captures = [
        (Path::new("statsdb").join(synth::CAPTURE), synth::generate(seed)),
        (Path::new("statsdb-later").join(synth::LATER_CAPTURE), synth::generate_later(seed)),
    ];
    let mut lines = Vec::new();
    for (folder, files) in captures {
        let folder = out.join(folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("create `{}`", folder.display()))?;
        let marker = synth::SampleFile { name: MARKER, content: MARKER_TEXT.to_owned() };
        for file in std::iter::once(marker).chain(files) {
            let path = folder.join(file.name);
            write_file(&path, &file.content)?;
            lines.push(format!("{} {} bytes", path.display(), file.content.len()));
        }
    }
    Ok(lines)
}

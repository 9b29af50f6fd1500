//! The synthetic sample, compiled in, so that `fightdna run` works anywhere with nothing else.

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};

/// File that marks a folder as synthetic; it is part of the capture.
pub const MARKER: &str = "SYNTHETIC.txt";

// `CAPTURES`: source, date, and the files of each capture below `data/sample/<source>/<date>`.
include!(concat!(env!("OUT_DIR"), "/sample.rs"));

/// A capture that is compiled in.
type Embedded = (&'static str, &'static str, &'static [(&'static str, &'static [u8])]);

/// Sources of the sample.
pub fn sample_sources() -> impl Iterator<Item = &'static str> {
    CAPTURES.iter().map(|(source, ..)| *source)
}

fn embedded_source(source: &str) -> Option<&'static Embedded> {
    CAPTURES.iter().find(|(name, ..)| *name == source)
}

pub fn sample_files(source: &str) -> Vec<(String, Bytes)> {
    let files = embedded_source(source).map(|(.., files)| *files).unwrap_or_default();
    files.iter().map(|(name, bytes)| ((*name).to_owned(), Bytes::from_static(bytes))).collect()
}

/// The date in the folder's name.
pub fn captured_at(source: &str) -> Option<DateTime<Utc>> {
    let (_, date, _) = embedded_source(source)?;
    let date: NaiveDate = date.parse().ok()?;
    Some(date.and_time(chrono::NaiveTime::MIN).and_utc())
}

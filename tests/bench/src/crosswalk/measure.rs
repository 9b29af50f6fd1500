//! Links between sources against an external crosswalk.
//!
//! The rules are written with one half of the crosswalk in view, that of ids with an even hash; the other half
//! says what they are worth.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Our id of each source id, by kind and source.
pub(crate) type Identities = BTreeMap<(String, String, String), String>;

/// A column of the crosswalk, and what `identities` calls its source.
const SOURCES: [(&str, &str); 3] =
    [("espn_id", "feed"), ("betmma_id", "betmma"), ("mmadecisions_id", "mmadecisions")];

const FILES: [(&str, &str); 3] =
    [("event", "event_mapping.csv"), ("bout", "bout_mapping.csv"), ("fighter", "fighter_mapping.csv")];

/// What the links of one kind to one source are worth, on one half.
pub(crate) struct Measured {
    pub(crate) kind: &'static str,
    pub(crate) source: &'static str,
    /// Whether the rules were written with these in view.
    pub(crate) is_seen: bool,
    pub(crate) expected: usize,
    pub(crate) right: usize,
    /// One line each.
    pub(crate) wrong: Vec<String>,
    pub(crate) missing: Vec<String>,
}

impl Measured {
    /// Share of the links made that are right; 1 where none was made.
    pub(crate) fn precision(&self) -> f64 {
        share(self.right, self.right + self.wrong.len())
    }

    /// Share of the links to be made that were made.
    pub(crate) fn recall(&self) -> f64 {
        share(self.right, self.expected)
    }

    pub(crate) fn text(&self) -> String {
        let half = if self.is_seen { "in view" } else { "unseen" };
        let mut text = format!(
            "{:<8} statsdb - {:<13} {half:<8} {:>5} pairs, {:>5} right, {:>3} wrong, {:>3} missing: precision {:.4}, recall {:.4}\n",
            self.kind,
            self.source,
            self.expected,
            self.right,
            self.wrong.len(),
            self.missing.len(),
            self.precision(),
            self.recall(),
        );
        for (what, lines) in [("wrong", &self.wrong), ("missing", &self.missing)] {
            for line in lines {
                let _ = writeln!(text, "  {what} {line}");
            }
        }
        text
    }
}

fn share(part: usize, whole: usize) -> f64 {
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    if whole == 0 { 1.0 } else { count(part) / count(whole) }
}

/// Compares all kinds and sources of which pairs occur, the half in view first.
///
/// # Errors
/// A file of the crosswalk cannot be read.
pub(crate) fn measure(crosswalk: &Path, identities: &Identities) -> std::io::Result<Vec<Measured>> {
    let back: BTreeMap<(&str, &str, &str), &str> = identities
        .iter()
        .map(|((k, s, id), e)| ((k.as_str(), s.as_str(), e.as_str()), id.as_str()))
        .collect();
    let mut all = Vec::new();
    for (kind, file) in FILES {
        let text = std::fs::read_to_string(crosswalk.join(file))?;
        let rows = rows(&text);
        for (column, source) in SOURCES {
            for is_seen in [true, false] {
                let pairs = rows.iter().filter_map(|row| Some((*row.get("ufcstats_id")?, *row.get(column)?)));
                let pairs = pairs.filter(|(a, b)| !a.is_empty() && !b.is_empty() && is_even(a) == is_seen);
                let measured =
                    compare(kind, source, is_seen, &pairs.collect::<BTreeSet<_>>(), identities, &back);
                all.extend((measured.expected > 0).then_some(measured));
            }
        }
    }
    Ok(all)
}

fn compare(
    kind: &'static str,
    source: &'static str,
    is_seen: bool,
    pairs: &BTreeSet<(&str, &str)>,
    identities: &Identities,
    back: &BTreeMap<(&str, &str, &str), &str>,
) -> Measured {
    let get = |source: &str, id: &str| identities.get(&(kind.to_owned(), source.to_owned(), id.to_owned()));
    let mut measured =
        Measured { kind, source, is_seen, expected: 0, right: 0, wrong: Vec::new(), missing: Vec::new() };
    for (statsdb, other) in pairs {
        let (Some(ours), Some(theirs)) = (get("statsdb", statsdb), get(source, other)) else { continue };
        measured.expected += 1;
        let linked = back.get(&(kind, source, ours.as_str()));
        let linked_back = back.get(&(kind, "statsdb", theirs.as_str()));
        let line = format!("{kind} {statsdb} - {other}: found {linked:?}, {linked_back:?}");
        match ours == theirs {
            true => measured.right += 1,
            false if linked.is_some() || linked_back.is_some() => measured.wrong.push(line),
            false => measured.missing.push(line),
        }
    }
    measured
}

/// Rows of a CSV file without quotes.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    lines.map(|line| names.iter().copied().zip(line.split(',')).collect()).collect()
}

/// Whether the FNV-1a hash of an id is even.
fn is_even(id: &str) -> bool {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // The lowest bit is but the parity of the bytes.
    (hash >> 32) & 1 == 0
}

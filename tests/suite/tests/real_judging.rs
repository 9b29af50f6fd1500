//! The real captures of the judging, the late notices and the rankings, tied to the history: how much of them is,
//! how often they say the same as the statistics source, and rows read by hand.
//!
//! The captures are not part of the repository: without them these tests pass over themselves and say so, and on CI
//! they fail.

#[path = "real_judging/read.rs"]
mod read;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use read::{Real, real};
use uuid::Uuid;

#[test]
fn measure() {
    let Some(real) = real() else { return };
    let mut out = String::new();
    for (name, batch) in &real.tables {
        out += &format!("{name}: {}\n", batch.num_rows());
    }
    for c in &real.counts {
        out += &format!("{c:?}\n");
    }
    let q = real.reader("quarantine");
    let (caps, kinds, files, sev, reasons) = (
        q.texts("capture").unwrap(),
        q.texts("kind").unwrap(),
        q.texts("file").unwrap(),
        q.texts("severity").unwrap(),
        q.texts("reason").unwrap(),
    );
    let mut by: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for i in 0..q.rows() {
        if caps[i].starts_with("scorecards") || caps[i].starts_with("late") || caps[i].starts_with("rank") {
            *by.entry((files[i], kinds[i], sev[i])).or_default() += 1;
        }
    }
    out += &format!("{by:#?}\n");
    for i in 0..q.rows() {
        if caps[i].starts_with("scorecards") || caps[i].starts_with("late") || caps[i].starts_with("rank") {
            out += &format!("{} {} {}: {}\n", files[i], kinds[i], sev[i], reasons[i]);
        }
    }
    let d = real.reader("doubtful_links");
    let (src, k, n, r, c) = (
        d.texts("source").unwrap(),
        d.texts("kind").unwrap(),
        d.texts("name").unwrap(),
        d.texts("reason").unwrap(),
        d.strings("candidate_name").unwrap(),
    );
    for i in 0..d.rows() {
        out += &format!("doubt {} {} {} -> {:?}: {}\n", src[i], k[i], n[i], c[i], r[i]);
    }
    panic!("{out}");
}

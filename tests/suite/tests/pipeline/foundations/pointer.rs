//! Where `current` pointed is known, and a person's word about it stands.

use super::{lake, refused};

#[test]
fn going_back_leads_to_what_was_served_and_never_to_what_was_not() {
    let bench = lake();
    let history: serde_json::Value =
        serde_json::from_str(&bench.ok(&["snapshots", "history", "--json"])).unwrap();
    let served: Vec<String> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|publication| publication["snapshot"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(served.len(), 3);
    // Newer than all of them, and published by nobody.
    bench.ok(&["run", "--known-at", "2025-11-16T00:00:00Z"]);
    bench.ok(&["rollback"]);
    assert_eq!(bench.snapshot().id.to_string(), served[1]);
    bench.ok(&["rollback"]);
    assert_eq!(bench.snapshot().id.to_string(), served[0]);
    let told = refused(&bench, 2, &["rollback"]);
    assert!(told.contains("nothing is known to have been served before"), "{told}");
    bench.ok(&["rollback", "--to", &served[2]]);
    assert_eq!(bench.snapshot().id.to_string(), served[2]);
    bench.ok(&["verify"]);
}

#[test]
fn a_hold_keeps_runs_from_moving_the_pointer_until_it_is_released() {
    let bench = lake();
    let newest = bench.snapshot().id;
    bench.ok(&["rollback", "--hold", "--reason", "wrong champions", "--by", "ann"]);
    let held = bench.snapshot().id;
    assert_ne!(held, newest);
    let told = bench.ok(&["run"]);
    assert!(told.contains("held by ann (wrong champions)"), "{told}");
    assert_eq!(bench.snapshot().id, held);
    assert!(bench.ok(&["snapshots", "list"]).contains("runs leave `current` where it is"));
    bench.ok(&["snapshots", "release", "--reason", "mended"]);
    bench.ok(&["run"]);
    assert_eq!(bench.snapshot().id, newest);
}

#[test]
fn a_snapshot_that_nobody_published_is_listed_as_such() {
    let bench = lake();
    bench.ok(&["run", "--known-at", "2025-11-16T00:00:00Z"]);
    let list = bench.ok(&["snapshots", "list"]);
    assert!(list.contains("as known at 2025-11-16T00:00Z"), "{list}");
    assert_eq!(list.lines().filter(|line| line.contains(", current")).count(), 1, "{list}");
}

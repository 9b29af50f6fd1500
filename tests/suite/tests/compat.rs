//! What earlier builds wrote, and every later one must read: `tests/fixtures/compat/lake-vN` holds the
//! manifests of a lake, one folder per format. A folder here never changes; a new format adds one.

use fdna_lake::{Lake, Stage};

fn lake(version: &str) -> Lake {
    Lake::open(format!("{}/../fixtures/compat/lake-{version}", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn the_manifests_of_format_1_are_read() {
    let lake = lake("v1");
    let current = lake.current().unwrap().unwrap();
    let manifest = lake.snapshot(&current).unwrap();
    assert_eq!((manifest.format, manifest.tables.len(), manifest.synthetic), (1, 10, true));
    assert_eq!(manifest.table("bouts").unwrap().rows, 340);
    assert_eq!(manifest.facts_until.unwrap().to_string(), "2025-10-25");
    let captures = lake.captures("statsdb").unwrap();
    assert_eq!(captures.iter().map(|c| c.files.len()).collect::<Vec<_>>(), [7]);
    assert_eq!(captures[0].id, manifest.captures[0].id);
    let normalised = manifest.inputs.iter().find(|input| input.stage == Stage::Normalised).unwrap();
    let output = lake.stage(&Stage::Normalised, &normalised.fingerprint).unwrap().unwrap();
    assert_eq!(output.table("results").unwrap().rows, 340);
    let run = lake.runs().unwrap().pop().unwrap();
    assert_eq!(lake.run(&run).unwrap()["outcome"], "done");
    assert!(lake.current_moved_at().unwrap().is_some());
}

#[test]
fn a_newer_format_is_refused_by_name_and_not_misread() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{"format": 999, "snapshot_id": "00000000000000000000000000000000", "moved_at": "2030-01-01T00:00:00Z"}"#;
    std::io::Write::write_all(
        &mut std::fs::File::create(folder.path().join("current.json")).unwrap(),
        text.as_bytes(),
    )
    .unwrap();
    let error = Lake::open(folder.path()).current().unwrap_err().to_string();
    assert!(error.contains("its format is 999, this build knows up to 1"), "{error}");
}

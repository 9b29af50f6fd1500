//! What earlier builds wrote, and every later one must read: `tests/fixtures/compat/lake-vN` holds the
//! manifests of a lake, `fetch-vN` what fetching remembers in one, `ledger-vN` a fight-week ledger, one folder per format. A folder here never
//! changes; a new format adds one.

use fdna_lake::{FetchState, FetchedFile, Lake, PipelineStage};
use fdna_ledger::{ChangeCause, Checkpoint, LedgerEntry, StateField, find_faults, from_table};

fn lake(folder: &str) -> Lake {
    Lake::open(format!("{}/../fixtures/compat/{folder}", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn the_manifests_of_format_1_are_read() {
    let lake = lake("lake-v1");
    let current = lake.current_snapshot().unwrap().unwrap();
    let manifest = lake.snapshot(&current).unwrap();
    assert_eq!((manifest.format, manifest.tables.len(), manifest.synthetic), (1, 10, true));
    assert_eq!(manifest.table("bouts").unwrap().rows, 340);
    assert_eq!(manifest.facts_until.unwrap().to_string(), "2025-10-25");
    let captures = lake.captures("statsdb").unwrap();
    assert_eq!(captures.iter().map(|c| c.files.len()).collect::<Vec<_>>(), [7]);
    assert_eq!(captures[0].id, manifest.captures[0].id);
    let normalised = manifest.inputs.iter().find(|input| input.stage == PipelineStage::Normalised).unwrap();
    let output = lake.find_stage(&PipelineStage::Normalised, &normalised.fingerprint).unwrap().unwrap();
    assert_eq!(output.table("results").unwrap().rows, 340);
    let run = lake.list_runs().unwrap().pop().unwrap();
    assert_eq!(lake.read_run(&run).unwrap()["outcome"], "done");
    assert!(lake.current_moved_at().unwrap().is_some());
}

#[test]
fn the_manifests_of_format_2_are_read_with_their_digests() {
    let lake = lake("lake-v2");
    let current = lake.current_snapshot().unwrap().unwrap();
    let manifest = lake.snapshot(&current).unwrap();
    assert_eq!((manifest.format, manifest.synthetic), (2, true));
    assert_eq!(manifest.table("bouts").unwrap().rows, 340);
    let captures = lake.captures("statsdb").unwrap();
    assert_eq!((captures.len(), &captures[0].id), (1, &manifest.captures[0].id));
    let outputs = manifest.inputs.iter().filter(|input| input.stage == PipelineStage::Normalised);
    let outputs = outputs.filter_map(|input| lake.find_stage(&input.stage, &input.fingerprint).unwrap());
    assert_eq!(outputs.map(|output| output.format).collect::<Vec<_>>(), [2], "one of them is kept here");
    let run = lake.list_runs().unwrap().pop().unwrap();
    assert_eq!(run, "000001-20261122T220000000Z");
    assert_eq!(
        (&lake.read_run(&run).unwrap()["outcome"], &lake.read_run(&run).unwrap()["exit_code"]),
        (&"done".into(), &0.into())
    );
    assert_eq!(lake.current_moved_at().unwrap().unwrap().to_rfc3339(), "2026-11-22T22:00:00+00:00");
}

#[test]
fn what_fetching_remembers_in_format_1_is_read() {
    let lake = lake("fetch-v1");
    let FetchState { format, fetched_at, not_before, files } = lake.fetch_state("wire").unwrap().unwrap();
    assert_eq!((format, not_before), (1, None));
    assert_eq!(fetched_at.unwrap().to_rfc3339(), "2026-11-20T06:15:00+00:00");
    assert_eq!(files.keys().collect::<Vec<_>>(), ["another.xml", "outlet.xml"]);
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let outlet = FetchedFile {
        url: "https://outlet.example/feed?of=fights".to_owned(),
        sha256: empty.to_owned(),
        status: 304,
        etag: Some("W/\"5f-a\"".to_owned()),
        last_modified: Some("Fri, 20 Nov 2026 05:58:12 GMT".to_owned()),
    };
    assert_eq!(files["outlet.xml"], outlet);
    let another = &files["another.xml"];
    assert_eq!((another.status, &another.etag, &another.last_modified), (200, &None, &None));
    let refused = lake.fetch_state("videos").unwrap().unwrap();
    assert_eq!((refused.fetched_at, refused.files.len()), (None, 0));
    assert_eq!(refused.not_before.unwrap().to_rfc3339(), "2026-11-20T07:00:00.250+00:00");
    // As the first builds that fetched wrote it.
    let first = lake.fetch_state("feed").unwrap().unwrap();
    assert_eq!((first.fetched_at.is_some(), first.not_before), (true, None));
}

/// Rows keep their seals for ever: a build that words a state, a source or a change otherwise would find every old
/// row edited.
#[test]
fn the_ledger_of_format_1_is_read_and_its_seals_hold() {
    let lake = lake("ledger-v1");
    let head = lake.ledger_head().unwrap().unwrap();
    assert_eq!((head.format, head.parts, head.rows), (1, 3, 7));
    assert_eq!(head.moved_at.to_rfc3339(), "2025-03-31T07:00:00+00:00");
    let parts = lake.ledger_parts_up_to(&head).unwrap();
    assert_eq!(
        parts.iter().map(|part| (part.format, part.number, part.rows())).collect::<Vec<_>>(),
        [(1, 1, 2), (1, 2, 5), (1, 3, 7)]
    );
    let read = |part| from_table(&lake.read_ledger_part(part).unwrap()).unwrap();
    let rows: Vec<LedgerEntry> = parts.iter().flat_map(read).collect();
    assert_eq!(find_faults(&rows, Some(&head.head)), []);
    let (first, last) = (&rows[0], &rows[6]);
    assert_eq!((first.checkpoint, first.sequence, first.is_baseline), (Checkpoint::Announced, 1, true));
    assert_eq!(first.valid_at.to_rfc3339(), "2025-03-20T00:00:00+00:00");
    assert_eq!(first.hours_to_start, Some(242.0));
    assert!(first.state.get(StateField::StartStatus).is_word("known") && first.diff.is_empty());
    let sources: Vec<&str> = first.sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!(
        sources.join(" "),
        "schedule statistics rankings wire articles videos weigh_in odds market model"
    );
    let replaced = rows.iter().find(|row| !row.state.get(StateField::ReplacedBout).is_null()).unwrap();
    assert_eq!(replaced.state.get(StateField::ShortNotice).to_string(), "4");
    assert_eq!(last.checkpoint, Checkpoint::Result);
    let result = last.diff.iter().find(|change| change.path == StateField::ResultMethod).unwrap();
    assert_eq!((result.to.to_string(), result.cause), ("submission".to_owned(), ChangeCause::SourceChange));
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
    let error = Lake::open(folder.path()).current_snapshot().unwrap_err().to_string();
    assert!(error.contains("has format 999, and this program knows up to 2"), "{error}");
}

use super::*;
use crate::testing::{capture, day, lake, noon};

#[test]
fn captures_of_one_commit_may_say_the_same_and_are_there_once() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let new = [(1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "a")].map(|(on, text)| capture(day(on), text));
    let mut known = Vec::new();
    let added = writer.add_captures(&mut known, new.to_vec()).unwrap();
    assert_eq!(added.iter().map(AddedCapture::is_new).collect::<Vec<_>>(), [true, false, true, false, true]);
    assert_eq!(lake.captures("statsdb").unwrap(), known);
    assert_eq!(known.len(), 3);
    assert_eq!(lake.verify().unwrap().problems, []);
    assert!(!writer.add_captures(&mut known, new.to_vec()).unwrap().iter().any(AddedCapture::is_new));
}

#[test]
fn files_come_back_as_they_went_in() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let added = writer.add_capture(capture(noon(), "a")).unwrap();
    assert!(added.is_new());
    let kept = lake.captures("statsdb").unwrap();
    assert_eq!(kept, [added.into_inner()]);
    assert!(kept[0].id.starts_with("20241215T120000Z-"), "{}", kept[0].id);
    assert_eq!(lake.capture_file(&kept[0], "events.csv").unwrap(), "a");
    assert!(matches!(lake.capture_file(&kept[0], "x"), Err(LakeError::NoEntry { .. })));
    assert!(lake.captures("other").unwrap().is_empty());
}

#[test]
fn captures_are_in_order_of_their_time_not_of_their_arrival() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    for on in [3, 1, 2] {
        writer.add_capture(capture(day(on), &format!("{on}"))).unwrap();
    }
    let times: Vec<_> = lake.captures("statsdb").unwrap().iter().map(|c| c.captured_at).collect();
    assert_eq!(times, [day(1), day(2), day(3)]);
}

#[test]
fn the_same_content_at_another_time_is_already_there_and_mends_what_was_damaged() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let first = writer.add_capture(capture(day(1), "a")).unwrap().into_inner();
    let mut again = capture(day(2), "a");
    again.files.reverse();
    assert_eq!(writer.add_capture(again.clone()).unwrap(), AddedCapture::AlreadyThere(first.clone()));

    let path = lake.root().join(first.folder()).join("events.csv");
    std::fs::write(&path, "b").unwrap();
    assert!(matches!(lake.capture_file(&first, "events.csv"), Err(LakeError::Corrupt { .. })));
    assert_eq!(writer.add_capture(again).unwrap(), AddedCapture::AlreadyThere(first.clone()));
    assert_eq!(lake.capture_file(&first, "events.csv").unwrap(), "a");
    assert_eq!(lake.captures("statsdb").unwrap().len(), 1);
}

#[test]
fn a_source_that_goes_back_to_what_it_said_is_captured_again() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    for (on, text, is_new) in [
        (1, "a", true),
        (3, "b", true),
        (5, "a", true),
        (4, "b", false),
        (5, "a", false),
        (6, "a", false),
        (2, "b", true),
    ] {
        let new = capture(day(on), text);
        assert_eq!(lake.find_same(&new).unwrap().is_none(), is_new, "{on} {text}");
        assert_eq!(writer.add_capture(new).unwrap().is_new(), is_new, "{on} {text}");
    }
    let days: Vec<_> = lake.captures("statsdb").unwrap().iter().map(|c| c.captured_at).collect();
    assert_eq!(days, [day(1), day(2), day(3), day(5)]);
}

#[test]
fn hostile_names_and_captures_without_files_are_refused() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    for name in ["../x", "a/b", ".tmp-x", "", "capture.json", "Capture.JSON", "fighters.csv"] {
        let mut new = capture(noon(), "a");
        new.files[1].0 = name.to_owned();
        assert!(matches!(writer.add_capture(new), Err(LakeError::Name { .. })), "{name}");
    }
    let hostile = NewCapture { source: "../facts".to_owned(), ..capture(noon(), "a") };
    assert!(matches!(writer.add_capture(hostile), Err(LakeError::Name { .. })));
    let empty = NewCapture { files: vec![], ..capture(noon(), "a") };
    assert!(matches!(writer.add_capture(empty), Err(LakeError::EmptyCapture { .. })));
    assert!(!lake.root().join("raw").exists());
}

#[test]
fn a_manifest_of_a_newer_format_or_with_another_content_is_refused() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let kept = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    let path = lake.root().join(kept.folder()).join(CAPTURE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("events.csv", "Events.csv")).unwrap();
    let read = || lake.find_capture("statsdb", &kept.id);
    assert!(matches!(read(), Err(LakeError::Corrupt { .. })));
    assert!(writer.mend_manifest(&kept).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let newer = MANIFEST_FORMAT + 1;
    std::fs::write(&path, format!(r#"{{"format": {newer}, "other": true}}"#)).unwrap();
    assert!(matches!(read(), Err(LakeError::NewerFormat { .. })));
    // The log knows it all the same.
    assert_eq!(lake.captures("statsdb").unwrap(), [kept]);
}

#[test]
fn a_second_capture_of_one_time_is_taken_in_only_as_a_replacement() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let first = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    let second = writer.add_capture(capture(noon(), "b"));
    assert!(matches!(second, Err(LakeError::SameTime { there, .. }) if there == first.id));
    let new = writer.replace_capture(&first.id, capture(noon(), "b"), "me", "a corrected file").unwrap();
    assert_eq!(lake.captures("statsdb").unwrap(), std::slice::from_ref(&new));
    let old = lake.known_capture("statsdb", &first.id).unwrap();
    assert_eq!(old.decisions[0].with.as_deref(), Some(new.id.as_str()));
    assert!(matches!(
        writer.restore_capture("statsdb", &first.id, "me", "x"),
        Err(LakeError::SameTime { .. })
    ));
    assert_eq!(lake.verify().unwrap().problems, []);
}

#[test]
fn a_capture_that_was_withdrawn_does_not_count_until_it_is_restored() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let kept = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    assert!(writer.withdraw_capture("statsdb", &kept.id, "me", "taken from the wrong site").unwrap());
    assert!(!writer.withdraw_capture("statsdb", &kept.id, "me", "again").unwrap());
    assert!(lake.captures("statsdb").unwrap().is_empty());
    let again = writer.add_capture(capture(noon(), "a"));
    assert!(matches!(again, Err(LakeError::WasWithdrawn { .. })));
    assert!(writer.restore_capture("statsdb", &kept.id, "me", "it was right").unwrap());
    assert_eq!(lake.captures("statsdb").unwrap(), std::slice::from_ref(&kept));
    let told: Vec<_> = lake.known_capture("statsdb", &kept.id).unwrap().decisions;
    assert_eq!(told.iter().map(|d| d.action).collect::<Vec<_>>(), ["withdraw", "restore"]);
    assert!(matches!(
        writer.withdraw_capture("statsdb", "other", "me", "x"),
        Err(LakeError::NoCapture { .. })
    ));
}

#[test]
fn a_lake_stays_what_it_was_said_to_be_when_it_began() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let kept = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    writer.withdraw_capture("statsdb", &kept.id, "me", "the only one").unwrap();
    let real = NewCapture { synthetic: false, ..capture(day(16), "b") };
    assert!(matches!(writer.add_capture(real), Err(LakeError::OtherKind { synthetic: false, .. })));
}

#[test]
fn a_capture_that_is_gone_linked_or_cut_is_missing_and_verify_names_it() {
    let (folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let kept = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    assert_eq!(lake.missing_captures().unwrap(), []);
    let (there, aside) = (lake.root().join(kept.folder()), folder.path().join("aside"));
    let told = |what: &str| {
        let missing = lake.missing_captures().unwrap();
        assert!(missing[0].why.contains(what), "{missing:?}");
        let problems = lake.verify().unwrap().problems;
        assert!(problems.iter().any(|problem| problem.path.starts_with(&there)), "{problems:?}");
    };
    std::fs::rename(&there, &aside).unwrap();
    told("is not there");
    std::os::unix::fs::symlink(&aside, &there).unwrap();
    told("is a link");
    std::fs::remove_file(&there).unwrap();
    std::fs::rename(&aside, &there).unwrap();
    std::fs::write(there.join("events.csv"), "ab").unwrap();
    told("2 bytes, not 1");
    let raw = lake.root().join("raw");
    std::fs::remove_dir_all(&raw).unwrap();
    std::fs::write(&raw, "").unwrap();
    let why = lake.missing_captures().unwrap().remove(0).why;
    assert!(why.contains("cannot be read: Not a directory"), "what cannot be looked at is not gone: {why}");
}

#[test]
fn what_a_run_left_between_folder_and_log_is_found_by_the_next() {
    let (_folder, lake) = lake();
    let writer = lake.writer("test", noon()).unwrap();
    let kept = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    std::fs::remove_dir_all(lake.root().join("log")).unwrap();
    assert_eq!(writer.list_found_captures().unwrap(), std::slice::from_ref(&kept));
    assert_eq!(lake.capture_log().unwrap().kind.as_ref().unwrap().product, crate::PRODUCT);
    assert_eq!(writer.list_found_captures().unwrap(), []);
    assert_eq!(lake.captures("statsdb").unwrap(), [kept]);
}

#[test]
fn a_log_that_grew_or_was_damaged_after_it_was_read_is_read_anew() {
    let (_folder, lake) = lake();
    assert_eq!(lake.capture_log().unwrap().captures, []);
    let writer = lake.writer("test", noon()).unwrap();
    let first = writer.add_capture(capture(noon(), "a")).unwrap().into_inner();
    assert_eq!(lake.capture_log().unwrap().find_capture("statsdb", &first.id).unwrap().capture, first);
    let second = writer.add_capture(capture(noon() + chrono::TimeDelta::days(1), "b")).unwrap().into_inner();
    assert_eq!(lake.captures("statsdb").unwrap(), [first.clone(), second]);
    writer.withdraw_capture("statsdb", &first.id, "me", "why").unwrap();
    assert!(!lake.capture_log().unwrap().find_capture("statsdb", &first.id).unwrap().is_active);
    std::fs::write(lake.root().join("log/captures.jsonl"), "no line\n").unwrap();
    assert!(matches!(lake.capture_log(), Err(LakeError::LogDamaged { .. })));
}

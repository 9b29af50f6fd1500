//! Captures that are gone are noticed, and a person's word about one stands.

use super::{ids, lake, refused, sample};
use fdna_suite::{TestLake, rows};

/// Source and id of every capture that counts.
fn captures(bench: &TestLake) -> Vec<(String, String)> {
    let list: serde_json::Value = serde_json::from_str(&bench.ok(&["captures", "list", "--json"])).unwrap();
    let text = |capture: &serde_json::Value, key: &str| capture[key].as_str().unwrap().to_owned();
    let all = list.as_array().unwrap().iter().filter(|capture| capture["is_active"] == true);
    all.map(|capture| (text(capture, "source"), text(capture, "id"))).collect()
}

fn one_of(bench: &TestLake, source: &str) -> String {
    let all = captures(bench).into_iter();
    all.filter(|(of, _)| of == source).map(|(_, id)| id).next_back().expect("a capture")
}

#[test]
fn an_empty_raw_folder_never_serves_the_sample() {
    let bench = lake();
    let (raw, served) = (bench.lake().root().join("raw"), bench.snapshot().id);
    std::fs::rename(&raw, bench.folder().join("elsewhere")).unwrap();
    std::fs::create_dir(&raw).unwrap();
    let told = refused(&bench, 69, &["run"]);
    assert!(told.contains("Is raw/ mounted?"), "{told}");
    assert_eq!(bench.snapshot().id, served);
    // Not even where the logs went with it.
    std::fs::remove_dir_all(bench.lake().root().join("log")).unwrap();
    let told = refused(&bench, 65, &["run"]);
    assert!(told.contains("log/captures.jsonl"), "{told}");
    assert_eq!(bench.snapshot().id, served);
}

#[test]
fn a_capture_that_is_gone_stops_a_run_until_it_is_back() {
    let bench = lake();
    let served = bench.snapshot().id;
    let id = one_of(&bench, "feed");
    let (there, aside) = (bench.lake().root().join("raw/feed").join(&id), bench.folder().join("aside"));
    std::fs::rename(&there, &aside).unwrap();
    for args in [&["run"][..], &["run", "--dry-run"]] {
        let told = refused(&bench, 69, args);
        assert!(told.contains(&id) && told.contains("captures withdraw"), "{told}");
    }
    let verified = bench.run(&["verify"]);
    assert!(String::from_utf8_lossy(&verified.stdout).contains(&id));
    // A link in its place is not the capture.
    std::os::unix::fs::symlink(&aside, &there).unwrap();
    assert!(refused(&bench, 69, &["run"]).contains("is a link"));
    std::fs::remove_file(&there).unwrap();
    std::fs::rename(&aside, &there).unwrap();
    assert!(bench.ok(&["run"]).contains("nothing new"));
    assert_eq!(bench.snapshot().id, served);
}

#[test]
fn a_damaged_manifest_of_a_capture_stops_nothing_and_is_repaired() {
    let bench = lake();
    let served = bench.snapshot().id;
    let id = one_of(&bench, "feed");
    let path = bench.lake().root().join("raw/feed").join(&id).join("capture.json");
    let whole = std::fs::read(&path).unwrap();
    for damaged in [&b""[..], b"{", b"\xff\xfe"] {
        std::fs::write(&path, damaged).unwrap();
        bench.ok(&["run"]);
        bench.ok(&["status"]);
        let told = bench.ok(&["repair"]);
        assert!(told.contains("capture.json made of the log"), "{told}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    assert_eq!(bench.snapshot().id, served);
    bench.ok(&["verify"]);
}

#[test]
fn what_is_withdrawn_is_out_of_every_result_and_comes_back_byte_for_byte() {
    let bench = lake();
    let (served, before) = (bench.snapshot().id.to_string(), ids(&bench));
    let id = one_of(&bench, "statsdb");
    bench.ok(&[
        "captures",
        "withdraw",
        "statsdb",
        &id,
        "--reason",
        "the site served another's page",
        "--by",
        "ann",
    ]);
    let shown = bench.ok(&["captures", "show", "statsdb", &id]);
    assert!(shown.contains("withdrawn: the site served another's page (ann"), "{shown}");
    // Less would be served than is: a person has to say that this is meant.
    let output = bench.run(&["run"]);
    assert_eq!(output.status.code(), Some(76), "{}", super::stderr(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("HELD by gate freshness"), "{told}");
    assert_eq!(bench.snapshot().id.to_string(), served);
    let accept: Vec<&str> = told
        .lines()
        .find_map(|line| line.split_once("to publish it: "))
        .map(|(_, accept)| accept.split(' ').collect())
        .expect("what to accept");
    bench.ok(&[&["run"][..], &accept].concat());
    assert_ne!(bench.snapshot().id.to_string(), served);
    assert!(bench.snapshot().captures.iter().all(|capture| capture.id != id));
    // The same files again are not taken in behind a person's back.
    let told = refused(&bench, 65, &["run", "--source", &sample("statsdb", "statsdb-later/2025-12-01")]);
    assert!(told.contains("captures restore"), "{told}");

    bench.ok(&["captures", "restore", "statsdb", &id, "--reason", "it was right"]);
    bench.ok(&["run"]);
    assert_eq!(bench.snapshot().id.to_string(), served);
    assert_eq!(ids(&bench), before);
    bench.ok(&["verify"]);
}

#[test]
fn a_corrected_capture_of_the_same_time_replaces_by_word() {
    let bench = lake();
    let id = one_of(&bench, "statsdb");
    let from = format!("{}/../../data/sample/statsdb-later/2025-12-01", env!("CARGO_MANIFEST_DIR"));
    let corrected = bench.folder().join("2025-12-01");
    std::fs::create_dir(&corrected).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let mut text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_owned();
        if name == "ufc_fighter_tott.csv" {
            text = text.replacen("Orthodox", "Southpaw", 1);
        }
        std::fs::write(corrected.join(name), text).unwrap();
    }
    let folder = corrected.display().to_string();
    let told = refused(&bench, 65, &["run", "--source", &format!("statsdb={folder}")]);
    assert!(told.contains("captures replace statsdb"), "{told}");
    bench.ok(&["captures", "replace", "statsdb", &id, "--with", &folder, "--reason", "a stance was wrong"]);
    let new = one_of(&bench, "statsdb");
    assert_ne!(new, id);
    bench.ok(&["run"]);
    let of_statistics: Vec<_> =
        bench.snapshot().captures.into_iter().filter(|c| c.source == "statsdb").map(|c| c.id).collect();
    assert!(of_statistics.contains(&new) && !of_statistics.contains(&id), "{of_statistics:?}");
    assert!(bench.ok(&["captures", "show", "statsdb", &id]).contains(&format!("replace with {new}")));
    bench.ok(&["verify"]);
}

/// That two ids are one fighter's, which the rules found as well.
fn decision(bench: &TestLake) -> String {
    let identities = rows(&bench.tables()["identities"]);
    let of = |source: &'static str| {
        identities.iter().filter(move |row| row["kind"] == "fighter" && row["source"] == source)
    };
    let (feed, statistics) = of("feed")
        .find_map(|feed| Some((feed, of("statsdb").find(|row| row["entity_id"] == feed["entity_id"])?)))
        .expect("a fighter of both sources");
    format!(
        "[[same]]\nkind = \"fighter\"\nsource = \"feed\"\nsource_id = \"{}\"\nas = \"statsdb:{}\"\n\
         reason = \"the same face\"\nby = \"ann\"\non = 2025-12-02\n",
        feed["source_id"], statistics["source_id"]
    )
}

#[test]
fn decisions_are_kept_and_a_run_that_lost_them_refuses() {
    let bench = lake();
    let folder = bench.folder().join("who");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.toml"), decision(&bench)).unwrap();
    let output = bench.command(&["run"]).env("FIGHTDNA_ALIASES", &folder).output().unwrap();
    assert!(output.status.success(), "{}", super::stderr(&output));
    let followed = || bench.lake().publications().unwrap().decisions;
    let digest = followed().expect("the log names the decisions");
    let kept = bench.lake().root().join("decisions/used").join(digest).join("a.toml");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), decision(&bench));
    let told = refused(&bench, 69, &["run"]);
    assert!(told.contains("FIGHTDNA_ALIASES") && told.contains("decisions/used"), "{told}");
    // The lake's own folder is read where none is named.
    std::fs::copy(folder.join("a.toml"), bench.lake().root().join("decisions/a.toml")).unwrap();
    bench.ok(&["run"]);
    std::fs::remove_file(bench.lake().root().join("decisions/a.toml")).unwrap();
    bench.ok(&["run", "--accept", "decisions"]);
    assert_eq!(followed(), None);
    bench.ok(&["run"]);
}

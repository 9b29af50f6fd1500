//! Ids that were published stay, whatever becomes of the pointer and the snapshots.

use std::path::Path;

use fdna_model::{Kind, entity_id};
use fdna_suite::{TestLake, rows};

use super::{ids, lake, refused};

/// Whether some id is not the one that its statistics alone would give it: only then can it move.
fn some_ids_rest_on_what_was_published(bench: &TestLake) -> bool {
    let tables = bench.tables();
    rows(&tables["identities"]).iter().any(|row| {
        let of_statistics = entity_id(Kind::Bout, "statsdb", &row["source_id"]).to_string();
        row["kind"] == "bout" && row["source"] == "statsdb" && row["entity_id"] != of_statistics
    })
}

fn stay(what: &str, damage: impl FnOnce(&TestLake, &Path)) {
    let bench = lake();
    let (snapshot, before) = (bench.snapshot(), ids(&bench));
    let folder = bench.lake().root().to_owned();
    damage(&bench, &folder);
    bench.ok(&["run"]);
    assert_eq!(ids(&bench), before, "{what}");
    assert_eq!(bench.snapshot().id, snapshot.id, "{what}");
    bench.ok(&["verify"]);
}

#[test]
fn the_lake_of_these_tests_has_ids_that_could_move() {
    assert!(some_ids_rest_on_what_was_published(&lake()));
}

#[test]
fn without_a_pointer_or_with_a_damaged_one() {
    stay("removed", |_, lake| std::fs::remove_file(lake.join("current.json")).unwrap());
    stay("emptied", |_, lake| std::fs::write(lake.join("current.json"), "").unwrap());
    stay("another id", |_, lake| {
        let path = lake.join("current.json");
        let text = std::fs::read_to_string(&path).unwrap();
        let at = text.find("snapshot_id").unwrap() + 16;
        let other = if &text[at..=at] == "0" { "1" } else { "0" };
        std::fs::write(&path, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
    });
}

#[test]
fn without_the_current_snapshot_or_with_a_damaged_one() {
    let of_current = |bench: &TestLake, lake: &Path| lake.join(format!("snapshots/{}", bench.snapshot().id));
    stay("manifest emptied", |bench, lake| {
        std::fs::write(of_current(bench, lake).join("manifest.json"), "").unwrap();
    });
    stay("manifest removed", |bench, lake| {
        std::fs::remove_file(of_current(bench, lake).join("manifest.json")).unwrap();
    });
    stay("folder removed", |bench, lake| std::fs::remove_dir_all(of_current(bench, lake)).unwrap());
    stay("all snapshots removed", |_, lake| std::fs::remove_dir_all(lake.join("snapshots")).unwrap());
    stay("identities damaged", |bench, lake| {
        let path = of_current(bench, lake).join("tables/identities.parquet");
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
    });
}

#[test]
fn after_going_back_twice() {
    stay("rolled back", |bench, _| {
        bench.ok(&["rollback"]);
        bench.ok(&["rollback"]);
    });
}

#[test]
fn after_everything_that_stages_made_is_gone() {
    stay("stages removed", |_, lake| {
        for stage in ["facts", "normalised", "merging", "derived"] {
            std::fs::remove_dir_all(lake.join(stage)).unwrap();
        }
    });
}

#[test]
fn a_run_that_cannot_read_the_registry_refuses_and_names_it() {
    for what in ["damaged", "cut", "gone"] {
        let bench = lake();
        let (before, snapshot) = (ids(&bench), bench.snapshot().id.to_string());
        let path = bench.lake().root().join("log/identities.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        match what {
            "damaged" => std::fs::write(&path, text.replacen("fighter", "Fighter", 1)).unwrap(),
            "cut" => std::fs::write(&path, text.lines().next().unwrap().to_owned() + "\n").unwrap(),
            _ => std::fs::remove_file(&path).unwrap(),
        }
        for args in [&["run"][..], &["run", "--dry-run"]] {
            let told = refused(&bench, 65, args);
            assert!(told.contains("log/identities.jsonl") && told.contains("identities restore"), "{told}");
        }
        let verified = bench.run(&["verify"]);
        assert!(String::from_utf8_lossy(&verified.stdout).contains("log/identities.jsonl"), "{what}");
        assert_eq!(bench.snapshot().id.to_string(), snapshot, "{what}: what is served stays");

        let told = bench.ok(&["identities", "restore", "--from", &snapshot, "--reason", "a test"]);
        assert!(told.contains("restored from snapshot"), "{told}");
        bench.ok(&["run"]);
        assert_eq!(ids(&bench), before, "{what}");
        bench.ok(&["verify"]);
    }
}

#[test]
fn the_links_of_an_entity_are_found_by_our_id_or_by_a_sources() {
    let bench = lake();
    let tables = bench.tables();
    let links = rows(&tables["identities"]);
    let asked = links.iter().find(|row| row["kind"] == "fighter" && row["source"] == "feed").unwrap();
    let of_entity: Vec<_> = links.iter().filter(|row| row["entity_id"] == asked["entity_id"]).collect();
    assert!(of_entity.len() > 1);
    let by_entity = bench.ok(&["identities", "--of", &asked["entity_id"]]);
    for row in &of_entity {
        let line =
            by_entity.lines().find(|line| line.contains(&format!("  {}  ", row["source_id"]))).unwrap();
        assert!(line.contains(&row["rule"]) && line.contains(&row["source"]), "{line}");
        assert!(bench.ok(&["identities", "--of", &row["source_id"]]).contains(&by_entity));
    }
    assert_eq!(by_entity.lines().count(), of_entity.len() + 1, "{by_entity}");
    let told = refused(&bench, 2, &["identities", "--of", "nobody"]);
    assert!(told.contains("no fighter, bout or event has the id \"nobody\""), "{told}");
}

#[test]
fn a_whole_registry_is_not_begun_anew() {
    let bench = lake();
    let snapshot = bench.snapshot().id.to_string();
    let told = refused(&bench, 2, &["identities", "restore", "--from", &snapshot, "--reason", "x"]);
    assert!(told.contains("it is whole"), "{told}");
}

#[test]
fn what_was_known_at_a_time_has_the_ids_that_were_published_then() {
    let bench = lake();
    let published = ids(&bench);
    // Every capture of the sample was taken by then, and every id published.
    let told = bench.ok(&["run", "--known-at", "2999-01-01T00:00:00Z"]);
    let id = bench.snapshot().id.to_string();
    assert!(told.contains(&format!("snapshot {id} as known at")), "{told}");
    assert_eq!(ids(&bench), published);
}

#[test]
fn a_lake_from_before_the_registry_begins_one_with_what_it_serves() {
    let bench = lake();
    let (before, snapshot) = (ids(&bench), bench.snapshot());
    let lake = bench.lake().root().to_owned();
    std::fs::remove_dir_all(lake.join("log")).unwrap();
    std::fs::remove_dir_all(lake.join("runs")).unwrap();
    std::fs::remove_dir_all(lake.join("snapshots")).unwrap();
    std::fs::remove_file(lake.join("current.json")).unwrap();
    // As such a build wrote them: without heads of logs.
    let tables = format!("snapshots/{}", snapshot.id);
    let whole = super::PUBLISHED.lake().root().join(&tables);
    std::fs::create_dir_all(lake.join(&tables).join("tables")).unwrap();
    for table in std::fs::read_dir(whole.join("tables")).unwrap() {
        let path = table.unwrap().path();
        let name = path.file_name().unwrap().to_owned();
        std::fs::copy(&path, lake.join(&tables).join("tables").join(name)).unwrap();
    }
    let text = std::fs::read_to_string(whole.join("manifest.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let fields = manifest.as_object_mut().unwrap();
    fields.retain(|name, _| !["sha256", "log_heads"].contains(&name.as_str()));
    fields.insert("format".to_owned(), 1.into());
    std::fs::write(lake.join(&tables).join("manifest.json"), manifest.to_string()).unwrap();
    let pointer = serde_json::json!({
        "format": 1, "snapshot_id": snapshot.id.to_string(), "moved_at": "2025-12-01T00:00:00Z"
    });
    std::fs::write(lake.join("current.json"), pointer.to_string()).unwrap();

    let told = bench.ok(&["run"]);
    assert!(told.contains("the registry of ids begins with"), "{told}");
    assert_eq!(ids(&bench), before);
    std::fs::remove_file(lake.join("current.json")).unwrap();
    bench.ok(&["run"]);
    assert_eq!(ids(&bench), before);
    bench.ok(&["verify"]);
}

#[test]
fn a_registry_that_lost_its_ids_while_it_was_restored_gets_them_back_and_a_backup_without_snapshots_too() {
    let bench = lake();
    let (snapshot, before) = (bench.snapshot().id, ids(&bench));
    // What an earlier build left that was killed between two commits.
    let writer = bench.lake().writer("a test", chrono::Utc::now()).unwrap();
    writer.begin_log_anew(fdna_lake::LogName::Identities, "a test").unwrap();
    drop(writer);
    bench.ok(&["verify"]);
    let told = bench.ok(&["identities", "restore", "--from", snapshot.as_str(), "--reason", "a test"]);
    assert!(told.contains("ids added that the registry lacked"), "{told}");
    let told = refused(&bench, 2, &["identities", "restore", "--from", snapshot.as_str(), "--reason", "x"]);
    assert!(told.contains("it is whole"), "{told}");
    let folder = bench.lake().root().to_owned();
    std::fs::remove_dir_all(folder.join("snapshots")).unwrap();
    std::fs::remove_file(folder.join("current.json")).unwrap();
    bench.ok(&["run"]);
    assert_eq!((bench.snapshot().id, ids(&bench)), (snapshot, before));
}

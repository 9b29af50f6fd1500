use super::*;

#[test]
fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = LakeStore::new(folder.path().join("a/b"));
    store.create_root().unwrap();
    store.put_file("x", "runs/r.json", b"long").unwrap();
    store.put_file("x", "runs/r.json", b"s").unwrap();
    assert_eq!(store.read_file("runs/r.json").unwrap().unwrap(), "s");
    assert_eq!(store.entries("runs").unwrap().len(), 1);
}

#[test]
fn a_folder_keeps_nothing_of_what_was_there_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = LakeStore::new(folder.path().to_path_buf());
    let (kept, other) = (folder.path().join("x/kept"), folder.path().join("x/other"));
    for half in ["tables/a", "tables/b", ".tmp-m.json-1", "more/c"] {
        std::fs::create_dir_all(other.join(half).parent().unwrap()).unwrap();
        std::fs::write(other.join(half), "other").unwrap();
    }
    // What should be a folder is a file, and the other way round.
    std::fs::create_dir_all(kept.join("m.json")).unwrap();
    std::fs::write(kept.join("tables"), "").unwrap();
    for target in ["x/kept", "x/other"] {
        let files = vec![("tables/a".to_owned(), Bytes::from_static(b"new").into())];
        let manifest = ("m.json", Bytes::from_static(b"{}"));
        store.put_folder(&FolderDraft { kind: "x", target: target.to_owned(), files, manifest }).unwrap();
        let found = store.entries(target).unwrap();
        assert_eq!(found, [("m.json".to_owned(), false), ("tables".to_owned(), true)].into());
        let inside = join_keys(target, "tables");
        assert_eq!(store.entries(&inside).unwrap(), [("a".to_owned(), false)].into());
        assert_eq!(store.read_file(&join_keys(&inside, "a")).unwrap().unwrap(), "new");
    }
}

#[test]
fn a_folder_without_manifest_is_stray_unless_a_commit_began_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = LakeStore::new(folder.path().to_path_buf());
    for (names, is_begun, is_stray) in [
        (&[][..], false, false),
        (&["a"], false, true),
        (&["a", ".tmp-m.json-1"], true, false),
        (&["a", ".tmp-m.jsonl-1"], false, true),
        (&["a", ".tmp-a-1", "m.json"], false, false),
        (&["a", ".tmp-m.json-1", "m.json"], false, false),
    ] {
        std::fs::create_dir(folder.path().join("x")).unwrap();
        for name in names {
            std::fs::write(folder.path().join("x").join(name), "").unwrap();
        }
        let found = (store.has_begun("x", "m.json").unwrap(), store.is_stray("x", "m.json").unwrap());
        assert_eq!(found, (is_begun, is_stray), "{names:?}");
        store.remove_tree("x").unwrap();
    }
}

#[test]
fn what_is_no_file_is_named_at_once_and_never_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = LakeStore::new(folder.path().to_path_buf());
    let path = |name: &str| folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    let _listening = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path("zeroes")).unwrap();
    std::os::unix::fs::symlink(path("pipe"), path("link")).unwrap();
    std::fs::create_dir(path("folder")).unwrap();
    for (name, what) in [
        ("link", "a named pipe"),
        ("pipe", "a named pipe"),
        ("socket", "a socket"),
        ("zeroes", "a device"),
        ("folder", "a folder"),
    ] {
        let read = store.read_file(name);
        assert!(matches!(read, Err(LakeError::NotAFile { found, .. }) if found == what), "{name}");
        store.remove_tree(name).unwrap();
        store.put_file("x", name, b"a file").unwrap();
        assert_eq!(store.read_file(name).unwrap().unwrap(), "a file", "{name}");
    }
    assert!(matches!(store.list_names("link", true), Err(LakeError::List { .. })), "no empty folder either");
}

#[test]
fn what_is_not_there_reads_as_nothing() {
    let store = LakeStore::new("/nonexistent/lake".into());
    assert_eq!(store.read_file("current.json").unwrap(), None);
    assert!(store.list_names("raw", true).unwrap().is_empty());
}

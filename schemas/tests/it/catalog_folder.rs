//! A folder that is laid out as `schemas/catalog`, used instead of what is compiled in.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use fdna_schemas::{
    CatalogFilesError, CatalogSource, catalog_audits, catalog_folder, catalog_routes, modelled_sports,
    models_digest, use_catalog_folder,
};
use tempfile::TempDir;

use crate::{contract_path, read_contract};

/// Tells this test that it runs in a process of its own, and which files the first process has.
const FILES_OF_THE_BUILD: &str = "FIGHTDNA_TEST_CATALOG_FILES";

/// Digests of the files that this process uses.
fn files_in_use() -> String {
    let digest = |texts: &dyn std::fmt::Debug| {
        let mut hasher = DefaultHasher::new();
        format!("{texts:?}").hash(&mut hasher);
        hasher.finish()
    };
    let models: Vec<_> = modelled_sports().into_iter().map(|sport| (sport, models_digest(sport))).collect();
    let sources: Vec<_> = CatalogSource::all().map(|source| (&source.source, source.digest())).collect();
    assert!(models.len() > 5 && sources.len() > 20 && catalog_routes().len() > 5);
    format!("{models:?}{sources:?}{} {}", digest(&catalog_routes()), digest(&catalog_audits(|_| true)))
}

#[test]
fn a_folder_gives_what_is_compiled_in() {
    if let Ok(of_the_build) = std::env::var(FILES_OF_THE_BUILD) {
        use_catalog_folder(&contract_path("catalog")).unwrap();
        assert_eq!(catalog_folder(), Some(&*contract_path("catalog")));
        assert_eq!(files_in_use(), of_the_build);
        return;
    }
    assert!(catalog_folder().is_none());
    // A process uses one catalog for its life.
    let program = std::env::current_exe().unwrap();
    let test = ["--exact", "catalog_folder::a_folder_gives_what_is_compiled_in"];
    let second = Command::new(program).args(test).env(FILES_OF_THE_BUILD, files_in_use()).output().unwrap();
    let said = String::from_utf8_lossy(&second.stdout);
    assert!(second.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn every_file_holds_by_itself_and_against_the_others() {
    let used = use_catalog_folder(&contract_path("catalog"));
    // They are checked before it is seen that another test of this process used the catalog.
    assert!(matches!(used, Ok(()) | Err(CatalogFilesError::InUse(_))), "{used:?}");
}

/// The catalog with one of its folders replaced by these files.
fn catalog_with(replaced: &str, files: &[(&str, &str)]) -> TempDir {
    let catalog = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(contract_path("catalog")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != replaced {
            symlink(entry.path(), catalog.path().join(entry.file_name())).unwrap();
        }
    }
    for (path, text) in files {
        let path = catalog.path().join(replaced).join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a file of a test is no file of a lake")]
        std::fs::write(path, text).unwrap();
    }
    catalog
}

#[test]
fn what_does_not_hold_is_named_by_file_and_reason() {
    let why = |replaced: &str, files: &[(&str, &str)]| {
        use_catalog_folder(catalog_with(replaced, files).path()).unwrap_err().to_string()
    };
    let source = read_contract("catalog/sources/nhl-boxes.toml");
    let contract = read_contract("catalog/models/nhl/nhl_games.toml");
    assert!(why("sources", &[("x-y.toml", "source = 3")]).starts_with("x-y is not valid: "));
    assert!(why("sources", &[("x-y.toml", &source)]).contains("is called"), "another name");
    assert!(why("models", &[("nhl/nhl_games.sql", "SELECT 1")]).contains("comment"));
    assert!(why("models", &[("nhl/nhl_games.toml", &contract)]).contains("no model"));
    let dna = why("dna", &[("nhl/nhl_goalie_dna.toml", "meaning = 1")]);
    assert!(dna.starts_with("nhl/nhl_goalie_dna is not valid: "), "{dna}");
    let rating = read_contract("catalog/ratings/tennis/tennis_player_ratings.toml");
    let of_nothing = rating.replace("tennis_rating_contests", "tennis_bouts");
    let rating = why("ratings", &[("tennis/tennis_player_ratings.toml", &of_nothing)]);
    assert!(rating.contains("no model makes its contests, tennis/tennis_bouts"), "{rating}");
    let missing = use_catalog_folder(Path::new("/nowhere")).unwrap_err();
    assert!(matches!(missing, CatalogFilesError::Unreadable { .. }), "{missing}");
}

//! Contracts of sources.

use std::collections::BTreeMap;

use fdna_schemas::{CatalogSource, SourceContract, SourceFile, SourceGroup, Tables};

use crate::names_in;

#[test]
fn a_star_stands_for_every_file_that_ends_so() {
    let named = |name: &str| SourceFile {
        name: name.to_owned(),
        table: String::new(),
        group: None,
        key: Vec::new(),
        columns: Vec::new(),
    };
    let (all, one) = (named("*.csv"), named("bouts.csv"));
    assert_eq!(["a.csv", ".csv", "a.json"].map(|name| all.is_named(name)), [true, false, false]);
    assert_eq!(["bouts.csv", "a-bouts.csv"].map(|name| one.is_named(name)), [true, false]);
}

#[test]
fn the_rows_of_a_table_tell_of_one_thing_whichever_source_gives_them() {
    let mut groups: BTreeMap<&str, SourceGroup> = BTreeMap::new();
    for contract in SourceContract::all() {
        for file in &contract.files {
            let group = file.group.unwrap_or(contract.group);
            let first = *groups.entry(&file.table).or_insert(group);
            assert_eq!(group, first, "{} of {}", file.table, contract.source);
            assert!(contract.feeds().contains(&group));
        }
    }
}

#[test]
fn a_source_feeds_its_own_group_and_those_of_its_files() {
    let feeds = |source| SourceContract::get(source).unwrap().feeds().into_iter().collect::<Vec<_>>();
    assert_eq!(feeds("news"), [SourceGroup::Wire, SourceGroup::Videos]);
    assert_eq!(feeds("wire"), [SourceGroup::Wire]);
}

#[test]
fn every_source_file_feeds_a_known_table() {
    assert!(SourceContract::names().eq(names_in("sources")));
    for name in SourceContract::names() {
        let contract = SourceContract::get(name).unwrap();
        for file in &contract.files {
            assert!(Tables::get().table(&file.table).is_ok(), "{}", file.table);
        }
    }
}

#[test]
fn a_star_stands_for_any_text_of_a_name_and_gz_is_looked_through() {
    let mut file = CatalogSource::all().next().unwrap().files[0].clone();
    file.name = "skaters_*.csv".to_owned();
    let names = ["skaters_2025.csv", "skaters_2025.csv.gz", "skaters_.csv", "skaters_2025.json"];
    assert_eq!(names.map(|name| file.star_of(name)), [Some("2025"), Some("2025"), None, None]);
}

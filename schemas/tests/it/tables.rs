//! Contracts of tables, and their rows.

use std::collections::BTreeSet;

use arrow::array::RecordBatch;
use chrono::DateTime;
use fdna_schemas::tables::{AliasesReader, AliasesRow, ColumnValue, ContractReader, ContractRow, ResultsRow};
use fdna_schemas::{Table, TableWriter, Tables, contracts_digest};
use uuid::Uuid;

use crate::{names_in, read_contract};

#[test]
fn every_contract_names_its_file_and_its_key_exists_and_is_never_null() {
    for table in Tables::get().iter() {
        for key in &table.key {
            let column = table.columns.iter().find(|c| &c.name == key);
            let column = column.unwrap_or_else(|| panic!("{}: no key column {key}", table.name));
            assert!(!column.is_nullable(), "{}.{key}", table.name);
        }
        let newest = table.history.iter().map(|h| h.version).max();
        assert_eq!(newest, Some(table.version), "{}", table.name);
    }
    for file in names_in("tables") {
        let text = read_contract(&format!("tables/{file}.toml"));
        assert_eq!(Table::parse(&file, &text).unwrap().name, file);
    }
    assert_eq!(
        Tables::get().iter().map(|table| table.name.clone()).collect::<BTreeSet<_>>(),
        names_in("tables")
    );
}

#[test]
fn an_unknown_word_in_a_contract_is_an_error() {
    let text = "name='x'\nstage='facts'\nversion=1\ngrain=''\nkey=[]\nmeaning=''\nhistory=[]\ncolumn=[]\nnulable=true";
    assert!(Table::parse("x", text).is_err());
}

#[test]
fn tables_of_backfills_alone_are_in_no_fingerprint_of_a_stage() {
    let of_backfills: Vec<&str> =
        Tables::get().iter().filter(|t| t.stage == "backfill").map(|t| t.name.as_str()).collect();
    assert_eq!(of_backfills, ["panel_ratios", "panel_vintage_long", "panel_vintage_wide"]);
    // As it was before there were any. It changes with every other contract: then take the new one.
    assert_eq!(&contracts_digest()[..16], "f47f9b45084992fa");
}

fn aliases(ids: [Option<Uuid>; 2]) -> RecordBatch {
    let of = |text: &'static str| [text; 2];
    TableWriter::new(Tables::get().table("aliases").unwrap())
        .texts("kind", of("fighter"))
        .uuids("alias_id", ids)
        .uuids("entity_id", [Some(Uuid::max()); 2])
        .texts("rule", of("name"))
        .texts("since_capture", of("c"))
        .instants("since_at", [Some(DateTime::UNIX_EPOCH); 2])
        .finish()
        .unwrap()
}

#[test]
fn rows_are_what_was_written() {
    let batch = aliases([Some(Uuid::nil()), Some(Uuid::max())]);
    let rows = AliasesReader::of(&batch).all_rows().unwrap();
    assert_eq!(rows.iter().map(|row| row.alias_id).collect::<Vec<_>>(), [Uuid::nil(), Uuid::max()]);
    assert_eq!(rows[0].values()[AliasesRow::KIND.place], ColumnValue::Text("fighter"));
}

#[test]
fn places_are_those_of_the_contract() {
    let table = Tables::get().table(ResultsRow::TABLE).unwrap();
    for column in [ResultsRow::BOUT_ID, ResultsRow::WINNER_ID, ResultsRow::METHOD] {
        assert_eq!(table.place(column.name), Some(column.place));
    }
}

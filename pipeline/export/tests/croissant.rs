//! What a Croissant document says of tables, and what it leaves out.

use std::collections::BTreeSet;

use fdna_export::{DatasetDescription, DatasetTable, ExportedSchema, croissant_document};
use serde_json::{Value, json};

fn schema(key: &[&str], columns: &[&str]) -> ExportedSchema {
    let columns = columns.iter().map(|name| {
        json!({ "name": name, "type": "uuid", "nullable": false, "meaning": format!("what {name} says"), "unit": "s" })
    });
    serde_json::from_value(json!({
        "meaning": "m", "grain": "g", "key": key, "columns": columns.collect::<Vec<_>>(),
    }))
    .unwrap()
}

fn document(tables: &[(&str, Option<&ExportedSchema>)], licences: &[String]) -> Value {
    let tables = tables.iter().map(|(name, schema)| DatasetTable {
        name,
        content_url: format!("{name}/x.parquet"),
        bytes: 4,
        sha256: "00",
        schema: *schema,
    });
    croissant_document(&DatasetDescription {
        product: "mma",
        snapshot: "5d40bb29929afb48bcae5dbfc07c0f58",
        published_at: None,
        synthetic: false,
        licences,
        sources: BTreeSet::new(),
        tables: tables.collect(),
    })
}

#[test]
fn a_column_refers_to_the_table_of_what_it_names_and_to_no_other() {
    let (fighters, bouts) =
        (schema(&["fighter_id"], &["fighter_id"]), schema(&["bout_id"], &["bout_id", "fighter_id"]));
    let (pairs, results) =
        (schema(&["bout_id", "place"], &["bout_id"]), schema(&["bout_id"], &["bout_id", "event_id"]));
    let tables = [
        ("bouts", Some(&bouts)),
        ("fighters", Some(&fighters)),
        ("results", Some(&results)),
        ("events", Some(&pairs)),
    ];
    let document = document(&tables, &[]);
    let sets = document["recordSet"].as_array().unwrap().iter();
    let fields = sets.flat_map(|set| set["field"].as_array().unwrap());
    let references: Vec<(&str, &str)> = fields
        .filter_map(|field| Some((field["@id"].as_str()?, field["references"]["field"]["@id"].as_str()?)))
        .collect();
    // `results` and `events` name bouts, which refer to fighters: a chain.
    let expected = [("bouts/fighter_id", "fighters/fighter_id")];
    assert_eq!(references, expected);
    assert_eq!(document["recordSet"][0]["key"], json!([{ "@id": "bouts/bout_id" }]));
    assert_eq!(document["recordSet"][0]["field"][0]["unitText"], "s");
}

#[test]
fn what_nobody_states_is_left_out() {
    let document = document(&[("odd", None)], &[]);
    assert_eq!(document["recordSet"], json!([]));
    assert_eq!(document["distribution"][0]["@id"], "odd.parquet");
    for absent in ["license", "citeAs", "version", "datePublished", "creditText", "creator", "url"] {
        assert_eq!(document.get(absent), None, "{absent}");
    }
}

#[test]
fn licences_are_those_that_were_chosen() {
    let document = document(&[], &["A".to_owned(), "another".to_owned()]);
    assert_eq!(document["license"], json!(["A: sources that may be redistributed with their notice"]));
}

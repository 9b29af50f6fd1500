//! Rights of images, and which one is a fighter's picture.

use serde_json::json;

use crate::content::{facts, told};

const IMAGES: [&str; 5] = ["image_url", "fighter_id", "not_served_reason", "is_primary", "attribution_text"];

fn images(captures: &[(&str, serde_json::Value)]) -> Vec<String> {
    let texts: Vec<(&str, String)> = captures.iter().map(|(date, json)| (*date, json.to_string())).collect();
    let captures = texts.iter().map(|(date, text)| facts("images", date, &[("a.json", text)])).collect();
    let mut rows = told(captures).rows("images", &IMAGES);
    rows.sort();
    rows
}

/// A record of Zorvik Quandle that may be shown, with other fields.
pub(crate) fn image(name: &str, fields: serde_json::Value) -> serde_json::Value {
    let mut record = json!({
        "subject_name": "Zorvik Quandle", "image_url": format!("https://i.example/{name}"), "kind": "portrait",
        "license": "CC0", "author": "Ana",
    });
    for (key, value) in fields.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}

#[test]
fn an_image_without_licence_or_credit_is_not_served() {
    let rows = images(&[(
        "2026-03-01",
        json!([
            image("a", json!({})),
            image("b", json!({"license": null})),
            image("c", json!({"license": "All rights reserved", "attribution_text": "Ana"})),
            image("d", json!({"author": null})),
            image("e", json!({"author": null, "attribution_text": "By Ana"})),
            image("f", json!({"rights_expires_at": "2026-03-01"})),
            image("g", json!({"rights_expires_at": "2026-03-02"})),
            image("h", json!({"subject_name": "Nobody Known"})),
        ]),
    )]);
    let but_primary: Vec<String> =
        rows.iter().map(|row| row.replace("| true |", "|").replace("| false |", "|")).collect();
    assert_eq!(
        but_primary,
        [
            "https://i.example/a | Zorvik Quandle | - | Ana, CC0",
            "https://i.example/b | Zorvik Quandle | no_licence | -",
            "https://i.example/c | Zorvik Quandle | no_licence | Ana",
            "https://i.example/d | Zorvik Quandle | no_attribution | -",
            "https://i.example/e | Zorvik Quandle | - | By Ana",
            "https://i.example/f | Zorvik Quandle | rights_expired | Ana, CC0",
            "https://i.example/g | Zorvik Quandle | - | Ana, CC0",
            "https://i.example/h | - | - | Ana, CC0",
        ]
    );
    assert_eq!(rows.iter().filter(|row| row.contains("| true |")).count(), 1, "one picture a fighter");
}

/// The image that is the fighter's picture.
fn picture(records: serde_json::Value) -> String {
    let rows = images(&[("2026-03-01", records)]);
    let row = rows.iter().find(|row| row.contains("| true |")).cloned().unwrap_or_default();
    row.split(" | ").next().unwrap_or_default().trim_start_matches("https://i.example/").to_owned()
}

#[test]
fn the_picture_is_a_portrait_that_is_served_large_and_new() {
    let small = json!({"width": 100, "height": 100});
    let large = json!({"width": 800, "height": 800});
    assert_eq!(
        picture(json!([
            image("a", json!({"kind": "action", "width": 900, "height": 900})),
            image("b", small.clone())
        ])),
        "b"
    );
    assert_eq!(picture(json!([image("a", small.clone()), image("b", large.clone())])), "b");
    assert_eq!(picture(json!([image("a", large), image("b", json!({}))])), "a");
    let made = |date: &str| json!({"width": 100, "height": 100, "created_at": date});
    assert_eq!(picture(json!([image("a", made("2026-01-01")), image("b", made("2026-01-02"))])), "b");
    assert_eq!(
        picture(json!([image("a", json!({"license": ""})), image("b", json!({"kind": "action"}))])),
        "b"
    );
    assert_eq!(picture(json!([image("a", json!({"rights_expires_at": "2020-01-01"}))])), "");
    let (ab, ba) = (
        json!([image("a", json!({})), image("b", json!({}))]),
        json!([image("b", json!({})), image("a", json!({}))]),
    );
    assert_eq!(picture(ab), picture(ba), "the order of the records does not matter");
}

#[test]
fn the_newest_record_of_an_image_says_all_of_its_rights() {
    let licensed = json!([image("a", json!({}))]);
    let revoked = json!([image("a", json!({"license": null}))]);
    let elsewhere = json!([image("b", json!({"subject_name": "Abel Quoss"}))]);
    let rows = images(&[
        ("2026-03-01", licensed.clone()),
        ("2026-03-02", revoked.clone()),
        ("2026-03-03", elsewhere.clone()),
    ]);
    assert_eq!(rows[0], "https://i.example/a | Zorvik Quandle | no_licence | false | -");
    assert_eq!(images(&[("2026-03-03", elsewhere), ("2026-03-02", revoked), ("2026-03-01", licensed)]), rows);
    // Rights end as the captures go on.
    let ending = json!([image("a", json!({"rights_expires_at": "2026-03-02"}))]);
    assert!(images(&[("2026-03-01", ending.clone())])[0].contains("| - | true |"));
    assert!(images(&[("2026-03-01", ending), ("2026-03-05", json!([]))])[0].contains("rights_expired"));
}

#[test]
fn of_two_records_of_one_address_the_first_stands_and_the_other_is_set_aside() {
    let both = json!([
        image("a", json!({})),
        image("a", json!({"subject_name": "Abel Quoss"})),
        image("a", json!({}))
    ]);
    let told = told(vec![facts("images", "2026-03-01", &[("a.json", &both.to_string())])]);
    assert_eq!(told.rows("images", &["fighter_id"]), ["Zorvik Quandle"]);
    assert_eq!(
        told.rows("quarantine", &["line", "kind", "severity"]),
        ["2 | duplicate | quarantine", "3 | duplicate | note"]
    );
}

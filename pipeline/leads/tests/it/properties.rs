//! Properties over sockets: listed, found by address, valued, and refused.

use std::sync::Arc;

use chrono::{Days, NaiveDate};
use fdna_leads::{PropertyShelf, ServedProperties, ServedValidity};
use fdna_valuation::{PropertyBook, PropertyFacts, PropertyRecord, SaleRecord, Spelling, ValuationConstants};
use serde_json::{Value, json};

use crate::common::{Served, at, serve};

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn facts(n: u32) -> PropertyFacts {
    PropertyFacts {
        market: "nyc".to_owned(),
        area: Some(format!("1030{}", n % 3)),
        neighborhood: Some("BAY".to_owned()),
        block: Some((n % 20).to_string()),
        kind: "one_family".to_owned(),
        floor_sqft: Some(i32::try_from(1200 + n * 37 % 1100).unwrap()),
        lot_sqft: Some(4000),
        year_built: Some(1960),
        ..PropertyFacts::default()
    }
}

fn record(n: u32) -> PropertyRecord {
    PropertyRecord {
        id: format!("nyc-5-{n}"),
        source: "properties-nyc-sales".to_owned(),
        parcel: Some(format!("5-{n}")),
        address_stated: format!("{n} BAY STREET"),
        address: format!("{n} BAY STREET"),
        unit: None,
        city: "Staten Island".to_owned(),
        state: "NY".to_owned(),
        zip: Some(format!("1030{}", n % 3)),
        type_stated: Some("01 ONE FAMILY DWELLINGS".to_owned()),
        facts: facts(n),
        // House 7 was sold once more than its sales say: the value of an earlier day has the sale before that.
        last_sale: (n == 7).then(|| (day("2023-12-01"), 999_000)),
        captured_at: at("2024-04-16T00:00:00Z"),
    }
}

/// 600 houses of one street, each sold once in five years for about 300 dollars a square foot; a building of two flats, a
/// co-operative and a house that none resembles.
fn book() -> PropertyBook {
    let mut records: Vec<PropertyRecord> = (1..=600).map(record).collect();
    let flat = |n: u32, unit: &str| PropertyRecord {
        address: "900 BAY STREET".to_owned(),
        unit: Some(unit.to_owned()),
        zip: Some("10301".to_owned()),
        ..record(n)
    };
    records.extend([flat(901, "1A"), flat(902, "2A")]);
    let stated =
        |n: u32, facts: PropertyFacts| PropertyRecord { facts, zip: Some("10301".to_owned()), ..record(n) };
    records.push(stated(1001, PropertyFacts { kind: "cooperative".to_owned(), ..facts(1001) }));
    let at_address = |n: u32, address: &str| PropertyRecord {
        address: address.to_owned(),
        zip: Some("10301".to_owned()),
        ..record(n)
    };
    records.extend([
        at_address(2001, "12 1 STREET"),
        at_address(2002, "22"),
        at_address(2003, "19 1/2 Sample STREET"),
        at_address(2004, "7830 W Van Beck Ave"),
        at_address(2005, "7840 W Van Beck Ave"),
        at_address(2006, "7842 W Van Beck Ave"),
        at_address(2007, "9086-D N 95TH ST"),
        at_address(2008, "2405-2411 N 5TH ST"),
        at_address(2009, "412 ST PAUL'S AVENUE"),
        at_address(2010, "366 WILCOX STREET"),
    ]);
    // A building of condominiums whose flats old captures did not state, in a city of which no property has a zip.
    let condominium = |n: u32, address: &str, unit: Option<&str>| PropertyRecord {
        address: address.to_owned(),
        unit: unit.map(str::to_owned),
        city: "Milwaukee".to_owned(),
        state: "WI".to_owned(),
        zip: None,
        facts: PropertyFacts { kind: "condominium".to_owned(), ..facts(n) },
        ..record(n)
    };
    records.extend([
        condominium(3001, "1888 N WATER ST", None),
        condominium(3002, "1888 N WATER ST", Some("2")),
        PropertyRecord { facts: facts(3003), ..condominium(3003, "12 N WATER ST", None) },
    ]);
    let none_like_it = PropertyFacts { floor_sqft: Some(90_000), block: None, ..facts(1002) };
    records.push(PropertyRecord { address: "1002 Far Place".to_owned(), ..stated(1002, none_like_it) });
    let spelling = |property: &str, address: &str| Spelling {
        property: property.to_owned(),
        address: address.to_owned(),
        unit: String::new(),
    };
    // A lot that got another number, which another house has now.
    let spellings = [spelling("nyc-5-7", "7 OLD NAME AVENUE"), spelling("nyc-5-10", "13 BAY STREET")];
    let sale = |n: u32| {
        let sold_on = day("2019-01-02") + Days::new(u64::from(n * 3));
        let price = i64::from(facts(n).floor_sqft.unwrap()) * i64::from(290 + n % 21);
        SaleRecord {
            property: format!("nyc-5-{n}"),
            sold_on,
            price,
            excluded_as: None,
            address: format!("{n} BAY STREET"),
            facts: facts(n),
            captured_on: sold_on + Days::new(60),
        }
    };
    let mut sales: Vec<SaleRecord> = (1..=600).map(sale).collect();
    sales.push(SaleRecord { price: 90_000_000, excluded_as: Some("several_parcels".to_owned()), ..sale(8) });
    PropertyBook::new(ValuationConstants::built_in().unwrap(), records, &spellings, sales)
}

fn validity() -> Vec<ServedValidity> {
    let slice = |own: Value| match own {
        Value::Object(row) => row,
        _ => ServedValidity::new(),
    };
    vec![
        slice(
            json!({"market": "nyc", "slice": "all", "dimension": "all", "valued": 90, "median_error": 0.1}),
        ),
        slice(json!({
            "market": "nyc", "slice": "price_tenth 01", "dimension": "price_tenth", "median_ratio": 1.09,
            "median_ratio_low": 1.05, "median_ratio_high": 1.12
        })),
    ]
}

pub(crate) fn served(folder: &std::path::Path) -> Served {
    let served = ServedProperties {
        book: book(),
        validity: validity(),
        notices: [("properties-nyc-sales".to_owned(), "Source: the publisher".to_owned())].into(),
        snapshot_id: "test".to_owned(),
    };
    let shelf = PropertyShelf::default();
    shelf.store(Some(Arc::new(served)));
    serve(folder, move |options| options.properties = Some(shelf))
}

pub(crate) fn asked(address: &str, as_of: Value) -> String {
    json!({"address": address, "city": "staten island", "state": "ny", "zip": "10301", "as_of": as_of})
        .to_string()
}

#[test]
fn properties_are_listed_with_what_is_known_and_nulls() {
    let folder = tempfile::tempdir().unwrap();
    let server = served(folder.path());
    let get = |query: &str| server.call("GET", &format!("/v1/properties{query}"), &[], None);
    let list = get("?limit=2&offset=3").json();
    assert_eq!(list["meta"], json!({"total": 617, "limit": 2, "offset": 3}));
    let numbers = [&list["data"][0]["address"]["number"], &list["data"][1]["address"]["number"]];
    assert_eq!(numbers, [&json!("2"), &json!("3")]);
    let first = &get("?q=12%20bay%20st.").json()["data"][0];
    assert_eq!(first["address"]["line"], "12 BAY ST");
    assert_eq!((&first["address_stated"], &first["beds"]), (&json!("12 BAY STREET"), &Value::Null));
    assert_eq!((&first["last_sale"], &first["notice"]), (&Value::Null, &json!("Source: the publisher")));
    assert_eq!(get("?zip=10301&city=STATEN%20island&state=ny&limit=1").json()["meta"]["total"], 214);
    assert_eq!(get("?state=WI").json()["meta"]["total"], 3);
    assert_eq!(get("?state=CA").json()["meta"]["total"], 0);
    for query in ["?limit=101", "?zip=1", "?owner=x", "?q="] {
        assert_eq!((get(query).status, get(query).code().as_str()), (400, "invalid_parameter"), "{query}");
    }
    assert_eq!(server.call("PUT", "/v1/properties", &[], Some("{}")).status, 405);
    assert_eq!(server.ask("GET", "/v1/properties", &[], None).unwrap().status, 401);
}

#[test]
fn one_property_is_valued_and_what_cannot_be_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let server = served(folder.path());
    let value = |body: &str| server.call("POST", "/v1/properties/valuate", &[], Some(body));
    let answer = value(&asked("7 Bay Street", json!("2023-06-01")));
    assert_eq!(answer.status, 200, "{}", answer.text);
    let data = answer.json()["data"].clone();
    let (got, expected) = (data["value"].as_f64().unwrap(), f64::from(facts(7).floor_sqft.unwrap()) * 300.0);
    assert!((got / expected - 1.0).abs() < 0.1, "{got} for {expected}");
    assert_eq!((&data["provenance"], &data["property"]["id"]), (&json!("HOUSE_DERIVED"), &json!("nyc-5-7")));
    let listed = data["comparables"]["listed"].as_array().unwrap();
    assert!(!listed.is_empty() && listed.iter().all(|own| own["sold_on"].as_str().unwrap() < "2023-06-01"));
    assert!(
        listed.iter().all(|own| own["distance_m"].is_null() && own["price"].as_i64().unwrap() < 1_000_000)
    );
    let shares = data["breakdown"]["shares"].as_array().unwrap();
    let sum: i64 = shares.iter().map(|share| share["amount"].as_i64().unwrap()).sum();
    assert_eq!(data["breakdown"]["typical_value"].as_i64().unwrap() + sum, data["value"].as_i64().unwrap());
    let within = |near: &str| data["probability_within"][near].as_f64().unwrap();
    assert!(0.0 < within("5") && within("5") <= within("10") && within("10") <= within("20"), "{data}");
    assert!(data["forecast_standard_deviation"].as_f64().unwrap() > 0.0);
    assert!(data["facts"]["given"].is_null() && data["facts"]["used"].is_null());
    assert_eq!(data["facts"]["captured_after_as_of"], true, "captured in 2024, of a day of 2023");
    assert_eq!(data["property"]["last_sale"]["date"], json!("2019-01-23"), "{}", data["property"]);
    let later = value(&asked("7 Bay Street", json!("2024-01-01"))).json();
    assert_eq!(later["data"]["property"]["last_sale"], json!({"date": "2023-12-01", "price": 999_000}));
    let by_other_name = value(&asked("7 old name ave", json!("2023-06-01")));
    assert_eq!(by_other_name.json()["data"]["value"], data["value"]);

    let refused = |body: &str, status: u16, code: &str| {
        let answer = value(body);
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{body}");
        answer.json()["error"].clone()
    };
    let today = Value::Null;
    refused(&asked("77777 Bay Street", today.clone()), 404, "property_not_found");
    refused(&asked("Bay Street", today.clone()), 404, "property_not_found");
    let several = refused(&asked("900 Bay St", today.clone()), 409, "ambiguous_address");
    assert_eq!(several["details"]["properties"].as_array().unwrap().len(), 2);
    let reason = |address: &str, as_of: Value, word: &str| {
        let error = refused(&asked(address, as_of), 503, "valuation_not_available");
        assert!(error["message"].as_str().unwrap().contains(word), "{error}");
    };
    reason("900 Bay St #2a", json!("2018-01-01"), "too few sales");
    reason("1001 Bay St", json!("2023-06-01"), "cooperative");
    reason("1002 Far Pl", json!("2023-06-01"), "comparable sales");
    assert_eq!(
        refused(&asked("7 Bay St", json!("2999-01-01")), 400, "invalid_field")["details"]["field"],
        "as_of"
    );
    for body in ["{}", r#"{"address":"7 BAY ST","city":"a","state":"NYS","zip":"10301"}"#, r#"{"owner":"x"}"#]
    {
        refused(body, 400, "invalid_field");
    }
    let (address, hostile) = ("7 Bay St'; DROP TABLE x; --\u{202e}", "\u{0}");
    assert_eq!(value(&asked(address, today.clone())).status, 400);
    assert_eq!(value(&asked(hostile, today)).status, 400);
}

#[test]
fn an_address_is_found_however_people_write_it_and_a_number_alone_is_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    let server = served(folder.path());
    let found = |address: &str| {
        let answer =
            server.call("POST", "/v1/properties/valuate", &[], Some(&asked(address, json!("2023-06-01"))));
        let id = answer.json()["data"]["property"]["id"].as_str().map(str::to_owned);
        (answer.status, id.unwrap_or_else(|| answer.code()))
    };
    for (addresses, id) in [
        (["12 1st Street", "12 First St", "12 1 ST"], "nyc-5-2001"),
        (["19\u{bd} Sample St", "19 1/2 Sample St", "19-1/2 Sample Street"], "nyc-5-2003"),
        (
            ["7830-7832 W VAN BECK AV", "7830 - 32 W Van Beck Ave", "7830-32 West Van Beck Avenue"],
            "nyc-5-2004",
        ),
    ] {
        for address in addresses {
            assert_eq!(found(address), (200, id.to_owned()), "{address}");
        }
    }
    assert_eq!(found("7840-7842 W Van Beck Ave"), (409, "ambiguous_address".to_owned()));
    for (address, id) in [
        ("9086D N 95th St", "nyc-5-2007"),
        ("9086 N. 95th Street, Unit d", "nyc-5-2007"),
        ("2405-2411 North 5th St", "nyc-5-2008"),
        ("2409 N 5TH ST", "nyc-5-2008"),
        ("  412  st pauls   ave. ,", "nyc-5-2009"),
        ("412 Saint Paul\u{2019}s Ave, Staten Island, NY 10301", "nyc-5-2009"),
        ("412 St Pauls Ave Staten Island New York 10301, USA", "nyc-5-2009"),
    ] {
        assert_eq!(found(address), (200, id.to_owned()), "{address}");
    }
    for address in ["366 Wilcox", "7 Bay Street, Apt 4", "13 Bay St"] {
        assert_eq!(found(address), (409, "ambiguous_address".to_owned()), "{address}");
    }
    for address in [
        "22",
        "22, 2B",
        "19 Sample St",
        "191 Sample St",
        "7831 W Van Beck Ave",
        "2408 N 5th St",
        "366 Wilcox Ave",
    ] {
        assert_eq!(found(address), (404, "property_not_found".to_owned()), "{address}");
    }
    for day in ["-001-01-01", "+023-07-01", "2023-7-01 ", "20230701xx"] {
        let refused =
            server.call("POST", "/v1/properties/valuate", &[], Some(&asked("7 Bay St", json!(day))));
        assert_eq!((refused.status, refused.code().as_str()), (400, "invalid_field"), "{day}");
    }
}

#[test]
fn a_house_is_valued_as_described_and_the_fewer_facts_the_wider_its_interval() {
    let folder = tempfile::tempdir().unwrap();
    let server = served(folder.path());
    let ask = |body: Value| {
        let mut asked = json!({"city": "Staten Island", "state": "NY", "as_of": "2023-06-01"});
        asked.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        server.call("POST", "/v1/properties/valuate", &[], Some(&asked.to_string()))
    };
    let described = |body: Value| {
        let answer = ask(body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()["data"].clone()
    };
    // No capture has it; its neighbours on the street say where it is.
    let address = "603 1/2 Bay Street";
    let all =
        json!({"type": "one_family", "floor_area_sqft": 1500, "lot_area_sqft": 4000, "year_built": 1960});
    let known = described(json!({"address": address, "facts": all}));
    let value = known["value"].as_f64().unwrap();
    assert!((value / (1500.0 * 300.0) - 1.0).abs() < 0.15, "{value}");
    assert!(known["property"].is_null() && known["facts"]["captured"].is_null());
    assert_eq!(known["facts"]["given"]["floor_area_sqft"], json!(1500.0));
    assert_eq!(known["facts"]["used"]["type"], "one_family");
    assert!(known["confidence_reasons"].as_array().unwrap().contains(&json!("facts_as_described")));
    let width = |data: &Value| {
        let end = |name: &str| data["interval"][name].as_f64().unwrap();
        (end("high") - end("low")) / data["value"].as_f64().unwrap()
    };
    let few = described(json!({"address": address, "facts": {"type": "one_family"}}));
    assert!(width(&few) > 1.3 * width(&known), "{} for {}", width(&few), width(&known));
    for place in [json!({"zip": "10301"}), json!({"facts": {"type": "one_family", "block": "7"}})] {
        let mut body = json!({"facts": {"type": "one_family"}});
        body.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
        assert!(described(body)["property"].is_null());
    }

    // What a capture says is corrected, and stands beside what was given.
    let captured = described(json!({"address": "7 Bay St", "zip": "10301"}));
    let corrected =
        described(json!({"address": "7 Bay St", "zip": "10301", "facts": {"floor_area_sqft": 2200}}));
    assert_eq!(corrected["property"]["id"], "nyc-5-7");
    assert!(corrected["value"].as_i64() > captured["value"].as_i64());
    assert_eq!(corrected["facts"]["captured"]["floor_area_sqft"], json!(facts(7).floor_sqft));
    assert_eq!(corrected["facts"]["used"]["floor_area_sqft"], json!(2200.0));
    let same = described(json!({"address": "7 Bay St", "zip": "10301", "facts": {}}));
    assert_eq!((&same["value"], &same["confidence"]), (&captured["value"], &captured["confidence"]));
    // A co-operative's lot has no value; the same dwelling as a house has.
    let as_house = json!({"address": "1001 Bay St", "zip": "10301", "facts": {"type": "one_family"}});
    assert!(described(as_house)["value"].as_i64() > Some(0));

    for (body, status, code) in [
        (json!({"address": address, "facts": {"floor_area_sqft": 1500}}), 400, "invalid_field"),
        (json!({"facts": {"type": "castle"}, "zip": "10301"}), 400, "invalid_field"),
        (
            json!({"facts": {"type": "one_family", "floor_area_sqft": -1}, "zip": "10301"}),
            400,
            "invalid_field",
        ),
        (
            json!({"facts": {"type": "one_family", "year_built": 1960.5}, "zip": "10301"}),
            400,
            "invalid_field",
        ),
        (json!({"facts": {"type": "one_family", "owner": "x"}, "zip": "10301"}), 400, "invalid_field"),
        (json!({"facts": "large", "zip": "10301"}), 400, "invalid_field"),
        (json!({"facts": {"type": "one_family"}, "zip": "99999"}), 400, "invalid_field"),
        (json!({"facts": {"type": "one_family", "block": "no such"}}), 503, "valuation_not_available"),
        (json!({"address": "7 Bay St"}), 400, "invalid_field"),
        (json!({"address": "7 Bay St", "zip": "10301", "facts": {"block": "8"}}), 400, "invalid_field"),
    ] {
        let answer = ask(body.clone());
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{body}");
    }
}

#[test]
fn what_values_are_worth_is_asked_by_market_and_kind_of_slice_and_stands_on_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = served(folder.path());
    let slices = |query: &str| {
        let answer = server.call("GET", &format!("/v1/properties/validity{query}"), &[], None).json();
        assert_eq!(answer["meta"]["total"], json!(answer["data"].as_array().unwrap().len()));
        answer["data"].clone()
    };
    assert_eq!(slices("").as_array().unwrap().len(), 2);
    assert_eq!(slices("?market=nyc&dimension=price_tenth")[0]["slice"], "price_tenth 01");
    assert_eq!(slices("?market=nowhere"), json!([]));
    for query in ["?dimension=street", "?market=a&market=b", "?slice=all"] {
        let answer = server.call("GET", &format!("/v1/properties/validity{query}"), &[], None);
        assert_eq!((answer.status, answer.code().as_str()), (400, "invalid_parameter"), "{query}");
    }
    let page = server.ask("GET", "/validity", &[], None).unwrap();
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    for part in ["Staten Island, NY", "<svg", "price tenth 01", "1.090", "0.100"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
}

#[test]
fn an_address_without_street_or_number_and_a_zip_that_is_none_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let server = served(folder.path());
    let refused = |body: Value| {
        let answer = server.call("POST", "/v1/properties/valuate", &[], Some(&body.to_string()));
        let message = answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        (answer.status, message)
    };
    let in_city = |address: &str, zip: Value| json!({"address": address, "city": "Staten Island", "state": "NY", "zip": zip});
    for (body, status, word) in [
        (in_city("22", json!("10301")), 404, "no street"),
        (in_city("22, Staten Island, NY", json!("10301")), 404, "no street"),
        (in_city("Bay Street", json!("10301")), 404, "no house number"),
        (in_city("7 Bay St", json!("10302")), 404, "in another one there is"),
        (in_city("7 Bay St", Value::Null), 400, "is required: properties of Staten Island"),
        (in_city("7 Bay St", json!("10309")), 400, "10309 is of no property of Staten Island"),
        (in_city("7 Bay St", json!("99999")), 400, "must be one of NY"),
        (in_city("7 Bay St", json!("1030")), 400, "five digits"),
        (in_city("7 Bay St, Staten Island NY 10302", json!("10301")), 400, "ends with the zip 10302"),
        (json!({"address": "7 Bay St", "city": "Nowhere", "state": "NY"}), 404, "No property of Nowhere"),
        (
            json!({"address": "12 N Water St", "city": "Milwaukee", "state": "WI", "zip": "99999"}),
            400,
            "must be one of WI",
        ),
    ] {
        let (got, message) = refused(body.clone());
        assert!(got == status && message.contains(word), "{body}: {got} {message}");
    }
    // Where no property has a zip, none is asked for, and one of the state passes.
    for zip in [Value::Null, json!("53202")] {
        let body = json!({"address": "12 N Water St", "city": "milwaukee", "state": "wi", "zip": zip, "as_of": "2023-06-01"});
        let answer = server.call("POST", "/v1/properties/valuate", &[], Some(&body.to_string()));
        assert_eq!(
            (answer.status, &answer.json()["data"]["property"]["id"]),
            (200, &json!("nyc-5-3003")),
            "{}",
            answer.text
        );
    }
    // A flat that was stated without its unit is not the building, nor another flat.
    for address in ["1888 N Water St", "1888 N Water St, Unit 3"] {
        let (status, message) = refused(json!({"address": address, "city": "Milwaukee", "state": "WI"}));
        assert_eq!(status, 409, "{address}: {message}");
    }
}

#[test]
fn without_properties_both_operations_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path(), |_| {});
    let list = server.call("GET", "/v1/properties", &[], None);
    assert_eq!((list.status, list.code().as_str()), (503, "properties_not_available"));
    let value = server.call("POST", "/v1/properties/valuate", &[], Some(&asked("7 Bay St", Value::Null)));
    assert_eq!((value.status, value.code().as_str()), (503, "properties_not_available"));
    assert!(!value.header("retry-after").is_empty());
}

//! What no source states: promotions, places, days, belts, limits.

use chrono::NaiveDate;
use fdna_schemas::{EventDays, Place, Places, Promotions, PublicationLimits, Tables, Titles};

use crate::read_contract;

#[test]
fn an_event_is_its_promotions_by_its_name() {
    let of = |name| Promotions::get().of_event(name);
    assert_eq!(of("UFC 300: Pereira vs. Hill"), Some("UFC"));
    assert_eq!(of("Road to UFC 3.5 + 3.6"), Some("ROAD_TO_UFC"));
    assert_eq!(of("Dana White's Contender Series: Season 9, Week 1"), Some("DWCS"));
    assert_eq!(of("PRIDE 33: The Second Coming"), Some("PRIDE"));
    assert_eq!(of("Crypto.com UFC 331: Van vs Pantoja 2"), Some("UFC"));
    assert_eq!(of("Polymarket UFC Fight Night: TBD vs TBD"), Some("UFC"));
    assert_eq!(of("Friends of UFC legends 3"), None);
    assert_eq!(of("Somebody's Night of Fights"), None);
}

fn place(city: &str, region: &str, country: &str) -> Place {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Place { city: some(city), region: some(region), country: some(country) }
}

#[test]
fn a_place_is_written_one_way() {
    let places = Places::get();
    for (written, expected, zone) in [
        (place("Las Vegas", "NV", ""), place("Las Vegas", "Nevada", "USA"), "America/Los_Angeles"),
        (place("Las Vegas", "", "United States"), place("Las Vegas", "", "USA"), ""),
        (
            place("Perth", "WA", "Australia"),
            place("Perth", "Western Australia", "Australia"),
            "Australia/Perth",
        ),
        (place("Shanghai", "Hebei", "China"), place("Shanghai", "Shanghai", "China"), "Asia/Shanghai"),
        (place("Cotai", "", "Macao"), place("Macau", "", "Macau"), "Asia/Macau"),
        (place("Kallang", "", "Singapore"), place("Singapore", "", "Singapore"), "Asia/Singapore"),
        (place("Somewhere ", "", "Atlantis"), place("Somewhere", "", "Atlantis"), ""),
    ] {
        let found = places.normalise_place(&written);
        assert_eq!(found, expected);
        assert_eq!(places.time_zone(&found).unwrap_or_default(), zone, "{written:?}");
    }
    let unclear = place("", "WA", "");
    assert_eq!(places.normalise_place(&unclear), unclear, "Washington, or Western Australia");
}

#[test]
fn a_country_at_the_end_of_a_text_is_split_off() {
    let split = |text| Places::get().split_country(text);
    assert_eq!(split("Las Vegas United States"), Some(("Las Vegas", "USA")));
    assert_eq!(split("United Arab Emirates"), Some(("", "United Arab Emirates")));
    assert_eq!(split("Macao SAR China"), Some(("", "Macau")));
    assert_eq!(split("Nowhere"), None);
}

/// The entries of a list in a file of contracts.
fn entries_of(file: &str, list: &str) -> Vec<toml::Table> {
    let file: toml::Table = toml::from_str(&read_contract(file)).unwrap();
    file[list].clone().try_into().unwrap()
}

#[test]
fn days_are_found_by_the_events_id() {
    assert_eq!(EventDays::get().find_day("49efbdc6c9f650c4"), NaiveDate::from_ymd_opt(2010, 2, 21));
    assert_eq!(EventDays::get().find_day("none"), None);
    for event in entries_of("event_days.toml", "event") {
        let id = event["statsdb_id"].as_str().unwrap();
        assert!(id.len() == 16 && EventDays::get().find_day(id).is_some(), "{id}");
    }
}

#[test]
fn belts_are_found_by_the_bouts_id() {
    assert_eq!(Titles::get().kind_of("cf5e8f98159c3971"), Some("bmf"));
    assert_eq!(Titles::get().kind_of("none"), None);
    for bout in entries_of("titles.toml", "bout") {
        let id = bout["statsdb_id"].as_str().unwrap();
        assert!(id.len() == 16 && Titles::get().kind_of(id) == Some("bmf"), "{id}");
    }
}

#[test]
fn the_limits_name_tables_that_there_are() {
    let limits = PublicationLimits::get();
    assert!((0.0..1.0).contains(&limits.may_lose));
    for table in &limits.may_shrink {
        assert!(Tables::get().table(table).is_ok(), "{table}");
    }
}

use proptest::prelude::*;

use super::*;

fn read(line: &str) -> String {
    Address::parse(line, None).to_string()
}

#[test]
fn spellings_of_one_address_are_one() {
    for (spellings, written) in [
        (["69A Amboy Avenue", "69a  AMBOY AVE", "69A AMBOY AVE.", "69A amboy av"], "69A AMBOY AVE"),
        (
            [
                "9232 N 70TH ST, Unit 7",
                "9232 North 70th Street Apt 7",
                "9232 N 70th St #7",
                "9232 N. 70TH STR UNIT 7",
            ],
            "9232 N 70TH ST, 7",
        ),
        (
            [
                "2405-2407 N 5th st",
                "2405-2407 NORTH 5TH STREET",
                "2405-2407 n. 5th St.",
                "2405-2407 N 5TH ST",
            ],
            "2405-2407 N 5TH ST",
        ),
        (
            ["12 Saint Johns Av", "12 ST JOHNS AVENUE", "12 St. Johns Ave", "12 SAINT JOHNS AVE"],
            "12 ST JOHNS AVE",
        ),
        (["1 North Avenue", "1 NORTH AVE", "1 north av", "1 NORTH AVEN"], "1 NORTH AVE"),
        (["3 W North Av", "3 WEST NORTH AVENUE", "3 w. north ave", "3 W NORTH AVE"], "3 W NORTH AVE"),
        (["N/A DETROIT AVENUE", "DETROIT AVE", "0 detroit av", "00 Detroit Avenue"], "DETROIT AVE"),
        (["5 Pe\u{f1}a Place", "5 PENA PL", "5 Pen\u{303}a pl", "5 PE\u{d1}A PLACE"], "5 PENA PL"),
    ] {
        assert_eq!(spellings.map(read), [written; 4]);
    }
}

#[test]
fn a_flat_stated_twice_is_one_and_a_direction_alone_is_a_name() {
    assert_eq!(Address::parse("12 BAY ST, 2B", Some("2B")).to_string(), "12 BAY ST, 2B");
    assert_eq!(Address::parse("12 BAY ST, N/A", None).unit, None);
    assert_eq!(Address::parse("7TH STREET", None).number, None);
    assert_eq!(Address::parse("2405-2407 N 5TH ST", None).house_numbers(), ["2405-2407", "2405", "2407"]);
    assert_eq!(read("10 E"), "10 E");
    assert_eq!(read(""), "");
}

#[test]
fn numbered_streets_are_ordinals() {
    for (spellings, written) in [
        (["12 1 STREET", "12 1st Street", "12 First St", "12 1 ST ST"], "12 1ST ST"),
        (["5 W 3 AVENUE", "5 West Third Av", "5 W 3RD AVE", "5 w. 3 ave"], "5 W 3RD AVE"),
        (["7 11 ST", "7 11th Street", "7 ELEVENTH ST", "7 11TH ST"], "7 11TH ST"),
        (["7 22 ST", "7 22nd Street", "7 22ND ST", "7 22 str"], "7 22ND ST"),
        (
            ["8 First Creek Rd", "8 FIRST CREEK ROAD", "8 first creek rd", "8 First  Creek RD."],
            "8 FIRST CREEK RD",
        ),
    ] {
        assert_eq!(spellings.map(read), [written; 4]);
    }
    assert_eq!(read("9 Hwy 7"), "9 HWY 7");
    assert_eq!(read("FIRST ST"), "1ST ST");
    assert_eq!(Address::parse("FIRST ST", None).number, None);
}

#[test]
fn flats_are_compared_as_one_word_and_so_are_floors() {
    let unit = |line: &str| Address::parse(line, None).unit_key().unwrap_or_default();
    for (spellings, written) in [
        (["5 Bay St, C-2", "5 Bay St #C2", "5 Bay St Apt C 2", "5 Bay St unit c2"], "C2"),
        (["5 Bay St, 2 FLR", "5 Bay St, 2ND F", "5 Bay St #2nd floor", "5 Bay St, FL 2"], "2FL"),
        (["5 Bay St 2 FLR", "5 Bay St 2nd Floor", "5 Bay St Second Floor", "5 Bay St, 2FL"], "2FL"),
        (["5 Bay St, 2F", "5 Bay St #2-F", "5 Bay St Apt 2F", "5 Bay St unit 2f"], "2F"),
    ] {
        assert_eq!(spellings.map(unit), [written; 4]);
        assert!(spellings.iter().all(|line| Address::parse(line, None).street == "BAY ST"));
    }
    assert_eq!(Address::parse("5 BAY ST, C-2", Some("C2")).to_string(), "5 BAY ST, C 2");
    assert_eq!(Address::parse("5 BAY ST, F", None).unit.as_deref(), Some("F"));
    assert_eq!(read("12 5TH FLOOR"), "12 5TH FLOOR");
}

#[test]
fn fractions_and_ranges_are_house_numbers() {
    for line in [
        "19 1/2 Sample St",
        "19\u{bd} Sample Street",
        "19-1/2 SAMPLE ST",
        "19 \u{bd} sample st",
        "19  1\u{2044}2 Sample St",
    ] {
        let address = Address::parse(line, None);
        assert_eq!(
            (address.number.as_deref(), address.street.as_str()),
            (Some("19 1/2"), "SAMPLE ST"),
            "{line}"
        );
        assert_eq!(address.house_numbers(), ["19 1/2"]);
    }
    assert_eq!(read("133 1/3 SAMPLE ST, 2B"), "133 1/3 SAMPLE ST, 2B");
    assert_eq!(read("19a 1/2 Sample St"), "19A 1/2 SAMPLE ST");
    for line in [
        "7830-7832 W Van Beck Av",
        "7830 - 7832 W VAN BECK AVE",
        "7830\u{2013}7832 w van beck ave",
        "7830-32 W Van Beck Ave",
    ] {
        assert_eq!(read(line), "7830-7832 W VAN BECK AVE", "{line}");
    }
    // Of Queens, a street behind a hyphen, and a fraction that is none.
    assert_eq!(read("112-34 31 AVE"), "112-34 31ST AVE");
    assert_eq!(read("12 - 5 AVE"), "12 5TH AVE");
    assert_eq!(read("12 1/25 AVE"), "12 1 25 AVE");
    // A zero in place of the number.
    assert_eq!(read("0 5 AVENUE"), "5TH AVE");
    for line in ["0 123 SAMPLE STREET", "0 0 123 SAMPLE STREET"] {
        assert_eq!(Address::parse(line, None).number.as_deref(), Some("123"), "{line}");
        assert_eq!(read(line), "123 SAMPLE ST", "{line}");
    }
}

#[test]
fn a_number_alone_is_no_street() {
    for line in ["22", "22 ", "0", "0 0", "0 \u{2070}", "22, 2B", "19 1/2"] {
        assert!(Address::parse(line, None).street.is_empty(), "{line}");
    }
}

proptest! {
    #[test]
    fn any_text_is_written_down_once(line in "\\PC{0,60}|([0-9]{1,4}[A-Z]?|0 |00 |NORTH|W|AVENUE|ST|APT|#|,|SAINT|N/A|-| |1/2|\u{bd}|FIRST|2ND|FLR|FL|F){0,12}") {
        let address = Address::parse(&line, None);
        prop_assert_eq!(&Address::parse(&address.to_string(), None), &address, "{:?}", address.to_string());
    }

    #[test]
    fn any_bytes_and_flats_are_judged(line in any::<String>(), unit in any::<String>()) {
        let address = Address::parse(&line, Some(&unit));
        prop_assert_eq!(Address::parse(&line.to_lowercase(), None).street.is_empty(), Address::parse(&line, None).street.is_empty());
        let _ = address.house_numbers();
    }
}

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
        (["N/A DETROIT AVENUE", "DETROIT AVE", "n/a detroit av", "Detroit Avenue"], "DETROIT AVE"),
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
    assert_eq!(Address::parse("2405-2407 N 5TH ST", None).numbers(), ["2405-2407", "2405", "2407"]);
    assert_eq!(read("10 E"), "10 E");
    assert_eq!(read(""), "");
}

proptest! {
    #[test]
    fn any_text_is_written_down_once(line in "\\PC{0,60}|([0-9]{1,4}[A-Z]?|NORTH|W|AVENUE|ST|APT|#|,|SAINT|N/A|-| ){0,12}") {
        let address = Address::parse(&line, None);
        prop_assert_eq!(&Address::parse(&address.to_string(), None), &address, "{:?}", address.to_string());
    }

    #[test]
    fn any_bytes_and_flats_are_judged(line in any::<String>(), unit in any::<String>()) {
        let address = Address::parse(&line, Some(&unit));
        prop_assert_eq!(Address::parse(&line.to_lowercase(), None).street.is_empty(), Address::parse(&line, None).street.is_empty());
        let _ = address.numbers();
    }
}

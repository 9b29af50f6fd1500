use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::*;

const REGIONS: [&str; 9] = ["US", "GB", "RU", "JP", "DE", "CN", "IN", "IT", "BR"];

fn read(given: &str, region: &str) -> Option<String> {
    to_e164(given, region.parse().unwrap())
}

/// Example numbers of every country and kind: its rules, and the number within it.
fn examples() -> impl Iterator<Item = (&'static Metadata, &'static str)> {
    let of = |meta: &'static Metadata| {
        TYPES.into_iter().filter_map(move |kind| Some((meta, meta.descriptors().get(kind)?.example()?)))
    };
    DATABASE.iter().flat_map(of)
}

#[test]
fn an_international_number_is_the_same_in_every_region() {
    let examples: Vec<String> =
        examples().map(|(meta, number)| format!("+{}{number}", meta.country_code())).collect();
    assert!(examples.len() > 900, "{}", examples.len());
    // The patterns of a country are compiled once if its numbers follow one another.
    for given in &examples {
        let changed: Vec<_> =
            REGIONS.into_iter().filter(|region| read(given, region).as_ref() != Some(given)).collect();
        assert!(changed.is_empty(), "{given} {changed:?}");
    }
}

#[test]
fn any_valid_number_of_any_country_stays_as_it_is() {
    let mut runner = TestRunner::deterministic();
    let mut changed = Vec::new();
    let mut tried = 0;
    for meta in DATABASE.iter() {
        for descriptor in TYPES.into_iter().filter_map(|kind| meta.descriptors().get(kind)) {
            let pattern = descriptor.national_number().as_str();
            let numbers = proptest::string::string_regex(&format!("(?:{pattern})").replace("\\d", "[0-9]"));
            for _ in 0..20 {
                let national = numbers.as_ref().unwrap().new_tree(&mut runner).unwrap().current();
                if !descriptor.is_match(&national) || !meta.descriptors().general().is_match(&national) {
                    continue;
                }
                tried += 1;
                let given = format!("+{}{national}", meta.country_code());
                let read = read(&given, "US");
                if read.as_ref() != Some(&given) {
                    changed.push((meta.id().to_owned(), given, read));
                }
            }
        }
    }
    assert!(tried > 5_000 && changed.is_empty(), "{tried} {} {changed:?}", changed.len());
}

#[test]
fn a_national_number_is_of_the_region() {
    let mut changed = Vec::new();
    for (meta, number) in examples().filter(|(meta, _)| meta.id() != "001") {
        let right = format!("+{}{number}", meta.country_code());
        let dialled = format!("{}{number}", meta.national_prefix().unwrap_or_default());
        for given in [number.to_owned(), dialled] {
            let read = read(&given, meta.id());
            if read.as_ref() != Some(&right) {
                changed.push((meta.id(), given, read));
            }
        }
    }
    assert!(changed.is_empty(), "{} {changed:?}", changed.len());
}

#[test]
fn numbers_are_read_as_people_write_them() {
    for (region, given, right) in [
        ("US", "+4917612345678", "+4917612345678"),
        ("US", "+49 171 1234567", "+491711234567"),
        ("US", "\u{ff0b}49 171 1234567", "+491711234567"),
        (
            "US",
            "\u{ff0b}\u{ff14}\u{ff19}\u{ff11}\u{ff17}\u{ff11}\u{ff11}\u{ff12}\u{ff13}\u{ff14}\u{ff15}\u{ff16}\u{ff17}",
            "+491711234567",
        ),
        ("US", "(+49) 171 1234567", "+491711234567"),
        ("US", "+49-171-1234567", "+491711234567"),
        ("US", "+4420-7946-0018", "+442079460018"),
        ("US", "+44 (0)20 7946 0958", "+442079460958"),
        ("US", "+44(0)2079460958", "+442079460958"),
        ("US", "+49 (0) 30 / 901820", "+4930901820"),
        ("US", "+49 (0)30 901820", "+4930901820"),
        ("US", "+33 (0)1 42 68 53 00", "+33142685300"),
        ("US", "+41 (0)44 668 18 00", "+41446681800"),
        ("US", "+61 (0)2 9374 4000", "+61293744000"),
        ("US", "+36 (06) 1 234 5678", "+3612345678"),
        ("US", "+39 06 5685 1242", "+390656851242"),
        ("US", "011 44 20 7946 0018", "+442079460018"),
        ("US", "011-49-171-1234567", "+491711234567"),
        ("US", "1 (415) 555-2671", "+14155552671"),
        ("US", "tel:+1-415-555-2671", "+14155552671"),
        ("GB", "00 49 171 1234567", "+491711234567"),
        ("GB", "00 1 415 555 2671", "+14155552671"),
        ("GB", "00 39 06 5685 1242", "+390656851242"),
        ("GB", "020 7946 0018", "+442079460018"),
        ("JP", "010 49 171 1234567", "+491711234567"),
        ("JP", "03-1234-5678", "+81312345678"),
        ("RU", "8 (800) 555-35-35", "+78005553535"),
        ("RU", "8 (846) 276-22-33", "+78462762233"),
        ("RU", "+7 (846) 276-22-33", "+78462762233"),
        ("RU", "8 10 49 171 1234567", "+491711234567"),
        ("DE", "0171 1234567", "+491711234567"),
        ("DE", "0049 171 1234567", "+491711234567"),
    ] {
        assert_eq!(read(given, region).as_deref(), Some(right), "{region} {given}");
    }
    for given in [
        "+",
        "++",
        "++12127365000",
        "+1 +12127365000",
        "+49",
        "+0 171",
        "+999 123 456 789",
        "+1 415 555 267",
        "011",
        "011 0 20",
        "00 44 20 7946 0018",
    ] {
        assert_eq!(read(given, "US"), None, "{given}");
    }
    let region = "US".parse().unwrap();
    for given in ["+49 30 901820 ext. 5", "011 49 30 901820 ext 5", "+49 30 901820;ext=5", "+49 30 901820 x5"]
    {
        assert!(read(given, "US").is_none() && has_extension(given, region), "{given}");
    }
    for given in ["+49 30 901820", "call 5", "ext. 5", "+1 415 555 267 ext. 5", "2127365000 home", ""] {
        assert!(!has_extension(given, region), "{given}");
    }
}

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
    fn any_text_is_written_down_once(line in "\\PC{0,60}|([0-9]{1,4}[A-Z]?|0 |00 |NORTH|W|AVENUE|ST|APT|#|,|SAINT|N/A|-| |1/2|\u{bd}|FIRST|2ND|FLR|FL|F|UNIT|NO|TWENTY|HUNDRED|ONE|C2|REAR|STREET|S|BAY|HWY|&|'){0,12}") {
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

#[test]
fn apostrophes_periods_and_blanks_are_nothing() {
    for (spellings, written) in [
        (
            ["412 ST PAUL'S AVENUE", "412 St. Paul\u{2019}s Ave.", "412 saint pauls  av", "412 ST PAULS AVE"],
            "412 ST PAULS AVE",
        ),
        (["3 S.W. 5th St", "3 SW 5 ST", "3 South West Fifth Street", "3 s w 5th st."], "3 SW 5TH ST"),
        (
            ["4 Goethals Rd N.", "4 GOETHALS ROAD NORTH", "4 goethals rd n", "4 Goethals Road  N"],
            "4 GOETHALS RD N",
        ),
        (
            [
                "9 Fr. Capodanno Boulev",
                "9 FATHER CAPODANNO BLVD",
                "9 fr capodanno bl",
                "9 Father Capodanno Boulevard",
            ],
            "9 FR CAPODANNO BLVD",
        ),
        (["12 Bay & Son St", "12 BAY SON ST", "12 bay-son st", "12 Bay &Son St."], "12 BAY SON ST"),
    ] {
        assert_eq!(spellings.map(read), [written; 4]);
    }
    for line in ["12 Bay St,", "12, Bay Street", " 12  bay st , , ", "No. 12 Bay St", "#12 Bay St."] {
        assert_eq!(read(line), "12 BAY ST", "{line}");
    }
}

#[test]
fn streets_are_compared_without_blanks_and_with_short_suffixes() {
    let key = |line: &str| Address::parse(line, None).street_key();
    for (one, other) in [
        ("31 MC KEE AVENUE", "31 McKee Ave"),
        ("49 LA FORGE AVENUE", "49 LAFORGE AVE"),
        ("80 Bay St Landing", "80 BAY STREET LANDING"),
        ("5 O'Gorman Ave", "5 OGORMAN AV"),
    ] {
        assert_eq!(key(one), key(other), "{one}");
    }
    for (one, other) in
        [("80 Bay St", "80 Bay St Landing"), ("1 W Bay St", "1 Bay St"), ("1 Bay St", "1 Bay Ave")]
    {
        assert_ne!(key(one), key(other), "{one}");
    }
    let is_like = |one: &str, other: &str| {
        Address::parse(one, None).street_parts().is_like(&Address::parse(other, None).street_parts())
    };
    assert!(is_like("366 Wilcox", "366 Wilcox Street") && is_like("1 W Bay St", "1 Bay St"));
    assert!(is_like("12 First", "12 1ST ST"));
    assert!(
        !is_like("1 W Bay St", "1 E Bay St")
            && !is_like("1 Bay St", "1 Bay Ave")
            && !is_like("1 Bay St", "1 Bay St")
    );
}

#[test]
fn numbered_streets_are_ordinals_however_far() {
    for (spellings, written) in [
        (["4 21 ST", "4 Twenty-First St", "4 twenty first street", "4 21TH ST"], "4 21ST ST"),
        (["4 W 99 ST", "4 West Ninety-Ninth St", "4 W NINETY NINTH ST", "4 w 99th str"], "4 W 99TH ST"),
        (
            ["4 101 ST", "4 One Hundred First St", "4 One Hundred and First Street", "4 101st St"],
            "4 101ST ST",
        ),
        (["4 30 AVE", "4 Thirtieth Av", "4 30TH AVENUE", "4 30th ave."], "4 30TH AVE"),
        (["37-21 80 ST", "37-21 80th Street", "37-21 Eightieth St", "37-21 80TH STR"], "37-21 80TH ST"),
    ] {
        assert_eq!(spellings.map(read), [written; 4]);
    }
    assert_eq!(Address::parse("37-21 80TH ST", None).house_numbers(), ["37-21"]);
}

#[test]
fn flats_are_read_in_front_and_behind_and_streets_are_none() {
    let unit = |line: &str| {
        let address = Address::parse(line, None);
        (
            address.number.clone().unwrap_or_default(),
            address.street.clone(),
            address.unit_key().unwrap_or_default(),
        )
    };
    let parts =
        |number: &str, street: &str, unit: &str| (number.to_owned(), street.to_owned(), unit.to_owned());
    for line in [
        "UNIT, 126-014 422 SAMPLE AV",
        "UNIT#126-014,422 SAMPLE AVE",
        "Unit 126-014, 422 Sample Avenue",
        "422 Sample Ave unit 126-014",
    ] {
        assert_eq!(unit(line), parts("422", "SAMPLE AVE", "126014"), "{line}");
    }
    for line in ["5 Bay St C2", "5 BAY ST C 2", "5 Bay St, C-2", "5 Bay Street # C2", "Apt C2, 5 Bay St"] {
        assert_eq!(unit(line), parts("5", "BAY ST", "C2"), "{line}");
    }
    for line in ["5 Bay Ter Apt # 2H", "5 BAY TERRACE APT. 2H", "5 bay ter 2h", "5 Bay Ter no. 2H"] {
        assert_eq!(unit(line), parts("5", "BAY TER", "2H"), "{line}");
    }
    assert_eq!(unit("5 Pierpont Place Unit"), parts("5", "PIERPONT PL", ""));
    assert_eq!(unit("5 Bay St Rear"), parts("5", "BAY ST", "REAR"));
    assert_eq!(unit("5 Bay St, Penthouse"), parts("5", "BAY ST", "PH"));
    assert_eq!(unit("12 Flat Rock Rd"), parts("12", "FLAT ROCK RD", ""));
    assert_eq!(unit("12 Big Flat Rd"), parts("12", "BIG FLAT RD", ""));
    assert_eq!(unit("12 Front St"), parts("12", "FRONT ST", ""));
    assert_eq!(unit("12 County Hwy 7A"), parts("12", "COUNTY HWY 7A", ""));
    assert_eq!(unit("12 Avenue B"), parts("12", "AVENUE B", ""));
}

#[test]
fn ranges_hold_the_numbers_of_their_side_and_letters_have_no_hyphen() {
    let numbers = |line: &str| Address::parse(line, None).house_numbers();
    assert_eq!(numbers("2405-2411 N 5TH ST"), ["2405-2411", "2405", "2407", "2409", "2411"]);
    assert_eq!(numbers("10-13 Bay St"), ["10-13", "10", "11", "12", "13"]);
    assert_eq!(numbers("271-75 Bay St"), ["271-75", "271", "273", "275"]);
    assert_eq!(numbers("2400-9000 Bay St"), ["2400-9000", "2400", "9000"]);
    for number in ["112-34", "37-21", "69A", "2007-5"] {
        assert_eq!(numbers(&format!("{number} Bay St")), [number]);
    }
    for line in ["5068-A N 107TH ST", "5068--A N 107TH ST", "5068A N 107TH ST"] {
        assert_eq!(read(line), "5068A N 107TH ST", "{line}");
    }
    let flat = |line: &str| Address::parse(line, None).flat_in_number();
    let of = |house: &str, flat: &str| Some((house.to_owned(), flat.to_owned()));
    assert_eq!(flat("9086-D N 95TH ST"), of("9086", "D"));
    assert_eq!(flat("8605-203 N SERVITE DR"), of("8605", "203"));
    assert_eq!((flat("771-U23 N WATER ST"), flat("771U23 N WATER ST")), (of("771", "23"), of("771", "23")));
    assert_eq!((flat("37-21 80TH ST"), flat("271-75 Bay St"), flat("19 1/2 Bay St")), (None, None, None));
}

/// A house number, the parts of a street as people spell each, and a flat.
fn numbers() -> impl Strategy<Value = Vec<String>> {
    let plain = (1..9999_u32, prop::option::of("[A-Z]")).prop_map(|(number, letter)| {
        let letter = letter.unwrap_or_default();
        match letter.as_str() {
            "" => vec![number.to_string(), format!(" {number}")],
            own => vec![
                format!("{number}{own}"),
                format!("{number}-{own}"),
                format!("{number}{}", own.to_lowercase()),
            ],
        }
    });
    let half = (1..9999_u32).prop_map(|n| {
        vec![format!("{n} 1/2"), format!("{n}\u{bd}"), format!("{n}-1/2"), format!("{n} \u{bd}")]
    });
    let range = (1000..9000_u32, 1..40_u32).prop_map(|(low, more)| {
        vec![format!("{low}-{}", low + more * 2), format!("{low} - {}", low + more * 2)]
    });
    let queens = (30..99_u32, 10..29_u32).prop_map(|(block, house)| vec![format!("{block}-{house}")]);
    prop_oneof![4 => plain, 1 => half, 1 => range, 1 => queens]
}

fn directions() -> impl Strategy<Value = Vec<String>> {
    let all = [
        vec![""],
        vec!["N", "North", "N.", "north"],
        vec!["E", "East", "E."],
        vec!["SW", "S.W.", "Southwest", "South West", "s w"],
    ];
    let owned: Vec<Vec<String>> =
        all.iter().map(|own| own.iter().map(|word| (*word).to_owned()).collect()).collect();
    prop::sample::select(owned)
}

fn suffixes() -> impl Strategy<Value = Vec<String>> {
    let all = [
        vec!["ST", "Street", "St.", "str"],
        vec!["AVE", "Avenue", "Av", "ave."],
        vec!["BLVD", "Boulevard", "bl"],
        vec!["CT", "Court", "ct."],
        vec!["PL", "Place"],
        vec!["PKWY", "Parkway"],
        vec!["TER", "Terrace", "Terr"],
        vec!["LN", "Lane"],
    ];
    let owned: Vec<Vec<String>> =
        all.iter().map(|own| own.iter().map(|word| (*word).to_owned()).collect()).collect();
    prop::sample::select(owned)
}

fn names() -> impl Strategy<Value = Vec<String>> {
    let ordinal = |n: u32| {
        let (tens, ones) = (WORDS.tens.iter().find(|(_, own)| **own == n / 10 * 10), n % 10);
        let spelled = |n: u32| {
            let digits = ordinal_name(&n.to_string()).unwrap();
            WORDS.ordinals.iter().find(|(_, own)| **own == digits).map(|(word, _)| word.clone())
        };
        let words = match tens {
            Some((tens, _)) if ones > 0 => Some(format!("{tens}-{}", spelled(ones).unwrap())),
            _ => spelled(n),
        };
        let mut all = vec![n.to_string(), ordinal_name(&n.to_string()).unwrap()];
        all.extend(words);
        all
    };
    let numbered = (1..100_u32).prop_map(ordinal);
    let plain = "[BDFGHJKL][aeiou][bdfgklmn][aeiou][bdfgklmn]{1,3}"
        .prop_map(|name| vec![name.clone(), name.to_uppercase(), name.to_lowercase()]);
    let saint = "[BDFGHJKL][aeiou][bdfgklmn]s".prop_map(|name| {
        let (short, long) = (&name[..name.len() - 1], name.clone());
        vec![
            format!("Saint {long}"),
            format!("St. {long}"),
            format!("ST {short}'s"),
            format!("st {short}\u{2019}s"),
        ]
    });
    prop_oneof![2 => numbered, 2 => plain, 1 => saint]
}

fn units() -> impl Strategy<Value = Vec<String>> {
    let none = Just(vec![String::new(), ",".to_owned(), " ".to_owned()]);
    let flat = ("[A-D]", 1..30_u32).prop_map(|(letter, n)| {
        vec![
            format!(", {letter}{n}"),
            format!(" #{letter}-{n}"),
            format!(" Apt {letter} {n}"),
            format!(" UNIT {letter}{n}"),
            format!(", unit # {letter}{n}"),
            format!(" {letter}{n}"),
        ]
    });
    let floor = (1..30_u32).prop_map(|n| {
        let ordinal = ordinal_name(&n.to_string()).unwrap();
        vec![
            format!(", {n} FLR"),
            format!(", {ordinal} F"),
            format!(" {ordinal} floor"),
            format!(", floor {n}"),
            format!(" #{n}FL"),
        ]
    });
    prop_oneof![3 => none, 2 => flat, 1 => floor]
}

/// An address by its parts, of each a choice of spellings that begins with the one that tells it from others.
fn addresses() -> impl Strategy<Value = [Vec<String>; 5]> {
    (numbers(), directions(), names(), suffixes(), units()).prop_map(|(a, b, c, d, e)| [a, b, c, d, e])
}

fn spelled(parts: &[Vec<String>; 5], choice: [usize; 5]) -> String {
    let [number, direction, name, suffix, unit] =
        std::array::from_fn(|at| parts[at][choice[at] % parts[at].len()].as_str());
    format!("{number} {direction} {name}  {suffix}{unit}")
}

fn key(line: &str) -> (Option<String>, String, Option<String>) {
    let address = Address::parse(line, None);
    (address.number.clone(), address.street_key(), address.unit_key())
}

proptest! {
    #[test]
    fn spellings_of_an_address_have_one_key(parts in addresses(), one in any::<[usize; 5]>(), other in any::<[usize; 5]>()) {
        let (one, other) = (spelled(&parts, one), spelled(&parts, other));
        prop_assert_eq!(key(&one), key(&other), "{} {}", one, other);
    }

    #[test]
    fn other_numbers_streets_and_flats_have_other_keys(
        parts in addresses(),
        others in addresses(),
        changed in 0..5_usize,
        one in any::<[usize; 5]>(),
        other in any::<[usize; 5]>(),
    ) {
        let mut changed_parts = parts.clone();
        changed_parts[changed] = others[changed].clone();
        let is_same = parts[changed][0].to_uppercase() == changed_parts[changed][0].to_uppercase();
        let (one, other) = (spelled(&parts, one), spelled(&changed_parts, other));
        prop_assert_eq!(key(&one) == key(&other), is_same, "{} {}", one, other);
    }
}

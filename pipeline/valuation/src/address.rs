//! The rule by which addresses are written down, so that two spellings of one are equal.
//!
//! 1. Compatibility forms are decomposed (NFKD), marks and apostrophes dropped, letters made capital; whatever is neither letter
//!    nor digit parts words, but for a hyphen within a house number.
//! 2. What stands behind a comma, `#` or a word such as UNIT or APT is the flat, and so is a floor, `2C` or REAR behind the suffix
//!    of the street, and `UNIT 5` in front. Flats are compared as one word: `C-2`, `C 2` and `C2` are the same, and so are `2 FLR`,
//!    `2ND FLOOR` and `2FL`.
//! 3. A first word that begins with a digit is the house number, with the fraction behind it (`19 1/2`); `N/A` or `0` in its place
//!    is none. `7830-32` is the range `7830-7832`, and `9086-D` the number `9086D`.
//! 4. Directions in front of the name and behind it, and the suffix of the street, are abbreviated as USPS Publication 28
//!    does. A word that would leave the street without a name stays as it is. SAINT in front is ST. A name that is a number
//!    is its ordinal: `1 ST` and `FIRST ST` are `1ST ST`.
//! 5. Streets are compared without blanks and with every suffix abbreviated: MC KEE and MCKEE are the same, and so are BAY STREET
//!    LANDING and BAY ST LANDING.

mod house;
mod place;
mod unit;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

pub use place::{is_zip_of_state, without_place};

/// An address as it is written down. `Display` gives it in one line, of which [`Address::parse`] makes the same again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// `69A`, `2405-2407`.
    pub number: Option<String>,
    /// `W NORTH AVE`; may be empty.
    pub street: String,
    /// `2B`.
    pub unit: Option<String>,
}

/// Parts of a street, to tell one of which a part was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StreetParts {
    name: String,
    /// The direction in front, the suffix and the direction behind.
    others: [Option<String>; 3],
}

#[derive(Deserialize)]
struct AddressWords {
    directions: BTreeMap<String, String>,
    suffixes: BTreeMap<String, String>,
    ordinals: BTreeMap<String, String>,
    tens: BTreeMap<String, u32>,
    names: BTreeMap<String, String>,
    units: UnitWords,
}

#[derive(Deserialize)]
struct UnitWords {
    words: BTreeSet<String>,
    alone: BTreeMap<String, String>,
    floors: BTreeSet<String>,
}

static WORDS: LazyLock<AddressWords> = LazyLock::new(|| {
    let read = toml::from_str(include_str!("address_words.toml"));
    read.unwrap_or_else(|error| panic!("words of addresses: {error}"))
});

static SHORT_SUFFIXES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| WORDS.suffixes.values().map(String::as_str).collect());

static SHORT_DIRECTIONS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| WORDS.directions.values().map(String::as_str).collect());

/// Parts of a text that one address may have; longer ones are cut.
const MAX_WORDS: usize = 40;

impl Address {
    /// Reads an address of one line, with a flat that is stated apart if there is one.
    #[must_use]
    pub fn parse(line: &str, unit: Option<&str>) -> Self {
        let line = fold_letters(&house::spelled_out(line));
        let (in_front, line) = unit::in_front(&line);
        let (line, behind) = split_line(line);
        let (with_fraction, line) =
            house::with_fraction(&line).map_or((None, line.as_str()), |(number, rest)| (Some(number), rest));
        let mut words = words_of(line);
        if let [first, second, ..] = words.as_slice()
            && first == "N"
            && second == "A"
            && line.trim_start().get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("n/a"))
        {
            words.drain(..2);
        }
        let is_unit_word = |word: &String| WORDS.units.words.contains(word);
        while let Some(at) = words.iter().position(|word| !is_zero(word))
            && is_unit_word(&words[at])
            && at + 1 < words.len()
        {
            words.drain(..=at);
        }
        let flat = unit::take_flat(&mut words, with_fraction.is_some());
        let number = match with_fraction {
            Some(number) => Some(number),
            None if words.first().is_some_and(|word| is_zero(word)) => {
                words = words.into_iter().skip_while(|word| is_zero(word)).collect();
                None
            }
            None => take_number(&mut words),
        };
        let mut street = street_of(words);
        // Behind a `0`, a number that names no street is the house's.
        let number = number.or_else(|| {
            let number = take_number(&mut street)?;
            street = street_of(std::mem::take(&mut street));
            Some(number)
        });
        if street.len() == 1 && is_unit_word(&street[0]) {
            street.clear();
        }
        let behind = behind.as_deref().map(words_of).unwrap_or_default();
        let parts = [in_front, flat, behind, unit.map(words_of).unwrap_or_default()];
        // A flat of no street is nobody's.
        let unit = unit::of_parts(&parts).filter(|_| !street.is_empty());
        Self { number, street: street.join(" "), unit }
    }

    /// The flat as it is compared.
    #[must_use]
    pub fn unit_key(&self) -> Option<String> {
        self.unit.as_deref().map(unit::unit_key)
    }

    /// The street as it is compared.
    #[must_use]
    pub fn street_key(&self) -> String {
        street_key(self.street.split(' '))
    }

    /// House numbers under which it is found: as it is, and of a range `2405-2409` each of its side of the street.
    #[must_use]
    pub fn house_numbers(&self) -> Vec<String> {
        let Some(number) = &self.number else { return Vec::new() };
        std::iter::once(number.clone()).chain(house::members(number)).collect()
    }

    /// The number without a letter or flat behind it, and that as a flat: `9086` and `D` of `9086D`.
    pub(crate) fn flat_in_number(&self) -> Option<(String, String)> {
        house::with_flat(self.number.as_deref()?)
    }

    pub(crate) fn street_parts(&self) -> StreetParts {
        let mut words: Vec<&str> = self.street.split(' ').collect();
        let is_direction = |word: Option<&&str>| word.is_some_and(|word| SHORT_DIRECTIONS.contains(word));
        let behind = if words.len() > 2 && is_direction(words.last()) { words.pop() } else { None };
        let has_suffix = words.len() > 1 && words.last().is_some_and(|word| SHORT_SUFFIXES.contains(word));
        let suffix = if has_suffix { words.pop() } else { None };
        let in_front = (words.len() > 1 && is_direction(words.first())).then(|| words.remove(0));
        let name = street_key(words.into_iter());
        StreetParts { name, others: [in_front, suffix, behind].map(|part| part.map(str::to_owned)) }
    }
}

impl StreetParts {
    /// Whether both may be one street, of which one spelling leaves out a direction or the suffix.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let mut pairs = self.others.iter().zip(&other.others);
        self.name == other.name
            && self.others != other.others
            && pairs.all(|(own, other)| own == other || own.is_none() || other.is_none())
    }
}

/// Without blanks, every suffix but a first word abbreviated.
fn street_key<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let short = |(at, word): (usize, &'w str)| {
        let suffix = WORDS.suffixes.get(word).filter(|_| at > 0 && word.len() > 3);
        suffix.map_or(word, String::as_str)
    };
    words.enumerate().map(short).collect()
}

/// The line, and what stands behind a comma or `#`. A number alone before a comma is that of the street behind it.
fn split_line(line: &str) -> (String, Option<String>) {
    let Some((front, behind)) = line.split_once([',', '#']) else { return (line.to_owned(), None) };
    let next = behind.split([',', '#']).next().unwrap_or_default();
    let words = words_of(next);
    let is_street = words.len() > 1 && words.last().is_some_and(|word| is_suffix(word));
    match words_of(front).as_slice() {
        [number] if is_street && is_number(number) => {
            let rest = &behind[next.len()..];
            (format!("{front} {next}"), rest.get(1..).map(str::to_owned))
        }
        _ => (front.to_owned(), Some(behind.to_owned())),
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.as_ref().map(|unit| format!(", {unit}")).unwrap_or_default();
        let parts: Vec<&str> = self
            .number
            .iter()
            .map(String::as_str)
            .chain([self.street.as_str()])
            .filter(|part| !part.is_empty())
            .collect();
        write!(f, "{}{unit}", parts.join(" "))
    }
}

/// Capital letters without marks.
fn fold_letters(text: &str) -> String {
    text.nfkd()
        .collect::<String>()
        .to_uppercase()
        .nfkd()
        .filter(|c| !is_mark(*c) && !house::is_apostrophe(*c))
        .collect()
}

/// Words of capital letters and digits; a hyphen stays between two digits of the first word.
fn words_of(text: &str) -> Vec<String> {
    let parted: String =
        fold_letters(text).chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { ' ' }).collect();
    let mut words = Vec::new();
    for (at, word) in parted.split_whitespace().enumerate() {
        let is_range = at == 0 && is_number(word) && !word.ends_with('-') && !word.contains("--");
        match is_range {
            true => words.push(word.to_owned()),
            false => words.extend(word.split('-').filter(|part| !part.is_empty()).map(str::to_owned)),
        }
        if words.len() >= MAX_WORDS {
            words.truncate(MAX_WORDS);
            break;
        }
    }
    words
}

/// Marks that stand on the letter before them.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The house number in front of a street, taken away from it.
fn take_number(words: &mut Vec<String>) -> Option<String> {
    let is_first = words.first().is_some_and(|word| is_number(word));
    is_first.then(|| house::with_letter(house::whole_range(words.remove(0))))
}

/// A `0` or `000` in place of a house number that is not known.
fn is_zero(word: &str) -> bool {
    word.bytes().all(|byte| byte == b'0')
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && !is_ordinal(word)
}

/// `7TH`: the name of a street.
fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_uppercase());
    matches!(&word[digits.len()..], "ST" | "ND" | "RD" | "TH")
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_direction(word: &str) -> bool {
    WORDS.directions.contains_key(word) || SHORT_DIRECTIONS.contains(word)
}

fn is_suffix(word: &str) -> bool {
    WORDS.suffixes.contains_key(word) || SHORT_SUFFIXES.contains(word)
}

fn street_of(mut words: Vec<String>) -> Vec<String> {
    let direction = |word: &String| WORDS.directions.get(word).unwrap_or(word).clone();
    // A direction behind the street, then its suffix, then a direction in front, as long as a name is left.
    let mut end = words.len();
    if end >= 4
        && let Some(both) = direction_of_two(&words[end - 2..])
    {
        words.truncate(end - 2);
        words.push(both);
        end = words.len();
    }
    if end >= 3 && is_direction(&words[end - 1]) {
        end -= 1;
        words[end] = direction(&words[end]);
    }
    let has_suffix = end >= 2 && is_suffix(&words[end - 1]);
    if has_suffix {
        end -= 1;
        words[end] = WORDS.suffixes.get(&words[end]).unwrap_or(&words[end]).clone();
    }
    if end >= 3
        && let Some(both) = direction_of_two(&words[..2])
    {
        drop(words.splice(..2, [both]));
        end -= 1;
    }
    if end >= 2 && is_direction(&words[0]) {
        words[0] = direction(&words[0]);
    }
    let name = usize::from(end >= 2 && is_direction(&words[0]));
    if words.len() > name + 1
        && let Some(short) = WORDS.names.get(&words[name])
    {
        short.clone_into(&mut words[name]);
    }
    let ordinal = if has_suffix { ordinal_of(&words[name..end]) } else { spelled_ordinal(&words[name..end]) };
    if let Some(ordinal) = ordinal {
        drop(words.splice(name..end, [ordinal]));
    }
    words
}

/// `SW` of `S W` and SOUTH WEST.
fn direction_of_two(words: &[String]) -> Option<String> {
    let [first, second] = words else { return None };
    let short = |word: &String| WORDS.directions.get(word).unwrap_or(word).clone();
    let (first, second) = (short(first), short(second));
    (matches!(first.as_str(), "N" | "S") && matches!(second.as_str(), "E" | "W")).then(|| first + &second)
}

/// `1ST` of a name that is `1`, `FIRST` or `1 ST`.
fn ordinal_of(name: &[String]) -> Option<String> {
    match name {
        [word] if is_ordinal(word) => ordinal_name(&word[..word.len() - 2]),
        [word] => spelled_ordinal(name).or_else(|| ordinal_name(word)),
        [word, end] if matches!(end.as_str(), "ST" | "ND" | "RD" | "TH") => ordinal_name(word),
        _ => spelled_ordinal(name),
    }
}

/// `21ST` of TWENTY FIRST, `101ST` of ONE HUNDRED AND FIRST.
fn spelled_ordinal(name: &[String]) -> Option<String> {
    let number_of = |word: &String| {
        let ordinal = WORDS.ordinals.get(word)?;
        ordinal[..ordinal.len() - 2].parse::<u32>().ok()
    };
    let words: Vec<&String> = name.iter().collect();
    let (hundreds, words) = match words.as_slice() {
        [one, hundred, and, rest @ ..] if *one == "ONE" && *hundred == "HUNDRED" && *and == "AND" => {
            (100, rest)
        }
        [one, hundred, rest @ ..] if *one == "ONE" && *hundred == "HUNDRED" => (100, rest),
        [one, hundred] if *one == "ONE" && *hundred == "HUNDREDTH" => return ordinal_name("100"),
        all => (0, all),
    };
    let number = match words {
        [word] => number_of(word)?,
        [tens, ones] => WORDS.tens.get(*tens)? + number_of(ones).filter(|ones| *ones < 10)?,
        _ => return None,
    };
    ordinal_name(&(hundreds + number).to_string())
}

fn ordinal_name(digits: &str) -> Option<String> {
    let number: u32 = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let end = match (number % 100, number % 10) {
        (11..=13, _) => "TH",
        (_, 1) => "ST",
        (_, 2) => "ND",
        (_, 3) => "RD",
        _ => "TH",
    };
    Some(format!("{number}{end}"))
}

#[cfg(test)]
mod tests;

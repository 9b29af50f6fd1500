//! The rule by which addresses are written down, so that two spellings of one are equal.
//!
//! 1. Compatibility forms are decomposed (NFKD), marks dropped, letters made capital; whatever is neither letter nor digit
//!    parts words, but for a hyphen within a house number.
//! 2. What stands behind a comma, `#` or a word such as UNIT or APT is the flat, and so is a floor at the end. Flats are
//!    compared as one word: `C-2`, `C 2` and `C2` are the same, and so are `2 FLR`, `2ND FLOOR` and `2FL`.
//! 3. A first word that begins with a digit is the house number, with the fraction behind it (`19 1/2`); `N/A` or `0` in its place
//!    is none. `7830-32` is the range `7830-7832`.
//! 4. Directions in front of the name and behind it, and the suffix of the street, are abbreviated as USPS Publication 28
//!    does. A word that would leave the street without a name stays as it is. SAINT in front is ST. A name that is a number
//!    is its ordinal: `1 ST` and `FIRST ST` are `1ST ST`.

mod house;
mod unit;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

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

#[derive(Deserialize)]
struct AddressWords {
    directions: BTreeMap<String, String>,
    suffixes: BTreeMap<String, String>,
    ordinals: BTreeMap<String, String>,
    units: UnitWords,
}

#[derive(Deserialize)]
struct UnitWords {
    words: BTreeSet<String>,
    floors: BTreeSet<String>,
}

static WORDS: LazyLock<AddressWords> = LazyLock::new(|| {
    let read = toml::from_str(include_str!("address_words.toml"));
    read.unwrap_or_else(|error| panic!("words of addresses: {error}"))
});

/// Parts of a text that one address may have; longer ones are cut.
const MAX_WORDS: usize = 40;

impl Address {
    /// Reads an address of one line, with a flat that is stated apart if there is one.
    #[must_use]
    pub fn parse(line: &str, unit: Option<&str>) -> Self {
        let line = house::spelled_out(line);
        let (line, behind) =
            line.split_once([',', '#']).map_or((line.as_str(), None), |(line, unit)| (line, Some(unit)));
        let (with_fraction, line) =
            house::with_fraction(line).map_or((None, line), |(number, rest)| (Some(number), rest));
        let mut words = words_of(line);
        if let [first, second, ..] = words.as_slice()
            && first == "N"
            && second == "A"
            && line.trim_start().get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case("n/a"))
        {
            words.drain(..2);
        }
        let mut flat: Vec<String> = Vec::new();
        let at = words.iter().skip(1).position(|word| WORDS.units.words.contains(word));
        if let Some(at) = at.map(|at| at + 1).filter(|at| at + 1 < words.len()) {
            flat = words.split_off(at);
        }
        while words.len() >= 4 && unit::ends_with_floor(&words) {
            let floor = words.split_off(words.len() - 2);
            drop(flat.splice(..0, floor));
        }
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
        let parts = [flat, behind.map(words_of).unwrap_or_default(), unit.map(words_of).unwrap_or_default()];
        Self { number, street: street.join(" "), unit: unit::of_parts(&parts) }
    }

    /// The flat as it is compared.
    #[must_use]
    pub fn unit_key(&self) -> Option<String> {
        self.unit.as_deref().map(unit::unit_key)
    }

    /// House numbers under which it is found: as it is, and of a range `2405-2407` each end.
    #[must_use]
    pub fn house_numbers(&self) -> Vec<String> {
        let Some(number) = &self.number else { return Vec::new() };
        let ends =
            house::range_ends(number).into_iter().flat_map(|(low, high)| [low.to_owned(), high.to_owned()]);
        std::iter::once(number.clone()).chain(ends).collect()
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

/// Words of capital letters and digits; a hyphen stays between two digits of the first word.
fn words_of(text: &str) -> Vec<String> {
    let folded: String =
        text.nfkd().collect::<String>().to_uppercase().nfkd().filter(|c| !is_mark(*c)).collect();
    let parted: String =
        folded.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { ' ' }).collect();
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
    words.first().is_some_and(|word| is_number(word)).then(|| house::whole_range(words.remove(0)))
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

fn street_of(mut words: Vec<String>) -> Vec<String> {
    let direction = |word: &String| WORDS.directions.get(word).cloned();
    let is_direction = |word: &String| {
        WORDS.directions.contains_key(word) || WORDS.directions.values().any(|short| short == word)
    };
    let is_suffix = |word: &String| {
        WORDS.suffixes.contains_key(word) || WORDS.suffixes.values().any(|short| short == word)
    };
    // A direction behind the street, then its suffix, then a direction in front, as long as a name is left.
    let mut end = words.len();
    if end >= 3 && is_direction(&words[end - 1]) {
        end -= 1;
        words[end] = direction(&words[end]).unwrap_or_else(|| words[end].clone());
    }
    let has_suffix = end >= 2 && is_suffix(&words[end - 1]);
    if has_suffix {
        end -= 1;
        words[end] = WORDS.suffixes.get(&words[end]).unwrap_or(&words[end]).clone();
    }
    if end >= 2 && is_direction(&words[0]) {
        words[0] = direction(&words[0]).unwrap_or_else(|| words[0].clone());
    }
    let name = usize::from(end >= 2 && is_direction(&words[0]));
    if words.len() > name + 1 && words[name] == "SAINT" {
        "ST".clone_into(&mut words[name]);
    }
    if has_suffix && let Some(ordinal) = ordinal_of(&words[name..end]) {
        drop(words.splice(name..end, [ordinal]));
    }
    words
}

/// `1ST` of a name that is `1`, `FIRST` or `1 ST`.
fn ordinal_of(name: &[String]) -> Option<String> {
    match name {
        [word] => WORDS.ordinals.get(word).cloned().or_else(|| ordinal_name(word)),
        [word, end] if matches!(end.as_str(), "ST" | "ND" | "RD" | "TH") => ordinal_name(word),
        _ => None,
    }
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

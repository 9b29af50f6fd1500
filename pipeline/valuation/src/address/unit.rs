//! Flats.

use super::WORDS;

/// The flat of the parts of an address that state it; several may state the same. `N/A` is none.
pub(super) fn of_parts(parts: &[Vec<String>]) -> Option<String> {
    let is_none = |words: &[&str]| words.is_empty() || words == ["N", "A"];
    let mut keys = Vec::new();
    let mut all: Vec<&str> = Vec::new();
    for part in parts {
        let is_own = |word: &&String| !WORDS.units.words.contains(*word);
        let own: Vec<&str> = part.iter().filter(is_own).map(String::as_str).collect();
        let key = key_of(&own);
        if !is_none(&own) && !keys.contains(&key) {
            keys.push(key);
            all.extend(own);
        }
    }
    // A part may state it twice.
    all.dedup();
    (!is_none(&all)).then(|| all.join(" "))
}

/// Equal for spellings of one flat: `C 2` and `C2`; `2 FLR`, `2ND F`, `FLOOR 2` and `2FL`.
pub(super) fn unit_key(unit: &str) -> String {
    key_of(&[unit])
}

fn key_of(words: &[&str]) -> String {
    let parted = words.iter().flat_map(|word| word.split([' ', '-']));
    let words: Vec<&str> = parted.filter(|word| !word.is_empty()).collect();
    let mut key = String::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let pair = words.get(at + 1).and_then(|next| floor_of_two(word, next));
        at += if pair.is_some() { 2 } else { 1 };
        key += &pair.or_else(|| floor_of(word)).unwrap_or_else(|| (*word).to_owned());
    }
    key
}

/// Whether a line ends with a floor, such as 2ND FLOOR.
pub(super) fn ends_with_floor(words: &[String]) -> bool {
    matches!(words, [.., number, floor] if is_floor(floor) && number_of(number).is_some())
}

fn is_floor(word: &str) -> bool {
    WORDS.units.floors.contains(word)
}

/// `2FL` of `2 FLR`, `2ND F` and `FL 2`. An F is a floor only behind an ordinal: `2F` and `2-F` are a flat of many houses.
fn floor_of_two(first: &str, second: &str) -> Option<String> {
    let is_ordinal = !first.bytes().all(|byte| byte.is_ascii_digit());
    let number = match (is_floor(first), is_floor(second) || (second == "F" && is_ordinal)) {
        (_, true) => number_of(first),
        (true, false) => number_of(second),
        _ => None,
    };
    number.map(|number| format!("{number}FL"))
}

/// `2FL` of `2FLR` and `2NDFLOOR`.
fn floor_of(word: &str) -> Option<String> {
    let (number, rest) = split_digits(word);
    let behind_end = ["ST", "ND", "RD", "TH"].iter().find_map(|end| rest.strip_prefix(end));
    let is_of = !number.is_empty() && (is_floor(rest) || behind_end.is_some_and(is_floor));
    is_of.then(|| format!("{number}FL"))
}

/// The digits of `2`, `2ND` and `SECOND`.
fn number_of(word: &str) -> Option<&str> {
    let (number, end) = split_digits(WORDS.ordinals.get(word).map_or(word, String::as_str));
    (!number.is_empty() && matches!(end, "" | "ST" | "ND" | "RD" | "TH")).then_some(number)
}

/// The digits in front, and the rest.
fn split_digits(word: &str) -> (&str, &str) {
    word.split_at(word.bytes().take_while(u8::is_ascii_digit).count())
}

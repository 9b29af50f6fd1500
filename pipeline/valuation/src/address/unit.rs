//! Flats.

use super::{WORDS, is_direction, is_number, is_ordinal, is_suffix, words_of};

/// The flat in front of an address, such as `UNIT 5, 12 BAY ST`, and the rest; a `#` or NO in front of the number is dropped.
pub(super) fn in_front(line: &str) -> (Vec<String>, &str) {
    let none = (Vec::new(), line);
    let text = line.trim_start();
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, behind) = text.split_at(letters);
    let word = word.to_ascii_uppercase();
    let is_sign = letters == 0 && text.starts_with('#');
    if !is_sign && (!WORDS.units.words.contains(&word) || behind.starts_with(char::is_alphanumeric)) {
        return none;
    }
    let is_between = |c: char| !c.is_alphanumeric() && c != '-';
    let gap = behind.len();
    let behind = behind.trim_start_matches(is_between);
    let is_next = !text[letters..letters + gap - behind.len()].contains(',');
    let (flat, rest) = behind.split_at(behind.find(is_between).unwrap_or(behind.len()));
    let is_parted = rest.trim_start().starts_with([',', '#']);
    let rest = rest.trim_start_matches(is_between);
    let is_address = rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(' ');
    let is_flat = flat.bytes().any(|byte| byte.is_ascii_digit()) || flat.len() == 1;
    let is_number_sign = is_sign || word == "NO";
    match is_address && is_flat && (is_parted || !is_number_sign) {
        true => (words_of(flat), rest),
        false if is_number_sign && is_next && behind.starts_with(|c: char| c.is_ascii_digit()) => {
            (Vec::new(), behind)
        }
        false => none,
    }
}

/// The flat behind a street, taken away from its words: behind a word such as UNIT, and what has the form of a flat behind the
/// suffix of the street.
pub(super) fn take_flat(words: &mut Vec<String>, is_without_number: bool) -> Vec<String> {
    let least = if is_without_number { 0 } else { 1 };
    let mut flat = Vec::new();
    let at = words
        .iter()
        .enumerate()
        .skip(least + 1)
        .find(|(at, word)| WORDS.units.words.contains(*word) && is_flat_behind_word(&words[at + 1..]));
    if let Some((at, _)) = at {
        flat = words.split_off(at);
    }
    loop {
        let street = words.get(least.min(words.len())..).unwrap_or_default();
        let taken = match street {
            [.., number, floor] if street.len() > 2 && is_floor(floor) && number_of(number).is_some() => 2,
            [.., suffix, word]
                if street.len() > 2 && is_suffix(suffix) && WORDS.units.words.contains(word) =>
            {
                1
            }
            [name @ .., word]
                if is_street(name) && (is_flat_word(word) || WORDS.units.alone.contains_key(word)) =>
            {
                1
            }
            [name @ .., letter, number] if is_street(name) && is_letter_and_number(letter, number) => 2,
            _ => return flat,
        };
        let taken = words.split_off(words.len() - taken);
        drop(flat.splice(..0, taken));
    }
}

/// Of at most three words, one with a digit, or a letter or two.
fn is_flat_behind_word(words: &[String]) -> bool {
    let has_digit = |word: &String| word.bytes().any(|byte| byte.is_ascii_digit());
    let is_short = |word: &String| (word.len() <= 2 || is_direction(word)) && !is_suffix(word);
    words.len() <= 3
        && (words.iter().any(has_digit)
            || words.first().is_some_and(|word| is_short(word) || WORDS.units.alone.contains_key(word)))
}

/// A name with its suffix, and perhaps a direction behind it; no highway, which is named by what stands behind.
fn is_street(words: &[String]) -> bool {
    let words = match words {
        [street @ .., behind] if is_direction(behind) => street,
        all => all,
    };
    matches!(words, [_, .., suffix] if is_suffix(suffix) && !matches!(suffix.as_str(), "HWY" | "HIGHWAY"))
}

/// `2C` and `C2`.
fn is_flat_word(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_mixed = digits > 0 && letters > 0 && digits + letters == word.len();
    is_mixed && letters < 3 && word.len() < 6 && !is_ordinal(word)
}

/// `C 2`.
fn is_letter_and_number(letter: &str, number: &str) -> bool {
    letter.len() == 1
        && letter.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !is_direction(letter)
        && number.len() <= 3
        && is_number(number)
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

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
        let alone = || WORDS.units.alone.get(*word).cloned();
        key += &pair.or_else(|| floor_of(word)).or_else(alone).unwrap_or_else(|| (*word).to_owned());
    }
    key
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

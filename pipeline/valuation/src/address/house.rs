//! House numbers: fractions and ranges.

/// Fractions that Unicode has as one letter.
const FRACTIONS: [(char, &str); 7] = [
    ('\u{bd}', "1/2"),
    ('\u{bc}', "1/4"),
    ('\u{be}', "3/4"),
    ('\u{2153}', "1/3"),
    ('\u{2154}', "2/3"),
    ('\u{215b}', "1/8"),
    ('\u{215c}', "3/8"),
];

/// The line with fractions of several letters, one hyphen for dashes, none around the hyphen of a range, and no apostrophes.
pub(super) fn spelled_out(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for c in line.chars().filter(|c| !is_apostrophe(*c)) {
        match FRACTIONS.iter().find(|(letter, _)| *letter == c) {
            Some((_, fraction)) => {
                text.push(' ');
                text.push_str(fraction);
                text.push(' ');
            }
            None if c == '-' || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') => {
                if !text.ends_with('-') {
                    text.push('-');
                }
            }
            None if c == '\u{2044}' => text.push('/'),
            None => text.push(c),
        }
    }
    joined_range(&text).unwrap_or(text)
}

/// Of `ST MARY'S` and `O'GORMAN`, whose names are written without it, too.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '`' | '\u{b4}' | '\u{2b9}'..='\u{2bc}' | '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{ff07}')
}

/// `7830-7832 W …` of `7830 - 7832 W …`: the first of three digits and more, the second the higher, so that no street is taken
/// for an end.
fn joined_range(line: &str) -> Option<String> {
    let (low, rest) = line.split_once('-')?;
    let (low, rest) = (low.trim(), rest.trim_start());
    let (high, behind) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
    let is_range = low.len() >= 3
        && high.len() >= 2
        && !behind.starts_with(char::is_alphanumeric)
        && range_ends(&whole_range(format!("{low}-{high}"))).is_some();
    is_range.then(|| format!("{low}-{rest}"))
}

/// `19 1/2` in front of a line, as it is written down, and the rest.
pub(super) fn with_fraction(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    let letter = usize::from(rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    let (letter, rest) = rest.split_at(letter);
    let fraction = rest.trim_start_matches([' ', '-']);
    let parts = fraction.get(..3)?.as_bytes();
    let (&[over @ b'1'..=b'7', b'/', under @ (b'2' | b'3' | b'4' | b'8')], true) =
        (parts, fraction.len() < rest.len())
    else {
        return None;
    };
    let behind = &fraction[3..];
    let is_whole = digits > 0 && over < under && !behind.starts_with(char::is_alphanumeric);
    is_whole.then(|| {
        let (over, under) = (char::from(over), char::from(under));
        (format!("{number}{} {over}/{under}", letter.to_ascii_uppercase()), behind)
    })
}

/// The ends of a range.
pub(super) fn range_ends(number: &str) -> Option<(&str, &str)> {
    let (low, high) = number.split_once('-')?;
    let is_range = low.parse::<u32>().ok()? < high.parse::<u32>().ok()?;
    is_range.then_some((low, high))
}

/// `7830-7832` of `7830-32`. Queens writes hyphens into shorter numbers.
pub(super) fn whole_range(number: String) -> String {
    let Some((low, high)) = number.split_once('-') else { return number };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(low) || !is_digits(high) || low.len() < 4 || high.len() >= low.len() {
        return number;
    }
    let whole = format!("{low}-{}{high}", &low[..low.len() - high.len()]);
    if range_ends(&whole).is_some() { whole } else { number }
}

/// Numbers that a range holds may be so many at most; of a longer one the ends are known.
const MAX_MEMBERS: u32 = 50;

/// The house numbers of a range, those of one side of the street if both ends are of one; of `271-75` as of `271-275`, which has
/// the form of a number of Queens and stays as it is.
pub(super) fn members(number: &str) -> Vec<String> {
    let Some((low, high)) = range_ends(number).map(owned).or_else(|| short_range(number)) else {
        return Vec::new();
    };
    let (Ok(first), Ok(last)) = (low.parse::<u32>(), high.parse::<u32>()) else { return Vec::new() };
    let step = if (last - first).is_multiple_of(2) { 2 } else { 1 };
    if (last - first) / step >= MAX_MEMBERS {
        return vec![low, high];
    }
    (first..=last).step_by(step as usize).map(|own| own.to_string()).collect()
}

fn owned((low, high): (&str, &str)) -> (String, String) {
    (low.to_owned(), high.to_owned())
}

/// Houses that a range of so short a form may be apart.
const MAX_SHORT_RANGE: u32 = 20;

/// `271` and `275` of `271-75`.
fn short_range(number: &str) -> Option<(String, String)> {
    let (low, high) = number.split_once('-')?;
    let is_short = low.len() == 3 && high.len() == 2;
    let whole = format!("{}{high}", low.get(..1)?);
    let (first, last) = (low.parse::<u32>().ok()?, whole.parse::<u32>().ok()?);
    let is_range =
        is_short && first < last && last - first <= MAX_SHORT_RANGE && (last - first).is_multiple_of(2);
    is_range.then(|| (low.to_owned(), whole))
}

/// `9086D` of `9086-D`, `9086--D` and `9086-d`.
pub(super) fn with_letter(number: String) -> String {
    match number.split_once('-') {
        Some((digits, letter))
            if digits.bytes().all(|byte| byte.is_ascii_digit())
                && letter.len() == 1
                && letter.bytes().all(|byte| byte.is_ascii_alphabetic()) =>
        {
            format!("{digits}{letter}")
        }
        _ => number,
    }
}

/// `9086` and `D` of `9086D`; `8605` and `203` of `8605-203`, and `771` and `23` of `771-U23` and `771U23`, where that is no range: a flat
/// behind the number of its house. Queens writes two digits behind the hyphen of a shorter number.
pub(super) fn with_flat(number: &str) -> Option<(String, String)> {
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let (house, rest) = number.split_at(digits);
    if digits == 0 || range_ends(number).is_some() || short_range(number).is_some() {
        return None;
    }
    let is_letter = rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_queens =
        |flat: &str| digits < 4 && flat.len() < 3 && flat.bytes().all(|byte| byte.is_ascii_digit());
    let behind_u = rest.trim_start_matches('-').strip_prefix('U').filter(|flat| !flat.is_empty());
    let flat = behind_u.or_else(|| rest.strip_prefix('-').filter(|flat| !is_queens(flat)));
    match flat {
        _ if is_letter => Some((house.to_owned(), rest.to_owned())),
        Some(flat) if !flat.is_empty() && flat.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Some((house.to_owned(), flat.to_owned()))
        }
        _ => None,
    }
}

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

/// The line with fractions of several letters, hyphens for dashes, and none around the hyphen of a range.
pub(super) fn spelled_out(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match FRACTIONS.iter().find(|(letter, _)| *letter == c) {
            Some((_, fraction)) => {
                text.push(' ');
                text.push_str(fraction);
                text.push(' ');
            }
            None if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') => text.push('-'),
            None if c == '\u{2044}' => text.push('/'),
            None => text.push(c),
        }
    }
    joined_range(&text).unwrap_or(text)
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

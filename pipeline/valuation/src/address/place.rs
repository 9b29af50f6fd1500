//! City, state and zip behind an address of one line.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Deserialize)]
struct StateZips {
    name: String,
    /// First and last of the first three digits.
    zips: Vec<String>,
}

static STATES: LazyLock<BTreeMap<String, StateZips>> = LazyLock::new(|| {
    let read = toml::from_str(include_str!("states.toml"));
    read.unwrap_or_else(|error| panic!("states: {error}"))
});

/// Whether a zip is one of a state; of a state that is not known any is.
#[must_use]
pub fn is_zip_of_state(zip: &str, state: &str) -> bool {
    let Some(state) = STATES.get(&state.trim().to_uppercase()) else { return true };
    let begin = zip.get(..3).unwrap_or_default();
    state
        .zips
        .iter()
        .any(|range| range.split_once('-').is_some_and(|(first, last)| (first..=last).contains(&begin)))
}

/// The line without the city, state and zip behind the address, and that zip. A city counts behind a comma or before the state or
/// zip, a state and a zip behind a comma or the city, so that no part of a street is taken for one.
#[must_use]
pub fn without_place<'l>(line: &'l str, city: &str, state: &str) -> (&'l str, Option<&'l str>) {
    let whole = trim_end(line);
    let country = ["USA", "US", "UNITED STATES"].iter().find_map(|name| without_words(whole, name));
    let rest = country.filter(|rest| trim_end(rest).len() < rest.len()).map_or(whole, trim_end);
    // Five digits may be a flat, too.
    let with_zip = without_zip(rest).filter(|(_, zip)| is_zip_of_state(zip, state));
    let (zip, rest) = with_zip.map_or((None, rest), |(rest, zip)| (Some(zip), rest));
    let state = state.trim().to_uppercase();
    let full = STATES.get(&state).map(|own| own.name.as_str()).unwrap_or_default();
    let dotted = state.chars().map(|c| format!("{c}.")).collect::<String>();
    let without_state = [state.as_str(), full, dotted.trim_end_matches('.')]
        .iter()
        .filter(|name| !name.is_empty())
        .find_map(|name| without_words(trim_end(rest), name));
    let is_parted = |rest: &str| rest.trim_end_matches([' ', '.', '\t']).ends_with(',');
    let before_state = without_state.unwrap_or(rest);
    let without_city = without_words(trim_end(before_state), city)
        .filter(|rest| is_parted(rest) || without_state.is_some() || zip.is_some())
        .filter(|rest| trim_end(rest).contains(' '));
    let kept = match (without_city, without_state, zip) {
        (Some(rest), _, _) => rest,
        (None, Some(rest), _) if is_parted(rest) => rest,
        (None, None, Some(_)) if is_parted(rest) => rest,
        _ => return (line, None),
    };
    (trim_end(kept), zip)
}

fn trim_end(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';'))
}

/// The line without five digits, or five and four, at its end.
fn without_zip(line: &str) -> Option<(&str, &str)> {
    let at = line.rfind(|c: char| c.is_whitespace() || c == ',').map(|at| at + 1)?;
    let (rest, zip) = (line.get(..at)?, line.get(at..)?);
    let (five, four) = zip.split_once('-').unwrap_or((zip, "0000"));
    let is_digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_digits(five, 5) && is_digits(four, 4)).then_some((rest, five))
}

/// The line without such words at its end, whatever their case and the blanks between them.
fn without_words<'l>(line: &'l str, words: &str) -> Option<&'l str> {
    let mut rest = line;
    for (at, word) in words.split_whitespace().rev().enumerate() {
        let trimmed = if at == 0 { rest } else { rest.trim_end() };
        let cut = trimmed.len().checked_sub(word.len())?;
        let end = trimmed.get(cut..)?;
        if !end.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = &trimmed[..cut];
    }
    let is_whole = rest.is_empty() || rest.ends_with(|c: char| c.is_whitespace() || c == ',');
    (is_whole && rest.len() < line.len()).then_some(rest)
}

//! Telephone numbers: by which country's rules one is read, and how it is written down.

use phonenumber::country::Id as Country;
use phonenumber::metadata::{DATABASE, Descriptor};
use phonenumber::{Metadata, Mode, PhoneNumber, Type};
use unicode_normalization::UnicodeNormalization as _;

/// Kinds of numbers by which somebody can be reached.
const TYPES: [Type; 10] = [
    Type::FixedLine,
    Type::Mobile,
    Type::TollFree,
    Type::PremiumRate,
    Type::SharedCost,
    Type::PersonalNumber,
    Type::Voip,
    Type::Pager,
    Type::Uan,
    Type::Voicemail,
];

/// A valid number in E.164. What begins with `+`, or with what the region dials before a country, is read by the rules of
/// that country alone; anything else by those of the region.
pub(super) fn to_e164(given: &str, region: Country) -> Option<String> {
    // Of forms that East Asian keyboards write.
    let text: String = given.nfkc().collect();
    let text = &text[text.find(|c: char| c == '+' || c.is_numeric())?..];
    if text.matches('+').count() > 1 {
        return None;
    }
    if text.starts_with('+') {
        return parse_international(text);
    }
    behind_exit_code(text, region).and_then(parse_international).or_else(|| parse_national(text, region))
}

/// Whether what is given is a number with an extension behind it.
pub(super) fn has_extension(given: &str, region: Country) -> bool {
    let before = given.trim_end().trim_end_matches(char::is_numeric);
    let number =
        before.trim_end_matches(|c: char| c.is_alphabetic() || c.is_whitespace() || ";.:=#,".contains(c));
    before.len() < given.trim_end().len()
        && number.len() < before.trim_end().len()
        && to_e164(number, region).is_some()
}

/// Country code and number, with or without `+`.
fn parse_international(text: &str) -> Option<String> {
    let text = text.trim_start_matches(|c: char| c == '+' || c.is_whitespace());
    let as_it_is = digits_of(text).and_then(|digits| {
        let split = |end| Some((digits.get(..end)?.parse().ok()?, digits.get(end..)?));
        // No country code begins another.
        let (code, own) = (1..=3).filter_map(split).find(|(code, _)| DATABASE.by_code(code).is_some())?;
        is_number_of(code, own).then(|| format!("+{digits}"))
    });
    // With a region, the crate takes that region's national prefix off numbers of other countries.
    as_it_is.or_else(|| format_e164(phonenumber::parse(None, format!("+{}", unlike_a_uri(text))).ok()?))
}

fn parse_national(text: &str, region: Country) -> Option<String> {
    let meta = DATABASE.by_id(region.as_ref())?;
    let code = meta.country_code();
    let as_it_is = digits_of(text).and_then(|digits| {
        let without_prefix = meta.national_prefix().and_then(|prefix| digits.strip_prefix(prefix));
        let own =
            [Some(digits.as_str()), without_prefix].into_iter().flatten().find(|own| is_number(meta, own))?;
        Some(format!("+{code}{own}"))
    });
    as_it_is.or_else(|| format_e164(phonenumber::parse(Some(region), unlike_a_uri(text)).ok()?))
}

/// The digits of a text that has nothing else but what parts them.
fn digits_of(text: &str) -> Option<String> {
    let is_bare = |c: char| c.is_ascii_digit() || c.is_whitespace() || "-.()/".contains(c);
    text.chars().all(is_bare).then(|| text.chars().filter(char::is_ascii_digit).collect())
}

/// Whether a number is one of a country without anything taken off it. The crate takes what looks like a prefix off first,
/// and so loses the numbers for free calls of Russia and others.
fn is_number_of(code: u16, national: &str) -> bool {
    DATABASE.by_code(&code).is_some_and(|all| all.into_iter().any(|meta| is_number(meta, national)))
}

fn is_number(meta: &Metadata, national: &str) -> bool {
    let is_of = |descriptor: &Descriptor| {
        let whole = descriptor.national_number().find(national).map(|found| (found.start(), found.end()));
        descriptor.is_match(national) && whole == Some((0, national.len()))
    };
    let all = meta.descriptors();
    is_of(all.general()) && TYPES.into_iter().filter_map(|kind| all.get(kind)).any(is_of)
}

/// The crate reads a text without spaces as a `tel:` URI, in which all up to the first hyphen is the country code.
fn unlike_a_uri(text: &str) -> String {
    format!(" {text}")
}

/// The part behind the digits that are dialled before a country code in the region.
fn behind_exit_code(text: &str, region: Country) -> Option<&str> {
    let places: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).collect();
    let digits: String = places.iter().map(|(_, digit)| digit).collect();
    let code = DATABASE.by_id(region.as_ref())?.international_prefix()?;
    let end = code.find(&digits).filter(|found| found.start() == 0)?.end();
    // No country code begins with 0.
    let (place, _) = places.get(end).filter(|(_, digit)| *digit != '0')?;
    Some(&text[*place..])
}

fn format_e164(number: PhoneNumber) -> Option<String> {
    // An extension has no place in E.164.
    let is_usable = number.extension().is_none() && phonenumber::is_valid(&number);
    is_usable.then(|| number.format().mode(Mode::E164).to_string())
}

#[cfg(test)]
mod tests;

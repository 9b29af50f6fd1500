//! Names that nobody bears: fighters, officials, places.
//!
//! Fighters' names are put together from syllables. Every last name the tables can make is
//! checked against the real captures, so that no seed can produce a real person.

use std::collections::HashSet;

use super::random::Rng;

const FIRST_HEADS: &[&str] = &[
    "Zor", "Pel", "Vrix", "Quo", "Blem", "Grum", "Snar", "Twi", "Frob", "Kle", "Moz", "Dru", "Yib", "Wex",
    "Plo", "Skren", "Hox", "Jub", "Thwo", "Gliz", "Brax", "Nub", "Vlor", "Ekk",
];
const FIRST_TAILS: &[&str] = &[
    "vik", "mo", "dak", "zix", "wop", "gle", "bix", "lunk", "dop", "nax", "zu", "plin", "grot", "fip", "quo",
    "drim",
];
const LAST_HEADS: &[&str] = &[
    "Quan", "Dratt", "Splun", "Wib", "Glor", "Fnor", "Squib", "Mox", "Thrub", "Plon", "Kwez", "Vorb", "Skro",
    "Blun", "Yarg", "Nib", "Jorp", "Grel", "Frum", "Chiz", "Dwob", "Truz", "Obb", "Urk",
];
const LAST_TAILS: &[&str] = &[
    "dle", "chik", "zle", "wump", "nork", "plex", "gle", "snick", "moth", "dwick", "fuzz", "spoon", "wobble",
    "crank", "zoid", "lop", "gurk", "bottle",
];

/// Gives out names, each part once.
#[derive(Default)]
pub(super) struct NameBook {
    used: HashSet<String>,
}

impl NameBook {
    /// A first and a last name not given out before.
    pub(super) fn next_name(&mut self, rng: &mut Rng) -> (String, String) {
        (self.draw_part(rng, FIRST_HEADS, FIRST_TAILS), self.draw_part(rng, LAST_HEADS, LAST_TAILS))
    }

    fn draw_part(&mut self, rng: &mut Rng, heads: &[&str], tails: &[&str]) -> String {
        loop {
            let part = format!("{}{}", rng.pick(heads), rng.pick(tails));
            if self.used.insert(part.clone()) {
                return part;
            }
        }
    }
}

/// The name of this number: no other number has it, so that fighters of many leagues are told apart.
pub(super) fn numbered_name(number: usize) -> (String, String) {
    let mut left = number;
    let mut part = |parts: &[&'static str]| {
        let part = parts[left % parts.len()];
        left /= parts.len();
        part
    };
    let first = format!("{}{}", part(FIRST_HEADS), part(FIRST_TAILS));
    let last = format!("{}{}", part(LAST_HEADS), part(LAST_TAILS));
    // Three syllables are enough for three million; further ones are counted.
    let (third, more) = (part(LAST_TAILS), left);
    let more = if more == 0 { String::new() } else { format!(" {more}") };
    (first, format!("{last}{third}{more}"))
}

/// Every last name that any seed could give out.
#[cfg(test)]
pub(super) fn all_last_names() -> Vec<String> {
    LAST_HEADS.iter().flat_map(|head| LAST_TAILS.iter().map(move |tail| format!("{head}{tail}"))).collect()
}

pub(super) const NICKNAMES: &[&str] = &[
    "The Placeholder",
    "Lorem",
    "Ipsum",
    "The Fixture",
    "Test Case",
    "The Unit Test",
    "Off By One",
    "Null Island",
    "The Stub",
    "Sample Text",
    "Carriage Return",
    "The Semicolon",
    "Dummy Row",
    "The Mock",
    "Left Join",
    "The Outlier",
    "Trailing Space",
    "Half Open",
    "The Seed",
    "Big Endian",
];

pub(super) const REFEREES: &[&str] = &[
    "Ombo Flitterwump",
    "Grizzo Panklebop",
    "Snorri Twaddlemug",
    "Yelpa Crumbwick",
    "Dorbo Sklent",
    "Wuzzle Hepplefrap",
    "Krimbo Ostlequap",
    "Nan Tibberscrum",
    "Pobb Urzelfink",
];

/// Two words, three words, and one with a suffix: what splits a judge from a score has to cope.
pub(super) const JUDGES: &[&str] = &[
    "Tiddle Marnkwop",
    "Oblo van Sproot",
    "Wexel Plonkard Jr.",
    "Snib Drazzleby",
    "Hobbo Frizzengrub",
    "Zil D'orblewick",
    "Mumpa Quillifuzz",
    "Brindo la Skwee",
    "Cobble Nurfwheel",
    "Ettie Glonkspur",
    "Farbo Wimblequat",
    "Lunt Ombersnoot",
];

/// Two parts and three parts, as the source has them.
pub(super) const PLACES: &[&str] = &[
    "Exampleville, Nowhere, Samplonia",
    "Testburg, Samplonia",
    "Fixture Falls, Lower Mockshire, Samplonia",
    "Port Placeholder, Dummyland",
    "Stubton, Upper Mockshire, Samplonia",
    "Seedhaven, Randomia",
    "Nullbury, Nowhere, Samplonia",
    "Loremstad, Ipsumland",
];

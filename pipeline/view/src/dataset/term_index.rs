//! Folded words, and which entries have them, in a finite-state transducer: an automaton that accepts a word's
//! neighbours walks it and never looks at words that are far away.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fdna_model::fold_name;
use fst::automaton::{Automaton, Str};
use fst::{IntoStreamer as _, Map, Streamer as _};
use levenshtein_automata::LevenshteinAutomatonBuilder;

/// How near a word is to the asked one.
pub(crate) const EXACT: f32 = 1.0;
pub(crate) const PREFIX: f32 = 0.9;
const ONE_ERROR: f32 = 0.75;
const TWO_ERRORS: f32 = 0.6;
pub(crate) const BEGINS_ALIKE: f32 = 0.5;

/// Beginnings with an error in them are forgiven from this length on: shorter ones have too many neighbours.
const LONG: usize = 6;

/// Automata for one and two errors, swapped neighbours being one.
static NEAR: LazyLock<[LevenshteinAutomatonBuilder; 2]> =
    LazyLock::new(|| [1, 2].map(|errors| LevenshteinAutomatonBuilder::new(errors, true)));

/// Words and the entries of each.
#[derive(Debug)]
pub(crate) struct TermIndex {
    /// From a word to its place in `starts`.
    words: Map<Vec<u8>>,
    /// Where the entries of each word begin, and the end.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl TermIndex {
    pub(crate) fn build(of: &BTreeMap<String, Vec<u32>>) -> Result<Self, fst::Error> {
        let words = Map::from_iter(of.keys().zip(0_u64..))?;
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for of_word in of.values() {
            entries.extend_from_slice(of_word);
            starts.push(u32::try_from(entries.len()).unwrap_or(u32::MAX));
        }
        Ok(Self { words, starts, entries })
    }

    /// Tells of every word that is the asked one, begins with it, or is it but for small errors: how near it is,
    /// its length, and its entries. A word may be told twice, the nearer the better.
    pub(crate) fn near(&self, query_word: &str, mut tell: impl FnMut(f32, usize, &[u32])) {
        if query_word.len() < 2 {
            if let Some(place) = self.words.get(query_word) {
                tell(EXACT, query_word.len(), self.entries_of(place));
            }
            return;
        }
        self.walk(Str::new(query_word).starts_with(), |word, entries| {
            tell(if word == query_word { EXACT } else { PREFIX }, word.len(), entries);
        });
        let errors = errors_forgiven(query_word);
        if errors > 0 {
            let near = &NEAR[errors - 1];
            let dfa = if query_word.len() < LONG {
                near.build_dfa(query_word)
            } else {
                near.build_prefix_dfa(query_word)
            };
            self.walk(&dfa, |word, entries| {
                if !digits(word).eq(digits(query_word)) {
                    return;
                }
                let nearness = match strsim::osa_distance(word, query_word) {
                    1 => ONE_ERROR,
                    2 if errors > 1 => TWO_ERRORS,
                    _ => BEGINS_ALIKE,
                };
                tell(nearness, word.len(), entries);
            });
        }
    }

    fn walk(&self, automaton: impl Automaton, mut tell: impl FnMut(&str, &[u32])) {
        let mut found = self.words.search(automaton).into_stream();
        while let Some((word, place)) = found.next() {
            tell(std::str::from_utf8(word).unwrap_or_default(), self.entries_of(place));
        }
    }

    fn entries_of(&self, place: u64) -> &[u32] {
        let place = usize::try_from(place).unwrap_or(usize::MAX - 1);
        let at = |place: usize| self.starts.get(place).map_or(0, |start| *start as usize);
        self.entries.get(at(place)..at(place + 1)).unwrap_or_default()
    }
}

/// Another digit is another number and no error.
fn digits(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().filter(u8::is_ascii_digit)
}

/// Errors that a word may have. Numbers may have none, nor may short words, of which another is always near, nor
/// words longer than any name.
fn errors_forgiven(word: &str) -> usize {
    match word.len() {
        _ if word.bytes().all(|b| b.is_ascii_digit()) => 0,
        4..=7 => 1,
        8..=40 => 2,
        _ => 0,
    }
}

/// Words of a text, folded: `Sean O’Malley-Ünal` is sean, omalley and unal.
pub(crate) fn words(text: &str) -> Vec<String> {
    let is_between = |c: char| {
        c.is_whitespace() || (c.is_ascii_punctuation() && c != '\'') || ('\u{2010}'..='\u{2015}').contains(&c)
    };
    let words = text.split(is_between).map(fold_name).filter(|word| !word.is_empty());
    words.map(|word| if word == "versus" { "vs".to_owned() } else { word }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearness(word: &str, query_word: &str) -> f32 {
        let terms = TermIndex::build(&[(word.to_owned(), vec![7])].into()).unwrap();
        let mut best = 0.0_f32;
        terms.near(query_word, |nearness, length, entries| {
            assert_eq!((length, entries), (word.len(), &[7][..]));
            best = best.max(nearness);
        });
        best
    }

    #[test]
    fn words_are_folded_however_they_are_written() {
        assert_eq!(words("Sean O’Malley-Ünal"), ["sean", "omalley", "unal"]);
        assert_eq!(words("Procha\u{301}zka \u{2013} Hill"), ["prochazka", "hill"]);
        assert_eq!(words("A versus  B."), ["a", "vs", "b"]);
        assert_eq!(words(" !?- "), Vec::<String>::new());
    }

    #[test]
    fn the_longer_a_word_the_more_errors_are_forgiven() {
        let close = |a: f32, b: f32| assert!((a - b).abs() < f32::EPSILON, "{a} {b}");
        close(nearness("silva", "silva"), EXACT);
        close(nearness("silva", "sil"), PREFIX);
        close(nearness("silva", "sliva"), ONE_ERROR);
        close(nearness("silva", "sivlo"), 0.0);
        close(nearness("kim", "kin"), 0.0);
        close(nearness("nurmagomedov", "nurmogomedof"), TWO_ERRORS);
        close(nearness("nurmagomedov", "nurmagmd"), BEGINS_ALIKE);
        close(nearness("2024", "2023"), 0.0);
        close(nearness("night285", "night286"), 0.0);
        close(nearness("night285", "nigth285"), ONE_ERROR);
        close(nearness("a", "a"), EXACT);
        close(nearness("ab", "a"), 0.0);
    }
}

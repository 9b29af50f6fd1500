//! Words of a text, folded, as names are looked up in it.

use fdna_model::fold_name;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameWord {
    /// Lower case, without marks; a possessive `'s` is left out.
    pub(crate) text: String,
    /// Whether it begins with a capital letter.
    pub(crate) is_capital: bool,
    /// Whether it can go on with a name that the word before began: nothing but space, a hyphen or the point of an
    /// abbreviation is between them.
    pub(crate) goes_on: bool,
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ')
}

/// The words of a text in their order.
pub(crate) fn split_words(text: &str) -> Vec<NameWord> {
    let mut words: Vec<NameWord> = Vec::new();
    let (mut between, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        if !c.is_alphanumeric() {
            between.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).unwrap_or(rest.len());
        let raw = rest[..end].trim_end_matches(is_apostrophe);
        let goes_on = words.last().is_some_and(|last| joins_next(last, &between));
        words.push(NameWord { text: fold_word(raw), is_capital: c.is_uppercase(), goes_on });
        between.clear();
        between.push_str(&rest[raw.len()..end]);
        rest = &rest[end..];
    }
    words
}

fn fold_word(raw: &str) -> String {
    let mut chars = raw.chars().rev();
    let is_possessive =
        chars.next().is_some_and(|c| matches!(c, 's' | 'S')) && chars.next().is_some_and(is_apostrophe);
    let owner = if is_possessive { raw.trim_end_matches(['s', 'S']) } else { raw };
    fold_name(owner)
}

fn joins_next(last: &NameWord, between: &str) -> bool {
    let is_short = last.text.len() <= 2;
    !last.text.is_empty()
        && between
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '-' | '‐' | '‑') || (c == '.' && is_short))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        split_words(text).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_folded_and_possessives_dropped() {
        assert_eq!(
            texts("Jiří Procházka’s Sean O'Malley's 'Fighters' title"),
            ["jiri", "prochazka", "sean", "omalley", "fighters", "title"]
        );
        assert_eq!(texts("Waldo Cortes-Acosta #UFC326 🔥"), ["waldo", "cortes", "acosta", "ufc326"]);
    }

    #[test]
    fn a_name_does_not_go_on_over_punctuation() {
        let goes_on = |text| split_words(text).iter().map(|word| word.goes_on).collect::<Vec<_>>();
        assert_eq!(goes_on("B.J. Penn"), [false, true, true]);
        assert_eq!(goes_on("Benoit St. Denis"), [false, true, true]);
        assert_eq!(goes_on("Jones. Dan"), [false, false]);
        assert_eq!(goes_on("Alex, Pereira | Gane"), [false, false, false]);
        assert_eq!(goes_on("Cortes-Acosta"), [false, true]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}") {
            let _ = split_words(&text);
        }
    }
}

//! Judges and their totals inside the details column: `Mike Bell 48 - 47.Sal D'amato 47 - 48.…`.

use std::collections::BTreeSet;

use super::detail::split_name;

/// One judge's totals as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParsedCard {
    /// Text before the totals: a judge, or on the first card a deduction glued to a judge.
    pub(super) label: String,
    pub(super) first: i32,
    pub(super) second: i32,
}

/// All cards of a details text, in its order; empty for a text that has none.
pub(super) fn parse_cards(details: &str) -> Vec<ParsedCard> {
    let mut cards = Vec::new();
    let mut rest = details;
    while let Some((card, after)) = next_card(rest) {
        cards.push(card);
        rest = after;
    }
    cards
}

/// The first `n - m` of a text, what stands before it, and what comes after its full stop.
fn next_card(text: &str) -> Option<(ParsedCard, &str)> {
    for (dash, _) in text.match_indices(" - ") {
        let before = &text[..dash];
        let label = before.trim_end_matches(|c: char| c.is_ascii_digit());
        let after = &text[dash + 3..];
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let (first, second) = (&before[label.len()..], &after[..after.len() - rest.len()]);
        if let (Some(first), Some(second)) = (parse_points(first), parse_points(second)) {
            let label = label.trim();
            // A label of one word is a judge whose names were glued together.
            let label = if label.contains(' ') { label.to_owned() } else { split_name(label) };
            let card = ParsedCard { label, first, second };
            return Some((card, rest.strip_prefix('.').unwrap_or(rest)));
        }
    }
    None
}

fn parse_points(digits: &str) -> Option<i32> {
    digits.parse().ok().filter(|p| (1..=100).contains(p))
}

/// Judges known from cards to which nothing can be glued: the second and later ones of a bout.
#[derive(Default)]
pub(super) struct CardJudges(BTreeSet<String>);

impl CardJudges {
    pub(super) fn learn_judges(&mut self, cards: &[ParsedCard]) {
        self.0.extend(Self::judges_in(cards));
    }

    /// Those that the cards of a bout make known.
    pub(super) fn judges_in(cards: &[ParsedCard]) -> impl Iterator<Item = String> {
        cards.iter().skip(1).map(|c| c.label.clone()).filter(|l| !l.is_empty())
    }

    pub(super) fn from_names(judges: impl Iterator<Item = String>) -> Self {
        Self(judges.collect())
    }

    /// Splits a label into what is glued before it and the judge, each if known.
    pub(super) fn split_label(&self, label: &str) -> (Option<String>, Option<String>) {
        let some = |text: &str| Some(text.trim().to_owned()).filter(|t| !t.is_empty());
        if self.0.contains(label) {
            return (None, some(label));
        }
        let glued = self.0.iter().filter(|judge| label.ends_with(judge.as_str()));
        match glued.max_by_key(|judge| judge.len()) {
            Some(judge) => (some(&label[..label.len() - judge.len()]), some(judge)),
            // Glued to a judge who stands nowhere else: which part is the judge cannot be told.
            None if label.contains(':') || label.contains(" by ") => {
                (some(&label.split(' ').map(split_name).collect::<Vec<_>>().join(" ")), None)
            }
            None => (None, some(label)),
        }
    }
}

/// Whether the cards bear out that the loser's points come first.
pub(super) fn loser_first(cards: &[ParsedCard]) -> bool {
    let second = cards.iter().filter(|c| c.second > c.first).count();
    let first = cards.iter().filter(|c| c.first > c.second).count();
    second > first
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(details: &str) -> Vec<(String, i32, i32)> {
        parse_cards(details).into_iter().map(|c| (c.label, c.first, c.second)).collect()
    }

    #[test]
    fn judges_and_totals_are_taken_apart() {
        let text = "Andrew Hopper Jr. 27 - 30.Sal D'amato 28 - 29.30 - 27.";
        let expected = [
            ("Andrew Hopper Jr.".to_owned(), 27, 30),
            ("Sal D'amato".to_owned(), 28, 29),
            (String::new(), 30, 27),
        ];
        assert_eq!(read(text), expected);
        assert!(read("Punch to Head - At Distance").is_empty());
    }

    #[test]
    fn a_deduction_glued_to_the_first_judge_is_split_off_where_the_judge_is_known() {
        let mut judges = CardJudges::default();
        judges.learn_judges(&parse_cards("A B 1 - 2.Tony Weeks 27 - 29.Sal D'amato 26 - 30."));
        let split = |label| judges.split_label(label);
        assert_eq!(
            split("Point Deducted: Low Blow by WatsonTony Weeks"),
            (Some("Point Deducted: Low Blow by Watson".into()), Some("Tony Weeks".into()))
        );
        assert_eq!(split("Tony Weeks"), (None, Some("Tony Weeks".into())));
        assert_eq!(split("New Judge"), (None, Some("New Judge".into())));
        for glued in ["Point Deducted: UnoNew Judge", "Illegal Use by UnoNew Judge"] {
            assert_eq!(split(glued), (Some(glued.replace("UnoNew", "Uno New")), None));
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_or_loop(text in "([a-zé:. ]{0,6}[0-9]{0,3}( - )?[0-9]{0,3}\\.?){0,8}") {
            let _ = parse_cards(&text);
        }
    }
}

//! Classification of a video by its title: thirteen types, by rules in order.
//!
//! The first rule that fits counts. What none fits is `other`: a type is never guessed. The order says what a title
//! with two marks is: an instant reaction to a bout is of after the bout, whoever reacts; what its host comments on
//! is analysis, whatever that is; faces that are made at a weigh-in are the face-off.

use std::sync::LazyLock;

use serde::Deserialize;

use super::super::directory::split_words;

/// Rules of `types.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TitleRules {
    /// Marks of a comment on something.
    comments: Vec<String>,
    rule: Vec<TitleRule>,
}

/// Words that mark a type, in the order of the rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TitleRule {
    name: String,
    video_type: String,
    /// Whether it fits a title that comments on something, too.
    #[serde(default)]
    may_comment: bool,
    /// Any of these, as whole words of the folded title; a hyphen is a space.
    words: Vec<String>,
}

static RULES: LazyLock<TitleRules> = LazyLock::new(|| {
    toml::from_str(include_str!("types.toml")).unwrap_or_else(|error| panic!("read types.toml: {error}"))
});

/// The rule that also holds for the last name of the channel: `… Helwani Reacts` on the channel of that name.
const HOST_REACTS: &str = "host_reacts";

/// Type and the rule that gave it.
pub(super) fn video_type(title: &str, channel: &str) -> (&'static str, &'static str) {
    let title = fold_title(title);
    let host = split_words(channel).pop().map(|word| word.text);
    let reacts = ["reacts", "breaks down", "breakdown", "answers"];
    let is_of_host =
        host.is_some_and(|host| reacts.iter().any(|verb| has_mark(&title, &format!("{host} {verb}"))));
    let fits = |rule: &&TitleRule| {
        let is_marked =
            rule.words.iter().any(|mark| has_mark(&title, mark)) || (rule.name == HOST_REACTS && is_of_host);
        is_marked && (rule.may_comment || !RULES.comments.iter().any(|mark| has_mark(&title, mark)))
    };
    RULES.rule.iter().find(fits).map_or(("other", "none"), |rule| (&rule.video_type, &rule.name))
}

/// The words with a space around each.
fn fold_title(title: &str) -> String {
    split_words(title).into_iter().fold(" ".to_owned(), |text, word| text + &word.text + " ")
}

fn has_mark(folded: &str, mark: &str) -> bool {
    folded.contains(&format!(" {mark} "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Titles as channels wrote them, each with the type that a person gave it.
    const TITLES: &str = include_str!("titles.txt");

    fn titles() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        TITLES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
            let (expected, rest) = line.split_once(" | ").expect("a type");
            let (channel, title) = rest.split_once(" | ").expect("a channel");
            (expected.trim(), channel, title)
        })
    }

    #[test]
    fn real_titles_are_of_the_type_that_a_person_gives_them() {
        let wrong: Vec<String> = titles()
            .filter(|(expected, channel, title)| video_type(title, channel).0 != *expected)
            .map(|(expected, channel, title)| {
                format!("{title}: {:?}, not {expected}", video_type(title, channel))
            })
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(titles().count() >= 60, "{}", titles().count());
    }

    #[test]
    fn every_one_of_the_thirteen_types_is_given() {
        let given: BTreeSet<&str> = titles().map(|(expected, ..)| expected).collect();
        let of_rules: BTreeSet<&str> =
            RULES.rule.iter().map(|rule| rule.video_type.as_str()).chain(["other"]).collect();
        assert_eq!(given, of_rules);
        assert_eq!(given.len(), 13);
    }

    #[test]
    fn the_first_rule_that_fits_counts() {
        assert_eq!(
            video_type("A vs B instant reaction | press conference", "X"),
            ("post_fight", "post_fight")
        );
        assert_eq!(video_type("Doe reacts to the press conference", "Jane Doe"), ("analysis", "host_reacts"));
        assert_eq!(video_type("Roe reacts to the press conference", "Jane Doe"), ("other", "none"));
        assert_eq!(video_type("", ""), ("other", "none"));
    }

    #[test]
    fn a_mark_is_a_whole_word() {
        assert_eq!(video_type("Heavyweights of the previewed reactor", "X").0, "other");
    }
}

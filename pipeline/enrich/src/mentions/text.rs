//! The rules for texts: full names first, then pairs, events, and the surnames that those make clear.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use uuid::Uuid;

use super::super::directory::{DirectoryBout, EntityDirectory, NameWord, split_words};
use super::{EntityMentions, MentionedEntity};

/// Longest name in words.
const NAME_WORDS: usize = 5;
/// Longest name of an event in words.
const EVENT_WORDS: usize = 12;
/// Shortest name of one word, and shortest surname, that counts by itself.
const ONE_WORD: usize = 8;
const SURNAME: usize = 4;

/// Words that stand within names in lower case.
const PARTICLES: [&str; 16] =
    ["al", "bin", "da", "de", "del", "della", "der", "di", "do", "dos", "du", "el", "la", "le", "van", "von"];

/// Surnames that are words of every headline: alone they mean nobody.
const WORDS: [&str; 32] = [
    "best", "bell", "brown", "camp", "chase", "clark", "cross", "dallas", "fields", "gall", "good", "green",
    "hill", "holland", "hunt", "jordan", "king", "knight", "light", "lord", "means", "page", "price",
    "right", "rose", "rush", "stone", "walker", "white", "wood", "woods", "young",
];

/// Entities that a text of that day mentions; `host` is the owner of the channel.
pub(in super::super) fn of_text(
    directory: &EntityDirectory,
    text: &str,
    on: NaiveDate,
    host: Option<Uuid>,
) -> EntityMentions {
    let words = split_words(text);
    let mut found = MentionsInText {
        directory,
        on,
        taken: vec![false; words.len()],
        words,
        mentions: EntityMentions::default(),
    };
    let full = found.full_names(host);
    found.find_events();
    found.find_pairs();
    found.both_names(&full);
    found.find_surnames(&full);
    found.events_of_bouts();
    found.mentions
}

/// The event that a text as a whole names.
pub(super) fn event_called(directory: &EntityDirectory, text: &str, on: NaiveDate) -> Option<Uuid> {
    let folded: String = split_words(text).into_iter().map(|word| word.text).collect();
    directory.event_meant_on(&folded, on)
}

struct MentionsInText<'a> {
    directory: &'a EntityDirectory,
    on: NaiveDate,
    words: Vec<NameWord>,
    /// Words that a rule has used.
    taken: Vec<bool>,
    mentions: EntityMentions,
}

impl<'a> MentionsInText<'a> {
    /// The words as one folded name, if nothing separates them.
    fn folded_name(&self, from: usize, n: usize) -> Option<String> {
        let words = self.words.get(from..from + n)?;
        words[1..]
            .iter()
            .all(|word| word.goes_on)
            .then(|| words.iter().map(|word| word.text.as_str()).collect())
    }

    /// Whether the words are written as names are.
    fn is_capital(&self, from: usize, n: usize) -> bool {
        let words = &self.words[from..from + n];
        let is_name = |word: &NameWord| word.is_capital || PARTICLES.contains(&word.text.as_str());
        words[0].is_capital && words.iter().all(is_name)
    }

    /// The longest full names, each word used once.
    fn full_names(&mut self, host: Option<Uuid>) -> BTreeSet<Uuid> {
        let (mut full, mut at) = (BTreeSet::new(), 0);
        while at < self.words.len() {
            let found = (1..=NAME_WORDS).rev().find_map(|n| Some((n, self.full_name(at, n)?)));
            let Some((n, id)) = found else {
                at += 1;
                continue;
            };
            self.taken[at..at + n].fill(true);
            at += n;
            let Some((id, rule, score)) = id.filter(|(id, ..)| Some(*id) != host) else { continue };
            self.mentions.add_mention(MentionedEntity::Fighter(id), rule, score);
            // A hashtag says who is in it, not that the two fight.
            if n > 1 {
                full.insert(id);
            }
        }
        full
    }

    /// A full name here, and whom it means: `Some(None)` for one that is borne, but of whom is not clear.
    #[expect(clippy::option_option, reason = "no name, and a name of nobody in particular, are two things")]
    fn full_name(&self, at: usize, n: usize) -> Option<Option<(Uuid, &'static str, f64)>> {
        let name = self.folded_name(at, n)?;
        let is_written_so = if n == 1 { name.len() >= ONE_WORD } else { self.is_capital(at, n) };
        if !is_written_so || self.directory.called_in_full(&name).is_empty() {
            return None;
        }
        Some(self.directory.fighter_meant_on(&name, self.on).map(|m| (m.id, m.rule, m.score)))
    }

    fn find_events(&mut self) {
        for at in 0..self.words.len() {
            let event = |n: usize, is_number: bool| {
                let words = self.words.get(at..at + n)?;
                let folded: String = words.iter().map(|word| word.text.as_str()).collect();
                let is_numbered = folded.strip_prefix("ufc").is_some_and(|rest| rest.parse::<u16>().is_ok());
                (is_number == is_numbered).then(|| self.directory.event_meant_on(&folded, self.on))?
            };
            let by_name = (3..=EVENT_WORDS).rev().find_map(|n| event(n, false));
            let by_number = || (1..=2).find_map(|n| event(n, true));
            if let Some(id) = by_name {
                self.mentions.add_mention(MentionedEntity::Event(id), "event_name", 0.95);
            } else if let Some(id) = by_number() {
                self.mentions.add_mention(MentionedEntity::Event(id), "event_number", 0.98);
            }
        }
    }

    /// `A vs B`.
    fn find_pairs(&mut self) {
        let is_versus = |word: &NameWord| matches!(word.text.as_str(), "vs" | "versus" | "v");
        let places: Vec<usize> = (1..self.words.len()).filter(|i| is_versus(&self.words[*i])).collect();
        for at in places {
            let before = |n: usize| Some((at.checked_sub(n)?, n));
            let after = |n: usize| Some((at + 1, n));
            let (Some(first), Some(second)) = (self.match_side(before), self.match_side(after)) else {
                continue;
            };
            let directory = self.directory;
            if let Some(bout) = directory.bout_between(&first.0, &second.0, self.on) {
                self.add_bout(bout, "pair", 0.95);
                for (from, n) in [first.1, second.1] {
                    self.taken[from..from + n].fill(true);
                }
            }
        }
    }

    /// Everybody whom the most words beside a `vs` can mean.
    fn match_side(
        &self,
        place: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> Option<(BTreeSet<Uuid>, (usize, usize))> {
        (1..=NAME_WORDS).rev().find_map(|n| {
            let (from, n) = place(n)?;
            let ids = self.directory.fighters_called(&self.folded_name(from, n)?);
            (!ids.is_empty() && self.is_capital(from, n)).then_some((ids, (from, n)))
        })
    }

    fn add_bout(&mut self, bout: &DirectoryBout, rule: &'static str, score: f64) {
        self.mentions.add_mention(MentionedEntity::Bout(bout.id), rule, score);
        for fighter in bout.pair {
            self.mentions.add_mention(MentionedEntity::Fighter(fighter), rule, score);
        }
        if self.is_fight_night_of(bout) {
            self.mentions.add_mention(MentionedEntity::Event(bout.event), "fight_night_headliners", 0.95);
        }
    }

    /// Whether the text says `Fight Night` and the event bears the names of the two.
    fn is_fight_night_of(&self, bout: &DirectoryBout) -> bool {
        let is_said = self.words.windows(2).any(|pair| pair[0].text == "fight" && pair[1].text == "night");
        let Some(event) = self.directory.event_of(bout).filter(|_| is_said) else { return false };
        let named: Vec<NameWord> = split_words(&event.name);
        bout.pair
            .iter()
            .all(|id| named.iter().any(|word| self.directory.fighters_called(&word.text).contains(id)))
    }

    fn both_names(&mut self, full: &BTreeSet<Uuid>) {
        let directory = self.directory;
        for (i, first) in full.iter().enumerate() {
            for second in full.iter().skip(i + 1) {
                let (first, second) = (BTreeSet::from([*first]), BTreeSet::from([*second]));
                if let Some(bout) = directory.bout_between(&first, &second, self.on) {
                    self.add_bout(bout, "both_names", 0.85);
                }
            }
        }
    }

    /// Surnames of opponents of those who are named in full, and of those on the card of an event that is named.
    fn find_surnames(&mut self, full: &BTreeSet<Uuid>) {
        let events: Vec<Uuid> = self
            .mentions
            .0
            .keys()
            .filter_map(|entity| match entity {
                MentionedEntity::Event(id) => Some(*id),
                _ => None,
            })
            .collect();
        let at_event: BTreeSet<Uuid> =
            events.into_iter().flat_map(|id| self.directory.fighters_at(id)).collect();
        let directory = self.directory;
        for at in 0..self.words.len() {
            let Some((called, n)) = (1..=3).rev().find_map(|n| Some((self.match_surname(at, n)?, n))) else {
                continue;
            };
            let bout =
                full.iter().find_map(|id| directory.bout_between(&BTreeSet::from([*id]), &called, self.on));
            let there: Vec<Uuid> = called.intersection(&at_event).copied().collect();
            if let Some(bout) = bout {
                self.add_bout(bout, "surname_of_opponent", 0.85);
            } else if let [id] = there[..] {
                self.mentions.add_mention(MentionedEntity::Fighter(id), "surname_at_event", 0.85);
            } else {
                continue;
            }
            self.taken[at..at + n].fill(true);
        }
    }

    /// Everybody of the surname that stands here alone: no first name before it, none that it is the first of.
    fn match_surname(&self, at: usize, n: usize) -> Option<BTreeSet<Uuid>> {
        let name = self.folded_name(at, n)?;
        let is_free = !self.taken[at..at + n].contains(&true) && self.is_capital(at, n);
        if !is_free || name.len() < SURNAME || WORDS.contains(&name.as_str()) {
            return None;
        }
        let has_first_name = self.words[at].goes_on
            && at.checked_sub(1).is_some_and(|before| {
                let word = &self.words[before];
                word.is_capital && self.directory.is_first_name(&word.text)
            });
        let is_first_name = self.words.get(at + n).is_some_and(|word| {
            word.goes_on && word.is_capital && !self.directory.fighters_called(&word.text).is_empty()
        });
        let called = self.directory.fighters_called(&name);
        (!called.is_empty() && !has_first_name && !is_first_name).then_some(called)
    }

    /// The event of a bout that the text is about.
    fn events_of_bouts(&mut self) {
        let bouts: Vec<(Uuid, f64)> = self
            .mentions
            .0
            .iter()
            .filter_map(|(entity, (_, score))| match entity {
                MentionedEntity::Bout(id) => Some((*id, *score)),
                _ => None,
            })
            .collect();
        for (id, score) in bouts {
            if let Some(bout) = self.directory.bout(id) {
                self.mentions.add_mention(MentionedEntity::Event(bout.event), "of_bout", score);
            }
        }
    }
}

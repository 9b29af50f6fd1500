//! Matching of claimed events to known ones: by their bouts, else by its name, on the same day or the next.

use std::collections::BTreeMap;

use fdna_model::{Kind, fold_name};
use fdna_schemas::Promotions;
use uuid::Uuid;

use super::event_linker::EventMatch;
use super::registry::{AmbiguousMatch, EntityLink, EntityRegistry, RegisteredEvent, SourceKey};
use crate::source_names::UFC;
use crate::thresholds::{AMBIGUITY_MARGIN, MATCH_THRESHOLD};

/// One event of ours that a claimed one may be.
#[derive(Debug, Clone, Copy, PartialEq)]
struct EventCandidate {
    event: Uuid,
    rule: &'static str,
    score: f64,
    /// Claimed bouts that were fought there.
    bouts: usize,
}

impl EventCandidate {
    /// Whether this one, which comes behind, may be meant as well. Where bouts say which event it is, half as many of
    /// them are none: a pair that met again the day after.
    fn is_near(&self, first: &Self) -> bool {
        let is_told_by_bouts = first.rule == "bouts" && self.rule == "bouts";
        first.score - self.score < AMBIGUITY_MARGIN && !(is_told_by_bouts && self.bouts * 2 <= first.bouts)
    }
}

impl EntityRegistry {
    /// Links each claimed event, those that are surest first.
    pub(super) fn link_each_event(&mut self, event_matches: &mut [EventMatch<'_>]) {
        let mut open = Vec::new();
        for (i, event_match) in event_matches.iter_mut().enumerate() {
            let key = SourceKey::new(Kind::Event, event_match.claim.source, &event_match.claim.source_id);
            match self.settled_link(&key) {
                Some((event, rule, score)) => self.take_event(
                    event_match,
                    key,
                    EventCandidate { event, rule: "", score, bouts: 0 },
                    &rule,
                ),
                None => open.push((self.event_candidates(event_match), i)),
            }
        }
        open.sort_by(|a, b| best_score(&b.0).total_cmp(&best_score(&a.0)).then(a.1.cmp(&b.1)));
        for (candidates, i) in open {
            self.choose_event(&mut event_matches[i], candidates);
        }
    }

    fn choose_event(&mut self, event_match: &mut EventMatch<'_>, mut candidates: Vec<EventCandidate>) {
        let key = SourceKey::new(Kind::Event, event_match.claim.source, &event_match.claim.source_id);
        let taken = candidates.iter().any(|c| c.score >= MATCH_THRESHOLD && self.is_barred(&key, c.event));
        candidates.retain(|c| !self.is_barred(&key, c.event));
        let Some(first) = candidates.first().copied() else { return };
        let is_near = candidates.get(1).is_some_and(|second| second.is_near(&first));
        let reason = match () {
            () if first.score >= MATCH_THRESHOLD && !is_near => {
                return self.take_event(event_match, key, first, first.rule);
            }
            () if taken => "the event that it is stands for another id of the source",
            () if first.score >= MATCH_THRESHOLD => "two events are as near",
            () if first.rule == "day" => "the same day, nothing else",
            () => "the name or the bouts say otherwise",
        };
        self.add_doubt(AmbiguousMatch {
            key,
            name: event_match.claim.names.first().cloned().unwrap_or_default(),
            candidate: Some(first.event),
            rule: first.rule,
            score: first.score,
            reason: reason.to_owned(),
            seen: event_match.claim.seen.clone(),
        });
    }

    fn take_event(
        &mut self,
        event_match: &mut EventMatch<'_>,
        key: SourceKey,
        candidate: EventCandidate,
        rule: &str,
    ) {
        event_match.event = Some(candidate.event);
        if let Some(event) = self.events.get_mut(&candidate.event) {
            let new: Vec<_> =
                event_match.claim.names.iter().filter(|name| !event.names.contains(name)).cloned().collect();
            event.names.extend(new);
        }
        self.add_link(
            key,
            EntityLink {
                entity: candidate.event,
                rule: rule.to_owned(),
                score: candidate.score,
                name: event_match.claim.names.first().cloned(),
                seen: event_match.claim.seen.clone(),
            },
        );
    }

    /// Events of the day, or those where its bouts were fought; the best first.
    fn event_candidates(&self, event_match: &EventMatch<'_>) -> Vec<EventCandidate> {
        let mut events: Vec<&RegisteredEvent> =
            event_match.claim.days.iter().flat_map(|day| self.events_on(*day, 1)).collect();
        if event_match.claim.days.is_empty() {
            events = self.met_at(event_match);
        }
        events.sort_by_key(|event| event.id);
        events.dedup_by_key(|event| event.id);
        let mut candidates: Vec<EventCandidate> =
            events.into_iter().filter_map(|event| self.weigh_event(event_match, event)).collect();
        candidates.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then(b.bouts.cmp(&a.bouts)).then(a.event.cmp(&b.event))
        });
        candidates
    }

    /// Events at which two of the claimed fighters met.
    fn met_at(&self, event_match: &EventMatch<'_>) -> Vec<&RegisteredEvent> {
        let mut events = Vec::new();
        for (claim, names) in event_match.claim.bouts.iter().zip(&event_match.names) {
            let known = [0, 1].map(|i| {
                let stated = claim.fighters[i].statsdb_id.as_deref();
                let stated = stated.and_then(|id| self.find_entity(Kind::Fighter, "statsdb", id));
                stated.map_or_else(|| self.fighters_named(&names[i]), |id| [id].into())
            });
            let bouts = known[0].iter().filter_map(|id| self.fighters.get(id)).flat_map(|f| &f.bouts);
            let bouts = bouts.filter_map(|id| self.bouts.get(id));
            let met = bouts.filter(|bout| bout.fighters.iter().any(|id| known[1].contains(id)));
            events.extend(met.filter_map(|bout| self.events.get(&bout.event)));
        }
        events
    }

    fn weigh_event(&self, event_match: &EventMatch<'_>, event: &RegisteredEvent) -> Option<EventCandidate> {
        let (bouts, people) = self.count_shared(event_match, event);
        let few = event_match.claim.bouts.len().min(event.bouts.len()).max(1);
        let share = f64::from(u32::try_from(bouts.min(few)).ok()?) / f64::from(u32::try_from(few).ok()?);
        let titles: Vec<EventTitle> =
            event_match.claim.names.iter().map(|name| EventTitle::new(name)).collect();
        let ours: Vec<EventTitle> = event.names.iter().map(|name| EventTitle::new(name)).collect();
        let any = |agree: fn(&EventTitle, &EventTitle) -> bool| {
            titles.iter().any(|a| ours.iter().any(|b| agree(a, b)))
        };
        let is_same_number = any(|a, b| a.number.is_some() && a.number == b.number);
        let is_other_number = !is_same_number && any(|a, b| a.number.is_some() && b.number.is_some());
        let is_same_day = event_match.claim.days.contains(&event.day);
        let (rule, score) = match () {
            () if bouts >= 2 || (bouts == 1 && few <= 2) => ("bouts", 0.9 + 0.1 * share),
            () if is_same_number => ("number", 0.95),
            () if any(|a, b| !a.headliners.is_empty() && a.headliners == b.headliners) => {
                ("headliners", 0.93)
            }
            () if is_other_number => ("number", 0.3),
            () if bouts == 1 || people >= 3 => ("fighters", 0.88),
            () if people > 0 => ("fighters", 0.6),
            () if is_same_day => ("day", 0.5),
            () => return None,
        };
        Some(EventCandidate { event: event.id, rule, score, bouts })
    }

    /// How many bouts, and how many fighters, the claim shares with the event.
    fn count_shared(&self, event_match: &EventMatch<'_>, event: &RegisteredEvent) -> (usize, usize) {
        let mut sides: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        let mut bouts = 0;
        for n in 0..event_match.claim.bouts.len() {
            let sought = event_match.fighter_candidates(self, n);
            let strong = |i: usize, id: Uuid| self.is_strong(&sought[i], id);
            let mut is_shared = false;
            for bout in self.bouts_of(event.id) {
                let [a, b] = bout.fighters;
                let (first, second) = ((strong(0, a), strong(1, b)), (strong(0, b), strong(1, a)));
                is_shared |= first.0 && first.1 || second.0 && second.1;
                *sides.entry((n, 0)).or_default() |= first.0 || second.0;
                *sides.entry((n, 1)).or_default() |= first.1 || second.1;
            }
            bouts += usize::from(is_shared);
        }
        (bouts, sides.into_values().filter(|is_there| *is_there).count())
    }
}

fn best_score(candidates: &[EventCandidate]) -> f64 {
    candidates.first().map_or(0.0, |candidate| candidate.score)
}

/// Parsed name of an event: `UFC 324: Gaethje vs. Pimblett`.
#[derive(Debug, PartialEq)]
pub(super) struct EventTitle {
    pub(super) number: Option<u32>,
    /// Surnames, folded, in alphabetical order; empty where it names nobody.
    headliners: Vec<String>,
}

/// Placeholders for a headliner who is to be announced.
const TO_BE_ANNOUNCED: [&str; 3] = ["tbd", "tba", "announced"];

impl EventTitle {
    pub(super) fn new(name: &str) -> Self {
        // A sponsor's name may stand before it.
        let mut words = name.split_whitespace().skip_while(|word| !word.eq_ignore_ascii_case("ufc")).skip(1);
        let number = words.next().and_then(|word| word.trim_end_matches(':').parse().ok());
        let number = number.filter(|_| Promotions::get().of_event(name) == Some(UFC));
        let pair = name.rsplit_once(':').map_or(name, |(_, pair)| pair).replace(" vs. ", " vs ");
        let mut headliners: Vec<String> = match pair.split(" vs ").collect::<Vec<_>>()[..] {
            [a, b] => [a, b].iter().filter_map(|side| surname(side)).collect(),
            _ => Vec::new(),
        };
        headliners.sort();
        Self { number, headliners }
    }

    /// Whether it says neither headliner: `UFC 320: TBD vs TBD`.
    pub(super) fn names_nobody(&self) -> bool {
        self.headliners.iter().all(|name| TO_BE_ANNOUNCED.contains(&name.as_str()))
    }
}

/// The last word that is no number: `Ribas 2`.
fn surname(text: &str) -> Option<String> {
    let mut words = text.split_whitespace().rev().filter(|word| word.parse::<u32>().is_err());
    words.next().map(fold_name).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_events_name_says_a_number_or_who_headlines() {
        let title = |name| {
            let EventTitle { number, headliners } = EventTitle::new(name);
            (number, headliners.join(" "))
        };
        assert_eq!(title("UFC 324: Gaethje vs. Pimblett"), (Some(324), "gaethje pimblett".into()));
        assert_eq!(title("UFC Fight Night: Dern vs Ribas 2"), (None, "dern ribas".into()));
        assert_eq!(title("UFC Fight Night: Błachowicz vs. Santos"), (None, "blachowicz santos".into()));
        assert_eq!(title("UFC 1: The Beginning"), (Some(1), String::new()));
        assert_eq!(title("UFC on ESPN 50"), (None, String::new()));
        assert_eq!(title("Crypto.com UFC 331: Van vs Pantoja 2"), (Some(331), "pantoja van".into()));
        assert_eq!(title("Road to UFC 3"), (None, String::new()));
    }
}

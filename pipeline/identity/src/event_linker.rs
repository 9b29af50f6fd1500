//! Ties what a source claims to what is known: events, then bouts both of whose fighters agree, then bouts of
//! which one does, until nothing more follows.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use fdna_model::Kind;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use uuid::Uuid;

use super::claims::{BoutClaim, EventClaim, is_mention};
use super::fighters::{FighterCandidate, SideMatch, match_by_name};
use super::name_similarity::FoldedName;
use super::registry::{
    AmbiguousMatch, EntityLink, EntityRegistry, LinkedBout, RegisteredBout, RegisteredFighter, SourceKey,
};
use crate::thresholds::{AMBIGUITY_MARGIN, MATCH_THRESHOLD};

/// A claimed event on its way.
pub(super) struct EventMatch<'a> {
    pub(super) claim: &'a EventClaim,
    /// Of each bout, the names of its fighters.
    pub(super) names: Vec<[FoldedName; 2]>,
    pub(super) event: Option<Uuid>,
    pub(super) bouts: Vec<Option<LinkedBout>>,
    similarity: RefCell<SimilarityCache>,
}

impl<'a> EventMatch<'a> {
    fn new(claim: &'a EventClaim) -> Self {
        let names = claim.bouts.iter().map(|bout| bout.fighters.each_ref().map(|f| FoldedName::new(&f.name)));
        Self {
            claim,
            names: names.collect(),
            event: None,
            bouts: vec![None; claim.bouts.len()],
            similarity: RefCell::default(),
        }
    }

    /// The fighters of a bout.
    pub(super) fn fighter_candidates(
        &self,
        registry: &EntityRegistry,
        n: usize,
    ) -> [FighterCandidate<'_>; 2] {
        let fighters = &self.claim.bouts[n].fighters;
        [0, 1].map(|i| registry.fighter_candidate(self.claim.source, &fighters[i], &self.names[n][i]))
    }

    /// As [`match_by_name`], of the bout's fighter on this side, who is weighed against each of an event's time and again.
    fn side_match(&self, n: usize, side: usize, fighter: &RegisteredFighter) -> SideMatch {
        let known = [fighter.spellings.len(), fighter.nicknames.len(), usize::from(fighter.born.is_some())];
        let mut similarity = self.similarity.borrow_mut();
        match similarity.entry((n, side, fighter.id)) {
            Entry::Occupied(weighed) if weighed.get().0 == known => weighed.get().1,
            entry => {
                let found = match_by_name(&self.claim.bouts[n].fighters[side], &self.names[n][side], fighter);
                entry.insert_entry((known, found)).get().1
            }
        }
    }
}

/// By bout, side and fighter: how much was known of him then, which only grows, and what came of it.
type SimilarityCache = HashMap<(usize, usize, Uuid), ([usize; 3], SideMatch)>;

/// A claimed bout and one of ours, and how well they go together.
#[derive(Debug, Clone, Copy)]
struct SidePair {
    claim: usize,
    bout: Uuid,
    /// In the order of the claim.
    fighters: [Uuid; 2],
    rule: &'static str,
    score: f64,
}

/// The opponent agrees and nothing else speaks against it.
const OPPONENT: f64 = 0.9;
/// The same of names that have nothing in common.
const OPPONENT_RENAMED: f64 = 0.87;

impl EntityRegistry {
    /// Links the events of one source with their bouts and fighters, all given at once, so that what one event
    /// shows of a fighter helps in the next. One entry a claim, one an event's bout; `None` where the bout is none
    /// of ours or where it is in doubt. The links stand in [`EntityRegistry::links`], the doubts in [`EntityRegistry::doubts`].
    pub(crate) fn link_events(&mut self, claims: &[EventClaim]) -> Vec<Vec<Option<LinkedBout>>> {
        let mut event_matches: Vec<EventMatch<'_>> = claims.par_iter().map(EventMatch::new).collect();
        self.link_each_event(&mut event_matches);
        for event_match in &mut event_matches {
            self.link_settled_bouts(event_match);
        }
        self.link_by_votes(&mut event_matches);
        while event_matches
            .iter_mut()
            .map(|event_match| self.link_bouts(event_match))
            .fold(false, |any, new| any | new)
        {}
        for event_match in &mut event_matches {
            self.link_twins(event_match);
            self.doubt_bouts(event_match);
        }
        event_matches.into_iter().map(|event_match| event_match.bouts).collect()
    }

    /// Bouts whose id stands for one of ours already.
    fn link_settled_bouts(&mut self, event_match: &mut EventMatch<'_>) {
        for n in 0..event_match.claim.bouts.len() {
            let key =
                SourceKey::new(Kind::Bout, event_match.claim.source, &event_match.claim.bouts[n].source_id);
            let Some((id, rule, score)) = self.settled_link(&key) else { continue };
            let Some(bout) = self.bouts.get(&id).cloned() else { continue };
            let (straight, crossed) =
                self.match_sides(event_match, n, &event_match.fighter_candidates(self, n), &bout);
            let sum = |sides: [SideMatch; 2]| sides[0].similarity + sides[1].similarity;
            let [a, b] = bout.fighters;
            let fighters = if sum(crossed) > sum(straight) { [b, a] } else { [a, b] };
            self.record_link(
                event_match,
                n,
                LinkedBout { event: bout.event, bout: id, fighters },
                &rule,
                score,
            );
        }
    }

    /// Bouts both of whose fighters bear the names. Where the bouts show one id of the source to be two of our
    /// fighters, what most of them show goes first.
    fn link_by_votes(&mut self, event_matches: &mut [EventMatch<'_>]) {
        let mut votes: BTreeMap<(&str, Uuid), usize> = BTreeMap::new();
        let mut pairs = Vec::new();
        for (i, event_match) in event_matches.iter().enumerate() {
            for pair in self.candidate_pairs(event_match).into_iter().filter(|pair| pair.rule == "fighters") {
                let claimed = &event_match.claim.bouts[pair.claim].fighters;
                let ids = [0, 1].map(|side| (claimed[side].source_id.as_str(), pair.fighters[side]));
                ids.into_iter().for_each(|id| *votes.entry(id).or_default() += 1);
                pairs.push((i, pair, ids));
            }
        }
        let mut ranked: Vec<_> = pairs
            .into_iter()
            .map(|(i, pair, ids)| (ids.iter().map(|id| votes[id]).min().unwrap_or_default(), i, pair))
            .collect();
        ranked.sort_by(|a, b| {
            b.0.cmp(&a.0).then(b.2.score.total_cmp(&a.2.score)).then((a.1, a.2.claim).cmp(&(b.1, b.2.claim)))
        });
        let mut of_event: BTreeMap<usize, Vec<SidePair>> = BTreeMap::new();
        for (_, i, pair) in ranked {
            of_event.entry(i).or_default().push(pair);
        }
        for (i, pairs) in of_event {
            self.take_best(&mut event_matches[i], pairs);
        }
    }

    /// Bouts that another claim of the source is, in another spelling.
    fn link_twins(&mut self, event_match: &mut EventMatch<'_>) {
        let (source, claims) = (event_match.claim.source, &event_match.claim.bouts);
        for (n, claim) in claims.iter().enumerate() {
            if event_match.bouts[n].is_none()
                && let Some(linked) = self.duplicate_claim(source, claim, claims, &event_match.bouts)
            {
                self.take_duplicate_claim(source, claim, linked);
                event_match.bouts[n] = Some(linked);
            }
        }
    }

    /// Whether any bout of the event was linked.
    fn link_bouts(&mut self, event_match: &mut EventMatch<'_>) -> bool {
        let pairs = self.candidate_pairs(event_match);
        self.take_best(event_match, pairs)
    }

    /// Takes the pairs that are best for both, sure, and well before the next.
    fn take_best(&mut self, event_match: &mut EventMatch<'_>, mut pairs: Vec<SidePair>) -> bool {
        pairs.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.claim, a.bout).cmp(&(b.claim, b.bout))));
        let sure: Vec<SidePair> =
            pairs.iter().filter(|pair| pair.score >= MATCH_THRESHOLD).copied().collect();
        let mut any = false;
        for pair in &sure {
            if event_match.bouts[pair.claim].is_some()
                || event_match.bouts.iter().flatten().any(|l| l.bout == pair.bout)
            {
                continue;
            }
            let rivals = |other: &&SidePair| {
                (other.claim == pair.claim) != (other.bout == pair.bout)
                    && !is_twin(event_match, pair, other)
                    && event_match.bouts[other.claim].is_none()
                    && !event_match.bouts.iter().flatten().any(|l| l.bout == other.bout)
                    && pair.score - other.score < AMBIGUITY_MARGIN
            };
            let rivals: Vec<&SidePair> = pairs.iter().filter(rivals).collect();
            let pair = match rivals.is_empty() {
                true => *pair,
                false => match self.in_order(event_match, pair, &sure) {
                    Some(pair) => pair,
                    None => continue,
                },
            };
            let Some(event) = event_match.event else { continue };
            let linked = LinkedBout { event, bout: pair.bout, fighters: pair.fighters };
            any |= self.record_link(event_match, pair.claim, linked, pair.rule, pair.score);
        }
        any
    }

    /// Two who met twice on one night: the first bout of the one list is the first of the other.
    fn in_order(&self, event_match: &EventMatch<'_>, pair: &SidePair, sure: &[SidePair]) -> Option<SidePair> {
        let same = |fighters: [Uuid; 2]| {
            let (mut a, mut b) = (fighters, pair.fighters);
            a.sort();
            b.sort();
            a == b
        };
        let group: Vec<&SidePair> = sure.iter().filter(|other| same(other.fighters)).collect();
        let order_of_bout = |id: &Uuid| self.bouts.get(id).and_then(|bout| bout.order);
        let mut claims: Vec<(i32, usize)> =
            group.iter().filter_map(|p| Some((event_match.claim.bouts[p.claim].order?, p.claim))).collect();
        let mut bouts: Vec<(i32, Uuid)> =
            group.iter().filter_map(|p| Some((order_of_bout(&p.bout)?, p.bout))).collect();
        claims.sort_unstable();
        claims.dedup();
        bouts.sort_unstable();
        bouts.dedup();
        if claims.len() != bouts.len() || group.len() != claims.len() * bouts.len() {
            return None;
        }
        let place = claims.iter().position(|(_, claim)| *claim == pair.claim)?;
        let wanted = group.iter().find(|p| p.claim == pair.claim && p.bout == bouts[place].1)?;
        Some(SidePair { rule: "order", score: wanted.score.min(0.95), ..**wanted })
    }

    /// Pairs that may match among the entries of the event that are still open.
    fn candidate_pairs(&self, event_match: &EventMatch<'_>) -> Vec<SidePair> {
        let Some(event) = event_match.event else { return Vec::new() };
        let open: Vec<&RegisteredBout> =
            self.bouts_of(event).filter(|bout| self.is_open(event_match, bout)).collect();
        let claims = (0..event_match.claim.bouts.len()).filter(|n| event_match.bouts[*n].is_none());
        let mut pairs = Vec::new();
        for n in claims {
            let key =
                SourceKey::new(Kind::Bout, event_match.claim.source, &event_match.claim.bouts[n].source_id);
            let open = open.iter().filter(|bout| !self.is_barred(&key, bout.id));
            let sought = event_match.fighter_candidates(self, n);
            pairs.extend(open.filter_map(|bout| self.match_pair(event_match, n, &sought, bout)));
        }
        pairs
    }

    fn is_open(&self, event_match: &EventMatch<'_>, bout: &RegisteredBout) -> bool {
        !event_match.bouts.iter().flatten().any(|linked| linked.bout == bout.id)
    }

    fn match_sides(
        &self,
        event_match: &EventMatch<'_>,
        n: usize,
        sought: &[FighterCandidate<'_>; 2],
        bout: &RegisteredBout,
    ) -> ([SideMatch; 2], [SideMatch; 2]) {
        let side =
            |i: usize, id| self.side_by(&sought[i], id, |fighter| event_match.side_match(n, i, fighter));
        let [a, b] = bout.fighters;
        ([side(0, a), side(1, b)], [side(0, b), side(1, a)])
    }

    fn match_pair(
        &self,
        event_match: &EventMatch<'_>,
        n: usize,
        sought: &[FighterCandidate<'_>; 2],
        bout: &RegisteredBout,
    ) -> Option<SidePair> {
        let (straight, crossed) = self.match_sides(event_match, n, sought, bout);
        let is_over = event_match.claim.bouts[n].is_over;
        let [a, b] = bout.fighters;
        let straight = weigh_bout(straight, is_over).map(|(rule, score)| (rule, score, [a, b]));
        let crossed = weigh_bout(crossed, is_over).map(|(rule, score)| (rule, score, [b, a]));
        let better = match (straight, crossed) {
            (Some(x), Some(y)) => Some(if y.1 > x.1 { y } else { x }),
            (x, y) => x.or(y),
        };
        better.map(|(rule, score, fighters)| SidePair { claim: n, bout: bout.id, fighters, rule, score })
    }

    /// Notes the link of a bout and of its fighters; `false` where it was there already.
    fn record_link(
        &mut self,
        event_match: &mut EventMatch<'_>,
        n: usize,
        linked: LinkedBout,
        rule: &str,
        score: f64,
    ) -> bool {
        let bout = &event_match.claim.bouts[n];
        let key = SourceKey::new(Kind::Bout, event_match.claim.source, &bout.source_id);
        let is_kept = key.is_exclusive();
        let name = Some(format!("{} vs. {}", bout.fighters[0].name, bout.fighters[1].name));
        let link =
            EntityLink { entity: linked.bout, rule: rule.to_owned(), score, name, seen: bout.seen.clone() };
        self.add_link(key, link);
        event_match.bouts[n] = Some(linked);
        for side in [0, 1] {
            self.take_fighter(
                event_match.claim.source,
                bout,
                side,
                linked.fighters[side],
                rule,
                score,
                is_kept,
            );
        }
        true
    }

    /// Links one of a bout's fighters to ours. `is_bout_told`: the bout's own id says it already, so that a
    /// mere name need not be kept.
    #[expect(clippy::too_many_arguments, reason = "a link has this many parts")]
    fn take_fighter(
        &mut self,
        source: &str,
        bout: &BoutClaim,
        side: usize,
        fighter: Uuid,
        rule: &str,
        score: f64,
        is_bout_told: bool,
    ) {
        let claim = &bout.fighters[side];
        let key = SourceKey::new(Kind::Fighter, source, &claim.source_id);
        let settled = self.settled_link(&key);
        if settled.as_ref().is_some_and(|(entity, ..)| *entity != fighter) || self.is_barred(&key, fighter) {
            let reason = "this bout matches a different fighter than his other bouts do";
            return self.doubt_fighter(key, bout, side, fighter, reason);
        }
        self.add_name(fighter, &claim.name, claim.nickname.as_deref());
        if let Some(known) = self.fighters.get_mut(&fighter) {
            known.born = known.born.or(claim.born);
        }
        if !claim.has_id && is_bout_told && settled.is_none() && !self.published.rows.contains_key(&key) {
            return;
        }
        let (rule, score) = settled.map_or((rule.to_owned(), score), |(_, rule, score)| (rule, score));
        let name = Some(claim.name.clone());
        self.add_link(key, EntityLink { entity: fighter, rule, score, name, seen: bout.seen.clone() });
    }

    fn doubt_fighter(&mut self, key: SourceKey, bout: &BoutClaim, side: usize, fighter: Uuid, reason: &str) {
        let name = bout.fighters[side].name.clone();
        let (candidate, reason) = (Some(fighter), reason.to_owned());
        let seen = bout.seen.clone();
        self.add_doubt(AmbiguousMatch { key, name, candidate, rule: "opponent", score: 0.5, reason, seen });
    }

    /// Bouts of a linked event that go with one of ours in part.
    fn doubt_bouts(&mut self, event_match: &EventMatch<'_>) {
        let mut best: BTreeMap<usize, SidePair> = BTreeMap::new();
        for pair in self.candidate_pairs(event_match) {
            let is_over = event_match.claim.bouts[pair.claim].is_over;
            if (is_over || pair.score >= 0.7) && best.get(&pair.claim).is_none_or(|b| b.score < pair.score) {
                best.insert(pair.claim, pair);
            }
        }
        for (n, pair) in best {
            let bout = &event_match.claim.bouts[n];
            self.add_doubt(AmbiguousMatch {
                key: SourceKey::new(Kind::Bout, event_match.claim.source, &bout.source_id),
                name: format!("{} vs. {}", bout.fighters[0].name, bout.fighters[1].name),
                candidate: Some(pair.bout),
                rule: pair.rule,
                score: pair.score,
                reason: if pair.score >= MATCH_THRESHOLD {
                    "two bouts are as near"
                } else {
                    "the fighters agree in part"
                }
                .to_owned(),
                seen: bout.seen.clone(),
            });
        }
    }
}

/// Whether both claims are the bout, by names alone: one in two spellings, which is no rival.
fn is_twin(event_match: &EventMatch<'_>, pair: &SidePair, other: &SidePair) -> bool {
    let is_mention = |pair: &SidePair| is_mention(&event_match.claim.bouts[pair.claim].source_id);
    pair.bout == other.bout && [pair, other].iter().all(|pair| pair.rule == "fighters" && is_mention(pair))
}

/// The rule by which two fighters against two are one bout, and how sure it is.
fn weigh_bout(sides: [SideMatch; 2], is_over: bool) -> Option<(&'static str, f64)> {
    let [first, second] = sides;
    let (weak, strong) =
        if first.similarity <= second.similarity { (first, second) } else { (second, first) };
    let is_contradicted = weak.same_birth_date == Some(false) && weak.similarity < MATCH_THRESHOLD;
    Some(match () {
        // The bout may be one all the same: the opponent met one man that day. Who he was is in doubt.
        () if weak.is_barred && strong.is_strong() && is_over => ("opponent", OPPONENT_RENAMED),
        () if weak.is_barred => return None,
        () if weak.similarity >= MATCH_THRESHOLD => ("fighters", 0.9 + 0.1 * weak.similarity),
        () if !strong.is_strong() && weak.similarity < 0.5 => return None,
        () if is_over && strong.is_strong() && is_contradicted && weak.similarity < 0.5 => ("opponent", 0.7),
        () if is_over && strong.is_strong() && weak.similarity >= 0.5 => ("opponent", OPPONENT),
        () if is_over && strong.is_strong() => ("opponent", OPPONENT_RENAMED),
        () if is_over && weak.similarity >= 0.55 && strong.similarity >= 0.7 => ("opponent", MATCH_THRESHOLD),
        () => ("opponent", 0.5 * (weak.similarity + strong.similarity).min(1.6)),
    })
}

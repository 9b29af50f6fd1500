//! Ties what a source claims to what is known: events, then bouts both of whose fighters agree, then bouts of
//! which one does, until nothing more follows.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use fdna_model::Kind;
use uuid::Uuid;

use super::claims::{BoutClaim, EventClaim, is_mention};
use super::fighters::{Side, Sought, alike};
use super::names::Name;
use super::registry::{Bout, Doubt, Fighter, Key, Link, Linked, Registry};
use super::{NEAR, SURE};

/// A claimed event on its way.
pub(super) struct Work<'a> {
    pub(super) claim: &'a EventClaim,
    /// Of each bout, the names of its fighters.
    pub(super) names: Vec<[Name; 2]>,
    pub(super) event: Option<Uuid>,
    pub(super) bouts: Vec<Option<Linked>>,
    likeness: RefCell<Likeness>,
}

impl<'a> Work<'a> {
    fn new(claim: &'a EventClaim) -> Self {
        let names = claim.bouts.iter().map(|bout| bout.fighters.each_ref().map(|f| Name::new(&f.name)));
        Self {
            claim,
            names: names.collect(),
            event: None,
            bouts: vec![None; claim.bouts.len()],
            likeness: RefCell::default(),
        }
    }

    /// The fighters of a bout.
    pub(super) fn sought(&self, registry: &Registry, n: usize) -> [Sought<'_>; 2] {
        let fighters = &self.claim.bouts[n].fighters;
        [0, 1].map(|i| registry.seek(self.claim.source, &fighters[i], &self.names[n][i]))
    }

    /// As [`alike`], of the bout's fighter on this side, who is weighed against each of an event's time and again.
    fn alike(&self, n: usize, side: usize, fighter: &Fighter) -> Side {
        let known = [fighter.spellings.len(), fighter.nicknames.len(), usize::from(fighter.born.is_some())];
        let mut likeness = self.likeness.borrow_mut();
        match likeness.entry((n, side, fighter.id)) {
            Entry::Occupied(weighed) if weighed.get().0 == known => weighed.get().1,
            entry => {
                let found = alike(&self.claim.bouts[n].fighters[side], &self.names[n][side], fighter);
                entry.insert_entry((known, found)).get().1
            }
        }
    }
}

/// By bout, side and fighter: how much was known of him then, which only grows, and what came of it.
type Likeness = HashMap<(usize, usize, Uuid), ([usize; 3], Side)>;

/// A claimed bout and one of ours, and how well they go together.
#[derive(Debug, Clone, Copy)]
struct Pair {
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

impl Registry {
    /// Links the events of one source with their bouts and fighters, all given at once, so that what one event
    /// shows of a fighter helps in the next. One entry a claim, one an event's bout; `None` where the bout is none
    /// of ours or where it is in doubt. The links stand in [`Registry::links`], the doubts in [`Registry::doubts`].
    pub(crate) fn link_events(&mut self, claims: &[EventClaim]) -> Vec<Vec<Option<Linked>>> {
        let mut works: Vec<Work<'_>> = claims.iter().map(Work::new).collect();
        self.link_each_event(&mut works);
        for work in &mut works {
            self.link_settled_bouts(work);
        }
        self.link_by_votes(&mut works);
        while works.iter_mut().map(|work| self.link_bouts(work)).fold(false, |any, new| any | new) {}
        for work in &mut works {
            self.link_twins(work);
            self.doubt_bouts(work);
        }
        works.into_iter().map(|work| work.bouts).collect()
    }

    /// Bouts whose id stands for one of ours already.
    fn link_settled_bouts(&mut self, work: &mut Work<'_>) {
        for n in 0..work.claim.bouts.len() {
            let key = Key::new(Kind::Bout, work.claim.source, &work.claim.bouts[n].source_id);
            let Some((id, rule, score)) = self.settled(&key) else { continue };
            let Some(bout) = self.bouts.get(&id).cloned() else { continue };
            let (straight, crossed) = self.sides(work, n, &work.sought(self, n), &bout);
            let sum = |sides: [Side; 2]| sides[0].likeness + sides[1].likeness;
            let [a, b] = bout.fighters;
            let fighters = if sum(crossed) > sum(straight) { [b, a] } else { [a, b] };
            self.take(work, n, Linked { event: bout.event, bout: id, fighters }, &rule, score);
        }
    }

    /// Bouts both of whose fighters bear the names. Where the bouts show one id of the source to be two of our
    /// fighters, what most of them show goes first.
    fn link_by_votes(&mut self, works: &mut [Work<'_>]) {
        let mut votes: BTreeMap<(&str, Uuid), usize> = BTreeMap::new();
        let mut pairs = Vec::new();
        for (i, work) in works.iter().enumerate() {
            for pair in self.pairs(work).into_iter().filter(|pair| pair.rule == "fighters") {
                let claimed = &work.claim.bouts[pair.claim].fighters;
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
        let mut of_event: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
        for (_, i, pair) in ranked {
            of_event.entry(i).or_default().push(pair);
        }
        for (i, pairs) in of_event {
            self.take_best(&mut works[i], pairs);
        }
    }

    /// Bouts that another claim of the source is, in another spelling.
    fn link_twins(&mut self, work: &mut Work<'_>) {
        let (source, claims) = (work.claim.source, &work.claim.bouts);
        for (n, claim) in claims.iter().enumerate() {
            if work.bouts[n].is_none()
                && let Some(linked) = self.twin(source, claim, claims, &work.bouts)
            {
                self.take_twin(source, claim, linked);
                work.bouts[n] = Some(linked);
            }
        }
    }

    /// Whether any bout of the event was linked.
    fn link_bouts(&mut self, work: &mut Work<'_>) -> bool {
        let pairs = self.pairs(work);
        self.take_best(work, pairs)
    }

    /// Takes the pairs that are best for both, sure, and well before the next.
    fn take_best(&mut self, work: &mut Work<'_>, mut pairs: Vec<Pair>) -> bool {
        pairs.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.claim, a.bout).cmp(&(b.claim, b.bout))));
        let sure: Vec<Pair> = pairs.iter().filter(|pair| pair.score >= SURE).copied().collect();
        let mut any = false;
        for pair in &sure {
            if work.bouts[pair.claim].is_some() || work.bouts.iter().flatten().any(|l| l.bout == pair.bout) {
                continue;
            }
            let rivals = |other: &&Pair| {
                (other.claim == pair.claim) != (other.bout == pair.bout)
                    && !is_twin(work, pair, other)
                    && work.bouts[other.claim].is_none()
                    && !work.bouts.iter().flatten().any(|l| l.bout == other.bout)
                    && pair.score - other.score < NEAR
            };
            let rivals: Vec<&Pair> = pairs.iter().filter(rivals).collect();
            let pair = match rivals.is_empty() {
                true => *pair,
                false => match self.in_order(work, pair, &sure) {
                    Some(pair) => pair,
                    None => continue,
                },
            };
            let Some(event) = work.event else { continue };
            let linked = Linked { event, bout: pair.bout, fighters: pair.fighters };
            any |= self.take(work, pair.claim, linked, pair.rule, pair.score);
        }
        any
    }

    /// Two who met twice on one night: the first bout of the one list is the first of the other.
    fn in_order(&self, work: &Work<'_>, pair: &Pair, sure: &[Pair]) -> Option<Pair> {
        let same = |fighters: [Uuid; 2]| {
            let (mut a, mut b) = (fighters, pair.fighters);
            a.sort();
            b.sort();
            a == b
        };
        let group: Vec<&Pair> = sure.iter().filter(|other| same(other.fighters)).collect();
        let order_of_bout = |id: &Uuid| self.bouts.get(id).and_then(|bout| bout.order);
        let mut claims: Vec<(i32, usize)> =
            group.iter().filter_map(|p| Some((work.claim.bouts[p.claim].order?, p.claim))).collect();
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
        Some(Pair { rule: "order", score: wanted.score.min(0.95), ..**wanted })
    }

    /// What may go together of what is still open in the event.
    fn pairs(&self, work: &Work<'_>) -> Vec<Pair> {
        let Some(event) = work.event else { return Vec::new() };
        let open: Vec<&Bout> = self.bouts_of(event).filter(|bout| self.is_open(work, bout)).collect();
        let claims = (0..work.claim.bouts.len()).filter(|n| work.bouts[*n].is_none());
        let mut pairs = Vec::new();
        for n in claims {
            let key = Key::new(Kind::Bout, work.claim.source, &work.claim.bouts[n].source_id);
            let open = open.iter().filter(|bout| !self.is_barred(&key, bout.id));
            let sought = work.sought(self, n);
            pairs.extend(open.filter_map(|bout| self.pair(work, n, &sought, bout)));
        }
        pairs
    }

    fn is_open(&self, work: &Work<'_>, bout: &Bout) -> bool {
        !work.bouts.iter().flatten().any(|linked| linked.bout == bout.id)
    }

    fn sides(
        &self,
        work: &Work<'_>,
        n: usize,
        sought: &[Sought<'_>; 2],
        bout: &Bout,
    ) -> ([Side; 2], [Side; 2]) {
        let side = |i: usize, id| self.side_by(&sought[i], id, |fighter| work.alike(n, i, fighter));
        let [a, b] = bout.fighters;
        ([side(0, a), side(1, b)], [side(0, b), side(1, a)])
    }

    fn pair(&self, work: &Work<'_>, n: usize, sought: &[Sought<'_>; 2], bout: &Bout) -> Option<Pair> {
        let (straight, crossed) = self.sides(work, n, sought, bout);
        let is_over = work.claim.bouts[n].is_over;
        let [a, b] = bout.fighters;
        let straight = weigh(straight, is_over).map(|(rule, score)| (rule, score, [a, b]));
        let crossed = weigh(crossed, is_over).map(|(rule, score)| (rule, score, [b, a]));
        let better = match (straight, crossed) {
            (Some(x), Some(y)) => Some(if y.1 > x.1 { y } else { x }),
            (x, y) => x.or(y),
        };
        better.map(|(rule, score, fighters)| Pair { claim: n, bout: bout.id, fighters, rule, score })
    }

    /// Notes the link of a bout and of its fighters; `false` where it was there already.
    fn take(&mut self, work: &mut Work<'_>, n: usize, linked: Linked, rule: &str, score: f64) -> bool {
        let bout = &work.claim.bouts[n];
        let key = Key::new(Kind::Bout, work.claim.source, &bout.source_id);
        let is_kept = key.is_exclusive();
        let name = Some(format!("{} vs. {}", bout.fighters[0].name, bout.fighters[1].name));
        let link = Link { entity: linked.bout, rule: rule.to_owned(), score, name, seen: bout.seen.clone() };
        self.link(key, link);
        work.bouts[n] = Some(linked);
        for side in [0, 1] {
            self.take_fighter(work.claim.source, bout, side, linked.fighters[side], rule, score, is_kept);
        }
        true
    }

    /// That one of a linked bout's fighters is ours. `is_bout_told`: the bout's own id says it already, so that a
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
        let key = Key::new(Kind::Fighter, source, &claim.source_id);
        let settled = self.settled(&key);
        if settled.as_ref().is_some_and(|(entity, ..)| *entity != fighter) || self.is_barred(&key, fighter) {
            let reason = "a bout shows him to be another one than the rest of his bouts";
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
        self.link(key, Link { entity: fighter, rule, score, name, seen: bout.seen.clone() });
    }

    fn doubt_fighter(&mut self, key: Key, bout: &BoutClaim, side: usize, fighter: Uuid, reason: &str) {
        let name = bout.fighters[side].name.clone();
        let (candidate, reason) = (Some(fighter), reason.to_owned());
        let seen = bout.seen.clone();
        self.doubt(Doubt { key, name, candidate, rule: "opponent", score: 0.5, reason, seen });
    }

    /// Bouts of a linked event that go with one of ours in part.
    fn doubt_bouts(&mut self, work: &Work<'_>) {
        let mut best: BTreeMap<usize, Pair> = BTreeMap::new();
        for pair in self.pairs(work) {
            let is_over = work.claim.bouts[pair.claim].is_over;
            if (is_over || pair.score >= 0.7) && best.get(&pair.claim).is_none_or(|b| b.score < pair.score) {
                best.insert(pair.claim, pair);
            }
        }
        for (n, pair) in best {
            let bout = &work.claim.bouts[n];
            self.doubt(Doubt {
                key: Key::new(Kind::Bout, work.claim.source, &bout.source_id),
                name: format!("{} vs. {}", bout.fighters[0].name, bout.fighters[1].name),
                candidate: Some(pair.bout),
                rule: pair.rule,
                score: pair.score,
                reason: if pair.score >= SURE {
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
fn is_twin(work: &Work<'_>, pair: &Pair, other: &Pair) -> bool {
    let is_mention = |pair: &Pair| is_mention(&work.claim.bouts[pair.claim].source_id);
    pair.bout == other.bout && [pair, other].iter().all(|pair| pair.rule == "fighters" && is_mention(pair))
}

/// The rule by which two fighters against two are one bout, and how sure it is.
fn weigh(sides: [Side; 2], is_over: bool) -> Option<(&'static str, f64)> {
    let [first, second] = sides;
    let (weak, strong) = if first.likeness <= second.likeness { (first, second) } else { (second, first) };
    let is_contradicted = weak.is_of_age == Some(false) && weak.likeness < SURE;
    Some(match () {
        // The bout may be one all the same: the opponent met one man that day. Who he was is in doubt.
        () if weak.is_barred && strong.is_strong() && is_over => ("opponent", OPPONENT_RENAMED),
        () if weak.is_barred => return None,
        () if weak.likeness >= SURE => ("fighters", 0.9 + 0.1 * weak.likeness),
        () if !strong.is_strong() && weak.likeness < 0.5 => return None,
        () if is_over && strong.is_strong() && is_contradicted && weak.likeness < 0.5 => ("opponent", 0.7),
        () if is_over && strong.is_strong() && weak.likeness >= 0.5 => ("opponent", OPPONENT),
        () if is_over && strong.is_strong() => ("opponent", OPPONENT_RENAMED),
        () if is_over && weak.likeness >= 0.55 && strong.likeness >= 0.7 => ("opponent", SURE),
        () => ("opponent", 0.5 * (weak.likeness + strong.likeness).min(1.6)),
    })
}

//! Events, bouts and fighters of the schedule that no other source has: they stand for themselves.

use fdna_model::{Kind, entity_id};
use uuid::Uuid;

use super::claims::{BoutClaim, EventClaim, FighterClaim, FirstSeen};
use super::name_matcher::{BoutContext, NameResolution};
use super::name_similarity::FoldedName;
use super::registry::{
    AmbiguousMatch, EntityLink, EntityRegistry, LinkedBout, RegisteredBout, RegisteredEvent, SourceKey,
};

/// How what a source alone has is tied to it: by its id, or by standing on its list.
fn own_rule(key: &SourceKey) -> &'static str {
    if super::claims::is_mention(&key.source_id) { "listed" } else { "source_id" }
}

impl EntityRegistry {
    /// Links claims, and makes what they name and nobody has. Returns the entities of each event and bout; `None`
    /// for an event without a day, of which nothing can be said.
    pub(super) fn link_or_create(
        &mut self,
        claims: &[EventClaim],
    ) -> Vec<(Option<Uuid>, Vec<Option<LinkedBout>>)> {
        let linked = self.link_events(claims);
        let mut out = Vec::with_capacity(claims.len());
        for (claim, mut bouts) in claims.iter().zip(linked) {
            let event = self.event_of(claim);
            if let Some(event) = event {
                for (n, bout) in claim.bouts.iter().enumerate() {
                    if bouts[n].is_none() {
                        bouts[n] = Some(self.twin_or_new(claim, event, bout, &bouts));
                    }
                }
            }
            out.push((event, bouts));
        }
        out
    }

    /// The bout that the source has listed at the event in another spelling, or a new one.
    fn twin_or_new(
        &mut self,
        claim: &EventClaim,
        event: Uuid,
        bout: &BoutClaim,
        linked: &[Option<LinkedBout>],
    ) -> LinkedBout {
        match self.duplicate_claim(claim.source, bout, &claim.bouts, linked) {
            Some(duplicate_claim) => {
                self.take_duplicate_claim(claim.source, bout, duplicate_claim);
                duplicate_claim
            }
            None => self.create_bout(claim.source, event, bout),
        }
    }

    fn event_of(&mut self, claim: &EventClaim) -> Option<Uuid> {
        let key = SourceKey::new(Kind::Event, claim.source, &claim.source_id);
        if let Some(link) = self.links.get(&key) {
            return Some(link.entity);
        }
        let day = *claim.days.first()?;
        let id = entity_id(Kind::Event, claim.source, &claim.source_id);
        self.add_event(RegisteredEvent { id, names: claim.names.clone(), day, bouts: Vec::new() });
        self.link_own(key, id, claim.names.first().cloned(), &claim.seen);
        Some(id)
    }

    fn link_own(&mut self, key: SourceKey, entity: Uuid, name: Option<String>, seen: &FirstSeen) {
        let rule = own_rule(&key).to_owned();
        self.add_link(key, EntityLink { entity, rule, score: 1.0, name, seen: seen.clone() });
    }

    fn create_bout(&mut self, source: &str, event: Uuid, claim: &BoutClaim) -> LinkedBout {
        let day = self.events.get(&event).map(|event| event.day).unwrap_or_default();
        let occasion = BoutContext { day, classes: &claim.classes };
        let fighters = claim
            .fighters
            .each_ref()
            .map(|fighter| self.create_fighter(source, fighter, occasion, &claim.seen));
        let key = SourceKey::new(Kind::Bout, source, &claim.source_id);
        let name = Some(format!("{} vs. {}", claim.fighters[0].name, claim.fighters[1].name));
        let is_pair = |bout: &&RegisteredBout| {
            bout.fighters == fighters || (bout.fighters[0] == fighters[1] && bout.fighters[1] == fighters[0])
        };
        let there = self.bouts_of(event).filter(is_pair).find(|bout| !self.is_barred(&key, bout.id));
        if let Some(bout) = there.map(|bout| bout.id) {
            let (rule, seen) = ("fighters".to_owned(), claim.seen.clone());
            self.add_link(key, EntityLink { entity: bout, rule, score: 0.95, name, seen });
            return LinkedBout { event, bout, fighters };
        }
        let id = entity_id(Kind::Bout, source, &claim.source_id);
        let (possible_classes, is_fought) = (claim.classes.clone(), claim.is_over);
        self.add_bout(RegisteredBout {
            id,
            event,
            day,
            fighters,
            order: None,
            class: None,
            possible_classes,
            is_fought,
        });
        self.link_own(key, id, name, &claim.seen);
        LinkedBout { event, bout: id, fighters }
    }

    fn create_fighter(
        &mut self,
        source: &str,
        claim: &FighterClaim,
        occasion: BoutContext<'_>,
        seen: &FirstSeen,
    ) -> Uuid {
        let key = SourceKey::new(Kind::Fighter, source, &claim.source_id);
        let name = Some(claim.name.clone());
        if let Some((entity, rule, score)) = self.settled_link(&key) {
            self.add_link(key, EntityLink { entity, rule, score, name, seen: seen.clone() });
            self.add_name(entity, &claim.name, claim.nickname.as_deref());
            return entity;
        }
        match self.by_name(source, claim, &FoldedName::new(&claim.name), occasion) {
            NameResolution::One(entity, rule, score) => {
                let rule = rule.to_owned();
                self.add_link(key, EntityLink { entity, rule, score, name, seen: seen.clone() });
                self.add_name(entity, &claim.name, claim.nickname.as_deref());
                return entity;
            }
            NameResolution::Doubt { candidate, rule, score, reason } => self.add_doubt(AmbiguousMatch {
                key: key.clone(),
                name: claim.name.clone(),
                candidate: Some(candidate),
                rule,
                score,
                reason,
                seen: seen.clone(),
            }),
            NameResolution::Nobody => {}
        }
        let id = entity_id(Kind::Fighter, source, &claim.source_id);
        self.add_fighter(id, claim.born);
        self.add_name(id, &claim.name, claim.nickname.as_deref());
        self.link_own(key, id, name, seen);
        id
    }
}

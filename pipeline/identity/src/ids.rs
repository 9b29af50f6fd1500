//! Permanent id of each entity: the one that was published, else that of its best source.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use fdna_model::{Kind, entity_id};
use uuid::Uuid;

use super::published::AliasRow;
use super::registry::{EntityLink, EntityRegistry, SourceKey};
use crate::source_names::{CARDS, FEED, STATSDB};

/// The statistics source before the feed, the feed before the cards.
fn source_rank(source: &str) -> usize {
    let order = [STATSDB, FEED, CARDS];
    order.iter().position(|name| *name == source).unwrap_or(order.len())
}

/// The best source's ids first.
fn by_source(a: &SourceKey, b: &SourceKey) -> Ordering {
    let by_id = || (&a.source_id, &a.source).cmp(&(&b.source_id, &b.source));
    source_rank(&a.source).cmp(&source_rank(&b.source)).then_with(by_id)
}

/// Ids as they are from here on.
pub(super) struct SettledIds {
    /// Earlier ids of entities, where they differ from the present id.
    pub(super) renamed: HashMap<Uuid, Uuid>,
    pub(super) aliases: BTreeMap<(Kind, Uuid), AliasRow>,
}

type EntityMembers<'a> = BTreeMap<(Kind, Uuid), Vec<(&'a SourceKey, &'a EntityLink)>>;

impl EntityRegistry {
    /// Gives every entity its id. Of two that were published and are one, that of the better source survives.
    pub(super) fn settle_ids(&mut self) -> SettledIds {
        let mut members: EntityMembers<'_> = BTreeMap::new();
        for (key, link) in &self.links {
            members.entry((key.kind, link.entity)).or_default().push((key, link));
        }
        for links in members.values_mut() {
            links.sort_unstable_by(|(a, _), (b, _)| by_source(a, b));
        }
        let owners = self.id_owners(&members);
        let mut taken: BTreeSet<(Kind, Uuid)> = owners.keys().copied().collect();
        let mut of_node: BTreeMap<(Kind, Uuid), Vec<Uuid>> = BTreeMap::new();
        owners.iter().for_each(|((kind, id), node)| of_node.entry((*kind, *node)).or_default().push(*id));
        let (mut renamed, mut aliases) = (HashMap::new(), self.published.aliases.clone());
        for ((kind, node), links) in &members {
            let mut given = of_node.remove(&(*kind, *node)).unwrap_or_default();
            given.sort_by_key(|id| (id_rank(*kind, *id, links), *id));
            let id = match given.first() {
                Some(id) => *id,
                None => choose_new_id(*kind, links, &taken),
            };
            taken.insert((*kind, id));
            if id != *node {
                renamed.insert(*node, id);
            }
            for lost in given.iter().skip(1) {
                aliases.insert((*kind, *lost), alias_row(id, links));
            }
        }
        resolve_aliases(&mut aliases, &members, &renamed);
        self.rename_entities(&renamed);
        SettledIds { renamed, aliases }
    }

    /// Of each published id, the entity that it stays with: where two have it, that of the better source. An id that
    /// no linked source id has any more stays with what its former source ids are now.
    fn id_owners(&self, members: &EntityMembers<'_>) -> BTreeMap<(Kind, Uuid), Uuid> {
        let standing = |key: &SourceKey| self.published.rows.get(key).map(|row| row.entity);
        let mut owners = claimed_ids(members, standing);
        let former = claimed_ids(members, |key| self.published.former.get(key).copied());
        for (id, node) in former {
            owners.entry(id).or_insert(node);
        }
        owners
    }

    fn rename_entities(&mut self, renamed: &HashMap<Uuid, Uuid>) {
        if renamed.is_empty() {
            return;
        }
        let new = |id: Uuid| renamed.get(&id).copied().unwrap_or(id);
        let all = |ids: &mut Vec<Uuid>| ids.iter_mut().for_each(|id| *id = new(*id));
        for link in self.links.values_mut() {
            link.entity = new(link.entity);
        }
        for doubt in &mut self.doubts {
            doubt.candidate = doubt.candidate.map(new);
        }
        for mut event in std::mem::take(&mut self.events).into_values() {
            event.id = new(event.id);
            all(&mut event.bouts);
            self.events.insert(event.id, event);
        }
        for mut bout in std::mem::take(&mut self.bouts).into_values() {
            (bout.id, bout.event) = (new(bout.id), new(bout.event));
            bout.fighters = bout.fighters.map(new);
            self.bouts.insert(bout.id, bout);
        }
        for mut fighter in std::mem::take(&mut self.fighters).into_values() {
            fighter.id = new(fighter.id);
            all(&mut fighter.bouts);
            self.fighters.insert(fighter.id, fighter);
        }
        self.rebuild_indexes(new);
    }
}

/// Of each id that `given` tells of a source id, the entity of the best source that has it.
fn claimed_ids(
    members: &EntityMembers<'_>,
    given: impl Fn(&SourceKey) -> Option<Uuid>,
) -> BTreeMap<(Kind, Uuid), Uuid> {
    /// Rank and id of the source, and the entity that it stands for.
    type IdClaim<'a> = ((usize, &'a str), Uuid);
    let mut owners: BTreeMap<(Kind, Uuid), IdClaim<'_>> = BTreeMap::new();
    for ((kind, node), links) in members {
        for (key, _) in links {
            let Some(id) = given(key) else { continue };
            let claim = ((source_rank(&key.source), key.source_id.as_str()), *node);
            let owner = owners.entry((*kind, id)).or_insert(claim);
            if claim < *owner {
                *owner = claim;
            }
        }
    }
    owners.into_iter().map(|(id, (_, node))| (id, node)).collect()
}

/// Rank of the source that an id came from.
fn id_rank(kind: Kind, id: Uuid, links: &[(&SourceKey, &EntityLink)]) -> usize {
    let made = links.iter().find(|(key, _)| entity_id(kind, &key.source, &key.source_id) == id);
    made.map_or(usize::MAX, |(key, _)| source_rank(&key.source))
}

/// The id of the best source that no other entity has.
fn choose_new_id(kind: Kind, links: &[(&SourceKey, &EntityLink)], taken: &BTreeSet<(Kind, Uuid)>) -> Uuid {
    let ids = links.iter().map(|(key, _)| entity_id(kind, &key.source, &key.source_id));
    let split =
        links.iter().map(|(key, _)| entity_id(kind, &key.source, &format!("{}#apart", key.source_id)));
    ids.chain(split).find(|id| !taken.contains(&(kind, *id))).unwrap_or_default()
}

/// Alias row of an entity's newest link.
fn alias_row(entity: Uuid, links: &[(&SourceKey, &EntityLink)]) -> AliasRow {
    let newest =
        links.iter().max_by_key(|(key, link)| (&link.seen, std::cmp::Reverse(source_rank(&key.source))));
    let (rule, seen) = newest.map(|(_, link)| (link.rule.clone(), link.seen.clone())).unzip();
    let (capture, at) = seen.map(|seen| (seen.capture, seen.at)).unzip();
    AliasRow {
        entity,
        rule: rule.unwrap_or_default(),
        capture: capture.unwrap_or_default(),
        at: at.unwrap_or_default(),
    }
}

/// Points each alias to what lives, through entities that became aliases themselves.
fn resolve_aliases(
    aliases: &mut BTreeMap<(Kind, Uuid), AliasRow>,
    members: &EntityMembers<'_>,
    renamed: &HashMap<Uuid, Uuid>,
) {
    let new = |id: Uuid| renamed.get(&id).copied().unwrap_or(id);
    let live: BTreeSet<(Kind, Uuid)> = members.keys().map(|(kind, node)| (*kind, new(*node))).collect();
    aliases.retain(|key, _| !live.contains(key));
    let next: BTreeMap<(Kind, Uuid), Uuid> =
        aliases.iter().map(|(key, alias)| (*key, alias.entity)).collect();
    for ((kind, _), alias) in aliases {
        let mut steps = 0;
        while let Some(entity) = next.get(&(*kind, alias.entity)).filter(|_| steps < next.len()) {
            alias.entity = *entity;
            steps += 1;
        }
    }
}

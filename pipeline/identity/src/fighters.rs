//! Matches a fighter whom a source names with those we know.

use fdna_model::Kind;
use uuid::Uuid;

use super::claims::FighterClaim;
use super::name_similarity::FoldedName;
use super::registry::{EntityRegistry, RegisteredFighter, SourceKey};

/// Agreement of a claimed fighter with one of ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SideMatch {
    /// 0 to 1.
    pub(super) similarity: f64,
    /// Whether the dates of birth are one; `None` where one is unknown.
    pub(super) same_birth_date: Option<bool>,
    /// The one stands for another already: they are two people, whatever their names.
    pub(super) is_barred: bool,
}

impl SideMatch {
    const LINKED: Self = Self { similarity: 1.0, same_birth_date: None, is_barred: false };
    const BARRED: Self = Self { similarity: 0.0, same_birth_date: None, is_barred: true };

    /// As good as the same name.
    pub(super) fn is_strong(&self) -> bool {
        self.similarity >= STRONG
    }
}

/// Likeness of names that says as much as the same name, of two who meet the same opponent on the same day.
pub(super) const STRONG: f64 = 0.92;
/// One name holds the other's nickname: `Mirko Cro Cop`.
const NICKNAME: f64 = 0.86;
/// Names in part alike, born on the same day.
const BORN: f64 = 0.9;

/// A claimed fighter with what ids say of him, as long as nothing more is linked.
pub(super) struct FighterCandidate<'a> {
    claim: &'a FighterClaim,
    name: &'a FoldedName,
    key: SourceKey,
    /// Entities of the fighter's ids.
    entity: Option<Uuid>,
}

impl EntityRegistry {
    pub(super) fn fighter_candidate<'a>(
        &self,
        source: &str,
        claim: &'a FighterClaim,
        name: &'a FoldedName,
    ) -> FighterCandidate<'a> {
        let key = SourceKey::new(Kind::Fighter, source, &claim.source_id);
        let own = self.fighter_of(source, &claim.source_id);
        let settled = || self.settled_link(&key).map(|(entity, ..)| entity);
        let of_statsdb = || self.fighter_of(crate::source_names::STATSDB, claim.statsdb_id.as_deref()?);
        let entity = own.or_else(settled).or_else(of_statsdb);
        FighterCandidate { claim, name, key, entity }
    }

    pub(super) fn match_side(&self, sought: &FighterCandidate<'_>, fighter: Uuid) -> SideMatch {
        self.side_by(sought, fighter, |fighter| match_by_name(sought.claim, sought.name, fighter))
    }

    /// As [`Self::match_side`], where `alike` says how alike they are.
    pub(super) fn side_by(
        &self,
        sought: &FighterCandidate<'_>,
        fighter: Uuid,
        alike: impl FnOnce(&RegisteredFighter) -> SideMatch,
    ) -> SideMatch {
        let known = self.match_by_id(sought, fighter);
        known.unwrap_or_else(|| self.fighters.get(&fighter).map_or(SideMatch::BARRED, alike))
    }

    /// Whether an id matches, or a name up to accents, word order and missing words.
    pub(super) fn is_strong(&self, sought: &FighterCandidate<'_>, fighter: Uuid) -> bool {
        let known = self.match_by_id(sought, fighter).map(|side| side.is_strong());
        known.unwrap_or_else(|| {
            let spellings = self.fighters.get(&fighter).map(|fighter| fighter.spellings.as_slice());
            spellings.unwrap_or_default().iter().any(|other| other.spelling_similarity(sought.name) >= STRONG)
        })
    }

    /// Match by ids, where the ids decide.
    fn match_by_id(&self, sought: &FighterCandidate<'_>, fighter: Uuid) -> Option<SideMatch> {
        match sought.entity {
            Some(entity) if entity == fighter => Some(SideMatch::LINKED),
            Some(_) => Some(SideMatch::BARRED),
            None => self.is_barred(&sought.key, fighter).then_some(SideMatch::BARRED),
        }
    }
}

/// Match by similarity of names, nicknames and dates of birth.
pub(super) fn match_by_name(
    claim: &FighterClaim,
    name: &FoldedName,
    fighter: &RegisteredFighter,
) -> SideMatch {
    let same_birth_date = claim.born.zip(fighter.born).map(|(a, b)| a == b);
    let mut similarity = fighter.spellings.iter().map(|other| other.similarity(name)).fold(0.0, f64::max);
    // What speaks for him beside the name counts only where the name is not quite another one.
    if (0.5..NICKNAME).contains(&similarity) && is_nickname_in(claim, name, fighter) {
        similarity = NICKNAME;
    }
    if same_birth_date == Some(true) && similarity >= 0.5 {
        similarity = similarity.max(BORN);
    }
    SideMatch { similarity, same_birth_date, is_barred: false }
}

/// Whether the name of the one holds a nickname of the other.
fn is_nickname_in(claim: &FighterClaim, name: &FoldedName, fighter: &RegisteredFighter) -> bool {
    let nickname = claim.nickname.as_deref().map(fdna_model::fold_name).filter(|n| n.len() >= 4);
    fighter.nicknames.iter().any(|nickname| name.folded.contains(nickname.as_str()))
        || nickname.is_some_and(|n| fighter.spellings.iter().any(|other| other.folded.contains(&n)))
}

//! Resolution of ranked names: a fighter of that name who fights in that division in those years.
//!
//! A name that one fighter has ties to him unless his bouts speak against it. A name that several have ties to the
//! one of them who fought in the class about that time. A name that nobody has ties to the one fighter of the class
//! and time whose name has the same words, or whose longer first name or nickname it shortens.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;
use fdna_model::{WeightClass, fold_name};
use fdna_rows::{RowsError, TableSet};
use fdna_schemas::tables::{BoutsReader, CorrectionsReader, FightersReader, IdentitiesReader};
use uuid::Uuid;

use super::division::RankingDivision;
use crate::directory::NameMatch;

/// A ranked fighter has fought, or will, within so many days.
const ABOUT_DAYS: i64 = 2 * 366;

/// Fighters by name, with what they fought when.
pub(crate) struct RankedFighters {
    fighters: HashMap<Uuid, KnownFighter>,
    by_name: HashMap<String, BTreeSet<Uuid>>,
}

#[derive(Default)]
struct KnownFighter {
    /// Words of each spelling of the name.
    names: Vec<Vec<String>>,
    nicknames: Vec<String>,
    bouts: Vec<FoughtBout>,
}

struct FoughtBout {
    day: NaiveDate,
    class: Option<WeightClass>,
    is_womens: Option<bool>,
}

/// First and last day on which a name stands in a division.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameSpan {
    pub(super) from: NaiveDate,
    pub(super) until: NaiveDate,
}

/// Name and score of a way to shorten or lengthen a name.
type MatchRule = (&'static str, f64, fn(&KnownFighter, &[String]) -> bool);

/// Fit of a fighter's bouts to a place in a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchFit {
    /// They speak against it.
    None,
    /// He fought in the class once, or in another about that time.
    Far,
    /// He fought in the class about that time.
    Near,
}

impl RankedFighters {
    pub(crate) fn new(tables: &TableSet) -> Result<Self, RowsError> {
        let mut who = Self { fighters: HashMap::new(), by_name: HashMap::new() };
        let fighters = tables.read_table::<FightersReader<'_>>()?;
        let names = fighters.name()?.into_iter().zip(fighters.nickname()?);
        for (id, (name, nickname)) in fighters.fighter_id()?.into_iter().zip(names) {
            who.fighters.entry(id).or_default().nicknames.extend(folded_words(nickname.unwrap_or_default()));
            who.add_name(id, name);
        }
        who.add_older_names(tables.read_table()?)?;
        who.add_names_elsewhere(tables.read_table()?)?;
        who.add_bouts(tables.read_table()?)?;
        Ok(who)
    }

    fn add_name(&mut self, id: Uuid, name: &str) {
        let Some(known) = self.fighters.get_mut(&id) else { return };
        if self.by_name.entry(fold_name(name)).or_default().insert(id) {
            known.names.push(folded_words(name));
        }
    }

    /// Names that the statistics source gave up.
    fn add_older_names(&mut self, corrections: CorrectionsReader<'_>) -> Result<(), RowsError> {
        for row in corrections.all_rows()? {
            if let Some(old) = row.old.filter(|_| row.kind == "fighter" && row.field == "name") {
                self.add_name(row.entity_id, old);
            }
        }
        Ok(())
    }

    /// Names that other sources give a fighter whom they are tied to.
    fn add_names_elsewhere(&mut self, identities: IdentitiesReader<'_>) -> Result<(), RowsError> {
        let names = identities.kind()?.into_iter().zip(identities.name()?);
        for (id, (kind, name)) in identities.entity_id()?.into_iter().zip(names) {
            if let Some(name) = name.filter(|_| kind == "fighter") {
                self.add_name(id, name);
            }
        }
        Ok(())
    }

    fn add_bouts(&mut self, bouts: BoutsReader<'_>) -> Result<(), RowsError> {
        for row in bouts.all_rows()? {
            let class = row.weight_class.and_then(WeightClass::from_name);
            for id in [row.fighter_a_id, row.fighter_b_id] {
                if let Some(known) = self.fighters.get_mut(&id) {
                    known.bouts.push(FoughtBout { day: row.event_date, class, is_womens: row.is_womens });
                }
            }
        }
        Ok(())
    }

    /// The fighter whom the name means in the division over the span; an error says why there is none.
    pub(super) fn fighter_in(
        &self,
        name: &str,
        division: RankingDivision,
        span: NameSpan,
    ) -> Result<NameMatch, String> {
        let fit =
            |id: &Uuid| self.fighters.get(id).map_or(MatchFit::None, |known| known.match_fit(division, span));
        let namesakes: Vec<Uuid> =
            self.by_name.get(&fold_name(name)).into_iter().flatten().copied().collect();
        match namesakes.as_slice() {
            [] => self.by_words(name, division, span),
            [id] if fit(id) != MatchFit::None => Ok(NameMatch { id: *id, rule: "name", score: 1.0 }),
            [_] => Err("the one of this name has not fought in the division, nor about that time".to_owned()),
            several => {
                let near: Vec<&Uuid> = several.iter().filter(|id| fit(id) == MatchFit::Near).collect();
                match near[..] {
                    [id] => Ok(NameMatch { id: *id, rule: "name_class", score: 0.95 }),
                    _ => Err(format!("{} are of this name, {} fought there then", several.len(), near.len())),
                }
            }
        }
    }

    fn by_words(&self, name: &str, division: RankingDivision, span: NameSpan) -> Result<NameMatch, String> {
        let wanted = folded_words(name);
        let near: Vec<(&Uuid, &KnownFighter)> = self
            .fighters
            .iter()
            .filter(|(_, known)| known.match_fit(division, span) == MatchFit::Near)
            .collect();
        let rules: [MatchRule; 2] =
            [("words", 0.9, KnownFighter::has_words), ("short", 0.8, KnownFighter::is_shortened)];
        for (rule, score, is_meant) in rules {
            let meant: Vec<&Uuid> =
                near.iter().filter(|(_, known)| is_meant(known, &wanted)).map(|(id, _)| *id).collect();
            match meant[..] {
                [] => {}
                [id] => return Ok(NameMatch { id: *id, rule, score }),
                _ => return Err(format!("{} fighters are nearly of this name", meant.len())),
            }
        }
        Err("nobody is of this name".to_owned())
    }
}

/// Words of a name, folded.
fn folded_words(name: &str) -> Vec<String> {
    name.split_whitespace().map(fold_name).filter(|word| !word.is_empty()).collect()
}

impl KnownFighter {
    fn match_fit(&self, division: RankingDivision, span: NameSpan) -> MatchFit {
        let is_about = |bout: &&FoughtBout| {
            (span.from - bout.day).num_days() <= ABOUT_DAYS
                && (bout.day - span.until).num_days() <= ABOUT_DAYS
        };
        let is_of_sex = |bout: &&FoughtBout| bout.is_womens.is_none_or(|w| w == division.is_womens());
        // Until 2020 one list had everybody pound for pound.
        let is_like = |bout: &&FoughtBout| division == RankingDivision::P4p || is_of_sex(bout);
        let is_there = |bout: &&FoughtBout| match division.weight_class() {
            Some(class) => bout.class == Some(class),
            None => is_like(bout),
        };
        if self.bouts.iter().filter(is_about).any(|bout| is_there(&bout)) {
            MatchFit::Near
        } else if self.bouts.iter().any(|bout| is_there(&bout) || (is_about(&bout) && is_like(&bout))) {
            MatchFit::Far
        } else {
            MatchFit::None
        }
    }

    /// The same words, in any order, or all words of the shorter one: `Mara Borella` and `Mara Romero Borella`.
    fn has_words(&self, wanted: &[String]) -> bool {
        let wanted: HashSet<&String> = wanted.iter().collect();
        self.names.iter().any(|name| {
            let name: HashSet<&String> = name.iter().collect();
            wanted.len().min(name.len()) >= 2 && (wanted.is_subset(&name) || name.is_subset(&wanted))
        })
    }

    /// Each word begins one of the name or the nickname, and one is of the name: `Tim Johnson` for `Timothy`,
    /// `Cris Cyborg` for `Cristiane`.
    fn is_shortened(&self, wanted: &[String]) -> bool {
        let begins = |word: &String, of: &[String]| word.len() >= 3 && of.iter().any(|w| w.starts_with(word));
        wanted.len() >= 2
            && self.names.iter().any(|name| {
                wanted.iter().any(|w| begins(w, name))
                    && wanted.iter().all(|w| begins(w, name) || begins(w, &self.nicknames))
            })
    }
}

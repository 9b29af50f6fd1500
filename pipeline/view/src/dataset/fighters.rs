//! Fighters, by name.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_api::{FighterFacts, FighterNames};
use fdna_model::{Stance, fold_name, slug_id};
use fdna_schemas::tables::{ContractReader as _, FightersReader, FightersRow};
use rayon::prelude::*;
use uuid::Uuid;

use super::bout_pairings::BoutPairings;
use super::bouts::BoutTable;
use super::careers::{StatedCareer, StatedCareers};
use super::current_record::{PastBout, record_on};
use super::ids::IdIndex;
use super::last_modified::LastModified;
use super::results::ResultTable;
use super::{DatasetError, Status, json};

/// Names to look for, folded and in lower case.
#[derive(Debug)]
struct SearchNames {
    folded: [String; 2],
    lower: [String; 2],
    /// Words of both, folded.
    words: Vec<String>,
    /// What he is called, folded: the nickname, and the initials where they are not anybody's.
    short_names: Vec<String>,
}

/// How near a name is to a text that was asked for, the nearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameMatch {
    WholeName,
    /// Whole words of name or nickname, the nickname, or the initials.
    Words,
    Beginning,
    Within,
}

/// A fighter, ready to be sent.
#[derive(Debug)]
pub(crate) struct FighterRow {
    pub(crate) id: Uuid,
    pub(crate) name: Box<str>,
    pub(crate) born: Option<NaiveDate>,
    pub(crate) height_in: Option<i32>,
    pub(crate) reach_in: Option<i32>,
    pub(crate) stance: Option<Stance>,
    pub(crate) is_active: bool,
    pub(crate) slug_id: Box<str>,
    /// Without images, which are looked up for each answer.
    pub(crate) json: Box<[u8]>,
    /// The same in short.
    pub(crate) compact: Box<[u8]>,
    /// Rows of his bouts, newest first.
    pub(crate) bouts: Vec<usize>,
    /// How likely it is that he is meant: his bouts, those for a title five times.
    pub(crate) fame: usize,
    /// What sources state of all his bouts.
    pub(crate) career: StatedCareer,
    search: SearchNames,
}

/// All fighters, by folded name, ties by id.
#[derive(Debug)]
pub(crate) struct FighterTable {
    pub(crate) rows: Vec<FighterRow>,
    pub(crate) ids: IdIndex,
}

/// What a search looks for.
#[derive(Debug)]
pub(crate) struct NameFilter {
    folded: String,
    /// The same word by word.
    words: Vec<String>,
    lower: String,
}

impl NameFilter {
    pub(crate) fn new(text: &str) -> Self {
        Self { folded: fold_name(text), words: folded_words(text), lower: text.trim().to_lowercase() }
    }
}

impl FighterRow {
    /// How near name and nickname are to the text; `None` unless one contains it, or its words in any order, accents and
    /// punctuation aside, or it is the initials.
    pub(crate) fn match_name(&self, filter: &NameFilter) -> Option<NameMatch> {
        let (SearchNames { folded, words, short_names, lower }, text) = (&self.search, &filter.folded);
        let has_text = !text.is_empty() && folded.iter().any(|name| name.contains(text));
        let are_words = !filter.words.is_empty() && filter.words.iter().all(|word| words.contains(word));
        Some(match () {
            () if has_text && folded[0] == *text => NameMatch::WholeName,
            () if are_words || short_names.contains(text) => NameMatch::Words,
            () if has_text && words.iter().chain(folded).any(|word| word.starts_with(text)) => {
                NameMatch::Beginning
            }
            () if has_text
                || self.search.have_words(&filter.words)
                || lower.iter().any(|name| name.contains(&filter.lower)) =>
            {
                NameMatch::Within
            }
            () => return None,
        })
    }
}

/// What the bouts say of a fighter.
#[derive(Debug, Clone, Default)]
struct BoutRecord {
    fought: usize,
    is_active: bool,
    past: Vec<PastBout>,
}

fn records(details: &FighterDetails<'_>) -> HashMap<Uuid, BoutRecord> {
    let FighterDetails { pairings, results, active_since, .. } = details;
    let mut records: HashMap<Uuid, BoutRecord> = HashMap::new();
    for pairing in &pairings.rows {
        let result = results.get(&pairing.id);
        for fighter in pairing.fighters {
            let record = records.entry(fighter).or_default();
            let fought = pairing.status == Status::Completed;
            // Who was on a card lately is active, also where nobody told what came of it.
            let was_on = fought || pairing.status == Status::Untold;
            let recent = was_on && active_since.is_some_and(|day| pairing.date >= day);
            record.fought += usize::from(fought);
            record.is_active |= recent || pairing.status == Status::Upcoming;
            if was_on {
                let outcome = result.filter(|_| fought).map(|result| result.outcome_of(fighter));
                record.past.push(PastBout { date: pairing.date, outcome });
            }
        }
    }
    records
}

/// What other tables say of fighters.
pub(crate) struct FighterDetails<'a> {
    pub(crate) pairings: &'a BoutPairings,
    pub(crate) results: &'a ResultTable<'a>,
    pub(crate) last_modified: &'a LastModified,
    pub(crate) active_since: Option<NaiveDate>,
    pub(crate) careers: StatedCareers,
}

impl FighterTable {
    pub(crate) fn read(batch: &RecordBatch, details: FighterDetails<'_>) -> Result<Self, DatasetError> {
        let records = records(&details);
        let mut wire = wire(batch, &records, details.last_modified, &details.careers)?;
        wire.sort_by_cached_key(|(_, fighter)| (fold_name(fighter.name), fighter.id));
        let mut ids = IdIndex::of_rows("fighters", wire.iter().map(|(_, f)| f.id.0))?;
        let names: [fn(&FighterFacts<'_>) -> Option<String>; 3] = [
            |f| f.statsdb_id.map(str::to_owned),
            |f| f.feed_athlete_id.map(str::to_owned),
            |f| Some(slug_id(f.name, f.id.0)),
        ];
        for name in names {
            for (row, (_, fighter)) in wire.iter().enumerate() {
                name(fighter).iter().for_each(|text| ids.add_text(text, row));
            }
        }
        let rows = wire.par_iter().map(|(born, fighter)| {
            let career = details.careers.get(&fighter.id.0).cloned().unwrap_or_default();
            FighterRow::of(*born, fighter, career)
        });
        Ok(Self { rows: rows.collect::<Result<_, _>>()?, ids })
    }

    /// Ids that were merged into others, and the slugs that ended with them.
    pub(crate) fn take_aliases(&mut self, aliases: &[(Uuid, usize)]) {
        for &(alias, row) in aliases {
            self.ids.add_alias(alias, row);
            self.ids.add_text(&slug_id(&self.rows[row].name, alias), row);
        }
    }

    /// Hangs the bouts on their fighters, newest first.
    pub(crate) fn take_bouts(&mut self, bouts: &BoutTable) {
        for (row, bout) in bouts.rows.iter().enumerate() {
            bout.fighters.iter().for_each(|&fighter| self.rows[fighter].bouts.push(row));
        }
        for fighter in &mut self.rows {
            let titles = fighter.bouts.iter().filter(|&&row| bouts.rows[row].title_kind.is_some()).count();
            fighter.fame = fighter.bouts.len() + 5 * titles;
            fighter.bouts.sort_by_key(|&row| {
                let bout = &bouts.rows[row];
                (std::cmp::Reverse((bout.date, bout.order)), bout.id)
            });
        }
    }
}

fn wire<'a>(
    batch: &'a RecordBatch,
    records: &HashMap<Uuid, BoutRecord>,
    last_modified: &LastModified,
    careers: &'a StatedCareers,
) -> Result<Vec<(Option<NaiveDate>, FighterFacts<'a>)>, DatasetError> {
    let none = BoutRecord::default();
    let fighter = |row: FightersRow<'a>| {
        let id = row.fighter_id;
        let fought = records.get(&id).unwrap_or(&none);
        let record = careers.get(&id).and_then(|career| record_on(career, &fought.past, None));
        let career = careers.get(&id).map(|career| career.snapshot(None)).unwrap_or_default();
        let facts = FighterFacts {
            id: id.into(),
            statsdb_id: row.statsdb_id,
            feed_athlete_id: row.feed_athlete_id,
            name: row.name,
            nickname: row.nickname,
            dob: row.date_of_birth.map(|d| d.to_string()),
            height_in: row.height_in,
            reach_in: row.reach_in,
            weight_lbs: row.weight_lbs,
            stance: row.stance,
            is_active: fought.is_active,
            fight_history_count: fought.fought,
            updated_at: last_modified.of(id),
            record_w: record.as_ref().map(|record| record.wins),
            record_l: record.as_ref().map(|record| record.losses),
            record_d: record.as_ref().map(|record| record.draws),
            record_nc: record.as_ref().and_then(|record| record.no_contests),
            record_source: record.as_ref().map(|record| record.source),
            record_bouts_since: record.as_ref().map(|record| record.bouts_since),
            record_date: record.map(|record| record.stated_on),
            career_slpm: career.career_slpm,
            career_str_acc: career.career_str_acc,
            career_sapm: career.career_sapm,
            career_str_def: career.career_str_def,
            career_td_avg: career.career_td_avg,
            career_td_acc: career.career_td_acc,
            career_td_def: career.career_td_def,
            career_sub_avg: career.career_sub_avg,
            career_source: career.career_source,
            career_date: career.career_date,
        };
        (row.date_of_birth, facts)
    };
    Ok(FightersReader::of(batch).all_rows()?.into_iter().map(fighter).collect())
}

impl SearchNames {
    fn of(fighter: &FighterFacts<'_>) -> Self {
        let names = [fighter.name, fighter.nickname.unwrap_or_default()];
        let words = names.iter().flat_map(|name| folded_words(name)).collect();
        let short_names = list_short_names(fighter.name, fighter.nickname)
            .iter()
            .map(|name| fold_name(name))
            .filter(|name| !name.is_empty())
            .collect();
        Self { folded: names.map(fold_name), lower: names.map(str::to_lowercase), words, short_names }
    }

    /// Whether each word is part of a word of its own: `jon` is not found in the `jones` that was asked for, too.
    fn have_words(&self, asked: &[String]) -> bool {
        let mut free: Vec<&String> = self.words.iter().collect();
        let mut takes = |word: &String| {
            let place = free.iter().position(|name| name.contains(word));
            place.map(|place| free.swap_remove(place)).is_some()
        };
        !asked.is_empty() && asked.iter().all(&mut takes)
    }
}

/// What somebody is called for short: his nickname without its article, and his initials, which of two letters are anybody's.
pub(crate) fn list_short_names(name: &str, nickname: Option<&str>) -> Vec<String> {
    let nickname = nickname.map(|nickname| nickname.strip_prefix("The ").unwrap_or(nickname).to_owned());
    let parts = name.split(|letter: char| letter.is_whitespace() || letter == '-').map(fold_name);
    let initials: String = parts.filter_map(|part| part.chars().next()).collect();
    nickname.into_iter().chain(Some(initials).filter(|initials| initials.len() > 2)).collect()
}

/// Longest first: a short word finds a place in many.
fn folded_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> =
        text.split_whitespace().map(fold_name).filter(|word| !word.is_empty()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

impl FighterRow {
    fn of(
        born: Option<NaiveDate>,
        fighter: &FighterFacts<'_>,
        career: StatedCareer,
    ) -> Result<Self, DatasetError> {
        let slug_id = slug_id(fighter.name, fighter.id.0);
        let names = FighterNames {
            id: fighter.id,
            statsdb_id: fighter.statsdb_id,
            feed_athlete_id: fighter.feed_athlete_id,
            name: fighter.name,
            nickname: fighter.nickname,
            slug_id: &slug_id,
        };
        Ok(Self {
            id: fighter.id.0,
            name: fighter.name.into(),
            born,
            height_in: fighter.height_in,
            reach_in: fighter.reach_in,
            stance: fighter.stance.and_then(Stance::parse),
            is_active: fighter.is_active,
            json: json(fighter)?,
            compact: json(&names)?,
            slug_id: slug_id.into(),
            bouts: Vec::new(),
            fame: 0,
            career,
            search: SearchNames::of(fighter),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_way_in_which_a_name_is_found_counts() {
        let facts =
            FighterFacts { name: "Georges St-Pierre", nickname: Some("The Rush"), ..FighterFacts::default() };
        let row = FighterRow::of(None, &facts, StatedCareer::default()).unwrap();
        for (asked, found) in [
            ("georges st pierre", Some(NameMatch::WholeName)),
            ("RUSH", Some(NameMatch::Words)),
            ("st-pierre", Some(NameMatch::Words)),
            ("GSP", Some(NameMatch::Words)),
            ("georges", Some(NameMatch::Words)),
            ("geo", Some(NameMatch::Beginning)),
            ("pierre georges", Some(NameMatch::Within)),
            ("pier", Some(NameMatch::Within)),
            ("gs", None),
        ] {
            assert_eq!(row.match_name(&NameFilter::new(asked)), found, "{asked}");
        }
    }
}

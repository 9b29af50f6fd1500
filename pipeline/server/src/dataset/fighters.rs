//! Fighters, by name.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use fdna_api::{Fighter, FighterCompact, FighterDetail};
use fdna_model::{Stance, fold_name, slug_id};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::bouts::{Bouts, Pairings};
use super::ids::Ids;
use super::updated::Updated;
use super::{DatasetError, Status, json};

/// A fighter before his bouts are written: the wire type still borrows from the table.
pub(crate) struct Draft<'a> {
    pub(crate) wire: Fighter<'a>,
    born: Option<NaiveDate>,
    slug_id: String,
    search: Search,
}

/// All fighters before their bouts are written, by folded name, ties by id.
pub(crate) struct Drafts<'a> {
    pub(crate) rows: Vec<Draft<'a>>,
    pub(crate) ids: Ids,
}

/// Names to look for, folded and in lower case.
#[derive(Debug)]
struct Search {
    folded: [String; 2],
    lower: [String; 2],
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
    pub(crate) json: Box<[u8]>,
    pub(crate) detail: Box<[u8]>,
    pub(crate) compact: Box<[u8]>,
    /// Rows of his bouts, newest first.
    pub(crate) bouts: Vec<usize>,
    search: Search,
}

/// All fighters, by folded name, ties by id.
#[derive(Debug)]
pub(crate) struct Fighters {
    pub(crate) rows: Vec<FighterRow>,
    pub(crate) ids: Ids,
}

/// What a search looks for.
#[derive(Debug)]
pub(crate) struct Wanted {
    folded: String,
    lower: String,
}

impl Wanted {
    pub(crate) fn new(text: &str) -> Self {
        Self { folded: fold_name(text), lower: text.trim().to_lowercase() }
    }
}

impl FighterRow {
    /// Whether name or nickname contains the text, accents and punctuation aside.
    pub(crate) fn is_named(&self, wanted: &Wanted) -> bool {
        let folded =
            !wanted.folded.is_empty() && self.search.folded.iter().any(|name| name.contains(&wanted.folded));
        folded || self.search.lower.iter().any(|name| name.contains(&wanted.lower))
    }
}

/// What the bouts say of a fighter.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    fought: usize,
    is_active: bool,
}

fn records(pairings: &Pairings, active_since: Option<NaiveDate>) -> HashMap<Uuid, Record> {
    let mut records: HashMap<Uuid, Record> = HashMap::new();
    for pairing in &pairings.rows {
        for fighter in pairing.fighters {
            let record = records.entry(fighter).or_default();
            let fought = pairing.status == Status::Completed;
            let recent = fought && active_since.is_some_and(|day| pairing.date >= day);
            record.fought += usize::from(fought);
            record.is_active |= recent || pairing.status == Status::Upcoming;
        }
    }
    records
}

pub(crate) fn read<'a>(
    batch: &'a RecordBatch,
    pairings: &Pairings,
    updated: &Updated,
    active_since: Option<NaiveDate>,
) -> Result<Drafts<'a>, DatasetError> {
    let records = records(pairings, active_since);
    let mut rows = wire(batch, &records, updated)?;
    rows.sort_by(|a, b| a.search.folded[0].cmp(&b.search.folded[0]).then(a.wire.id.cmp(&b.wire.id)));
    let mut ids = Ids::of_rows("fighters", rows.iter().map(|d| d.wire.id.0))?;
    let names: [fn(&Draft<'_>) -> Option<String>; 3] = [
        |d| d.wire.statsdb_id.map(str::to_owned),
        |d| d.wire.feed_athlete_id.map(str::to_owned),
        |d| Some(d.slug_id.clone()),
    ];
    for name in names {
        for (row, draft) in rows.iter().enumerate() {
            name(draft).iter().for_each(|text| ids.add_text(text, row));
        }
    }
    Ok(Drafts { rows, ids })
}

fn wire<'a>(
    batch: &'a RecordBatch,
    records: &HashMap<Uuid, Record>,
    updated: &Updated,
) -> Result<Vec<Draft<'a>>, DatasetError> {
    let table = TableReader::new("fighters", batch);
    let ids = table.ids("fighter_id")?;
    let (statsdb, feed) = (table.strings("statsdb_id")?, table.strings("feed_athlete_id")?);
    let (names, nicknames) = (table.texts("name")?, table.strings("nickname")?);
    let (born, stances) = (table.dates("date_of_birth")?, table.strings("stance")?);
    let (heights, reaches) = (table.int32s("height_in")?, table.int32s("reach_in")?);
    let weights = table.int32s("weight_lbs")?;
    let draft = |i: usize| {
        let record = records.get(&ids[i]).copied().unwrap_or_default();
        let wire = Fighter {
            id: ids[i].into(),
            statsdb_id: statsdb[i],
            feed_athlete_id: feed[i],
            name: names[i],
            nickname: nicknames[i],
            dob: born[i].map(|d| d.to_string()),
            height_in: heights[i],
            reach_in: reaches[i],
            weight_lbs: weights[i],
            stance: stances[i],
            is_active: record.is_active,
            fight_history_count: record.fought,
            updated_at: updated.of(ids[i]),
            // Records, career figures and portraits: no source states them.
            ..Fighter::default()
        };
        Draft { born: born[i], slug_id: slug_id(names[i], ids[i]), search: Search::of(&wire), wire }
    };
    Ok((0..table.rows()).map(draft).collect())
}

impl Search {
    fn of(fighter: &Fighter<'_>) -> Self {
        let names = [fighter.name, fighter.nickname.unwrap_or_default()];
        Self { folded: names.map(fold_name), lower: names.map(str::to_lowercase) }
    }
}

impl Fighters {
    pub(crate) fn build(drafts: Drafts<'_>, bouts: &Bouts) -> Result<Self, DatasetError> {
        let Drafts { rows, ids } = drafts;
        let mut rows = rows.into_iter().map(Draft::finish).collect::<Result<Vec<_>, _>>()?;
        for (row, bout) in bouts.rows.iter().enumerate() {
            bout.fighters.iter().for_each(|&fighter| rows[fighter].bouts.push(row));
        }
        for fighter in &mut rows {
            fighter.bouts.sort_by_key(|&row| {
                let bout = &bouts.rows[row];
                (std::cmp::Reverse((bout.date, bout.order)), bout.id)
            });
        }
        Ok(Self { rows, ids })
    }
}

impl Draft<'_> {
    fn finish(self) -> Result<FighterRow, DatasetError> {
        let Self { wire, born, slug_id, search } = self;
        let compact = FighterCompact {
            id: wire.id,
            statsdb_id: wire.statsdb_id,
            name: wire.name,
            nickname: wire.nickname,
            slug_id: &slug_id,
            primary_image: None,
        };
        Ok(FighterRow {
            id: wire.id.0,
            name: wire.name.into(),
            born,
            height_in: wire.height_in,
            reach_in: wire.reach_in,
            stance: wire.stance.and_then(Stance::parse),
            is_active: wire.is_active,
            json: json(&wire)?,
            detail: json(&FighterDetail { fighter: &wire, slug_id: &slug_id, images: &[] })?,
            compact: json(&compact)?,
            bouts: Vec::new(),
            search,
        })
    }
}

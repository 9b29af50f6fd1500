//! Late replacements and missed weights: a source whose bouts have fighters with ids of the statistics source and
//! events without names and days.
//!
//! A pair that met twice is told apart by the other bouts of the event. An event of which we have no pair is none of
//! ours, and is not claimed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{Int32Array, RecordBatch};
use fdna_model::{FindingKind, Kind};
use fdna_rows::{CaptureFacts, RowsError, TableRow, row_cells};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    BoutsReader, BoutsRow, ContractReader as _, ContractRow as _, NoticeBoutsReader, NoticeFightersReader,
    NoticeMissedWeightsReader, NoticeReplacementsReader, ShortNoticesReader, ShortNoticesRow, WeighInsRow,
};
use uuid::Uuid;

use super::claims::{BoutClaim, EventClaim, FighterClaim};
use super::registry::EntityRegistry;
use super::row_accounting::{
    AccountedRow, LinkedBouts, RowAccounting, RowPosition, first_seen, link_claims, rename_bouts,
};

/// Name of the source in captures, ids and contracts.
const SOURCE: &str = "late-notice";

/// Statements of the notice captures, linked to entities.
pub(super) struct NoticeSource<'a> {
    captures: Vec<&'a CaptureFacts>,
    entries: Vec<AccountedRow<'a>>,
    pairs: NoticePairs<'a>,
    ours: LinkedBouts,
}

impl<'a> NoticeSource<'a> {
    /// Links what the captures tell, oldest first.
    pub(super) fn link_captures(
        captures: &[&'a CaptureFacts],
        registry: &mut EntityRegistry,
    ) -> Result<Self, RowsError> {
        let (mut claims, mut pairs, mut entries) = (BTreeMap::new(), HashMap::new(), Vec::new());
        for capture in captures {
            entries.extend(read_bouts(capture, &mut claims, &mut pairs)?);
        }
        let met: HashSet<[Uuid; 2]> = registry.bouts.values().map(|bout| sort_pair(bout.fighters)).collect();
        let has_met = |bout: &BoutClaim| fighter_pair(bout, registry).is_some_and(|pair| met.contains(&pair));
        let claims: Vec<EventClaim> =
            claims.into_values().filter(|claim| claim.bouts.iter().any(has_met)).collect();
        let ours = link_claims(registry, &claims);
        Ok(Self { captures: captures.to_vec(), entries, pairs, ours })
    }

    pub(super) fn rename_entities(&mut self, renamed: &HashMap<Uuid, Uuid>) {
        rename_bouts(&mut self.ours, renamed);
    }

    /// Rows of our tables.
    pub(super) fn resolve_rows(mut self) -> Result<RowAccounting, RowsError> {
        let mut accounting = RowAccounting::default();
        std::mem::take(&mut self.entries).into_iter().for_each(|entry| entry.close_into(&mut accounting));
        let (mut notices, mut misses) = (NoticeFigures::<i32>::new(), NoticeFigures::<f64>::new());
        for capture in &self.captures {
            let (mut entry, reader) = AccountedRow::open_table::<NoticeReplacementsReader<'_>>(capture)?;
            for row in reader.all_rows()? {
                let at = RowPosition { file: row.file, line: row.line };
                let whose = self.resolve_row_ids(at, [row.bout_source_id, row.fighter_source_id], &mut entry);
                notices.extend(whose.map(|whose| (whose, row.notice_days)));
            }
            entry.close_into(&mut accounting);
            let (mut entry, reader) = AccountedRow::open_table::<NoticeMissedWeightsReader<'_>>(capture)?;
            for row in reader.all_rows()? {
                let at = RowPosition { file: row.file, line: row.line };
                let whose = self.resolve_row_ids(at, [row.bout_source_id, row.fighter_source_id], &mut entry);
                misses.extend(whose.map(|whose| (whose, row.weight_lbs)));
            }
            entry.close_into(&mut accounting);
        }
        accounting.insert_rows(ShortNoticesRow::TABLE, notices.into_iter().map(short_notice).collect());
        accounting.insert_rows(WeighInsRow::TABLE, misses.into_iter().map(missed_weight).collect());
        Ok(accounting)
    }
}

/// The newest figure of a bout and one of its fighters.
type NoticeFigures<T> = BTreeMap<(Uuid, Uuid), T>;

fn short_notice(((bout_id, fighter_id), notice_days): ((Uuid, Uuid), i32)) -> TableRow {
    row_cells(&ShortNoticesRow { bout_id, fighter_id, notice_days, source: SOURCE })
}

fn missed_weight(((bout_id, fighter_id), pounds): ((Uuid, Uuid), f64)) -> TableRow {
    let (weight_lbs, is_missed) = (Some(pounds), Some(true));
    row_cells(&WeighInsRow { bout_id, fighter_id, source: SOURCE, weight_lbs, is_missed })
}

fn sort_pair([first, second]: [Uuid; 2]) -> [Uuid; 2] {
    if first <= second { [first, second] } else { [second, first] }
}

/// Our ids of both fighters, where the source gives the statistics source's.
fn fighter_pair(bout: &BoutClaim, registry: &EntityRegistry) -> Option<[Uuid; 2]> {
    let id = |fighter: &FighterClaim| {
        registry.find_entity(Kind::Fighter, crate::source_names::STATSDB, fighter.statsdb_id.as_deref()?)
    };
    Some(sort_pair([id(&bout.fighters[0])?, id(&bout.fighters[1])?]))
}

/// The source's ids of a bout's fighters, by the bout's.
type NoticePairs<'a> = HashMap<&'a str, [&'a str; 2]>;

/// Adds a capture's bouts to what is claimed; a newer capture's fighters replace an older one's.
fn read_bouts<'a>(
    capture: &'a CaptureFacts,
    claims: &mut BTreeMap<&'a str, EventClaim>,
    pairs: &mut NoticePairs<'a>,
) -> Result<[AccountedRow<'a>; 2], RowsError> {
    let (people, fighters) = read_fighters(capture)?;
    let (mut entry, reader) = AccountedRow::open_table::<NoticeBoutsReader<'_>>(capture)?;
    for row in reader.all_rows()? {
        let ids = [row.first_source_id, row.second_source_id];
        if let Some(nobody) = ids.iter().find(|id| !fighters.contains_key(*id)) {
            let at = RowPosition { file: row.file, line: row.line };
            entry.set_aside(at, FindingKind::UnknownFighter, format!("no fighter has id {nobody}"));
            continue;
        }
        let bout = BoutClaim {
            source_id: row.bout_source_id.to_owned(),
            fighters: ids.map(|id| fighters[id].clone()),
            order: Some(row.bout_order),
            is_over: true,
            classes: Vec::new(),
            seen: first_seen(capture),
        };
        pairs.insert(row.bout_source_id, ids);
        add_claim(capture, row.event_source_id, bout, claims);
    }
    Ok([people, entry])
}

fn add_claim<'a>(
    capture: &CaptureFacts,
    event: &'a str,
    bout: BoutClaim,
    claims: &mut BTreeMap<&'a str, EventClaim>,
) {
    let claim = claims.entry(event).or_insert_with(|| EventClaim {
        source: SOURCE,
        source_id: event.to_owned(),
        names: Vec::new(),
        days: Vec::new(),
        bouts: Vec::new(),
        seen: first_seen(capture),
    });
    match claim.bouts.iter_mut().find(|known| known.source_id == bout.source_id) {
        Some(known) => known.fighters = bout.fighters,
        None => claim.bouts.push(bout),
    }
}

/// By the source's id.
type NoticeFighters<'a> = HashMap<&'a str, FighterClaim>;

/// An id of the statistics source that two fighters have is neither's.
fn read_fighters(capture: &CaptureFacts) -> Result<(AccountedRow<'_>, NoticeFighters<'_>), RowsError> {
    let (mut entry, reader) = AccountedRow::open_table::<NoticeFightersReader<'_>>(capture)?;
    let rows = reader.all_rows()?;
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    rows.iter().filter_map(|row| row.statsdb_id).for_each(|id| *bearers.entry(id).or_default() += 1);
    let mut fighters = NoticeFighters::new();
    for row in rows {
        let own = row.statsdb_id.filter(|id| bearers[id] == 1);
        if let Some(shared) = row.statsdb_id.filter(|_| own.is_none()) {
            let at = RowPosition { file: row.file, line: row.line };
            let reason = format!("{} has id {shared} of the statistics source, and another too", row.name);
            entry.add_note(at, FindingKind::Duplicate, reason);
        }
        let fighter = FighterClaim {
            source_id: row.fighter_source_id.to_owned(),
            has_id: true,
            name: row.name.to_owned(),
            nickname: None,
            born: None,
            statsdb_id: own.map(str::to_owned),
        };
        fighters.insert(row.fighter_source_id, fighter);
    }
    Ok((entry, fighters))
}

impl NoticeSource<'_> {
    /// Our ids of a bout and one of its fighters, of whom a row tells by the source's.
    fn resolve_row_ids<'a>(
        &self,
        at: RowPosition<'a>,
        [bout, fighter]: [&str; 2],
        entry: &mut AccountedRow<'a>,
    ) -> Option<(Uuid, Uuid)> {
        let Some(pair) = self.pairs.get(bout) else {
            entry.set_aside(at, FindingKind::UnknownBout, format!("no bout has id {bout}"));
            return None;
        };
        let Some(side) = pair.iter().position(|id| *id == fighter) else {
            let reason = format!("fighter {fighter} is not in bout {bout}");
            entry.set_aside(at, FindingKind::UnknownFighter, reason);
            return None;
        };
        let linked = self.ours.get(bout);
        if linked.is_none() {
            entry.count_unmatched(at);
        }
        linked.map(|linked| (linked.bout, linked.fighters[side]))
    }
}

/// Fills in how late a bout was made where no source states it. Of two replacements in one bout the later one says so.
pub(super) fn add_short_notices(tables: &mut [(String, RecordBatch)]) -> Result<(), RowsError> {
    let place = |table: &str| tables.iter().position(|(name, _)| name == table);
    let Some((bouts, notices)) = place(BoutsRow::TABLE).zip(place(ShortNoticesRow::TABLE)) else {
        return Ok(());
    };
    let mut days: HashMap<Uuid, i32> = HashMap::new();
    for row in ShortNoticesReader::of(&tables[notices].1).all_rows()? {
        let least = days.entry(row.bout_id).or_insert(row.notice_days);
        *least = row.notice_days.min(*least);
    }
    tables[bouts].1 = with_days(&tables[bouts].1, &days)?;
    Ok(())
}

fn with_days(bouts: &RecordBatch, days: &HashMap<Uuid, i32>) -> Result<RecordBatch, RowsError> {
    let reader = BoutsReader::of(bouts);
    let known = reader.short_notice_days()?.into_iter().zip(reader.bout_id()?);
    let filled: Int32Array = known.map(|(known, id)| known.or_else(|| days.get(&id).copied())).collect();
    let mut columns = bouts.columns().to_vec();
    columns[BoutsRow::SHORT_NOTICE_DAYS.place] = Arc::new(filled);
    let build = |source| ColumnError::Build { table: BoutsRow::TABLE.to_owned(), source };
    Ok(RecordBatch::try_new(bouts.schema(), columns).map_err(build)?)
}

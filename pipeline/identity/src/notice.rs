//! Late replacements and missed weights: a source whose bouts have fighters with ids of the statistics source and
//! events without names and days.
//!
//! A pair that met twice is told apart by the other bouts of the event. An event of which we have no pair is none of
//! ours, and is not claimed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{Int32Array, RecordBatch};
use fdna_model::{FindingKind, Kind};
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};
use fdna_schemas::{ColumnError, TableReader};
use uuid::Uuid;

use super::claims::{BoutClaim, EventClaim, FighterClaim};
use super::registry::EntityRegistry;
use super::row_accounting::{AccountedRow, LinkedBouts, RowAccounting, RowPosition, linked, rename, seen};

/// Name of the source in captures, ids and contracts.
const SOURCE: &str = "late-notice";

/// What the captures tell, tied.
pub(super) struct NoticeSource<'a> {
    captures: Vec<&'a CaptureFacts>,
    entries: Vec<AccountedRow<'a>>,
    pairs: NoticePairs<'a>,
    ours: LinkedBouts,
}

impl<'a> NoticeSource<'a> {
    /// Links what the captures tell, oldest first.
    pub(super) fn link(
        captures: &[&'a CaptureFacts],
        registry: &mut EntityRegistry,
    ) -> Result<Self, RowsError> {
        let (mut claims, mut pairs, mut entries) = (BTreeMap::new(), HashMap::new(), Vec::new());
        for capture in captures {
            entries.extend(read_bouts(capture, &mut claims, &mut pairs)?);
        }
        let met: HashSet<[Uuid; 2]> = registry.bouts.values().map(|bout| sorted(bout.fighters)).collect();
        let has_met = |bout: &BoutClaim| pair(bout, registry).is_some_and(|pair| met.contains(&pair));
        let claims: Vec<EventClaim> =
            claims.into_values().filter(|claim| claim.bouts.iter().any(has_met)).collect();
        let ours = linked(registry, &claims);
        Ok(Self { captures: captures.to_vec(), entries, pairs, ours })
    }

    pub(super) fn rename(&mut self, renamed: &HashMap<Uuid, Uuid>) {
        rename(&mut self.ours, renamed);
    }

    /// Rows of our tables.
    pub(super) fn resolve(mut self) -> Result<RowAccounting, RowsError> {
        let mut accounting = RowAccounting::default();
        std::mem::take(&mut self.entries).into_iter().for_each(|entry| entry.close(&mut accounting));
        let (mut notices, mut misses) = (NoticeFigures::new(), NoticeFigures::new());
        for capture in &self.captures {
            notices.extend(self.figures(capture, "notice_replacements", &mut accounting, |reader| {
                Ok(reader.counts("notice_days")?.into_iter().map(CellValue::from).collect())
            })?);
            misses.extend(self.figures(capture, "notice_missed_weights", &mut accounting, |reader| {
                Ok(reader.floats("weight_lbs")?.into_iter().map(CellValue::from).collect())
            })?);
        }
        accounting.insert("short_notices", short_notices(notices)?);
        accounting.insert("weigh_ins", weigh_ins(misses)?);
        Ok(accounting)
    }
}

/// The newest figure of a bout and one of its fighters.
type NoticeFigures = BTreeMap<(Uuid, Uuid), CellValue>;

fn short_notices(notices: NoticeFigures) -> Result<Vec<TableRow>, RowsError> {
    let layout = TableLayout::new("short_notices", &["bout_id", "fighter_id", "notice_days", "source"])?;
    let row = |((bout, fighter), days): ((Uuid, Uuid), CellValue)| {
        layout.row([bout.into(), fighter.into(), days, SOURCE.into()])
    };
    Ok(notices.into_iter().map(row).collect())
}

fn weigh_ins(misses: NoticeFigures) -> Result<Vec<TableRow>, RowsError> {
    let layout = TableLayout::new("weigh_ins", &super::WEIGH_INS)?;
    let row = |((bout, fighter), pounds): ((Uuid, Uuid), CellValue)| {
        layout.row([bout.into(), fighter.into(), SOURCE.into(), pounds, true.into()])
    };
    Ok(misses.into_iter().map(row).collect())
}

fn sorted([first, second]: [Uuid; 2]) -> [Uuid; 2] {
    if first <= second { [first, second] } else { [second, first] }
}

/// Our ids of both fighters, where the source gives the statistics source's.
fn pair(bout: &BoutClaim, registry: &EntityRegistry) -> Option<[Uuid; 2]> {
    let id = |fighter: &FighterClaim| {
        registry.entity(Kind::Fighter, super::STATSDB, fighter.statsdb_id.as_deref()?)
    };
    Some(sorted([id(&bout.fighters[0])?, id(&bout.fighters[1])?]))
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
    let (mut entry, reader) = AccountedRow::open(capture, "notice_bouts")?;
    let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
    let (events, orders) = (reader.texts("event_source_id")?, reader.counts("bout_order")?);
    let (first, second) = (reader.texts("first_source_id")?, reader.texts("second_source_id")?);
    for (i, id) in reader.texts("bout_source_id")?.into_iter().enumerate() {
        let ids = [first[i], second[i]];
        if let Some(nobody) = ids.iter().find(|id| !fighters.contains_key(*id)) {
            let at = RowPosition { file: files[i], line: lines[i] };
            entry.set_aside(at, FindingKind::UnknownFighter, format!("no fighter has id {nobody}"));
            continue;
        }
        let bout = BoutClaim {
            source_id: id.to_owned(),
            fighters: ids.map(|id| fighters[id].clone()),
            order: Some(orders[i]),
            is_over: true,
            classes: Vec::new(),
            seen: seen(capture),
        };
        pairs.insert(id, ids);
        claim(capture, events[i], bout, claims);
    }
    Ok([people, entry])
}

fn claim<'a>(
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
        seen: seen(capture),
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
    let (mut entry, reader) = AccountedRow::open(capture, "notice_fighters")?;
    let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
    let (ids, names) = (reader.texts("fighter_source_id")?, reader.texts("name")?);
    let statsdb = reader.strings("statsdb_id")?;
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    statsdb.iter().flatten().for_each(|id| *bearers.entry(id).or_default() += 1);
    let mut fighters = NoticeFighters::new();
    for i in 0..reader.rows() {
        let own = statsdb[i].filter(|id| bearers[id] == 1);
        if let Some(shared) = statsdb[i].filter(|_| own.is_none()) {
            let at = RowPosition { file: files[i], line: lines[i] };
            let reason = format!("{} has id {shared} of the statistics source, and another too", names[i]);
            entry.note(at, FindingKind::Duplicate, reason);
        }
        let fighter = FighterClaim {
            source_id: ids[i].to_owned(),
            has_id: true,
            name: names[i].to_owned(),
            nickname: None,
            born: None,
            statsdb_id: own.map(str::to_owned),
        };
        fighters.insert(ids[i], fighter);
    }
    Ok((entry, fighters))
}

impl NoticeSource<'_> {
    /// Figures about a fighter of a bout, from one facts table of a capture.
    fn figures(
        &self,
        capture: &CaptureFacts,
        table: &str,
        accounting: &mut RowAccounting,
        values: impl Fn(&TableReader<'_>) -> Result<Vec<CellValue>, ColumnError>,
    ) -> Result<NoticeFigures, RowsError> {
        let (mut entry, reader) = AccountedRow::open(capture, table)?;
        let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
        let (bouts, fighters) = (reader.texts("bout_source_id")?, reader.texts("fighter_source_id")?);
        let mut figures = NoticeFigures::new();
        for (i, value) in values(&reader)?.into_iter().enumerate() {
            let at = RowPosition { file: files[i], line: lines[i] };
            let Some(pair) = self.pairs.get(bouts[i]) else {
                entry.set_aside(at, FindingKind::UnknownBout, format!("no bout has id {}", bouts[i]));
                continue;
            };
            let Some(side) = pair.iter().position(|id| *id == fighters[i]) else {
                let reason = format!("fighter {} is not in bout {}", fighters[i], bouts[i]);
                entry.set_aside(at, FindingKind::UnknownFighter, reason);
                continue;
            };
            match self.ours.get(bouts[i]) {
                Some(linked) => drop(figures.insert((linked.bout, linked.fighters[side]), value)),
                None => entry.count_unmatched(at),
            }
        }
        entry.close(accounting);
        Ok(figures)
    }
}

/// Fills in how late a bout was made where no source states it. Of two replacements in one bout the later one says so.
pub(super) fn add_short_notices(tables: &mut [(String, RecordBatch)]) -> Result<(), RowsError> {
    let place = |table: &str| tables.iter().position(|(name, _)| name == table);
    let Some((bouts, notices)) = place("bouts").zip(place("short_notices")) else { return Ok(()) };
    let reader = TableReader::new("short_notices", &tables[notices].1);
    let mut days: HashMap<Uuid, i32> = HashMap::new();
    for (bout, notice) in reader.ids("bout_id")?.into_iter().zip(reader.counts("notice_days")?) {
        days.entry(bout).and_modify(|known| *known = notice.min(*known)).or_insert(notice);
    }
    tables[bouts].1 = with_days(&tables[bouts].1, &days)?;
    Ok(())
}

fn with_days(bouts: &RecordBatch, days: &HashMap<Uuid, i32>) -> Result<RecordBatch, RowsError> {
    let reader = TableReader::new("bouts", bouts);
    let known = reader.int32s(SHORT_NOTICE)?.into_iter().zip(reader.ids("bout_id")?);
    let filled: Int32Array = known.map(|(known, id)| known.or_else(|| days.get(&id).copied())).collect();
    let build = |source| ColumnError::Build { table: "bouts".to_owned(), source };
    let mut columns = bouts.columns().to_vec();
    columns[bouts.schema().index_of(SHORT_NOTICE).map_err(build)?] = Arc::new(filled);
    Ok(RecordBatch::try_new(bouts.schema(), columns).map_err(build)?)
}

const SHORT_NOTICE: &str = "short_notice_days";

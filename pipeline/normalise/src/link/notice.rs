//! Late replacements and missed weights: a source whose bouts have fighters with ids of the statistics source and
//! events without names and days.
//!
//! A pair that met twice is told apart by the other bouts of the event. An event of which we have no pair is none of
//! ours, and is not claimed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{Int32Array, RecordBatch};
use fdna_model::{FighterId, FindingKind};
use fdna_schemas::{ColumnError, TableReader};
use uuid::Uuid;

use super::claims::{BoutClaim, EventClaim, FighterClaim};
use super::ledger::{At, Entry, Ledger, linked, seen};
use super::registry::{Linked, Registry};
use crate::layout::{Layout, Row, Value};
use crate::{CaptureFacts, NormaliseError};

/// Name of the source in captures, ids and contracts.
const SOURCE: &str = "late-notice";

/// Links what the captures tell, oldest first.
pub(crate) fn tell(captures: &[&CaptureFacts], registry: &mut Registry) -> Result<Ledger, NormaliseError> {
    let mut ledger = Ledger::default();
    let mut claims = BTreeMap::new();
    let mut pairs = HashMap::new();
    for capture in captures {
        let entries = read_bouts(capture, &mut claims, &mut pairs)?;
        entries.into_iter().for_each(|entry| entry.close(&mut ledger));
    }
    let met: HashSet<[Uuid; 2]> = registry.bouts.values().map(|bout| sorted(bout.fighters)).collect();
    let has_met = |claim: &EventClaim| claim.bouts.iter().any(|b| pair(b).is_some_and(|p| met.contains(&p)));
    let claims: Vec<EventClaim> = claims.into_values().filter(has_met).collect();
    let ours = linked(registry, &claims);
    let told = Told { ours: &ours, pairs: &pairs };
    let (mut notices, mut misses) = (BTreeMap::new(), BTreeMap::new());
    for capture in captures {
        notices.extend(told.figures(capture, "notice_replacements", &mut ledger, |reader| {
            Ok(reader.counts("notice_days")?.into_iter().map(Value::from).collect())
        })?);
        misses.extend(told.figures(capture, "notice_missed_weights", &mut ledger, |reader| {
            Ok(reader.floats("weight_lbs")?.into_iter().map(Value::from).collect())
        })?);
    }
    ledger.tables.insert("short_notices", short_notices(notices)?);
    ledger.tables.insert("weigh_ins", weigh_ins(misses)?);
    Ok(ledger)
}

/// The newest figure of a bout and one of its fighters.
type Figures = BTreeMap<(Uuid, Uuid), Value>;

fn short_notices(notices: Figures) -> Result<Vec<Row>, NormaliseError> {
    let layout = Layout::new("short_notices", &["bout_id", "fighter_id", "notice_days", "source"])?;
    let row = |((bout, fighter), days): ((Uuid, Uuid), Value)| {
        layout.row([bout.into(), fighter.into(), days, SOURCE.into()])
    };
    Ok(notices.into_iter().map(row).collect())
}

fn weigh_ins(misses: Figures) -> Result<Vec<Row>, NormaliseError> {
    let layout = Layout::new("weigh_ins", &super::WEIGH_INS)?;
    let row = |((bout, fighter), pounds): ((Uuid, Uuid), Value)| {
        layout.row([bout.into(), fighter.into(), SOURCE.into(), pounds, true.into()])
    };
    Ok(misses.into_iter().map(row).collect())
}

fn sorted([first, second]: [Uuid; 2]) -> [Uuid; 2] {
    if first <= second { [first, second] } else { [second, first] }
}

/// Our ids of both fighters, where the source gives the statistics source's.
fn pair(bout: &BoutClaim) -> Option<[Uuid; 2]> {
    let id = |fighter: &FighterClaim| Some(FighterId::of("statsdb", fighter.statsdb_id.as_deref()?).0);
    Some(sorted([id(&bout.fighters[0])?, id(&bout.fighters[1])?]))
}

/// The source's ids of a bout's fighters, by the bout's.
type Pairs<'a> = HashMap<&'a str, [&'a str; 2]>;

/// Adds a capture's bouts to what is claimed; a newer capture's fighters replace an older one's.
fn read_bouts<'a>(
    capture: &'a CaptureFacts,
    claims: &mut BTreeMap<&'a str, EventClaim>,
    pairs: &mut Pairs<'a>,
) -> Result<[Entry<'a>; 2], NormaliseError> {
    let (people, fighters) = read_fighters(capture)?;
    let (mut entry, reader) = Entry::open(capture, "notice_bouts")?;
    let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
    let (events, orders) = (reader.texts("event_source_id")?, reader.counts("bout_order")?);
    let (first, second) = (reader.texts("first_source_id")?, reader.texts("second_source_id")?);
    for (i, id) in reader.texts("bout_source_id")?.into_iter().enumerate() {
        let ids = [first[i], second[i]];
        if let Some(nobody) = ids.iter().find(|id| !fighters.contains_key(*id)) {
            let at = At { file: files[i], line: lines[i] };
            entry.set_aside(at, FindingKind::UnknownFighter, format!("no fighter has id {nobody}"));
            continue;
        }
        let bout = BoutClaim {
            source_id: id.to_owned(),
            fighters: ids.map(|id| fighters[id].clone()),
            order: Some(orders[i]),
            is_over: true,
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
type Fighters<'a> = HashMap<&'a str, FighterClaim>;

/// An id of the statistics source that two fighters have is neither's.
fn read_fighters(capture: &CaptureFacts) -> Result<(Entry<'_>, Fighters<'_>), NormaliseError> {
    let (mut entry, reader) = Entry::open(capture, "notice_fighters")?;
    let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
    let (ids, names) = (reader.texts("fighter_source_id")?, reader.texts("name")?);
    let statsdb = reader.strings("statsdb_id")?;
    let mut bearers: HashMap<&str, usize> = HashMap::new();
    statsdb.iter().flatten().for_each(|id| *bearers.entry(id).or_default() += 1);
    let mut fighters = Fighters::new();
    for i in 0..reader.rows() {
        let own = statsdb[i].filter(|id| bearers[id] == 1);
        if let Some(shared) = statsdb[i].filter(|_| own.is_none()) {
            let at = At { file: files[i], line: lines[i] };
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

/// The bouts that are ours.
struct Told<'a> {
    ours: &'a BTreeMap<String, Linked>,
    pairs: &'a Pairs<'a>,
}

impl Told<'_> {
    /// Figures about a fighter of a bout, from one facts table of a capture.
    fn figures(
        &self,
        capture: &CaptureFacts,
        table: &str,
        ledger: &mut Ledger,
        values: impl Fn(&TableReader<'_>) -> Result<Vec<Value>, ColumnError>,
    ) -> Result<Figures, NormaliseError> {
        let (mut entry, reader) = Entry::open(capture, table)?;
        let (files, lines) = (reader.texts("file")?, reader.counts("line")?);
        let (bouts, fighters) = (reader.texts("bout_source_id")?, reader.texts("fighter_source_id")?);
        let mut figures = Figures::new();
        for (i, value) in values(&reader)?.into_iter().enumerate() {
            let at = At { file: files[i], line: lines[i] };
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
                None => entry.strange(at),
            }
        }
        entry.close(ledger);
        Ok(figures)
    }
}

/// The bouts with the days of notice of their late replacements, where no source states them.
pub(crate) fn with_short_notice(
    bouts: &RecordBatch,
    notices: &RecordBatch,
) -> Result<RecordBatch, NormaliseError> {
    let reader = TableReader::new("short_notices", notices);
    let mut days: HashMap<Uuid, i32> = HashMap::new();
    for (bout, notice) in reader.ids("bout_id")?.into_iter().zip(reader.counts("notice_days")?) {
        // Of two replacements the later one says how late the bout was made.
        days.entry(bout).and_modify(|known| *known = notice.min(*known)).or_insert(notice);
    }
    let known = TableReader::new("bouts", bouts).int32s("short_notice_days")?;
    let ids = TableReader::new("bouts", bouts).ids("bout_id")?;
    let filled: Int32Array =
        ids.iter().zip(known).map(|(id, known)| known.or_else(|| days.get(id).copied())).collect();
    let column = bouts.schema().index_of("short_notice_days").ok();
    let mut columns = bouts.columns().to_vec();
    if let Some(place) = column {
        columns[place] = Arc::new(filled);
    }
    let build = |source| ColumnError::Build { table: "bouts".to_owned(), source };
    Ok(RecordBatch::try_new(bouts.schema(), columns).map_err(build)?)
}

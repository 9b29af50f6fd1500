//! Normalised tables to the facts that derivation takes.

use std::collections::{BTreeSet, HashMap};

use arrow::array::RecordBatch;
use fdna_model::{
    BoutFact, BoutId, EventId, Facts, FighterId, Method, Outcome, RoundCounts, RoundFact, Side, Stance,
    TimeFormat, WeightClass,
};
use fdna_schemas::{ColumnError, TableReader};
use uuid::Uuid;

use crate::counts::round_counts;

#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    #[error("find normalised table `{0}`")]
    MissingTable(&'static str),
    #[error("read a normalised table")]
    Column(#[from] ColumnError),
    #[error("read `{column}` of bout {bout}: `{value}` is none of its values")]
    Value { bout: Uuid, column: &'static str, value: String },
    #[error("place fighter {fighter} in bout {bout}")]
    Stranger { bout: Uuid, fighter: Uuid },
}

/// Tables that facts are read from.
pub const FACTS_TABLES: [&str; 5] = ["bouts", "fighters", "results", "round_stats", "scorecards"];

/// Reads [`FACTS_TABLES`]; bouts without a result are not facts yet.
///
/// # Errors
/// A table is missing, or holds what normalisation cannot have written.
pub fn facts<'a>(table: impl Fn(&str) -> Option<&'a RecordBatch>) -> Result<Facts, FactsError> {
    let get = |name: &'static str| -> Result<TableReader<'a>, FactsError> {
        Ok(TableReader::new(name, table(name).ok_or(FactsError::MissingTable(name))?))
    };
    let mut rounds = rounds(&get("round_stats")?)?;
    let mut results = results(&get("results")?)?;
    let mut cards = cards(&get("scorecards")?)?;
    let reader = get("bouts")?;
    let (ids, events, dates) = (reader.ids("bout_id")?, reader.ids("event_id")?, reader.days("event_date")?);
    let (orders, classes) = (reader.int32s("bout_order")?, reader.strings("weight_class")?);
    let (titles, scheduled) = (reader.bools("is_title")?, reader.int32s("scheduled_rounds")?);
    let (a, b) = (reader.ids("fighter_a_id")?, reader.ids("fighter_b_id")?);
    let mut bouts = Vec::with_capacity(reader.rows());
    for i in 0..reader.rows() {
        let Some(result) = results.remove(&ids[i]) else { continue };
        let fighters = [FighterId(a[i]), FighterId(b[i])];
        bouts.push(BoutFact {
            id: BoutId(ids[i]),
            event: EventId(events[i]),
            date: dates[i],
            order: orders[i],
            class: classes[i].and_then(WeightClass::from_name),
            fighters,
            outcome: result.outcome,
            winner: result.winner.map(|w| side(ids[i], fighters, w)).transpose()?,
            method: result.method,
            method_detail: result.detail,
            last_round: result.round,
            scheduled_rounds: scheduled[i],
            is_title: titles[i] == Some(true),
            cards: cards.remove(&ids[i]).unwrap_or_default(),
            total_secs: result.total_secs,
            rounds: by_side(
                ids[i],
                fighters,
                rounds.remove(&ids[i]).unwrap_or_default(),
                result.format.as_ref(),
            )?,
        });
    }
    // Of who never fought nothing is derived.
    let fought: BTreeSet<FighterId> = bouts.iter().flat_map(|bout| bout.fighters).collect();
    let stances = stances(&get("fighters")?)?.into_iter().filter(|(fighter, _)| fought.contains(fighter));
    Ok(Facts::new(bouts).with_stances(stances))
}

fn stances(reader: &TableReader<'_>) -> Result<Vec<(FighterId, Stance)>, FactsError> {
    let rows = reader.ids("fighter_id")?.into_iter().zip(reader.strings("stance")?);
    Ok(rows.filter_map(|(id, stance)| Some((FighterId(id), Stance::parse(stance?)?))).collect())
}

/// A bout's cards: points of a and b, where it is known whose they are.
type FightCards = Vec<Option<[i32; 2]>>;

/// By bout, in the order of the judges.
fn cards(reader: &TableReader<'_>) -> Result<HashMap<Uuid, FightCards>, FactsError> {
    let points = reader.int32s("score_a")?.into_iter().zip(reader.int32s("score_b")?);
    let mut cards: HashMap<Uuid, FightCards> = HashMap::new();
    for (bout, (a, b)) in reader.ids("bout_id")?.into_iter().zip(points) {
        cards.entry(bout).or_default().push(a.zip(b).map(|(a, b)| [a, b]));
    }
    Ok(cards)
}

struct ResultFact {
    outcome: Outcome,
    winner: Option<Uuid>,
    method: Method,
    detail: Option<String>,
    round: i32,
    format: Option<TimeFormat>,
    total_secs: Option<i32>,
}

fn results(reader: &TableReader<'_>) -> Result<HashMap<Uuid, ResultFact>, FactsError> {
    let (ids, winners) = (reader.ids("bout_id")?, reader.uuids("winner_id")?);
    let (outcomes, methods) = (reader.texts("outcome")?, reader.texts("method")?);
    let (details, formats) = (reader.strings("method_detail")?, reader.texts("time_format")?);
    let (rounds, total) = (reader.counts("round")?, reader.int32s("total_secs")?);
    let bad =
        |i: usize, column, value: &str| FactsError::Value { bout: ids[i], column, value: value.to_owned() };
    (0..reader.rows())
        .map(|i| {
            let outcome = Outcome::from_name(outcomes[i]).ok_or_else(|| bad(i, "outcome", outcomes[i]))?;
            let method = Method::from_name(methods[i]).ok_or_else(|| bad(i, "method", methods[i]))?;
            let result = ResultFact {
                outcome,
                winner: winners[i],
                method,
                detail: details[i].map(str::to_owned),
                round: rounds[i],
                format: TimeFormat::parse(formats[i]),
                total_secs: total[i],
            };
            Ok((ids[i], result))
        })
        .collect()
}

struct RoundRow {
    round: i32,
    fighter: Uuid,
    secs: Option<i32>,
    counts: RoundCounts,
}

fn rounds(reader: &TableReader<'_>) -> Result<HashMap<Uuid, Vec<RoundRow>>, FactsError> {
    let (bouts, fighters) = (reader.ids("bout_id")?, reader.ids("fighter_id")?);
    let (round, secs) = (reader.counts("round")?, reader.int32s("round_secs")?);
    let counts = round_counts(reader)?;
    let mut rounds: HashMap<Uuid, Vec<RoundRow>> = HashMap::new();
    for i in 0..reader.rows() {
        rounds.entry(bouts[i]).or_default().push(RoundRow {
            round: round[i],
            fighter: fighters[i],
            secs: secs[i],
            counts: counts[i],
        });
    }
    Ok(rounds)
}

fn side(bout: Uuid, fighters: [FighterId; 2], fighter: Uuid) -> Result<Side, FactsError> {
    let side = Side::BOTH.into_iter().find(|s| fighters[s.index()].0 == fighter);
    side.ok_or(FactsError::Stranger { bout, fighter })
}

fn by_side(
    bout: Uuid,
    fighters: [FighterId; 2],
    mut rows: Vec<RoundRow>,
    format: Option<&TimeFormat>,
) -> Result<Vec<RoundFact>, FactsError> {
    rows.sort_by_key(|row| row.round);
    let mut rounds: Vec<RoundFact> = Vec::new();
    for row in rows {
        if rounds.last().is_none_or(|last| last.round != row.round) {
            let length = format.and_then(|format| format.round_secs(row.round));
            rounds.push(RoundFact {
                round: row.round,
                secs: row.secs,
                is_whole: length.is_some() && length == row.secs,
                counts: Default::default(),
            });
        }
        let side = side(bout, fighters, row.fighter)?;
        if let Some(last) = rounds.last_mut() {
            last.counts[side.index()] = row.counts;
        }
    }
    Ok(rounds)
}

//! Normalised tables to the facts that derivation takes.

use std::collections::{BTreeSet, HashMap};

use arrow::array::RecordBatch;
use fdna_model::{
    BoutFact, BoutId, Count, EventId, Facts, FighterId, Method, Outcome, RoundFact, Side, Stance, TimeFormat,
    WeightClass,
};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    BoutsReader, BoutsRow, ColumnPlace, ContractReader, ContractRow as _, FightersReader, FightersRow,
    ResultsReader, ResultsRow, RoundStatsReader, RoundStatsRow, ScorecardsReader, ScorecardsRow,
};
use uuid::Uuid;

use crate::counts::round_counts;

#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    #[error("no normalised table `{0}`")]
    MissingTable(&'static str),
    #[error("cannot read a normalised table")]
    Column(#[from] ColumnError),
    #[error("`{column}` of bout {bout} is `{value}`, which is none of its values")]
    Value { bout: Uuid, column: &'static str, value: String },
    #[error("fighter {fighter} is not in bout {bout}")]
    Stranger { bout: Uuid, fighter: Uuid },
}

/// Tables that facts are read from.
pub const FACTS_TABLES: [&str; 5] = ["bouts", "fighters", "results", "round_stats", "scorecards"];

/// The columns of a table that [`read_facts`] reads: a whole one has texts that need more room than these.
#[must_use]
pub fn facts_columns(table: &str) -> Vec<&'static str> {
    let columns: &[ColumnPlace] = match table {
        BoutsRow::TABLE => &[
            BoutsRow::BOUT_ID,
            BoutsRow::EVENT_ID,
            BoutsRow::EVENT_DATE,
            BoutsRow::BOUT_ORDER,
            BoutsRow::WEIGHT_CLASS,
            BoutsRow::IS_TITLE,
            BoutsRow::SCHEDULED_ROUNDS,
            BoutsRow::FIGHTER_A_ID,
            BoutsRow::FIGHTER_B_ID,
        ],
        FightersRow::TABLE => &[FightersRow::FIGHTER_ID, FightersRow::STANCE],
        ResultsRow::TABLE => &[
            ResultsRow::BOUT_ID,
            ResultsRow::WINNER_ID,
            ResultsRow::OUTCOME,
            ResultsRow::METHOD,
            ResultsRow::METHOD_DETAIL,
            ResultsRow::TIME_FORMAT,
            ResultsRow::ROUND,
            ResultsRow::TOTAL_SECS,
        ],
        RoundStatsRow::TABLE => &[
            RoundStatsRow::BOUT_ID,
            RoundStatsRow::FIGHTER_ID,
            RoundStatsRow::ROUND,
            RoundStatsRow::ROUND_SECS,
            RoundStatsRow::CONTROL_SECS,
        ],
        ScorecardsRow::TABLE => &[ScorecardsRow::BOUT_ID, ScorecardsRow::SCORE_A, ScorecardsRow::SCORE_B],
        _ => &[],
    };
    let counts = Count::ALL.into_iter().filter(|_| table == RoundStatsRow::TABLE).map(Count::name);
    columns.iter().map(|column| column.name).chain(counts).collect()
}

/// Reads [`FACTS_TABLES`], of which only the columns that are needed: a snapshot of an older build may lack others.
/// Bouts without a result are not facts yet.
///
/// # Errors
/// A table is missing, or holds what normalisation cannot have written.
pub fn read_facts<'a>(table: impl Fn(&str) -> Option<&'a RecordBatch>) -> Result<Facts, FactsError> {
    read_facts_by(|name| table(name).cloned().ok_or(FactsError::MissingTable(name)))
}

/// As [`read_facts`], of tables that are asked for one after another and let go: all at once they need more memory than
/// the facts.
///
/// # Errors
/// As for [`read_facts`], or those of `table`.
pub fn read_facts_by<E: From<FactsError>>(
    table: impl Fn(&'static str) -> Result<RecordBatch, E>,
) -> Result<Facts, E> {
    let results = read_results(ResultsReader::of(&table(ResultsRow::TABLE)?))?;
    let cards = read_cards(ScorecardsReader::of(&table(ScorecardsRow::TABLE)?))?;
    let (mut bouts, formats) = read_bouts(BoutsReader::of(&table(BoutsRow::TABLE)?), results, cards)?;
    add_rounds(&mut bouts, &formats, &table(RoundStatsRow::TABLE)?)?;
    // Of who never fought nothing is derived.
    let fought: BTreeSet<FighterId> = bouts.iter().flat_map(|bout| bout.fighters).collect();
    let stances = read_stances(FightersReader::of(&table(FightersRow::TABLE)?))?;
    let stances = stances.into_iter().filter(|(fighter, _)| fought.contains(fighter));
    Ok(Facts::new(bouts).with_stances(stances))
}

/// By bout: its place, and its time format.
type BoutFormats = HashMap<Uuid, (usize, Option<TimeFormat>)>;

/// Bouts that have a result, without rounds.
fn read_bouts(
    reader: BoutsReader<'_>,
    mut results: HashMap<Uuid, ResultFact>,
    mut cards: HashMap<Uuid, FightCards>,
) -> Result<(Vec<BoutFact>, BoutFormats), FactsError> {
    let (ids, events, dates) = (reader.bout_id()?, reader.event_id()?, reader.event_date()?);
    let (orders, classes) = (reader.bout_order()?, reader.weight_class()?);
    let (titles, scheduled) = (reader.is_title()?, reader.scheduled_rounds()?);
    let (a, b) = (reader.fighter_a_id()?, reader.fighter_b_id()?);
    let (mut bouts, mut formats) = (Vec::with_capacity(reader.len()), HashMap::new());
    for i in 0..reader.len() {
        let Some(result) = results.remove(&ids[i]) else { continue };
        formats.insert(ids[i], (bouts.len(), result.format));
        let fighters = [FighterId(a[i]), FighterId(b[i])];
        bouts.push(BoutFact {
            id: BoutId(ids[i]),
            event: EventId(events[i]),
            date: dates[i],
            order: orders[i],
            class: classes[i].and_then(WeightClass::from_name),
            fighters,
            outcome: result.outcome,
            winner: result.winner.map(|w| side_of(ids[i], fighters, w)).transpose()?,
            method: result.method,
            method_detail: result.detail,
            last_round: result.round,
            scheduled_rounds: scheduled[i],
            is_title: titles[i] == Some(true),
            cards: cards.remove(&ids[i]).unwrap_or_default(),
            total_secs: result.total_secs,
            rounds: Vec::new(),
        });
    }
    Ok((bouts, formats))
}

fn read_stances(reader: FightersReader<'_>) -> Result<Vec<(FighterId, Stance)>, FactsError> {
    let rows = reader.fighter_id()?.into_iter().zip(reader.stance()?);
    Ok(rows.filter_map(|(id, stance)| Some((FighterId(id), Stance::parse(stance?)?))).collect())
}

/// A bout's cards: points of a and b, where it is known whose they are.
type FightCards = Vec<Option<[i32; 2]>>;

/// By bout, in the order of the judges.
fn read_cards(reader: ScorecardsReader<'_>) -> Result<HashMap<Uuid, FightCards>, FactsError> {
    let points = reader.score_a()?.into_iter().zip(reader.score_b()?);
    let mut cards: HashMap<Uuid, FightCards> = HashMap::new();
    for (bout, (a, b)) in reader.bout_id()?.into_iter().zip(points) {
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

fn read_results(reader: ResultsReader<'_>) -> Result<HashMap<Uuid, ResultFact>, FactsError> {
    let (ids, winners) = (reader.bout_id()?, reader.winner_id()?);
    let (outcomes, methods) = (reader.outcome()?, reader.method()?);
    let (details, formats) = (reader.method_detail()?, reader.time_format()?);
    let (rounds, total) = (reader.round()?, reader.total_secs()?);
    let bad = |i: usize, column: ColumnPlace, value: &str| FactsError::Value {
        bout: ids[i],
        column: column.name,
        value: value.to_owned(),
    };
    let fact = |i: usize| {
        let outcome = Outcome::from_name(outcomes[i]);
        let method = Method::from_name(methods[i]);
        let result = ResultFact {
            outcome: outcome.ok_or_else(|| bad(i, ResultsRow::OUTCOME, outcomes[i]))?,
            winner: winners[i],
            method: method.ok_or_else(|| bad(i, ResultsRow::METHOD, methods[i]))?,
            detail: details[i].map(str::to_owned),
            round: rounds[i],
            format: TimeFormat::parse(formats[i]),
            total_secs: total[i],
        };
        Ok((ids[i], result))
    };
    (0..reader.len()).map(fact).collect()
}

/// Rows that are looked at together: copies of all columns at once would need as much memory as the facts.
const ROWS_AT_ONCE: usize = 1 << 16;

/// Adds what both fighters did in each round.
fn add_rounds(bouts: &mut [BoutFact], formats: &BoutFormats, table: &RecordBatch) -> Result<(), FactsError> {
    for begin in (0..table.num_rows()).step_by(ROWS_AT_ONCE) {
        let rows = table.slice(begin, ROWS_AT_ONCE.min(table.num_rows() - begin));
        let reader = RoundStatsReader::of(&rows);
        let (ids, fighters) = (reader.bout_id()?, reader.fighter_id()?);
        let (numbers, secs) = (reader.round()?, reader.round_secs()?);
        for (row, counts) in round_counts(&reader.by_name())?.into_iter().enumerate() {
            let Some((place, format)) = formats.get(&ids[row]) else { continue };
            let bout = &mut bouts[*place];
            let side = side_of(ids[row], bout.fighters, fighters[row])?;
            let number = numbers[row];
            let at = bout.rounds.partition_point(|round| round.round < number);
            if bout.rounds.get(at).is_none_or(|round| round.round != number) {
                let length = format.as_ref().and_then(|format| format.round_secs(number));
                let is_whole = length.is_some() && length == secs[row];
                // Most bouts have few: room for more would be as much again.
                bout.rounds.reserve_exact(1);
                let round =
                    RoundFact { round: number, secs: secs[row], is_whole, counts: Default::default() };
                bout.rounds.insert(at, round);
            }
            bout.rounds[at].counts[side.index()] = counts;
        }
    }
    Ok(())
}

fn side_of(bout: Uuid, fighters: [FighterId; 2], fighter: Uuid) -> Result<Side, FactsError> {
    let side = Side::BOTH.into_iter().find(|s| fighters[s.index()].0 == fighter);
    side.ok_or(FactsError::Stranger { bout, fighter })
}

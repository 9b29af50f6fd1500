//! One reader per file of the layout: what a row must have, and what it becomes.

use fdna_model::{Count, RoundCounts};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    ContractRow as _, StatsdbIdsBoutsRow, StatsdbIdsEventsRow, StatsdbIdsFighterHistoriesRow,
    StatsdbIdsFightersRow, StatsdbIdsRoundStatsRow,
};

use crate::fact_rows::round_row;
use crate::layout::{FileLines, ReadFn, RowSink};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds the table `name`.
pub(super) fn read(name: &str, lines: &FileLines<'_>) -> ReadFn {
    match name {
        StatsdbIdsEventsRow::TABLE => lines.table(event),
        StatsdbIdsBoutsRow::TABLE => lines.table(bout),
        StatsdbIdsFightersRow::TABLE => lines.table(fighter),
        StatsdbIdsRoundStatsRow::TABLE => lines.table(round),
        StatsdbIdsFighterHistoriesRow::TABLE => lines.table(history),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

/// Columns of the id that a second row of the table is refused for.
pub(super) fn identity(table: &str) -> &'static [&'static str] {
    match table {
        StatsdbIdsEventsRow::TABLE => &[StatsdbIdsEventsRow::EVENT_SOURCE_ID.name],
        StatsdbIdsBoutsRow::TABLE => &[StatsdbIdsBoutsRow::BOUT_SOURCE_ID.name],
        StatsdbIdsFightersRow::TABLE => &[StatsdbIdsFightersRow::FIGHTER_SOURCE_ID.name],
        StatsdbIdsRoundStatsRow::TABLE => &[
            StatsdbIdsRoundStatsRow::BOUT_SOURCE_ID.name,
            StatsdbIdsRoundStatsRow::ROUND.name,
            StatsdbIdsRoundStatsRow::FIGHTER_SOURCE_ID.name,
        ],
        StatsdbIdsFighterHistoriesRow::TABLE => &[
            StatsdbIdsFighterHistoriesRow::FIGHTER_SOURCE_ID.name,
            StatsdbIdsFighterHistoriesRow::BOUT_SOURCE_ID.name,
        ],
        _ => &[],
    }
}

fn id(row: &CsvRow<'_>, name: &str) -> Result<String, RowError> {
    row.read(name, |text| parse::source_id(text).map(str::to_owned))
}

fn event(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    to.push(&StatsdbIdsEventsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        event_source_id: &id,
        event: &parse::one_space(row.required("name")?),
        event_date: row.read("date", parse::iso_date)?,
        location: row.optional("location").map(parse::one_space).as_deref(),
        is_ufc: row.read("is_ufc_event", parse::flag)?,
    });
    Ok(())
}

/// Both outcomes as the other layout writes them, so that they are read and refused alike.
fn outcome(row: &CsvRow<'_>) -> Result<String, RowError> {
    let both = format!("{}/{}", row.required("red_outcome")?, row.required("blue_outcome")?);
    parse::outcome(&both).ok_or_else(|| {
        RowError::new(fdna_model::FindingKind::UnreadableValue, format!("the outcomes are `{both}`"))
    })
}

fn bout(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let bout = id(row, "id")?;
    to.check(&bout)?;
    to.push(&StatsdbIdsBoutsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout,
        event_source_id: &id(row, "event_id")?,
        bout_order: row.read("bout_order", parse::whole)?,
        red_source_id: &id(row, "red_fighter_id")?,
        blue_source_id: &id(row, "blue_fighter_id")?,
        outcome: &outcome(row)?,
        weight_class: row.optional("weight_class").map(parse::one_space).as_deref(),
        weight_class_raw: &parse::one_space(row.required("type_verbose")?),
        has_performance_bonus: row.read("performance_bonus", parse::flag)?,
        method: &parse::one_space(row.required("outcome_method")?),
        details: row.optional("outcome_method_details").map(parse::one_space).as_deref(),
        round: row.read("end_round", parse::round_number)?,
        clock_secs: row.read("end_round_time_seconds", parse::whole)?,
        time_format: &parse::one_space(row.required("round_time_format")?),
        total_secs: row.read("total_time_seconds", parse::whole)?,
    });
    Ok(())
}

fn fighter(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    to.push(&StatsdbIdsFightersRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        fighter_source_id: &id,
        name: &parse::one_space(row.required("name")?),
        nickname: row.optional("nickname").map(parse::one_space).as_deref(),
        height_in: row.read_optional("height_inches", parse::height_whole)?,
        reach_in: row.read_optional("reach_inches", parse::reach_whole)?,
        stance: row.read_optional("stance", parse::stance)?.as_deref(),
        date_of_birth: row.read_optional("date_of_birth", parse::iso_date)?,
    });
    Ok(())
}

/// Columns of a fighter's round and what each counts.
const COUNTS: [(&str, Count); Count::ALL.len()] = [
    ("knockdowns_scored", Count::Knockdowns),
    ("significant_strikes_landed", Count::SigLanded),
    ("significant_strikes_attempted", Count::SigAttempted),
    ("total_strikes_landed", Count::TotalLanded),
    ("total_strikes_attempted", Count::TotalAttempted),
    ("takedowns_landed", Count::TdLanded),
    ("takedowns_attempted", Count::TdAttempted),
    ("submissions_attempted", Count::SubAttempts),
    ("reversals_scored", Count::Reversals),
    ("significant_strikes_head_landed", Count::HeadLanded),
    ("significant_strikes_head_attempted", Count::HeadAttempted),
    ("significant_strikes_body_landed", Count::BodyLanded),
    ("significant_strikes_body_attempted", Count::BodyAttempted),
    ("significant_strikes_leg_landed", Count::LegLanded),
    ("significant_strikes_leg_attempted", Count::LegAttempted),
    ("significant_strikes_distance_landed", Count::DistanceLanded),
    ("significant_strikes_distance_attempted", Count::DistanceAttempted),
    ("significant_strikes_clinch_landed", Count::ClinchLanded),
    ("significant_strikes_clinch_attempted", Count::ClinchAttempted),
    ("significant_strikes_ground_landed", Count::GroundLanded),
    ("significant_strikes_ground_attempted", Count::GroundAttempted),
];

fn round(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let control = row.read_optional("control_time_seconds", parse::whole)?;
    let mut counts = RoundCounts::with_control(control);
    for (name, count) in COUNTS {
        counts[count] = row.read(name, parse::whole)?;
    }
    let (bout, fighter) = (id(row, "bout_id")?, id(row, "fighter_id")?);
    let round = row.read("round_number", parse::round_number)?;
    let round_secs = row.read("round_time_seconds", parse::whole)?;
    to.check(&format!("{bout}/{round}/{fighter}"))?;
    let read = round_row!(
        StatsdbIdsRoundStatsRow {
            file: to.at.file,
            line: to.at.line,
            row_digest: to.at.digest,
            bout_source_id: &bout,
            fighter_source_id: &fighter,
            round: round,
            round_secs: round_secs,
        },
        counts
    );
    to.push(&read);
    Ok(())
}

fn history(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let [fighter, bout, opponent] = [id(row, "fighter_id")?, id(row, "bout_id")?, id(row, "opponent_id")?];
    to.check(&format!("{fighter}/{bout}"))?;
    to.push(&StatsdbIdsFighterHistoriesRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        fighter_source_id: &fighter,
        bout_number: row.read("order", parse::whole)?,
        bout_source_id: &bout,
        opponent_source_id: &opponent,
    });
    Ok(())
}

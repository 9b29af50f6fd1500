//! One reader per file of the layout: what a row must have, and what it becomes.

use fdna_model::{Count, FindingKind, RoundCounts};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    ContractRow as _, StatsdbBoutDetailsRow, StatsdbEventsRow, StatsdbFighterProfilesRow, StatsdbFightersRow,
    StatsdbResultsRow, StatsdbRoundStatsRow,
};

use crate::fact_rows::round_row;
use crate::layout::{FileLines, ReadFn, RowSink};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds the table `name`.
pub(super) fn read(name: &str, lines: &FileLines<'_>) -> ReadFn {
    match name {
        StatsdbEventsRow::TABLE => lines.table(event),
        StatsdbBoutDetailsRow::TABLE => lines.table(listed_bout),
        StatsdbResultsRow::TABLE => lines.table(result),
        StatsdbRoundStatsRow::TABLE => lines.table(round),
        StatsdbFightersRow::TABLE => lines.table(fighter),
        StatsdbFighterProfilesRow::TABLE => lines.table(profile),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

/// Columns of the id that a second row of the table is refused for.
pub(super) fn identity(table: &str) -> &'static [&'static str] {
    match table {
        StatsdbEventsRow::TABLE => &[StatsdbEventsRow::EVENT_SOURCE_ID.name],
        StatsdbBoutDetailsRow::TABLE => &[StatsdbBoutDetailsRow::BOUT_SOURCE_ID.name],
        StatsdbResultsRow::TABLE => &[StatsdbResultsRow::BOUT_SOURCE_ID.name],
        StatsdbFightersRow::TABLE => &[StatsdbFightersRow::FIGHTER_SOURCE_ID.name],
        StatsdbFighterProfilesRow::TABLE => &[StatsdbFighterProfilesRow::FIGHTER_SOURCE_ID.name],
        _ => &[],
    }
}

fn id(row: &CsvRow<'_>) -> Result<String, RowError> {
    row.read("URL", |text| parse::address_id(text).map(str::to_owned))
}

fn event(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row)?;
    to.check(&id)?;
    to.push(&StatsdbEventsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        event_source_id: &id,
        event: &parse::one_space(row.required("EVENT")?),
        event_date: row.read("DATE", parse::date_in_words)?,
        location: row.optional("LOCATION").map(parse::one_space).as_deref(),
    });
    Ok(())
}

fn listed_bout(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row)?;
    to.check(&id)?;
    to.push(&StatsdbBoutDetailsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &id,
        event: &parse::one_space(row.required("EVENT")?),
        bout: &parse::one_space(row.required("BOUT")?),
    });
    Ok(())
}

fn result(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row)?;
    to.check(&id)?;
    let event = parse::one_space(row.required("EVENT")?);
    let (first_name, second_name) = row.read("BOUT", parse::names)?;
    to.push(&StatsdbResultsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &id,
        event: &event,
        first_name: &first_name,
        second_name: &second_name,
        first_source_id: None,
        second_source_id: None,
        outcome: &row.read("OUTCOME", parse::outcome)?,
        weight_class_raw: &parse::one_space(row.required("WEIGHTCLASS")?),
        method: &parse::one_space(row.required("METHOD")?),
        round: row.read("ROUND", parse::whole)?,
        clock_secs: row.read("TIME", parse::clock_secs)?,
        time_format: &parse::one_space(row.required("TIME FORMAT")?),
        referee: row.optional("REFEREE").map(parse::one_space).as_deref(),
        details: row.optional("DETAILS").map(parse::one_space).as_deref(),
    });
    Ok(())
}

/// Columns that hold `n of m`.
const PAIRS: [(&str, Count, Count); 9] = [
    ("SIG.STR.", Count::SigLanded, Count::SigAttempted),
    ("TOTAL STR.", Count::TotalLanded, Count::TotalAttempted),
    ("TD", Count::TdLanded, Count::TdAttempted),
    ("HEAD", Count::HeadLanded, Count::HeadAttempted),
    ("BODY", Count::BodyLanded, Count::BodyAttempted),
    ("LEG", Count::LegLanded, Count::LegAttempted),
    ("DISTANCE", Count::DistanceLanded, Count::DistanceAttempted),
    ("CLINCH", Count::ClinchLanded, Count::ClinchAttempted),
    ("GROUND", Count::GroundLanded, Count::GroundAttempted),
];

const SINGLES: [(&str, Count); 3] =
    [("KD", Count::Knockdowns), ("SUB.ATT", Count::SubAttempts), ("REV.", Count::Reversals)];

fn counts(row: &CsvRow<'_>) -> Result<RoundCounts, RowError> {
    let mut counts = RoundCounts::default();
    for (name, landed, attempted) in PAIRS {
        (counts[landed], counts[attempted]) = row.read(name, parse::landed_of_attempted)?;
    }
    for (name, count) in SINGLES {
        counts[count] = row.read(name, parse::whole)?;
    }
    counts.control_secs = row.read_optional("CTRL", parse::clock_secs)?;
    Ok(counts)
}

fn round(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    // The source's way of saying that it has no statistics: event and bout, and nothing else.
    if row.optional("BOUT").is_some() && row.is_empty_but(&["EVENT", "BOUT"]) {
        let reason = "the source has no statistics of this bout";
        return Err(RowError::note(FindingKind::NoStatistics, reason));
    }
    let event = parse::one_space(row.required("EVENT")?);
    let (first_name, second_name) = row.read("BOUT", parse::names)?;
    let round = row.read("ROUND", parse::round)?;
    let fighter_name = parse::one_space(row.required("FIGHTER")?);
    let counts = counts(row)?;
    let read = round_row!(
        StatsdbRoundStatsRow {
            file: to.at.file,
            line: to.at.line,
            row_digest: to.at.digest,
            event: &event,
            first_name: &first_name,
            second_name: &second_name,
            round: round,
            fighter_name: &fighter_name,
        },
        counts
    );
    to.push(&read);
    Ok(())
}

fn fighter(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row)?;
    to.check(&id)?;
    let parts = [row.optional("FIRST"), row.optional("LAST")];
    let name = parse::one_space(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "));
    if name.is_empty() {
        return Err(RowError::new(FindingKind::MissingValue, "`FIRST` and `LAST` have no value"));
    }
    to.push(&StatsdbFightersRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        fighter_source_id: &id,
        name: &name,
        nickname: row.optional("NICKNAME").map(parse::one_space).as_deref(),
    });
    Ok(())
}

fn profile(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row)?;
    to.check(&id)?;
    to.push(&StatsdbFighterProfilesRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        fighter_source_id: &id,
        name: &parse::one_space(row.required("FIGHTER")?),
        height_in: row.read_optional("HEIGHT", parse::height_in)?,
        weight_lbs: row.read_optional("WEIGHT", parse::weight_lbs)?,
        reach_in: row.read_optional("REACH", parse::reach_in)?,
        stance: row.read_optional("STANCE", parse::stance)?.as_deref(),
        date_of_birth: row.read_optional("DOB", parse::date_in_words)?,
    });
    Ok(())
}

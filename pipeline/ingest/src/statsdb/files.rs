//! One reader per file of the layout: what a row must have, and what it becomes.

use chrono::NaiveDate;
use fdna_model::{Count, FindingKind, RoundCounts};
use fdna_schemas::{ColumnError, Table};

use crate::layout::{AcceptedRow, FileLines, ReadFn};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds `table`.
pub(super) fn read(name: &str, table: &Table, lines: &FileLines<'_>) -> ReadFn {
    match name {
        "statsdb_events" => events(table, lines),
        "statsdb_bout_details" => bout_details(table, lines),
        "statsdb_results" => results(table, lines),
        "statsdb_round_stats" => round_stats(table, lines),
        "statsdb_fighters" => fighters(table, lines),
        "statsdb_fighter_profiles" => profiles(table, lines),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

/// Columns of the id that a second row of the table is refused for.
pub(super) fn identity(table: &str) -> &'static [&'static str] {
    match table {
        "statsdb_events" => &["event_source_id"],
        "statsdb_bout_details" | "statsdb_results" => &["bout_source_id"],
        "statsdb_fighters" | "statsdb_fighter_profiles" => &["fighter_source_id"],
        _ => &[],
    }
}

fn id(row: &CsvRow<'_>) -> Result<String, RowError> {
    row.read("URL", |text| parse::address_id(text).map(str::to_owned))
}

struct EventRow {
    id: String,
    name: String,
    date: NaiveDate,
    location: Option<String>,
}

fn events(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row)?;
        seen.check(&id, line, digest)?;
        Ok(EventRow {
            id,
            name: parse::one_space(row.required("EVENT")?),
            date: row.read("DATE", parse::date_in_words)?,
            location: row.optional("LOCATION").map(parse::one_space),
        })
    });
    let batch = lines
        .writer(table, &rows)
        .texts("event_source_id", rows.iter().map(|r| &r.value.id))
        .texts("event", rows.iter().map(|r| &r.value.name))
        .dates("event_date", rows.iter().map(|r| Some(r.value.date)))
        .strings("location", rows.iter().map(|r| r.value.location.as_deref()))
        .finish()?;
    Ok((batch, refused))
}

fn bout_details(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row)?;
        seen.check(&id, line, digest)?;
        let event = parse::one_space(row.required("EVENT")?);
        Ok((id, event, parse::one_space(row.required("BOUT")?)))
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", rows.iter().map(|r| &r.value.0))
        .texts("event", rows.iter().map(|r| &r.value.1))
        .texts("bout", rows.iter().map(|r| &r.value.2))
        .finish()?;
    Ok((batch, refused))
}

struct ResultRow {
    id: String,
    event: String,
    names: (String, String),
    outcome: String,
    weight: String,
    method: String,
    round: i32,
    clock: i32,
    format: String,
    referee: Option<String>,
    details: Option<String>,
}

fn result(row: &CsvRow<'_>, id: String) -> Result<ResultRow, RowError> {
    Ok(ResultRow {
        id,
        event: parse::one_space(row.required("EVENT")?),
        names: row.read("BOUT", parse::names)?,
        outcome: row.read("OUTCOME", parse::outcome)?,
        weight: parse::one_space(row.required("WEIGHTCLASS")?),
        method: parse::one_space(row.required("METHOD")?),
        round: row.read("ROUND", parse::whole)?,
        clock: row.read("TIME", parse::clock_secs)?,
        format: parse::one_space(row.required("TIME FORMAT")?),
        referee: row.optional("REFEREE").map(parse::one_space),
        details: row.optional("DETAILS").map(parse::one_space),
    })
}

fn results(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row)?;
        seen.check(&id, line, digest)?;
        result(row, id)
    });
    let each = |f: fn(&ResultRow) -> &str| rows.iter().map(move |r| f(&r.value)).collect::<Vec<_>>();
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(|r| &r.id))
        .texts("event", each(|r| &r.event))
        .texts("first_name", each(|r| &r.names.0))
        .texts("second_name", each(|r| &r.names.1))
        .strings("first_source_id", rows.iter().map(|_| None::<&str>))
        .strings("second_source_id", rows.iter().map(|_| None::<&str>))
        .texts("outcome", each(|r| &r.outcome))
        .texts("weight_class_raw", each(|r| &r.weight))
        .texts("method", each(|r| &r.method))
        .int32s("round", rows.iter().map(|r| Some(r.value.round)))
        .int32s("clock_secs", rows.iter().map(|r| Some(r.value.clock)))
        .texts("time_format", each(|r| &r.format))
        .strings("referee", rows.iter().map(|r| r.value.referee.as_deref()))
        .strings("details", rows.iter().map(|r| r.value.details.as_deref()))
        .finish()?;
    Ok((batch, refused))
}

struct RoundRow {
    event: String,
    names: (String, String),
    round: i32,
    fighter: String,
    counts: RoundCounts,
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

fn round_row(row: &CsvRow<'_>) -> Result<RoundRow, RowError> {
    // The source's way of saying that it has no statistics: event and bout, and nothing else.
    if row.optional("BOUT").is_some() && row.is_empty_but(&["EVENT", "BOUT"]) {
        let reason = "the source has no statistics of this bout";
        return Err(RowError::note(FindingKind::NoStatistics, reason));
    }
    Ok(RoundRow {
        event: parse::one_space(row.required("EVENT")?),
        names: row.read("BOUT", parse::names)?,
        round: row.read("ROUND", parse::round)?,
        fighter: parse::one_space(row.required("FIGHTER")?),
        counts: counts(row)?,
    })
}

fn round_stats(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, _, _, _| round_row(row));
    let texts = |f: fn(&RoundRow) -> &str| rows.iter().map(move |r| f(&r.value)).collect::<Vec<_>>();
    let mut writer = lines
        .writer(table, &rows)
        .texts("event", texts(|r| &r.event))
        .texts("first_name", texts(|r| &r.names.0))
        .texts("second_name", texts(|r| &r.names.1))
        .int32s("round", rows.iter().map(|r| Some(r.value.round)))
        .texts("fighter_name", texts(|r| &r.fighter))
        .int32s("control_secs", rows.iter().map(|r| r.value.counts.control_secs));
    for count in Count::ALL {
        writer = writer.int32s(count.name(), rows.iter().map(|r| Some(r.value.counts[count])));
    }
    Ok((writer.finish()?, refused))
}

fn fighters(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row)?;
        seen.check(&id, line, digest)?;
        let parts = [row.optional("FIRST"), row.optional("LAST")];
        let name = parse::one_space(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "));
        if name.is_empty() {
            return Err(RowError::new(FindingKind::MissingValue, "`FIRST` and `LAST` have no value"));
        }
        Ok((id, name, row.optional("NICKNAME").map(parse::one_space)))
    });
    let batch = lines
        .writer(table, &rows)
        .texts("fighter_source_id", rows.iter().map(|r| &r.value.0))
        .texts("name", rows.iter().map(|r| &r.value.1))
        .strings("nickname", rows.iter().map(|r| r.value.2.as_deref()))
        .finish()?;
    Ok((batch, refused))
}

struct ProfileRow {
    id: String,
    name: String,
    height: Option<i32>,
    weight: Option<i32>,
    reach: Option<i32>,
    stance: Option<String>,
    born: Option<NaiveDate>,
}

fn profile(row: &CsvRow<'_>, id: String) -> Result<ProfileRow, RowError> {
    Ok(ProfileRow {
        id,
        name: parse::one_space(row.required("FIGHTER")?),
        height: row.read_optional("HEIGHT", parse::height_in)?,
        weight: row.read_optional("WEIGHT", parse::weight_lbs)?,
        reach: row.read_optional("REACH", parse::reach_in)?,
        stance: row.read_optional("STANCE", |t| fdna_model::Stance::parse(t).map(|_| t.to_owned()))?,
        born: row.read_optional("DOB", parse::date_in_words)?,
    })
}

fn profiles(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row)?;
        seen.check(&id, line, digest)?;
        profile(row, id)
    });
    let ints = |f: fn(&ProfileRow) -> Option<i32>| {
        rows.iter().map(move |r: &AcceptedRow<ProfileRow>| f(&r.value)).collect::<Vec<_>>()
    };
    let batch = lines
        .writer(table, &rows)
        .texts("fighter_source_id", rows.iter().map(|r| &r.value.id))
        .texts("name", rows.iter().map(|r| &r.value.name))
        .int32s("height_in", ints(|p| p.height))
        .int32s("weight_lbs", ints(|p| p.weight))
        .int32s("reach_in", ints(|p| p.reach))
        .strings("stance", rows.iter().map(|r| r.value.stance.as_deref()))
        .dates("date_of_birth", rows.iter().map(|r| r.value.born))
        .finish()?;
    Ok((batch, refused))
}

//! One reader per file of the layout: what a row must have, and what it becomes.

use chrono::NaiveDate;
use fdna_model::{Count, RoundCounts};
use fdna_schemas::{ColumnError, Table};

use crate::layout::{FileLines, ReadFn, each};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds `table`.
pub(super) fn read(name: &str, table: &Table, lines: &FileLines<'_>) -> ReadFn {
    match name {
        "statsdb_ids_events" => events(table, lines),
        "statsdb_ids_bouts" => bouts(table, lines),
        "statsdb_ids_fighters" => fighters(table, lines),
        "statsdb_ids_round_stats" => round_stats(table, lines),
        "statsdb_ids_fighter_histories" => histories(table, lines),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

/// Columns of the id that a second row of the table is refused for.
pub(super) fn identity(table: &str) -> &'static [&'static str] {
    match table {
        "statsdb_ids_events" => &["event_source_id"],
        "statsdb_ids_bouts" => &["bout_source_id"],
        "statsdb_ids_fighters" => &["fighter_source_id"],
        "statsdb_ids_round_stats" => &["bout_source_id", "round", "fighter_source_id"],
        "statsdb_ids_fighter_histories" => &["fighter_source_id", "bout_source_id"],
        _ => &[],
    }
}

fn id(row: &CsvRow<'_>, name: &str) -> Result<String, RowError> {
    row.read(name, |text| parse::source_id(text).map(str::to_owned))
}

struct IdEvent {
    id: String,
    name: String,
    date: NaiveDate,
    location: Option<String>,
    is_ufc: bool,
}

fn event(row: &CsvRow<'_>, id: String) -> Result<IdEvent, RowError> {
    Ok(IdEvent {
        id,
        name: parse::one_space(row.required("name")?),
        date: row.read("date", parse::iso_date)?,
        location: row.optional("location").map(parse::one_space),
        is_ufc: row.read("is_ufc_event", parse::flag)?,
    })
}

fn events(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        event(row, id)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("event_source_id", each(&rows, |e| e.id.clone()))
        .texts("event", each(&rows, |e| e.name.clone()))
        .dates("event_date", each(&rows, |e| Some(e.date)))
        .strings("location", rows.iter().map(|r| r.value.location.as_deref()))
        .bools("is_ufc", each(&rows, |e| Some(e.is_ufc)))
        .finish()?;
    Ok((batch, refused))
}

struct IdBout {
    id: String,
    event: String,
    order: i32,
    corners: [String; 2],
    outcome: String,
    class: Option<String>,
    weight: String,
    has_bonus: bool,
    method: String,
    details: Option<String>,
    round: i32,
    clock: i32,
    format: String,
    total: i32,
}

/// Both outcomes as the other layout writes them, so that they are read and refused alike.
fn outcome(row: &CsvRow<'_>) -> Result<String, RowError> {
    let both = format!("{}/{}", row.required("red_outcome")?, row.required("blue_outcome")?);
    parse::outcome(&both).ok_or_else(|| {
        RowError::new(fdna_model::FindingKind::UnreadableValue, format!("the outcomes are `{both}`"))
    })
}

fn bout(row: &CsvRow<'_>, id_of_bout: String) -> Result<IdBout, RowError> {
    Ok(IdBout {
        id: id_of_bout,
        event: id(row, "event_id")?,
        order: row.read("bout_order", parse::whole)?,
        corners: [id(row, "red_fighter_id")?, id(row, "blue_fighter_id")?],
        outcome: outcome(row)?,
        class: row.optional("weight_class").map(parse::one_space),
        weight: parse::one_space(row.required("type_verbose")?),
        has_bonus: row.read("performance_bonus", parse::flag)?,
        method: parse::one_space(row.required("outcome_method")?),
        details: row.optional("outcome_method_details").map(parse::one_space),
        round: row.read("end_round", parse::round_number)?,
        clock: row.read("end_round_time_seconds", parse::whole)?,
        format: parse::one_space(row.required("round_time_format")?),
        total: row.read("total_time_seconds", parse::whole)?,
    })
}

fn bouts(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        bout(row, id)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |b| b.id.clone()))
        .texts("event_source_id", each(&rows, |b| b.event.clone()))
        .int32s("bout_order", each(&rows, |b| Some(b.order)))
        .texts("red_source_id", each(&rows, |b| b.corners[0].clone()))
        .texts("blue_source_id", each(&rows, |b| b.corners[1].clone()))
        .texts("outcome", each(&rows, |b| b.outcome.clone()))
        .strings("weight_class", rows.iter().map(|r| r.value.class.as_deref()))
        .texts("weight_class_raw", each(&rows, |b| b.weight.clone()))
        .bools("has_performance_bonus", each(&rows, |b| Some(b.has_bonus)))
        .texts("method", each(&rows, |b| b.method.clone()))
        .strings("details", rows.iter().map(|r| r.value.details.as_deref()))
        .int32s("round", each(&rows, |b| Some(b.round)))
        .int32s("clock_secs", each(&rows, |b| Some(b.clock)))
        .texts("time_format", each(&rows, |b| b.format.clone()))
        .int32s("total_secs", each(&rows, |b| Some(b.total)))
        .finish()?;
    Ok((batch, refused))
}

struct IdFighter {
    id: String,
    name: String,
    nickname: Option<String>,
    height: Option<i32>,
    reach: Option<i32>,
    stance: Option<String>,
    born: Option<NaiveDate>,
}

fn fighter(row: &CsvRow<'_>, id: String) -> Result<IdFighter, RowError> {
    Ok(IdFighter {
        id,
        name: parse::one_space(row.required("name")?),
        nickname: row.optional("nickname").map(parse::one_space),
        height: row.read_optional("height_inches", parse::height_whole)?,
        reach: row.read_optional("reach_inches", parse::reach_whole)?,
        stance: row.read_optional("stance", |t| fdna_model::Stance::parse(t).map(|_| t.to_owned()))?,
        born: row.read_optional("date_of_birth", parse::iso_date)?,
    })
}

fn fighters(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        fighter(row, id)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("fighter_source_id", each(&rows, |f| f.id.clone()))
        .texts("name", each(&rows, |f| f.name.clone()))
        .strings("nickname", rows.iter().map(|r| r.value.nickname.as_deref()))
        .int32s("height_in", each(&rows, |f| f.height))
        .int32s("reach_in", each(&rows, |f| f.reach))
        .strings("stance", rows.iter().map(|r| r.value.stance.as_deref()))
        .dates("date_of_birth", each(&rows, |f| f.born))
        .finish()?;
    Ok((batch, refused))
}

struct RoundRow {
    bout: String,
    fighter: String,
    round: i32,
    secs: i32,
    counts: RoundCounts,
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

fn round_row(row: &CsvRow<'_>) -> Result<RoundRow, RowError> {
    let control = row.read_optional("control_time_seconds", parse::whole)?;
    let mut counts = RoundCounts::with_control(control);
    for (name, count) in COUNTS {
        counts[count] = row.read(name, parse::whole)?;
    }
    Ok(RoundRow {
        bout: id(row, "bout_id")?,
        fighter: id(row, "fighter_id")?,
        round: row.read("round_number", parse::round_number)?,
        secs: row.read("round_time_seconds", parse::whole)?,
        counts,
    })
}

fn round_stats(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let round = round_row(row)?;
        seen.check(&format!("{}/{}/{}", round.bout, round.round, round.fighter), line, digest)?;
        Ok(round)
    });
    let mut writer = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |r| r.bout.clone()))
        .texts("fighter_source_id", each(&rows, |r| r.fighter.clone()))
        .int32s("round", each(&rows, |r| Some(r.round)))
        .int32s("round_secs", each(&rows, |r| Some(r.secs)))
        .int32s("control_secs", each(&rows, |r| r.counts.control_secs));
    for count in Count::ALL {
        writer = writer.int32s(count.name(), each(&rows, |r| Some(r.counts[count])));
    }
    Ok((writer.finish()?, refused))
}

fn histories(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let [fighter, bout, opponent] =
            [id(row, "fighter_id")?, id(row, "bout_id")?, id(row, "opponent_id")?];
        seen.check(&format!("{fighter}/{bout}"), line, digest)?;
        Ok(([fighter, bout, opponent], row.read("order", parse::whole)?))
    });
    let batch = lines
        .writer(table, &rows)
        .texts("fighter_source_id", each(&rows, |(ids, _)| ids[0].clone()))
        .int32s("bout_number", each(&rows, |(_, number)| Some(*number)))
        .texts("bout_source_id", each(&rows, |(ids, _)| ids[1].clone()))
        .texts("opponent_source_id", each(&rows, |(ids, _)| ids[2].clone()))
        .finish()?;
    Ok((batch, refused))
}

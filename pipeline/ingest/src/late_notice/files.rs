//! One reader per file: what a row must have, and what it becomes.

use fdna_schemas::{ColumnError, Table};

use crate::layout::{Lines, Read, each};
use crate::parse;
use crate::row::{Refusal, Row};

/// Reads the rows of the file that feeds `table`.
pub(super) fn read(name: &str, table: &Table, lines: &Lines<'_>) -> Read {
    match name {
        "notice_bouts" => bouts(table, lines),
        "notice_fighters" => fighters(table, lines),
        "notice_replacements" => replacements(table, lines),
        "notice_missed_weights" => missed_weights(table, lines),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

fn id(row: &Row<'_>, name: &str) -> Result<String, Refusal> {
    row.read(name, |text| parse::number_id(text).map(str::to_owned))
}

struct Bout {
    id: String,
    event: String,
    order: i32,
    fighters: [String; 2],
}

fn bouts(table: &Table, lines: &Lines<'_>) -> Read {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let bout = id(row, "id")?;
        seen.check(&bout, line, digest)?;
        Ok(Bout {
            id: bout,
            event: id(row, "event_id")?,
            order: row.read("bout_order", parse::whole)?,
            fighters: [id(row, "fighter_1_id")?, id(row, "fighter_2_id")?],
        })
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |b| b.id.clone()))
        .texts("event_source_id", each(&rows, |b| b.event.clone()))
        .int32s("bout_order", each(&rows, |b| Some(b.order)))
        .texts("first_source_id", each(&rows, |b| b.fighters[0].clone()))
        .texts("second_source_id", each(&rows, |b| b.fighters[1].clone()))
        .finish()?;
    Ok((batch, refused))
}

struct Fighter {
    id: String,
    statsdb: Option<String>,
    sherdog: Option<String>,
    name: String,
    height: Option<f64>,
    reach: Option<f64>,
    stance: Option<String>,
    nationality: Option<String>,
}

fn fighters(table: &Table, lines: &Lines<'_>) -> Read {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        Ok(Fighter {
            id,
            statsdb: row.read_optional("ufcstats_id", |text| parse::source_id(text).map(str::to_owned))?,
            sherdog: row.optional("sherdog_id").map(str::to_owned),
            name: parse::one_space(row.required("name")?),
            height: row.read_optional("height_inches", parse::height_inches)?,
            reach: row.read_optional("reach_inches", parse::reach_inches)?,
            stance: row.optional("stance").map(parse::one_space),
            nationality: row.optional("nationality").map(parse::one_space),
        })
    });
    let batch = lines
        .writer(table, &rows)
        .texts("fighter_source_id", each(&rows, |f| f.id.clone()))
        .strings("statsdb_id", each(&rows, |f| f.statsdb.clone()))
        .strings("sherdog_id", each(&rows, |f| f.sherdog.clone()))
        .texts("name", each(&rows, |f| f.name.clone()))
        .floats("height_in", each(&rows, |f| f.height))
        .floats("reach_in", each(&rows, |f| f.reach))
        .strings("stance", each(&rows, |f| f.stance.clone()))
        .strings("nationality", each(&rows, |f| f.nationality.clone()))
        .finish()?;
    Ok((batch, refused))
}

/// A figure about one fighter of one bout.
struct Told<T> {
    bout: String,
    fighter: String,
    figure: T,
}

impl<T> Told<T> {
    fn read(row: &Row<'_>, figure: T) -> Result<Self, Refusal> {
        Ok(Self { bout: id(row, "bout_id")?, fighter: id(row, "fighter_id")?, figure })
    }

    fn key(&self) -> String {
        format!("{}/{}", self.bout, self.fighter)
    }
}

fn replacements(table: &Table, lines: &Lines<'_>) -> Read {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let told = Told::read(row, row.read("notice_time_days", parse::whole)?)?;
        seen.check(&told.key(), line, digest)?;
        Ok(told)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |t| t.bout.clone()))
        .texts("fighter_source_id", each(&rows, |t| t.fighter.clone()))
        .int32s("notice_days", each(&rows, |t| Some(t.figure)))
        .finish()?;
    Ok((batch, refused))
}

fn missed_weights(table: &Table, lines: &Lines<'_>) -> Read {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let told = Told::read(row, row.read("weight_lbs", parse::scales_lbs)?)?;
        seen.check(&told.key(), line, digest)?;
        Ok(told)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |t| t.bout.clone()))
        .texts("fighter_source_id", each(&rows, |t| t.fighter.clone()))
        .floats("weight_lbs", each(&rows, |t| Some(t.figure)))
        .finish()?;
    Ok((batch, refused))
}

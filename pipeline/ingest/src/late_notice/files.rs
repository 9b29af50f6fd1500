//! One reader per file: what a row must have, and what it becomes.

use fdna_schemas::{ColumnError, Table, TableWriter};

use crate::layout::{Lines, Read, each};
use crate::numbered::{Bout, id, write_bouts};
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

fn bouts(table: &Table, lines: &Lines<'_>) -> Read {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let bout = id(row, "id")?;
        seen.check(&bout, line, digest)?;
        Bout::read(row, bout)
    });
    let batch = write_bouts(lines.writer(table, &rows), &rows, |bout| bout).finish()?;
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

/// Rows that tell a figure each, one for a fighter of a bout; `write` adds the column of the figures.
fn told<'t, T: Copy>(
    table: &'t Table,
    lines: &Lines<'_>,
    read: impl Fn(&Row<'_>) -> Result<T, Refusal>,
    write: impl FnOnce(TableWriter<'t>, Vec<Option<T>>) -> TableWriter<'t>,
) -> Read {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let figure = read(row)?;
        let told = Told { bout: id(row, "bout_id")?, fighter: id(row, "fighter_id")?, figure };
        seen.check(&format!("{}/{}", told.bout, told.fighter), line, digest)?;
        Ok(told)
    });
    let writer = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |t| t.bout.clone()))
        .texts("fighter_source_id", each(&rows, |t| t.fighter.clone()));
    Ok((write(writer, each(&rows, |t| Some(t.figure))).finish()?, refused))
}

fn replacements(table: &Table, lines: &Lines<'_>) -> Read {
    let days = |row: &Row<'_>| row.read("notice_time_days", parse::whole);
    told(table, lines, days, |writer, days| writer.int32s("notice_days", days))
}

fn missed_weights(table: &Table, lines: &Lines<'_>) -> Read {
    let weight = |row: &Row<'_>| row.read("weight_lbs", parse::scales_lbs);
    told(table, lines, weight, |writer, weights| writer.floats("weight_lbs", weights))
}

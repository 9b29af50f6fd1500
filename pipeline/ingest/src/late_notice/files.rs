//! One reader per file: what a row must have, and what it becomes.

use fdna_schemas::{ColumnError, Table, TableWriter};

use crate::layout::{FileLines, ReadFn, each};
use crate::numbered::{NumberedBout, id, write_bouts};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds `table`.
pub(super) fn read(name: &str, table: &Table, lines: &FileLines<'_>) -> ReadFn {
    match name {
        "notice_bouts" => bouts(table, lines),
        "notice_fighters" => fighters(table, lines),
        "notice_replacements" => replacements(table, lines),
        "notice_missed_weights" => missed_weights(table, lines),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

fn bouts(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let bout = id(row, "id")?;
        seen.check(&bout, line, digest)?;
        NumberedBout::read(row, bout)
    });
    let batch = write_bouts(lines.writer(table, &rows), &rows, |bout| bout).finish()?;
    Ok((batch, refused))
}

struct NoticeFighter {
    id: String,
    statsdb: Option<String>,
    sherdog: Option<String>,
    name: String,
    height: Option<f64>,
    reach: Option<f64>,
    stance: Option<String>,
    nationality: Option<String>,
}

fn fighters(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        Ok(NoticeFighter {
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
struct NoticeRow<T> {
    bout: String,
    fighter: String,
    figure: T,
}

/// Rows that tell a figure each, one for a fighter of a bout; `write` adds the column of the figures.
fn told<'t, T: Copy>(
    table: &'t Table,
    lines: &FileLines<'_>,
    read: impl Fn(&CsvRow<'_>) -> Result<T, RowError>,
    write: impl FnOnce(TableWriter<'t>, Vec<Option<T>>) -> TableWriter<'t>,
) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let figure = read(row)?;
        let told = NoticeRow { bout: id(row, "bout_id")?, fighter: id(row, "fighter_id")?, figure };
        seen.check(&format!("{}/{}", told.bout, told.fighter), line, digest)?;
        Ok(told)
    });
    let writer = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |t| t.bout.clone()))
        .texts("fighter_source_id", each(&rows, |t| t.fighter.clone()));
    Ok((write(writer, each(&rows, |t| Some(t.figure))).finish()?, refused))
}

fn replacements(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let days = |row: &CsvRow<'_>| row.read("notice_time_days", parse::whole);
    told(table, lines, days, |writer, days| writer.int32s("notice_days", days))
}

fn missed_weights(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let weight = |row: &CsvRow<'_>| row.read("weight_lbs", parse::scales_lbs);
    told(table, lines, weight, |writer, weights| writer.floats("weight_lbs", weights))
}

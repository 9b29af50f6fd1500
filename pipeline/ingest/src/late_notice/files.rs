//! One reader per file: what a row must have, and what it becomes.

use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    ContractRow as _, NoticeBoutsRow, NoticeFightersRow, NoticeMissedWeightsRow, NoticeReplacementsRow,
};

use crate::layout::{FileLines, ReadFn, RowSink};
use crate::numbered::{NumberedBout, id};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds the table `name`.
pub(super) fn read(name: &str, lines: &FileLines<'_>) -> ReadFn {
    match name {
        NoticeBoutsRow::TABLE => lines.table(bout),
        NoticeFightersRow::TABLE => lines.table(fighter),
        NoticeReplacementsRow::TABLE => lines.table(replacement),
        NoticeMissedWeightsRow::TABLE => lines.table(missed_weight),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

fn bout(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    let bout = NumberedBout::read(row, id)?;
    to.push(&NoticeBoutsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout.id,
        event_source_id: &bout.event,
        bout_order: bout.order,
        first_source_id: &bout.fighters[0],
        second_source_id: &bout.fighters[1],
    });
    Ok(())
}

fn fighter(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    let statsdb_id = row.read_optional("ufcstats_id", |text| parse::source_id(text).map(str::to_owned))?;
    to.push(&NoticeFightersRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        fighter_source_id: &id,
        statsdb_id: statsdb_id.as_deref(),
        sherdog_id: row.optional("sherdog_id"),
        name: &parse::one_space(row.required("name")?),
        height_in: row.read_optional("height_inches", parse::height_inches)?,
        reach_in: row.read_optional("reach_inches", parse::reach_inches)?,
        stance: row.optional("stance").map(parse::one_space).as_deref(),
        nationality: row.optional("nationality").map(parse::one_space).as_deref(),
    });
    Ok(())
}

fn replacement(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let notice_days = row.read("notice_time_days", parse::whole)?;
    let [bout, fighter] = of_bout(row, to)?;
    to.push(&NoticeReplacementsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout,
        fighter_source_id: &fighter,
        notice_days,
    });
    Ok(())
}

fn missed_weight(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let weight_lbs = row.read("weight_lbs", parse::scales_lbs)?;
    let [bout, fighter] = of_bout(row, to)?;
    to.push(&NoticeMissedWeightsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout,
        fighter_source_id: &fighter,
        weight_lbs,
    });
    Ok(())
}

/// Bout and fighter of a row that tells a figure about one of both.
fn of_bout(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<[String; 2], RowError> {
    let [bout, fighter] = [id(row, "bout_id")?, id(row, "fighter_id")?];
    to.check(&format!("{bout}/{fighter}"))?;
    Ok([bout, fighter])
}

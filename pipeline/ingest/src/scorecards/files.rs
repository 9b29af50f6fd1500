//! One reader per file: what a row must have, and what it becomes.

use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    ContractRow as _, JudgingBoutsRow, JudgingDeductionsRow, JudgingEventsRow, JudgingFightersRow,
    JudgingJudgesRow, JudgingScoresRow,
};

use crate::layout::{FileLines, ReadFn, RowSink};
use crate::numbered::{NumberedBout, id};
use crate::parse;
use crate::row::{CsvRow, RowError};

/// Reads the rows of the file that feeds the table `name`.
pub(super) fn read(name: &str, lines: &FileLines<'_>) -> ReadFn {
    match name {
        JudgingEventsRow::TABLE => lines.table(event),
        JudgingBoutsRow::TABLE => lines.table(bout),
        JudgingFightersRow::TABLE => lines.table(fighter),
        JudgingJudgesRow::TABLE => lines.table(judge),
        JudgingScoresRow::TABLE => lines.table(score),
        JudgingDeductionsRow::TABLE => lines.table(deduction),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

fn text(row: &CsvRow<'_>, name: &str) -> Option<String> {
    row.optional(name).map(parse::one_space)
}

fn event(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    to.push(&JudgingEventsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        event_source_id: &id,
        event: &parse::one_space(row.required("name")?),
        promotion: &parse::one_space(row.required("promotion")?),
        event_date: row.read("date", parse::iso_date)?,
        venue: text(row, "venue").as_deref(),
        location: text(row, "location").as_deref(),
    });
    Ok(())
}

fn bout(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    let bout = NumberedBout::read(row, id)?;
    to.push(&JudgingBoutsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout.id,
        event_source_id: &bout.event,
        bout_order: bout.order,
        first_source_id: &bout.fighters[0],
        second_source_id: &bout.fighters[1],
        first_weight_lbs: row.read_optional("fighter_1_weight_lbs", parse::scales_lbs)?,
        second_weight_lbs: row.read_optional("fighter_2_weight_lbs", parse::scales_lbs)?,
        first_fighting_out_of: text(row, "fighter_1_fighting_out_of").as_deref(),
        second_fighting_out_of: text(row, "fighter_2_fighting_out_of").as_deref(),
        decision_type: &parse::one_space(row.required("decision_type")?),
    });
    Ok(())
}

fn fighter(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    to.push(&JudgingFightersRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        fighter_source_id: &id,
        name: &parse::one_space(row.required("name")?),
        nicknames: text(row, "nicknames").as_deref(),
        date_of_birth: row.read_optional("date_of_birth", parse::iso_date)?,
        birth_location: text(row, "birth_location").as_deref(),
        height_in: row.read_optional("height_inches", parse::height_inches)?,
        reach_in: row.read_optional("reach_inches", parse::reach_inches)?,
    });
    Ok(())
}

fn judge(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let id = id(row, "id")?;
    to.check(&id)?;
    to.push(&JudgingJudgesRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        judge_source_id: &id,
        name: &parse::one_space(row.required("name")?),
    });
    Ok(())
}

/// What a row of the scores is of.
enum ScorecardPart {
    Round(i32),
    /// A round beyond those that are summed, where the judges were not agreed.
    Extra,
    Total,
}

impl ScorecardPart {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "Total" => Some(Self::Total),
            "Extra" => Some(Self::Extra),
            number => parse::round_number(number).map(Self::Round),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Round(_) => "round",
            Self::Extra => "extra",
            Self::Total => "total",
        }
    }

    fn round(&self) -> Option<i32> {
        match self {
            Self::Round(round) => Some(*round),
            Self::Extra | Self::Total => None,
        }
    }
}

fn score(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let bout = id(row, "bout_id")?;
    let part = row.read("round", ScorecardPart::parse)?;
    let judge_order = row.read("judge_order", parse::whole)?;
    let judge = row.read_optional("judge_id", |text| parse::number_id(text).map(str::to_owned))?;
    let first_points = row.read_optional("fighter_1_score", parse::points)?;
    let second_points = row.read_optional("fighter_2_score", parse::points)?;
    let of_part = part.round().map_or(part.name().to_owned(), |round| round.to_string());
    to.check(&format!("{bout}/{judge_order}/{of_part}"))?;
    to.push(&JudgingScoresRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout,
        part: part.name(),
        round: part.round(),
        judge_order,
        judge_source_id: judge.as_deref(),
        first_points,
        second_points,
    });
    Ok(())
}

fn deduction(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let (bout, fighter) = (id(row, "bout_id")?, id(row, "fighter_id")?);
    let round = row.read("round_number", parse::round_number)?;
    let points = row.read("points_deducted", parse::points)?;
    // A referee may take points twice in a round: only the very same row is one too many.
    to.check(to.at.digest)?;
    to.push(&JudgingDeductionsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        bout_source_id: &bout,
        fighter_source_id: &fighter,
        round,
        points,
        reason: text(row, "reason").as_deref(),
    });
    Ok(())
}

//! One reader per file: what a row must have, and what it becomes.

use chrono::NaiveDate;
use fdna_schemas::{ColumnError, Table};

use crate::layout::{FileLines, ReadFn, each};
use crate::numbered::{NumberedBout, id, write_bouts};
use crate::parse;
use crate::row::CsvRow;

/// Reads the rows of the file that feeds `table`.
pub(super) fn read(name: &str, table: &Table, lines: &FileLines<'_>) -> ReadFn {
    match name {
        "judging_events" => events(table, lines),
        "judging_bouts" => bouts(table, lines),
        "judging_fighters" => fighters(table, lines),
        "judging_judges" => judges(table, lines),
        "judging_scores" => scores(table, lines),
        "judging_deductions" => deductions(table, lines),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

fn text(row: &CsvRow<'_>, name: &str) -> Option<String> {
    row.optional(name).map(parse::one_space)
}

struct JudgedEvent {
    id: String,
    name: String,
    promotion: String,
    date: NaiveDate,
    venue: Option<String>,
    location: Option<String>,
}

fn events(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        Ok(JudgedEvent {
            id,
            name: parse::one_space(row.required("name")?),
            promotion: parse::one_space(row.required("promotion")?),
            date: row.read("date", parse::iso_date)?,
            venue: text(row, "venue"),
            location: text(row, "location"),
        })
    });
    let batch = lines
        .writer(table, &rows)
        .texts("event_source_id", each(&rows, |e| e.id.clone()))
        .texts("event", each(&rows, |e| e.name.clone()))
        .texts("promotion", each(&rows, |e| e.promotion.clone()))
        .dates("event_date", each(&rows, |e| Some(e.date)))
        .strings("venue", each(&rows, |e| e.venue.clone()))
        .strings("location", each(&rows, |e| e.location.clone()))
        .finish()?;
    Ok((batch, refused))
}

struct JudgedBout {
    bout: NumberedBout,
    weights: [Option<f64>; 2],
    out_of: [Option<String>; 2],
    decision: String,
}

fn bouts(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let bout = id(row, "id")?;
        seen.check(&bout, line, digest)?;
        Ok(JudgedBout {
            bout: NumberedBout::read(row, bout)?,
            weights: [
                row.read_optional("fighter_1_weight_lbs", parse::scales_lbs)?,
                row.read_optional("fighter_2_weight_lbs", parse::scales_lbs)?,
            ],
            out_of: [text(row, "fighter_1_fighting_out_of"), text(row, "fighter_2_fighting_out_of")],
            decision: parse::one_space(row.required("decision_type")?),
        })
    });
    let batch = write_bouts(lines.writer(table, &rows), &rows, |judged| &judged.bout)
        .floats("first_weight_lbs", each(&rows, |b| b.weights[0]))
        .floats("second_weight_lbs", each(&rows, |b| b.weights[1]))
        .strings("first_fighting_out_of", each(&rows, |b| b.out_of[0].clone()))
        .strings("second_fighting_out_of", each(&rows, |b| b.out_of[1].clone()))
        .texts("decision_type", each(&rows, |b| b.decision.clone()))
        .finish()?;
    Ok((batch, refused))
}

struct JudgedFighter {
    id: String,
    name: String,
    nicknames: Option<String>,
    born: Option<NaiveDate>,
    birth_place: Option<String>,
    height: Option<f64>,
    reach: Option<f64>,
}

fn fighters(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        Ok(JudgedFighter {
            id,
            name: parse::one_space(row.required("name")?),
            nicknames: text(row, "nicknames"),
            born: row.read_optional("date_of_birth", parse::iso_date)?,
            birth_place: text(row, "birth_location"),
            height: row.read_optional("height_inches", parse::height_inches)?,
            reach: row.read_optional("reach_inches", parse::reach_inches)?,
        })
    });
    let batch = lines
        .writer(table, &rows)
        .texts("fighter_source_id", each(&rows, |f| f.id.clone()))
        .texts("name", each(&rows, |f| f.name.clone()))
        .strings("nicknames", each(&rows, |f| f.nicknames.clone()))
        .dates("date_of_birth", each(&rows, |f| f.born))
        .strings("birth_location", each(&rows, |f| f.birth_place.clone()))
        .floats("height_in", each(&rows, |f| f.height))
        .floats("reach_in", each(&rows, |f| f.reach))
        .finish()?;
    Ok((batch, refused))
}

fn judges(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let id = id(row, "id")?;
        seen.check(&id, line, digest)?;
        Ok((id, parse::one_space(row.required("name")?)))
    });
    let batch = lines
        .writer(table, &rows)
        .texts("judge_source_id", each(&rows, |(id, _)| id.clone()))
        .texts("name", each(&rows, |(_, name)| name.clone()))
        .finish()?;
    Ok((batch, refused))
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

struct RoundScore {
    bout: String,
    part: ScorecardPart,
    order: i32,
    judge: Option<String>,
    points: [Option<i32>; 2],
}

fn scores(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let score = RoundScore {
            bout: id(row, "bout_id")?,
            part: row.read("round", ScorecardPart::parse)?,
            order: row.read("judge_order", parse::whole)?,
            judge: row.read_optional("judge_id", |text| parse::number_id(text).map(str::to_owned))?,
            points: [
                row.read_optional("fighter_1_score", parse::points)?,
                row.read_optional("fighter_2_score", parse::points)?,
            ],
        };
        let part = score.part.round().map_or(score.part.name().to_owned(), |round| round.to_string());
        seen.check(&format!("{}/{}/{part}", score.bout, score.order), line, digest)?;
        Ok(score)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |s| s.bout.clone()))
        .texts("part", each(&rows, |s| s.part.name()))
        .int32s("round", each(&rows, |s| s.part.round()))
        .int32s("judge_order", each(&rows, |s| Some(s.order)))
        .strings("judge_source_id", each(&rows, |s| s.judge.clone()))
        .int32s("first_points", each(&rows, |s| s.points[0]))
        .int32s("second_points", each(&rows, |s| s.points[1]))
        .finish()?;
    Ok((batch, refused))
}

struct PointDeduction {
    bout: String,
    fighter: String,
    round: i32,
    points: i32,
    reason: Option<String>,
}

fn deductions(table: &Table, lines: &FileLines<'_>) -> ReadFn {
    let (rows, refused) = lines.read(|row, seen, line, digest| {
        let deduction = PointDeduction {
            bout: id(row, "bout_id")?,
            fighter: id(row, "fighter_id")?,
            round: row.read("round_number", parse::round_number)?,
            points: row.read("points_deducted", parse::points)?,
            reason: text(row, "reason"),
        };
        // A referee may take points twice in a round: only the very same row is one too many.
        seen.check(digest, line, digest)?;
        Ok(deduction)
    });
    let batch = lines
        .writer(table, &rows)
        .texts("bout_source_id", each(&rows, |d| d.bout.clone()))
        .texts("fighter_source_id", each(&rows, |d| d.fighter.clone()))
        .int32s("round", each(&rows, |d| Some(d.round)))
        .int32s("points", each(&rows, |d| Some(d.points)))
        .strings("reason", each(&rows, |d| d.reason.clone()))
        .finish()?;
    Ok((batch, refused))
}

//! Ratings of the catalog: the contests that a model lists, through the engine, back into a table that later models read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::Int64Type;
use duckdb::Connection;
use fdna_dna::{EloRatings, RatedContest, RatedSide, SubjectId};
use fdna_schemas::CatalogRating;

use super::new_table::NewTable;
use super::sql::{describe_nulls, query_rows};
use crate::WarehouseError;
use crate::settings::quote_name;

/// Makes the table of the sides that are rated.
pub(super) fn make_table(connection: &Connection, rating: &CatalogRating) -> Result<(), WarehouseError> {
    let rows = read_contests(connection, rating)?;
    let [contest, pool, winner, loser] =
        ["contest", "pool", "winner", "loser"].map(|name| rows[name].as_string::<i32>());
    let subjects =
        (0..rows.num_rows()).flat_map(|row| [winner, loser].map(|side| (pool.value(row), side.value(row))));
    let subjects: BTreeSet<(&str, &str)> = subjects.collect();
    let ids: BTreeMap<_, _> = subjects.iter().copied().zip((0..).map(SubjectId)).collect();
    let names: Vec<&str> = subjects.iter().map(|(_, name)| *name).collect();
    let steps = rows["step"].as_primitive::<Int64Type>();
    let rated = |row: usize| RatedContest {
        contest: row,
        date: steps.value(row),
        subjects: [winner, loser].map(|side| ids[&(pool.value(row), side.value(row))]),
        score: 1.0,
        weight: 1.0,
        periods: 1,
    };
    let contests: Vec<RatedContest<i64>> = (0..rows.num_rows()).map(rated).collect();
    let sides = EloRatings::new(&contests, rating.file.rating).sides;
    let number = |of: fn(&RatedSide<i64>) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(sides.iter().map(of)))
    };
    let contest_text = |texts: &StringArray| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(sides.iter().map(|side| texts.value(side.contest))))
    };
    let subject_text = |of: fn(&RatedSide<i64>) -> SubjectId| -> ArrayRef {
        let name = |side: &RatedSide<i64>| names.get(of(side).0 as usize).copied().unwrap_or_default();
        Arc::new(StringArray::from_iter_values(sides.iter().map(name)))
    };
    let columns = vec![
        contest_text(pool),
        Arc::new(Int64Array::from_iter_values(sides.iter().map(|side| side.date))),
        contest_text(contest),
        subject_text(|side| side.subject),
        subject_text(|side| side.opponent),
        number(|side| side.score),
        number(|side| side.before),
        number(|side| side.opponent_before),
        number(|side| side.after),
    ];
    let table = rating.sides_table();
    let mut new = NewTable::create(connection, &table)?;
    new.append_columns(columns)?;
    new.finish()
}

/// The contests by their steps.
fn read_contests(connection: &Connection, rating: &CatalogRating) -> Result<RecordBatch, WarehouseError> {
    let file = &rating.file;
    let [winner, loser] = &file.subjects;
    let texts = [("contest", &file.contest), ("pool", &file.pool), ("winner", winner), ("loser", loser)];
    let texts = texts.map(|(name, column)| format!("CAST({} AS VARCHAR) AS {name}", quote_name(column)));
    let sql = format!(
        "SELECT CAST({} AS BIGINT) AS step, {} FROM {} ORDER BY step, contest, pool",
        quote_name(&file.step),
        texts.join(", "),
        quote_name(&file.contests)
    );
    let rows = query_rows(connection, rating.name, &sql)?;
    match describe_nulls(&rows, ["step", "contest", "pool", "winner", "loser"], &file.contests) {
        Some(why) => Err(WarehouseError::Observations { dna: rating.name, why }),
        None => Ok(rows),
    }
}

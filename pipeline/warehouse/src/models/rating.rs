//! Ratings of the catalog: the contests that a model lists, through the engine, back into tables that later models read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, Date32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use arrow::datatypes::{Date32Type, Float64Type, Int64Type};
use duckdb::Connection;
use fdna_dna::{EloRatings, RatedContest, RatedSide, SubjectId};
use fdna_schemas::{CatalogRating, PublishedRating, RATINGS, RATINGS_VALIDITY};

use super::new_table::NewTable;
use super::sql::{describe_nulls, model_error, query_rows};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// Makes the tables of the contests, of the ratings, and of what the ratings are worth.
pub(super) fn make_tables(connection: &Connection, rating: &CatalogRating) -> Result<(), WarehouseError> {
    let contests = Contests::read_contests(connection, rating)?;
    let table = rating.contests_table();
    let mut new = NewTable::create(connection, &table)?;
    new.append_columns(contests.rate_sides(rating))?;
    new.finish()?;
    let rated = format!("FROM {}", quote_name(&table.name));
    let validity = RATINGS_VALIDITY
        .replace("JOIN published", &format!("JOIN ({})", published_rows(&rating.file.published)))
        .replace("DATE 'fitted_to'", &format!("DATE '{}'", rating.file.fitted_to));
    let queries =
        [(rating.ratings_table().name, RATINGS.to_owned()), (rating.validity_table().name, validity)];
    for (name, sql) in queries {
        let sql = format!("CREATE TABLE {} AS {}", quote_name(&name), sql.replace("FROM rated", &rated));
        connection.execute_batch(&sql).map_err(|source| model_error(&name, source))?;
    }
    Ok(())
}

/// What others measured, as a query.
fn published_rows(published: &[PublishedRating]) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "NULL".to_owned(), |value| value.to_string());
    let row = |p: &PublishedRating| {
        let [first, last] = &p.seasons;
        let season = if first == last { first.clone() } else { format!("{first} to {last}") };
        let [pool, season, first, last, source, url] =
            [&p.pool, &season, first, last, &p.source, &p.url].map(|text| quote_text(text));
        let [log_loss, brier, accuracy] = [p.log_loss, p.brier, p.accuracy].map(number);
        format!("({pool}, {season}, {first}, {last}, {log_loss}, {brier}, {accuracy}, {source}, {url})")
    };
    // Without any there is a row of no season.
    let none = "(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)".to_owned();
    let rows = published.iter().map(row).chain([none]).collect::<Vec<_>>().join(", ");
    format!(
        "SELECT pool::VARCHAR AS pool, season::VARCHAR AS season, first_season::VARCHAR AS first_season, \
         last_season::VARCHAR AS last_season, log_loss::DOUBLE AS log_loss, brier::DOUBLE AS brier, \
         accuracy::DOUBLE AS accuracy, source::VARCHAR AS source, url::VARCHAR AS url \
         FROM (VALUES {rows}) AS t (pool, season, first_season, last_season, log_loss, brier, accuracy, source, url)"
    )
}

/// The year in which a season began, such as `2024-25`, so that seasons without captured contests are counted too.
fn first_year(season: &str) -> i32 {
    season.get(..4).and_then(|year| year.parse().ok()).unwrap_or_default()
}

/// The contests of all pools by their steps.
struct Contests {
    rows: RecordBatch,
}

impl Contests {
    fn read_contests(connection: &Connection, rating: &CatalogRating) -> Result<Self, WarehouseError> {
        let contests = &rating.file.contests;
        let sql = format!(
            "SELECT step::BIGINT AS step, contest::VARCHAR AS contest, pool::VARCHAR AS pool, \
             season::VARCHAR AS season, played_on::DATE AS played_on, first::VARCHAR AS first, \
             second::VARCHAR AS second, coalesce(first_name, first)::VARCHAR AS first_name, \
             coalesce(second_name, second)::VARCHAR AS second_name, score::DOUBLE AS score, margin::DOUBLE AS margin, \
             is_neutral::BOOLEAN AS is_neutral FROM {} ORDER BY step, contest, pool",
            quote_name(contests)
        );
        let rows = query_rows(connection, rating.name, &sql)?;
        let known =
            ["step", "contest", "pool", "season", "played_on", "first", "second", "score", "is_neutral"];
        match describe_nulls(&rows, known, contests) {
            Some(why) => Err(WarehouseError::Observations { dna: rating.name, why }),
            None => Ok(Self { rows }),
        }
    }

    fn texts(&self, name: &str) -> &StringArray {
        // The query that made the batch has cast it.
        self.rows[name].as_string()
    }

    /// Columns of the table of sides.
    fn rate_sides(&self, rating: &CatalogRating) -> Vec<ArrayRef> {
        let [contest, pool, season, first, second, first_name, second_name] =
            ["contest", "pool", "season", "first", "second", "first_name", "second_name"]
                .map(|name| self.texts(name));
        let sides = [first, second];
        let rows = 0..self.rows.num_rows();
        let subjects = rows.clone().flat_map(|row| sides.map(|side| (pool.value(row), side.value(row))));
        let subjects: BTreeSet<(&str, &str)> = subjects.collect();
        let ids: BTreeMap<_, _> = subjects.iter().copied().zip((0..).map(SubjectId)).collect();
        let of_pools: Vec<&str> = subjects.iter().map(|(_, subject)| *subject).collect();
        // The newest name counts.
        let named = rows.clone().flat_map(|row| {
            [(first, first_name), (second, second_name)]
                .map(|(side, name)| (side.value(row), name.value(row)))
        });
        let names: BTreeMap<&str, &str> = named.collect();
        let steps = self.rows["step"].as_primitive::<Int64Type>();
        let [score, margin] = ["score", "margin"].map(|name| self.rows[name].as_primitive::<Float64Type>());
        let is_neutral = self.rows["is_neutral"].as_boolean();
        let rated = |row: usize| RatedContest {
            contest: row,
            date: steps.value(row),
            subjects: sides.map(|side| ids[&(pool.value(row), side.value(row))]),
            score: score.value(row),
            weight: 1.0,
            margin: margin.is_valid(row).then(|| margin.value(row)),
            advantage: if is_neutral.value(row) { 0.0 } else { rating.file.rating.home_advantage },
            season: first_year(season.value(row)),
            periods: 1,
        };
        let contests: Vec<RatedContest<i64>> = rows.map(rated).collect();
        let sides = EloRatings::new(&contests, rating.file.rating).sides;
        let days = self.rows["played_on"].as_primitive::<Date32Type>();
        let number = |of: fn(&RatedSide<i64>) -> f64| -> ArrayRef {
            Arc::new(Float64Array::from_iter_values(sides.iter().map(of)))
        };
        let contest_text = |texts: &StringArray| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(sides.iter().map(|side| texts.value(side.contest))))
        };
        let subject_text = |of: fn(&RatedSide<i64>) -> SubjectId| -> ArrayRef {
            let name = |side: &RatedSide<i64>| of_pools.get(of(side).0 as usize).copied().unwrap_or_default();
            Arc::new(StringArray::from_iter_values(sides.iter().map(name)))
        };
        let subject_names = sides.iter().map(|side| names[of_pools[side.subject.0 as usize]]);
        vec![
            contest_text(pool),
            subject_text(|side| side.subject),
            Arc::new(StringArray::from_iter_values(subject_names)),
            Arc::new(Date32Array::from_iter_values(sides.iter().map(|side| days.value(side.contest) + 1))),
            contest_text(season),
            contest_text(contest),
            Arc::new(Int64Array::from_iter_values(sides.iter().map(|side| side.date))),
            subject_text(|side| side.opponent),
            number(|side| side.score),
            number(|side| side.advantage),
            number(|side| side.before),
            number(|side| side.opponent_before),
            number(|side| side.after),
            Arc::new(Int32Array::from_iter_values(sides.iter().map(|side| side.contests))),
        ]
    }
}

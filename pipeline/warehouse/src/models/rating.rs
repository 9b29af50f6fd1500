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
use super::sql::{describe_nulls, make_query_table, query_rows};
use crate::WarehouseError;
use crate::settings::{quote_name, quote_text};

/// Makes the tables of the contests, of the ratings, and of what the ratings are worth.
pub(super) fn make_tables(connection: &Connection, rating: &CatalogRating) -> Result<(), WarehouseError> {
    let contests = ContestRows::read_contests(connection, rating)?;
    let subjects = RatedSubjects::collect_subjects(&contests);
    let rated = contests.rated_contests(&subjects, rating.file.rating.home_advantage);
    let sides = EloRatings::new(&rated, rating.file.rating).sides;
    let table = rating.contests_table();
    let mut new = NewTable::create(connection, &table)?;
    new.append_columns(contests.side_columns(&subjects, &sides))?;
    new.finish()?;
    let rated = format!("FROM {}", quote_name(&table.name));
    let validity = RATINGS_VALIDITY
        .replace("JOIN published", &format!("JOIN ({})", published_rows(&rating.file.published)))
        .replace("DATE 'fitted_to'", &format!("DATE '{}'", rating.file.fitted_to));
    make_query_table(connection, &rating.ratings_table().name, &RATINGS.replace("FROM rated", &rated))?;
    make_query_table(connection, &rating.validity_table().name, &validity.replace("FROM rated", &rated))
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
struct ContestRows {
    rows: RecordBatch,
}

/// Sides of a contest, by the columns that have them and their names.
const SIDES: [(&str, &str); 2] = [("first", "first_name"), ("second", "second_name")];

impl ContestRows {
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

    fn text_column(&self, name: &str) -> &StringArray {
        // The query that made the batch has cast it.
        self.rows[name].as_string()
    }

    /// Pool, subject and name of both sides of each contest, oldest first.
    fn named_sides(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let pool = self.text_column("pool");
        let sides = SIDES.map(|(side, name)| (self.text_column(side), self.text_column(name)));
        (0..self.rows.num_rows()).flat_map(move |row| {
            sides.map(|(side, name)| (pool.value(row), side.value(row), name.value(row)))
        })
    }

    fn rated_contests(&self, subjects: &RatedSubjects<'_>, home_advantage: f64) -> Vec<RatedContest<i64>> {
        let [pool, season] = ["pool", "season"].map(|name| self.text_column(name));
        let sides = SIDES.map(|(side, _)| self.text_column(side));
        let steps = self.rows["step"].as_primitive::<Int64Type>();
        let [score, margin] = ["score", "margin"].map(|name| self.rows[name].as_primitive::<Float64Type>());
        let is_neutral = self.rows["is_neutral"].as_boolean();
        let rated = |row: usize| RatedContest {
            contest: row,
            date: steps.value(row),
            subjects: sides.map(|side| subjects.ids[&(pool.value(row), side.value(row))]),
            score: score.value(row),
            weight: 1.0,
            margin: margin.is_valid(row).then(|| margin.value(row)),
            advantage: if is_neutral.value(row) { 0.0 } else { home_advantage },
            season: first_year(season.value(row)),
            periods: 1,
        };
        (0..self.rows.num_rows()).map(rated).collect()
    }

    /// Columns of the table of contests.
    fn side_columns(&self, subjects: &RatedSubjects<'_>, sides: &[RatedSide<i64>]) -> Vec<ArrayRef> {
        let days = self.rows["played_on"].as_primitive::<Date32Type>();
        let number = |of: fn(&RatedSide<i64>) -> f64| -> ArrayRef {
            Arc::new(Float64Array::from_iter_values(sides.iter().map(of)))
        };
        let contest_text = |column: &str| -> ArrayRef {
            let texts = self.text_column(column);
            Arc::new(StringArray::from_iter_values(sides.iter().map(|side| texts.value(side.contest))))
        };
        let subject_text = |texts: &[&str], of: fn(&RatedSide<i64>) -> SubjectId| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(sides.iter().map(|side| texts[of(side).0 as usize])))
        };
        vec![
            contest_text("pool"),
            subject_text(&subjects.subjects, |side| side.subject),
            subject_text(&subjects.names, |side| side.subject),
            Arc::new(Date32Array::from_iter_values(sides.iter().map(|side| days.value(side.contest) + 1))),
            contest_text("season"),
            contest_text("contest"),
            Arc::new(Int64Array::from_iter_values(sides.iter().map(|side| side.date))),
            subject_text(&subjects.subjects, |side| side.opponent),
            number(|side| side.score),
            number(|side| side.advantage),
            number(|side| side.before),
            number(|side| side.opponent_before),
            number(|side| side.after),
            Arc::new(Int32Array::from_iter_values(sides.iter().map(|side| side.contests))),
        ]
    }
}

/// Subjects of all pools: each has an id in each of its pools.
struct RatedSubjects<'a> {
    ids: BTreeMap<(&'a str, &'a str), SubjectId>,
    /// By id.
    subjects: Vec<&'a str>,
    names: Vec<&'a str>,
}

impl<'a> RatedSubjects<'a> {
    fn collect_subjects(contests: &'a ContestRows) -> Self {
        // The newest name of a subject counts, in whatever pool.
        let names: BTreeMap<&str, &str> =
            contests.named_sides().map(|(_, subject, name)| (subject, name)).collect();
        let of_pools: BTreeSet<(&str, &str)> =
            contests.named_sides().map(|(pool, subject, _)| (pool, subject)).collect();
        let subjects: Vec<&str> = of_pools.iter().map(|(_, subject)| *subject).collect();
        let names = subjects.iter().map(|subject| names[subject]).collect();
        Self { ids: of_pools.into_iter().zip((0..).map(SubjectId)).collect(), subjects, names }
    }
}

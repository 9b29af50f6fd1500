//! Panels of invented versions against the slow and obvious way to make them.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray as _, Date32Array, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Date32Type, Int32Type, Schema};
use chrono::{Days, NaiveDate};
use fdna_panel::{DayHistory, MetricPanel, PanelError, VersionTable};
use fdna_schemas::{Column, ColumnType, MetricDefinitions, Table, Tables};
use proptest::prelude::*;
use uuid::Uuid;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Days of the bouts of each fighter.
type Careers = BTreeMap<String, Vec<NaiveDate>>;

fn careers(of: &[&[&str]]) -> Careers {
    let bouts = of.iter().map(|bouts| bouts.iter().map(|text| day(text)).collect());
    bouts.enumerate().map(|(n, bouts)| (Uuid::from_u128(n as u128).to_string(), bouts)).collect()
}

/// Fighter and place of the bout of each version, in order.
fn rows(careers: &Careers) -> Vec<(&str, usize)> {
    careers.iter().flat_map(|(id, bouts)| (0..bouts.len()).map(move |n| (id.as_str(), n))).collect()
}

/// A cell that no other row or column has; null in every fifth row where it may be.
fn filling(column: &Column, place: usize, rows: usize) -> ArrayRef {
    let cells = (0..rows).map(|row| {
        let is_null = column.is_nullable() && (row + place).is_multiple_of(5);
        (!is_null).then(|| i32::try_from(row * 10_000 + place).unwrap())
    });
    match column.kind {
        ColumnType::String | ColumnType::Uuid => {
            Arc::new(cells.map(|n| n.map(|n| format!("word {}", n % 7))).collect::<StringArray>())
        }
        ColumnType::Float64 => Arc::new(cells.map(|n| n.map(f64::from)).collect::<Float64Array>()),
        ColumnType::Int64 => Arc::new(cells.map(|n| n.map(i64::from)).collect::<Int64Array>()),
        ColumnType::Date => Arc::new(cells.collect::<Date32Array>()),
        _ => Arc::new(cells.collect::<Int32Array>()),
    }
}

fn dates(days: impl Iterator<Item = NaiveDate>) -> ArrayRef {
    Arc::new(days.map(|day| Some(Date32Type::from_naive_date(day))).collect::<Date32Array>())
}

fn versions_of(careers: &Careers) -> RecordBatch {
    let table = Tables::get().table("dna_versions").unwrap();
    let rows = rows(careers);
    let bout = |(id, n): &(&str, usize)| careers[*id][*n];
    let column = |(place, column): (usize, &Column)| -> ArrayRef {
        match column.name.as_str() {
            "fighter_id" => Arc::new(rows.iter().map(|(id, _)| Some(*id)).collect::<StringArray>()),
            "version" => {
                Arc::new(rows.iter().map(|(_, n)| i32::try_from(n + 1).ok()).collect::<Int32Array>())
            }
            "valid_from" => dates(rows.iter().map(|row| bout(row) + Days::new(1))),
            "last_bout_date" => dates(rows.iter().map(bout)),
            "eligible_bouts" => {
                Arc::new(rows.iter().map(|(_, n)| i32::try_from(n + 1).ok()).collect::<Int32Array>())
            }
            name if name.ends_with("__confidence") => {
                Arc::new(rows.iter().map(|_| Some("high")).collect::<StringArray>())
            }
            _ => filling(column, place, rows.len()),
        }
    };
    let columns = table.columns.iter().enumerate().map(column).collect();
    RecordBatch::try_new(table.arrow_schema(), columns).unwrap()
}

/// Versions of fighters of whom nothing else is known.
fn made(versions: &RecordBatch) -> Result<VersionTable, PanelError> {
    let [bouts, results, ratings] = ["bouts", "results", "ratings"].map(nothing);
    VersionTable::new(versions, DayHistory { bouts: &bouts, results: &results, ratings: &ratings })
}

fn nothing(table: &str) -> RecordBatch {
    RecordBatch::new_empty(Tables::get().table(table).unwrap().arrow_schema())
}

/// The rows that hold on the day, by looking at every one.
fn holding(careers: &Careers, on: NaiveDate) -> Vec<usize> {
    let rows = rows(careers);
    let of = |id: &String| {
        let mine = rows.iter().enumerate().filter(|(_, (other, _))| other == id);
        let begun = mine.filter(|(_, (_, n))| careers[id][*n] + Days::new(1) <= on);
        begun.max_by_key(|(_, (_, n))| careers[id][*n]).map(|(row, _)| row)
    };
    careers.keys().filter_map(of).collect()
}

/// One cell, a text as itself whether it is in a dictionary or not.
fn cell(batch: &RecordBatch, column: &str, row: usize) -> ArrayRef {
    let array = batch.column_by_name(column).unwrap_or_else(|| panic!("no column {column}")).slice(row, 1);
    match array.data_type() {
        DataType::Dictionary(..) => cast(&array, &DataType::Utf8).unwrap(),
        _ => array,
    }
}

fn text(batch: &RecordBatch, column: &str, row: usize) -> String {
    cell(batch, column, row).as_string::<i32>().value(0).to_owned()
}

fn number(batch: &RecordBatch, column: &str, row: usize) -> i32 {
    cell(batch, column, row).as_primitive::<Int32Type>().value(0)
}

fn date(batch: &RecordBatch, column: &str, row: usize) -> NaiveDate {
    Date32Type::to_naive_date_opt(cell(batch, column, row).as_primitive::<Date32Type>().value(0)).unwrap()
}

/// Holds a panel to what a look at every version says.
fn check(careers: &Careers, versions: &RecordBatch, panel: &MetricPanel, on: NaiveDate) {
    let (holding, metrics) = (holding(careers, on), &MetricDefinitions::get().metrics);
    assert_eq!(panel.wide.num_rows(), holding.len());
    assert_eq!(panel.long.num_rows(), holding.len() * metrics.len());
    for (at, &row) in holding.iter().enumerate() {
        let last = date(versions, "last_bout_date", row);
        assert_eq!(date(&panel.wide, "as_of", at), on);
        assert_eq!(i64::from(number(&panel.wide, "days_since_last_bout", at)), (on - last).num_days());
        let copied = |column: &String| !is_of_the_day(column) && !column.ends_with("__prior_mean");
        for column in VersionTable::required_columns().into_iter().filter(copied) {
            assert_eq!(&cell(&panel.wide, &column, at), &cell(versions, &column, row), "{column}");
        }
        for (place, metric) in metrics.iter().enumerate() {
            let row_at = at;
            let at = at * metrics.len() + place;
            assert_eq!(date(&panel.long, "as_of", at), on);
            assert_eq!(text(&panel.long, "metric", at), metric.name);
            assert_eq!(usize::try_from(number(&panel.long, "metric_place", at)).unwrap(), place + 1);
            for same in ["fighter_id", "version"] {
                assert_eq!(&cell(&panel.long, same, at), &cell(versions, same, row));
            }
            for suffix in ["value", "raw_value", "weight", "confidence"] {
                let column = MetricDefinitions::version_column(&metric.name, suffix);
                let expected = match is_of_the_day(&column) {
                    true => cell(&panel.wide, &column, row_at),
                    false => cell(versions, &column, row),
                };
                assert_eq!(&cell(&panel.long, suffix, at), &expected, "{column}");
            }
            let shrunk = MetricDefinitions::version_column(&metric.name, "shrunk_value");
            assert_eq!(&cell(&panel.long, "shrunk_value", at), &cell(&panel.wide, &shrunk, row_at));
        }
    }
}

fn is_of_the_day(column: &str) -> bool {
    let moving = MetricDefinitions::get().metrics.iter().filter(|metric| metric.of_the_day);
    moving.into_iter().any(|metric| column.starts_with(&format!("{}__", metric.name)))
}

fn follows(table: &Table, batch: &RecordBatch) {
    let plain = |field: &DataType| match field {
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        other => other.clone(),
    };
    let found: Vec<_> = batch
        .schema()
        .fields()
        .iter()
        .map(|f| (f.name().clone(), plain(f.data_type()), f.is_nullable()))
        .collect();
    let expected: Vec<_> =
        table.columns.iter().map(|c| (c.name.clone(), c.kind.to_arrow(), c.is_nullable())).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_day_of_a_bout_still_has_the_version_before_it() {
    let careers = careers(&[&["2020-01-10", "2020-06-01"], &["2020-06-01"], &["2021-01-01"]]);
    let batch = versions_of(&careers);
    let versions = made(&batch).unwrap();
    assert_eq!(versions.first_day(), Some(day("2020-01-11")));
    let mut seen = Vec::new();
    for on in ["2020-01-10", "2020-01-11", "2020-06-01", "2020-06-02", "2030-01-01"] {
        let panel = versions.panel_on(day(on)).unwrap();
        check(&careers, &batch, &panel, day(on));
        let wide = &panel.wide;
        let rows = (0..wide.num_rows())
            .map(|at| (number(wide, "version", at), number(wide, "days_since_last_bout", at)));
        seen.push(rows.collect::<Vec<_>>());
    }
    let expected: [&[(i32, i32)]; 5] =
        [&[], &[(1, 1)], &[(1, 143)], &[(2, 1), (1, 1)], &[(2, 3501), (1, 3501), (1, 3287)]];
    assert_eq!(seen, expected);
}

#[test]
fn both_panels_have_the_columns_of_their_contracts_also_without_rows() {
    for careers in [careers(&[]), careers(&[&["2020-01-10"]])] {
        let versions = made(&versions_of(&careers)).unwrap();
        for on in ["2020-01-01", "2021-01-01"] {
            let panel = versions.panel_on(day(on)).unwrap();
            follows(Tables::get().table("panel_wide").unwrap(), &panel.wide);
            follows(Tables::get().table("panel_long").unwrap(), &panel.long);
        }
    }
    let versions = made(&versions_of(&careers(&[&["2020-01-10"]]))).unwrap();
    let wide = versions.panel_on(day("2020-02-01")).unwrap().wide;
    assert_eq!(date(&wide, "constants_fitted_to", 0), MetricDefinitions::get().settings.validity.fitted_to);
    assert_eq!(made(&versions_of(&careers(&[]))).unwrap().first_day(), None);
}

#[test]
fn the_columns_that_it_asks_for_are_all_that_it_needs() {
    let careers = careers(&[&["2020-01-10", "2020-06-01"], &["2020-03-01"]]);
    let all = versions_of(&careers);
    let some = VersionTable::required_columns()
        .iter()
        .map(|name| all.schema().index_of(name).unwrap())
        .collect::<Vec<_>>();
    let on = day("2020-12-01");
    let of = |batch: &RecordBatch| made(batch).unwrap().panel_on(on).unwrap();
    assert_eq!(of(&all.project(&some).unwrap()), of(&all));
    for left in 0..some.len() {
        let without: Vec<_> = some.iter().copied().filter(|place| *place != some[left]).collect();
        let refused = made(&all.project(&without).unwrap());
        assert!(
            matches!(refused, Err(PanelError::Column(_))),
            "without {}",
            all.schema().field(some[left]).name()
        );
    }
}

#[test]
fn versions_out_of_order_are_refused() {
    let batch = versions_of(&careers(&[&["2020-01-10", "2020-06-01"], &["2020-03-01"]]));
    for (picked, wrong) in [([1, 0, 2], 1), ([0, 2, 1], 2), ([0, 0, 1], 1)] {
        let rows = arrow::array::UInt32Array::from(picked.to_vec());
        let picked = arrow::compute::take_record_batch(&batch, &rows).unwrap();
        assert!(matches!(made(&picked), Err(PanelError::Order { row }) if row == wrong));
    }
}

#[test]
fn a_value_is_copied_whatever_its_neighbours_are() {
    // All null, and none.
    let careers = careers(&[&["2020-01-10"], &["2020-01-10"]]);
    let batch = versions_of(&careers);
    let nulls = |name: &str| {
        let mut columns = batch.columns().to_vec();
        let place = batch.schema().index_of(name).unwrap();
        columns[place] = arrow::array::new_null_array(columns[place].data_type(), batch.num_rows());
        RecordBatch::try_new(Arc::new(Schema::new(batch.schema().fields().clone())), columns).unwrap()
    };
    let metric = &MetricDefinitions::get().metrics[0].name;
    let empty = nulls(&MetricDefinitions::version_column(metric, "value"));
    let panel = made(&empty).unwrap().panel_on(day("2020-02-01")).unwrap();
    check(&careers, &empty, &panel, day("2020-02-01"));
    assert!(cell(&panel.long, "value", 0).is_null(0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_row_is_the_version_that_holds_on_the_day(
        bouts in prop::collection::vec(prop::collection::btree_set(0u64..60, 0..6), 0..8),
        on in prop::collection::vec(0u64..70, 1..6),
    ) {
        let first = day("2019-12-20");
        let days = |days: &std::collections::BTreeSet<u64>| days.iter().map(|n| first + Days::new(*n)).collect();
        let careers: Careers =
            bouts.iter().enumerate().map(|(n, b)| (Uuid::from_u128(n as u128).to_string(), days(b))).collect();
        let batch = versions_of(&careers);
        let versions = made(&batch).unwrap();
        for on in on {
            let on = first + Days::new(on);
            check(&careers, &batch, &versions.panel_on(on).unwrap(), on);
        }
    }
}

fn value(batch: &RecordBatch, column: &str, row: usize) -> Option<f64> {
    let cell = cell(batch, column, row);
    let cell = cell.as_primitive::<arrow::datatypes::Float64Type>();
    cell.is_valid(0).then(|| cell.value(0))
}

/// A bout without statistics on 2020-04-01, rated, between eligible ones of 2018-01-10 and 2020-06-01.
#[test]
fn what_moves_with_the_days_is_of_the_day_of_the_panel_and_knows_no_later_bout() {
    let careers = careers(&[&["2018-01-10", "2020-06-01"]]);
    let id = careers.keys().next().unwrap();
    let other = Uuid::from_u128(99).to_string();
    let ids = |n: usize| {
        let ids = (0..n).map(|n| Some(Uuid::from_u128(n as u128).to_string()));
        Arc::new(ids.collect::<StringArray>()) as ArrayRef
    };
    let bouts = RecordBatch::try_from_iter([
        ("bout_id", ids(4)),
        ("event_date", dates(["2018-01-10", "2020-04-01", "2020-06-01", "2020-09-01"].map(day).into_iter())),
        (
            "status",
            Arc::new(StringArray::from(vec!["completed", "completed", "completed", "scheduled"])) as ArrayRef,
        ),
        ("fighter_a_id", Arc::new(StringArray::from(vec![id.as_str(); 4])) as ArrayRef),
        ("fighter_b_id", Arc::new(StringArray::from(vec![other.as_str(); 4])) as ArrayRef),
    ])
    .unwrap();
    let ratings = RecordBatch::try_from_iter([
        ("fighter_id", Arc::new(StringArray::from(vec![id.as_str(); 3])) as ArrayRef),
        ("event_date", dates(["2018-01-10", "2020-04-01", "2020-06-01"].map(day).into_iter())),
        ("score", Arc::new(Float64Array::from(vec![1.0, 1.0, 0.5])) as ArrayRef),
        ("rating_after", Arc::new(Float64Array::from(vec![1560.0, 1590.0, 1570.0])) as ArrayRef),
    ])
    .unwrap();
    let results = RecordBatch::try_from_iter([("bout_id", ids(3))]).unwrap();
    let history = DayHistory { bouts: &bouts, results: &results, ratings: &ratings };
    let versions = VersionTable::new(&versions_of(&careers), history).unwrap();
    let on = |day_of: &str| {
        let wide = versions.panel_on(day(day_of)).unwrap().wide;
        ["layoff_days", "bouts_last_36m", "house_rating", "rating_change_365d", "win_streak"]
            .map(|metric| value(&wide, &MetricDefinitions::version_column(metric, "value"), 0))
    };
    let confidence = |day_of: &str| {
        let MetricPanel { wide, long } = versions.panel_on(day(day_of)).unwrap();
        let text = |batch: &RecordBatch, column: &str, row: usize| {
            let cell = cast(&cell(batch, column, row), &DataType::Utf8).unwrap();
            cell.as_string::<i32>().value(0).to_owned()
        };
        [text(&wide, "sig_landed_per_min__confidence", 0), text(&long, "confidence", 0)]
    };
    // The bout of 2020-04-01 is in no version: none is of high confidence until the next one.
    assert_eq!(confidence("2020-04-01"), ["high", "high"]);
    assert_eq!(confidence("2020-06-01"), ["medium", "medium"]);
    assert_eq!(confidence("2020-06-02"), ["high", "high"]);
    // One rated bout is too few for a value.
    assert_eq!(on("2020-04-01"), [Some(812.0), Some(1.0), None, None, Some(1.0)]);
    assert_eq!(on("2020-04-02"), [Some(1.0), Some(2.0), Some(1590.0), Some(30.0), Some(2.0)]);
    assert_eq!(on("2020-06-01"), [Some(61.0), Some(2.0), Some(1590.0), Some(30.0), Some(2.0)]);
    assert_eq!(on("2020-06-02"), [Some(1.0), Some(3.0), Some(1570.0), Some(10.0), Some(0.0)]);
    assert_eq!(on("2021-01-11"), [Some(224.0), Some(2.0), Some(1570.0), Some(10.0), Some(0.0)]);
    assert_eq!(on("2022-01-01"), [Some(579.0), Some(2.0), Some(1570.0), Some(0.0), Some(0.0)]);
}

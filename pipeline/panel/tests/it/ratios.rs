//! Sums of invented observations: what `RatioCheck` takes, against the slow and obvious way to add up.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, Float64Array, Int32Array, Int64Array, RecordBatch};
use arrow::compute::take_record_batch;
use arrow::datatypes::{DataType, Int32Type, Int64Type};
use chrono::{Days, NaiveDate};
use fdna_panel::{PanelError, RatioCheck};
use fdna_schemas::{Metric, MetricDefinitions, TableWriter, Tables, Term};
use proptest::prelude::*;
use uuid::Uuid;

const FIRST: NaiveDate = NaiveDate::from_ymd_opt(2020, 1, 1).expect("a date");

fn day(n: u64) -> NaiveDate {
    FIRST + Days::new(n)
}

/// A bout of a fighter on a day; what it carries follows from its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bout {
    fighter: u128,
    day: u64,
    number: u128,
}

impl Bout {
    /// Every seventh column or so is not recorded.
    fn value(self, place: usize) -> Option<i32> {
        let n = usize::try_from(self.number).unwrap() * 31 + place * 17;
        (!n.is_multiple_of(7)).then(|| i32::try_from(n % 90).unwrap())
    }
}

/// Some fighters with up to three bouts on up to nine days.
fn bouts() -> impl Strategy<Value = Vec<Bout>> {
    prop::collection::vec((1_u128..6, 0_u64..9), 1..40).prop_map(|bouts| {
        let bout = |(number, (fighter, day))| Bout { fighter: id(fighter).as_u128(), day, number };
        let mut bouts: Vec<Bout> = (1..).zip(bouts).map(bout).collect();
        bouts.sort_unstable();
        bouts
    })
}

/// As good as random, as digests are.
fn id(n: u128) -> Uuid {
    Uuid::from_u128(n.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

fn observations(bouts: &[Bout]) -> RecordBatch {
    let table = TableWriter::new(Tables::get().table("bout_observations").unwrap())
        .uuids("fighter_id", bouts.iter().map(|bout| Some(Uuid::from_u128(bout.fighter))))
        .dates("event_date", bouts.iter().map(|bout| Some(day(bout.day))))
        .uuids("bout_id", bouts.iter().map(|bout| Some(Uuid::from_u128(bout.number))));
    let columns = MetricDefinitions::get().observed_columns().into_iter().enumerate();
    columns
        .fold(table, |table, (place, name)| table.int32s(name, bouts.iter().map(|b| b.value(place))))
        .finish()
        .unwrap()
}

/// Numerator, denominator and number of the bouts that carry all columns.
fn sums(metric: &Metric, bouts: &[Bout]) -> (i64, i64, i32) {
    let columns = MetricDefinitions::get().observed_columns();
    let value = |bout: &Bout, term: &Term| {
        let place = columns.iter().position(|name| *name == term.column).unwrap();
        bout.value(place).map(|value| i64::from(term.sign) * i64::from(value))
    };
    let sum = |bout: &Bout, terms: &[Term]| terms.iter().map(|term| value(bout, term)).sum::<Option<i64>>();
    let known =
        bouts.iter().filter_map(|bout| sum(bout, &metric.numerator).zip(sum(bout, &metric.denominator)));
    known.fold((0, 0, 0), |(y, d, n), (more_y, more_d)| (y + more_y, d + more_d, n + 1))
}

fn panel(bouts: &[Bout], as_of: u64) -> RecordBatch {
    let mut careers: BTreeMap<u128, Vec<Bout>> = BTreeMap::new();
    for bout in bouts.iter().filter(|bout| bout.day < as_of) {
        careers.entry(bout.fighter).or_default().push(*bout);
    }
    let each = || careers.values();
    let days = |bouts: &Vec<Bout>| {
        let mut days: Vec<u64> = bouts.iter().map(|bout| bout.day).collect();
        days.dedup();
        i32::try_from(days.len()).unwrap()
    };
    let mut table = TableWriter::new(Tables::get().table("panel_ratios").unwrap())
        .dates("as_of", each().map(|_| Some(day(as_of))))
        .uuids("fighter_id", careers.keys().map(|id| Some(Uuid::from_u128(*id))))
        .int32s("version", each().map(|bouts| Some(days(bouts))))
        .int32s("eligible_bouts", each().map(|bouts| i32::try_from(bouts.len()).ok()))
        .dates("last_bout_date", each().map(|bouts| bouts.last().map(|bout| day(bout.day))));
    for metric in MetricDefinitions::get().whole_ratios() {
        let sums: Vec<_> = each().map(|bouts| sums(metric, bouts)).collect();
        let name = |suffix| MetricDefinitions::version_column(&metric.name, suffix);
        let ratio = |(y, d): (i64, i64)| {
            let [y, d] = [y, d].map(|sum| f64::from(i32::try_from(sum).unwrap()));
            (d > 0.0).then(|| (y / metric.numerator_per) / (d / metric.denominator_per))
        };
        table = table
            .int64s(&name("numerator"), sums.iter().map(|sums| Some(sums.0)))
            .int64s(&name("denominator"), sums.iter().map(|sums| Some(sums.1)))
            .int32s(&name("bouts"), sums.iter().map(|sums| Some(sums.2)))
            .floats(&name("raw_value"), sums.iter().map(|sums| ratio((sums.0, sums.1))));
    }
    table.finish().unwrap()
}

/// The same with another cell in a column that is no part of the key, as near to the right one as can be.
fn with_wrong_cell(panel: &RecordBatch, column: usize, row: usize) -> RecordBatch {
    let mut columns = panel.columns().to_vec();
    let old = &panel.columns()[column];
    columns[column] = match old.data_type() {
        DataType::Int64 => {
            let changed = old.as_primitive::<Int64Type>().values().iter().enumerate();
            Arc::new(changed.map(|(at, value)| value + i64::from(at == row)).collect::<Int64Array>())
                as ArrayRef
        }
        DataType::Int32 => {
            let changed = old.as_primitive::<Int32Type>().values().iter().enumerate();
            Arc::new(changed.map(|(at, value)| value + i32::from(at == row)).collect::<Int32Array>())
        }
        DataType::Float64 => {
            let floats = old.as_primitive::<arrow::datatypes::Float64Type>().iter().enumerate();
            let next = |value: Option<f64>| {
                value.map_or(Some(0.0), |value| Some(f64::from_bits(value.to_bits() ^ 1)))
            };
            Arc::new(
                floats
                    .map(|(at, value)| if at == row { next(value) } else { value })
                    .collect::<Float64Array>(),
            )
        }
        _ => {
            let days = old.as_primitive::<arrow::datatypes::Date32Type>().iter().enumerate();
            let days = days.map(|(at, value)| value.map(|day| day - i32::from(at == row)));
            Arc::new(days.collect::<arrow::array::Date32Array>())
        }
    };
    RecordBatch::try_new(panel.schema(), columns).unwrap()
}

fn refused(checked: Result<(), PanelError>) -> String {
    match checked {
        Err(PanelError::Wrong { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn what_adds_up_is_taken_and_a_single_wrong_cell_is_not(
        bouts in bouts(),
        as_of in 0_u64..11,
        column in any::<prop::sample::Index>(),
        row in any::<prop::sample::Index>(),
    ) {
        let check = RatioCheck::new(&observations(&bouts)).unwrap();
        let right = panel(&bouts, as_of);
        prop_assert_eq!(check.row_count(day(as_of)), right.num_rows());
        check.check_panel(day(as_of), &right).unwrap();
        let first = bouts.iter().map(|bout| day(bout.day + 1)).min();
        prop_assert_eq!(check.first_day(), first);
        if right.num_rows() > 0 {
            let (column, row) = (2 + column.index(right.num_columns() - 2), row.index(right.num_rows()));
            let name = right.schema().field(column).name().clone();
            let told = refused(check.check_panel(day(as_of), &with_wrong_cell(&right, column, row)));
            let of_metric = name.split_once("__").map_or("row ", |(metric, _)| metric);
            prop_assert!(told.contains(of_metric), "{}: {}", name, told);
        }
    }
}

#[test]
fn sums_given_to_another_fighter_and_a_missing_one_are_refused_by_name() {
    let bouts = [(1, 0, 1), (2, 0, 2), (3, 1, 3)];
    let mut bouts = bouts.map(|(n, day, number)| Bout { fighter: id(n).as_u128(), day, number });
    bouts.sort_unstable();
    let check = RatioCheck::new(&observations(&bouts)).unwrap();
    let right = panel(&bouts, 5);
    check.check_panel(day(5), &right).unwrap();
    // The rows of two fighters changed, their names, versions and days left as they are.
    let swapped = take_record_batch(&right, &arrow::array::UInt32Array::from(vec![1, 0, 2])).unwrap();
    let mut columns = right.columns().to_vec();
    for (place, column) in columns.iter_mut().enumerate().skip(5) {
        *column = swapped.column(place).clone();
    }
    let swapped = RecordBatch::try_new(right.schema(), columns).unwrap();
    let told = refused(check.check_panel(day(5), &swapped));
    assert!(told.contains("is not what the bouts before the date add up to"), "{told}");
    assert!(refused(check.check_panel(day(5), &right.slice(0, 2))).ends_with("is missing"));
    let later = refused(check.check_panel(day(1), &right));
    assert!(later.contains("and must be") || later.ends_with("had no bout before the date"), "{later}");
}

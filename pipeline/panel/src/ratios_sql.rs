//! The same sums as one SQL text, for an engine that speaks Spark's SQL.
//!
//! A bout on the date is the future, and a fighter may have several bouts on one day. So bouts are summed by day first,
//! and a day's row then takes the rows before it: what was known when that day began. A last row that no bout is on stands
//! for the time since. Windows are counted in rows, never in values of the date: rows of a day are one, so that it is the
//! same, and one of the engines answers windows over dates wrongly, without an error.

use std::fmt::Write as _;

use chrono::NaiveDate;
use fdna_schemas::tables::{BoutObservationsRow, ContractRow as _};
use fdna_schemas::{Metric, MetricDefinitions, Term};

/// A day after every date that can be asked for.
const OPEN_END: &str = "DATE '9999-12-31'";

/// The rows of `panel_ratios` of these dates, in no order, from a view `bout_observations`: columns as the contract has
/// them. There must be a date.
#[must_use]
pub fn ratios_sql(definitions: &MetricDefinitions, dates: &[NaiveDate]) -> String {
    let metrics: Vec<RatioTerms> = definitions.whole_ratios().map(RatioTerms::from_metric).collect();
    let each = |of: fn(&RatioTerms) -> String| metrics.iter().map(of).collect::<String>();
    let date_rows: Vec<String> = dates.iter().map(|day| format!("(DATE '{day}')")).collect();
    let mut sql = String::new();
    let _ = write!(
        sql,
        "WITH days AS (\n  SELECT fighter_id, event_date AS day, COUNT(*) AS n_bouts{by_day}\n  \
         FROM {view}\n  GROUP BY fighter_id, event_date\n),\n\
         careers AS (\n  SELECT * FROM days\n  UNION ALL\n  \
         SELECT DISTINCT fighter_id, {OPEN_END}, CAST(0 AS BIGINT){nothing}\n  FROM {view}\n),\n\
         spans AS (\n  SELECT fighter_id, day AS until,\n    \
         LAG(day) OVER (PARTITION BY fighter_id ORDER BY day) AS last_bout_date,\n    \
         CAST(COUNT(*) OVER earlier AS INT) AS version,\n    \
         CAST(SUM(n_bouts) OVER earlier AS INT) AS eligible_bouts{before}\n  FROM careers\n  \
         WINDOW earlier AS (PARTITION BY fighter_id ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)\n),\n\
         asked AS (\n  SELECT * FROM VALUES {asked} AS dates(as_of)\n)\n\
         SELECT as_of, fighter_id, version, eligible_bouts, last_bout_date{columns}\n\
         FROM asked JOIN spans ON last_bout_date < as_of AND as_of <= until\n",
        view = BoutObservationsRow::TABLE,
        by_day = each(RatioTerms::by_day),
        nothing = each(|_| ", CAST(0 AS BIGINT), CAST(0 AS BIGINT), CAST(0 AS BIGINT)".to_owned()),
        before = each(RatioTerms::sums_before),
        asked = date_rows.join(", "),
        columns = each(RatioTerms::select_columns),
    );
    sql
}

/// A metric in SQL.
struct RatioTerms {
    numerator: String,
    denominator: String,
    /// Whether a bout carries all columns of the metric.
    is_known: String,
    /// Column units in one unit of each.
    per: (f64, f64),
    /// Names of its columns in every step.
    columns: [String; 4],
}

impl RatioTerms {
    fn from_metric(metric: &Metric) -> Self {
        let known: Vec<String> =
            metric.source_columns().into_iter().map(|column| format!("{column} IS NOT NULL")).collect();
        Self {
            numerator: sum_expression(&metric.numerator),
            denominator: sum_expression(&metric.denominator),
            is_known: known.join(" AND "),
            per: (metric.numerator_per, metric.denominator_per),
            columns: ["numerator", "denominator", "bouts", "raw_value"]
                .map(|suffix| MetricDefinitions::version_column(&metric.name, suffix)),
        }
    }

    fn by_day(&self) -> String {
        let Self { numerator, denominator, is_known, columns: [y, d, n, _], .. } = self;
        format!(
            ",\n    SUM(CASE WHEN {is_known} THEN {numerator} ELSE 0 END) AS {y}\
             ,\n    SUM(CASE WHEN {is_known} THEN {denominator} ELSE 0 END) AS {d}\
             ,\n    SUM(CASE WHEN {is_known} THEN CAST(1 AS BIGINT) ELSE 0 END) AS {n}"
        )
    }

    fn sums_before(&self) -> String {
        let [y, d, n, _] = &self.columns;
        format!(
            ",\n    SUM({y}) OVER earlier AS {y},\n    SUM({d}) OVER earlier AS {d},\n    CAST(SUM({n}) OVER earlier AS INT) AS {n}"
        )
    }

    /// Double by double, as the engine of versions divides.
    fn select_columns(&self) -> String {
        let ([y, d, n, raw], (y_per, d_per)) = (&self.columns, self.per);
        let double = |value: &str| format!("CAST({value} AS DOUBLE)");
        let (own_y, own_d) = (
            format!("{} / {}", double(y), double(&y_per.to_string())),
            format!("{} / {}", double(d), double(&d_per.to_string())),
        );
        format!(",\n  {y}, {d}, {n}, CASE WHEN {d} > 0 THEN ({own_y}) / ({own_d}) END AS {raw}")
    }
}

/// The terms of a bout added up, in 64 bits.
fn sum_expression(terms: &[Term]) -> String {
    let signed = |term: &Term| {
        let sign = if term.sign < 0 { "-" } else { "+" };
        format!("{sign} CAST({} AS BIGINT)", term.column)
    };
    let text = terms.iter().map(signed).collect::<Vec<_>>().join(" ");
    text.strip_prefix("+ ").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql() -> String {
        let dates = ["2020-01-01", "2021-06-30"].map(|text| text.parse().unwrap());
        ratios_sql(MetricDefinitions::get(), &dates)
    }

    #[test]
    fn no_window_is_over_values_of_a_date() {
        let sql = sql();
        assert!(
            !sql.to_uppercase().contains("RANGE"),
            "a range over dates was measured to be answered wrongly"
        );
        let windows = sql.matches("OVER earlier").count();
        assert_eq!(windows, 2 + 3 * MetricDefinitions::get().whole_ratios().count());
        assert_eq!(sql.matches(" OVER ").count(), windows + 1, "one LAG");
        assert_eq!(sql.matches("ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING").count(), 1);
    }

    #[test]
    fn a_ratio_is_summed_over_the_bouts_that_carry_all_its_columns() {
        let metric = MetricDefinitions::get().metric("td_attempted_per_neutral_15").unwrap();
        let by_day = RatioTerms::from_metric(metric).by_day();
        let known = "CASE WHEN td_attempted IS NOT NULL AND duration_secs IS NOT NULL AND control_secs IS NOT NULL AND o_control_secs IS NOT NULL THEN";
        assert_eq!(by_day.matches(known).count(), 3, "{by_day}");
        let neutral =
            "CAST(duration_secs AS BIGINT) - CAST(control_secs AS BIGINT) - CAST(o_control_secs AS BIGINT)";
        assert!(by_day.contains(neutral), "{by_day}");
        let columns = RatioTerms::from_metric(metric).select_columns();
        assert!(
            columns.contains("/ CAST(900 AS DOUBLE)) END AS td_attempted_per_neutral_15__raw_value"),
            "{columns}"
        );
    }

    #[test]
    fn it_has_every_column_of_the_contract_in_its_order_and_every_date() {
        let sql = sql();
        let last = sql.rsplit_once("SELECT as_of").unwrap().1;
        let table = fdna_schemas::Tables::get().table("panel_ratios").unwrap();
        let places = table.columns.iter().skip(1).map(|column| last.find(&column.name));
        let places: Vec<usize> = places.map(|place| place.expect("it is there")).collect();
        assert!(places.is_sorted(), "{last}");
        assert!(sql.contains("VALUES (DATE '2020-01-01'), (DATE '2021-06-30') AS dates(as_of)"));
    }
}

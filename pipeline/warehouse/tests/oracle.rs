//! Every ratio metric of the published versions, computed once more in SQL from the normalised tables.
//!
//! The SQL in `oracle/` is written from the definition, not from the code that derives; the metric definitions give it
//! numerators, denominators and constants alone. Whole numbers must be equal, others to a billionth.

#[path = "oracle/lake.rs"]
mod lake;
#[path = "oracle/metric.rs"]
mod metric;

use fdna_schemas::{Metric, MetricDefinitions};
use fdna_warehouse::{EngineLimits, TableSelection, Warehouse};
use lake::{lake, sample_lake};

/// Versions of the real history that are drawn, unless `FIGHTDNA_ORACLE_VERSIONS` says how many.
const DRAWN: usize = 300;
const SEED: &str = "1";

struct Oracle {
    warehouse: Warehouse,
    /// How many versions are compared.
    asked: usize,
}

impl Oracle {
    /// Over the current snapshot of a lake, for `drawn` versions drawn from the seed, or all.
    fn over(lake: &fdna_lake::Lake, drawn: Option<usize>) -> Self {
        let limits = EngineLimits { memory: Some("3GB".to_owned()), threads: Some(2) };
        let warehouse = Warehouse::open(lake, &TableSelection::Current, &limits).unwrap();
        warehouse.connection().execute_batch(&metric::sides()).unwrap();
        let limit = drawn.map_or_else(String::new, |n| format!("LIMIT {n}"));
        let asked = format!(
            "CREATE TEMP TABLE asked AS SELECT * FROM expected_versions
             ORDER BY md5(concat('{SEED}', fighter_id, version)) {limit};
             CREATE TEMP TABLE published AS SELECT fighter_id, version, {}
             FROM dna_versions SEMI JOIN asked USING (fighter_id, version);",
            metric::published_columns(&ratios())
        );
        warehouse.connection().execute_batch(&asked).unwrap();
        let asked = warehouse.query("SELECT 1 FROM asked").unwrap().row_count();
        Self { warehouse, asked }
    }

    /// What the published versions and the SQL do not agree on, in words.
    fn disagreements(&self) -> Vec<String> {
        let mut found: Vec<String> = self.rows("versions", VERSIONS).into_iter().collect();
        for metric in ratios() {
            found.extend(self.rows(&metric.name, &metric::comparison(metric)));
        }
        found
    }

    /// Counts the rows, and shows the first ones.
    fn rows(&self, what: &str, sql: &str) -> Option<String> {
        let rows = self.warehouse.query(sql).unwrap_or_else(|error| panic!("{what}: {error:?}\n{sql}"));
        let first = || serde_json::to_string_pretty(&rows.first_rows(2).to_json().unwrap()).unwrap();
        (rows.row_count() > 0)
            .then(|| format!("{what}: {} of {} rows, as {}", rows.row_count(), self.asked, first()))
    }
}

/// Which versions there are, whole lake against whole lake.
const VERSIONS: &str = "
    SELECT fighter_id, version, p.valid_from, e.valid_from AS expected_from, p.weight_class, e.class AS expected_class,
        p.eligible_bouts, e.eligible_bouts AS expected_bouts
    FROM (SELECT fighter_id, version, valid_from, weight_class, eligible_bouts FROM dna_versions) p
    FULL JOIN expected_versions e USING (fighter_id, version)
    WHERE p.valid_from IS DISTINCT FROM e.valid_from OR p.weight_class IS DISTINCT FROM e.class
        OR p.eligible_bouts IS DISTINCT FROM e.eligible_bouts";

fn ratios() -> Vec<&'static Metric> {
    MetricDefinitions::get()
        .metrics
        .iter()
        .filter(|metric| metric.has_whole_sums() && metric.is_shrunk())
        .collect()
}

fn agree(oracle: &Oracle) {
    let found = oracle.disagreements();
    eprintln!("compared {} versions of {} ratio metrics", oracle.asked, ratios().len());
    assert!(found.is_empty(), "{} disagreements\n\n{}", found.len(), found.join("\n\n"));
}

#[test]
fn the_sample_is_what_the_definition_says() {
    let (_folder, lake) = sample_lake();
    let oracle = Oracle::over(&lake, None);
    assert!(oracle.asked > 600 && ratios().len() > 60, "{} {}", oracle.asked, ratios().len());
    agree(&oracle);
}

#[test]
fn a_wrong_figure_of_each_kind_is_seen() {
    let (_folder, lake) = sample_lake();
    let oracle = Oracle::over(&lake, Some(200));
    for (metric, damage) in [
        ("sig_accuracy", "sig_accuracy__numerator = sig_accuracy__numerator + 1"),
        ("td_defense", "td_defense__prior_mean = td_defense__prior_mean * (1 + 1e-8)"),
        ("control_share", "control_share__value = NULL"),
        ("finish_win_share", "finish_win_share__confidence = 'high'"),
    ] {
        let metric = MetricDefinitions::get().metric(metric).unwrap();
        let comparison = metric::comparison(metric);
        assert_eq!(oracle.rows(&metric.name, &comparison), None);
        oracle.warehouse.connection().execute_batch(&format!("UPDATE published SET {damage}")).unwrap();
        assert!(oracle.rows(&metric.name, &comparison).is_some(), "{damage}");
    }
}

/// The newest real capture, taken through the whole program; `None` where there is none, which on CI fails.
fn real_lake() -> Option<(tempfile::TempDir, fdna_lake::Lake)> {
    let capture = fdna_kit::real_data()?.join("statsdb-csv/2025-11-02");
    assert!(capture.is_dir(), "{}", capture.display());
    Some(lake(&["--source", &format!("statsdb={}", capture.display())]))
}

#[test]
fn the_real_history_is_what_the_definition_says() {
    let Some((_folder, lake)) = real_lake() else { return };
    let drawn = match std::env::var("FIGHTDNA_ORACLE_VERSIONS") {
        Ok(text) if text == "all" => None,
        Ok(text) => Some(text.parse().unwrap()),
        Err(_) => Some(DRAWN),
    };
    let oracle = Oracle::over(&lake, drawn);
    assert!(oracle.asked >= drawn.unwrap_or(10_000), "{}", oracle.asked);
    agree(&oracle);
}

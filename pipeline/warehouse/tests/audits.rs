//! Each audit is silent on the sample and speaks when what it forbids is there.

#[path = "oracle/lake.rs"]
mod lake;

use fdna_warehouse::{AUDITS, Limits, Warehouse, What};

/// Audit, and a query that gives a damaged table in the place of the one that it is named after.
const DAMAGE: &[(&str, &str, &str)] = &[
    (
        "aliases_end_at_an_entity",
        "aliases",
        "SELECT 'fighter' AS kind, uuid()::VARCHAR AS alias_id, uuid()::VARCHAR AS entity_id",
    ),
    (
        "identities_are_one_to_one",
        "identities",
        "SELECT * REPLACE (uuid()::VARCHAR AS entity_id) FROM identities LIMIT 1",
    ),
    ("images_served_are_licensed", "images", "SELECT * REPLACE (NULL AS license) FROM images"),
    ("images_served_are_licensed", "images", "SELECT * REPLACE (true AS is_primary) FROM images"),
    (
        "listings_follow_one_another",
        "bout_listings",
        "SELECT * FROM bout_listings UNION ALL SELECT * FROM bout_listings",
    ),
    ("mentions_resolve", "mentions", "SELECT * REPLACE (uuid()::VARCHAR AS entity_id) FROM mentions"),
    ("mentions_resolve", "wire", "SELECT * FROM wire LIMIT 0"),
    (
        "control_is_known_for_both_or_null",
        "dna_versions",
        "SELECT * REPLACE (CASE WHEN control_share__bouts > 2 THEN control_share__bouts - 1 ELSE control_share__bouts
         END AS control_share__bouts) FROM dna_versions",
    ),
    (
        "control_is_known_for_both_or_null",
        "round_stats",
        "SELECT * REPLACE (CASE WHEN round > 1 THEN control_secs END AS control_secs) FROM round_stats",
    ),
    (
        "counts_agree",
        "round_stats",
        "SELECT * REPLACE (head_landed + 1 AS head_landed) FROM round_stats LIMIT 1",
    ),
    ("counts_agree", "round_stats", "SELECT * REPLACE (round_secs + 1 AS control_secs) FROM round_stats LIMIT 1"),
    ("counts_agree", "results", "SELECT * REPLACE (1 AS total_secs) FROM results"),
    ("ids_resolve", "fighters", "SELECT * FROM fighters OFFSET 1"),
    ("ids_resolve", "results", "SELECT * REPLACE (uuid()::VARCHAR AS winner_id) FROM results WHERE outcome = 'win'"),
    ("ids_resolve", "bouts", "SELECT * REPLACE (fighter_a_id AS fighter_b_id) FROM bouts"),
    (
        "percentiles_have_a_pool",
        "version_metrics",
        "SELECT * REPLACE (29 AS pool_size, 50.0 AS percentile) FROM version_metrics LIMIT 1",
    ),
    (
        "profiles_add_up",
        "finish_profiles",
        "SELECT * REPLACE (bouts + 1 AS bouts) FROM finish_profiles",
    ),
    ("profiles_add_up", "round_profiles", "SELECT * REPLACE (secs - 1 AS secs) FROM round_profiles"),
    ("ratings_follow_one_another", "ratings", "SELECT * REPLACE (rating_after + 1 AS rating_after) FROM ratings"),
    ("ratings_follow_one_another", "ratings", "SELECT * FROM ratings OFFSET 1"),
    (
        "shares_sum_to_one",
        "version_metrics",
        "SELECT * REPLACE (CASE WHEN metric = 'leg_share' THEN value + 1e-6 ELSE value END AS value)
         FROM version_metrics",
    ),
    (
        "shrinkage_is_what_it_says",
        "version_metrics",
        "SELECT * REPLACE (value * 1.000001 AS value) FROM version_metrics",
    ),
    (
        "sides_are_drawn_by_chance",
        "results",
        "SELECT r.* REPLACE (CASE WHEN outcome = 'win' THEN fighter_a_id END AS winner_id)
         FROM results r JOIN bouts USING (bout_id)",
    ),
    (
        "value_is_null_unless_ok",
        "version_metrics",
        "SELECT * REPLACE (coalesce(value, 0.5) AS value) FROM version_metrics",
    ),
    (
        "value_is_null_unless_ok",
        "version_metrics",
        "SELECT * REPLACE (interval_high + 1 AS interval_low) FROM version_metrics",
    ),
    ("versions_are_contiguous", "dna_versions", "SELECT * FROM dna_versions WHERE version <> 2"),
    (
        "versions_are_contiguous",
        "dna_versions",
        "SELECT * REPLACE (last_bout_date AS valid_from) FROM dna_versions",
    ),
    ("versions_follow_the_bouts", "dna_versions", "SELECT * FROM dna_versions OFFSET 1"),
    (
        "zero_denominator_is_null",
        "version_metrics",
        "SELECT * REPLACE (coalesce(raw_value, 0) AS raw_value) FROM version_metrics",
    ),
];

#[test]
fn every_audit_is_silent_on_the_sample_and_finds_what_it_forbids() {
    let (_folder, lake) = lake::sample_lake();
    let warehouse = Warehouse::open(&lake, &What::Current, &Limits::default()).unwrap();
    for finding in warehouse.audit().unwrap() {
        assert_eq!(finding.rows.count(), 0, "{}: {:?}", finding.audit.name, finding.rows.first(3).json());
    }
    for audit in AUDITS {
        let mut damages = DAMAGE.iter().filter(|(name, ..)| *name == audit.name).peekable();
        assert!(damages.peek().is_some(), "{} is not tried", audit.name);
        for (name, table, damaged) in damages {
            // A table of the session hides the view of that name.
            let hide =
                format!("CREATE TEMP TABLE damaged AS {damaged}; ALTER TABLE damaged RENAME TO {table}");
            warehouse.connection().execute_batch(&hide).unwrap();
            let found = warehouse.query(audit.sql).unwrap();
            assert!(found.count() > 0, "{name} does not see: {damaged}");
            warehouse.connection().execute_batch(&format!("DROP TABLE temp.{table}")).unwrap();
        }
    }
}

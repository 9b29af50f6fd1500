//! The contract files, compiled in, so that a binary and its contracts cannot drift apart.

macro_rules! files {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../", $folder, "/", $name, ".toml")))),+]
    };
}

pub(crate) const TABLES: &[(&str, &str)] = files!("tables":
    "statsdb_events", "statsdb_bout_details", "statsdb_results", "statsdb_round_stats",
    "statsdb_fighters", "statsdb_fighter_profiles",
    "statsdb_ids_events", "statsdb_ids_bouts", "statsdb_ids_fighters", "statsdb_ids_round_stats",
    "statsdb_ids_fighter_histories",
    "quarantine", "events", "fighters", "bouts", "results", "scorecards", "round_stats",
    "identities", "corrections", "dna_versions",
    "splits", "round_profiles", "finish_profiles", "finish_times", "ratings", "baselines", "validity", "metrics",
    "panel_wide", "panel_long",
);

pub(crate) const METRICS: &[(&str, &str)] = files!("metrics":
    "striking_offence", "striking_defence", "targets", "positions", "power_durability", "grappling_offence",
    "grappling_defence", "control", "pace_cardio", "finishing", "being_finished", "decisions_judging",
    "experience_activity", "opposition", "form", "stance",
);

pub(crate) const SOURCES: &[(&str, &str)] = files!("sources": "statsdb", "statsdb-ids");

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn on_disk(folder: &str) -> BTreeSet<String> {
        let path = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_dir(path)
            .unwrap()
            .map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn every_contract_file_is_compiled_in() {
        for (folder, files) in [("tables", TABLES), ("metrics", METRICS), ("sources", SOURCES)] {
            let embedded: BTreeSet<String> = files.iter().map(|(n, _)| (*n).to_owned()).collect();
            assert_eq!(embedded, on_disk(folder), "{folder}");
        }
    }
}

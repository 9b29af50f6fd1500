//! The contract files, compiled in, so that a binary and its contracts cannot drift apart.

// Tables, sources and the routes of the catalog: whatever lies in their folders, by name.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

macro_rules! metrics {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../metrics/mma/", $name, ".toml")))),+]
    };
}

/// Families in the order in which they are shown and in which tables have their columns.
pub(crate) const MMA_METRICS: &[(&str, &str)] = metrics!(
    "striking_offence",
    "striking_defence",
    "targets",
    "positions",
    "power_durability",
    "grappling_offence",
    "grappling_defence",
    "control",
    "pace_cardio",
    "finishing",
    "being_finished",
    "decisions_judging",
    "experience_activity",
    "opposition",
    "form",
    "stance",
);

/// Settings shared by all DNA of the catalog.
pub(crate) const CATALOG_ENGINE: &str = include_str!("../catalog/engine.toml");

pub(crate) const MMA_ENGINE: &str = include_str!("../metrics/mma/engine.toml");

pub(crate) const MMA_SUM_UNITS: &str = include_str!("../sum_units.toml");

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_family_of_metrics_is_compiled_in() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/metrics/mma");
        let files = std::fs::read_dir(path).unwrap();
        let stem = |file: std::fs::DirEntry| file.path().file_stem().unwrap().to_string_lossy().into_owned();
        let mut on_disk: BTreeSet<String> = files.map(|file| stem(file.unwrap())).collect();
        on_disk.remove("engine");
        let embedded: BTreeSet<String> = MMA_METRICS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(embedded, on_disk);
    }
}

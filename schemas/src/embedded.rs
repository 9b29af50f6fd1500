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

//! Answers of the API, as far as pages show them. A field that the API lacks is an error, not a null.

mod bout;
mod dna;
mod people;

use serde::Deserialize;

pub(crate) use bout::*;
pub(crate) use dna::*;
pub(crate) use people::*;

/// Data and what `meta` says of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Envelope<T, M = Meta> {
    pub(crate) data: T,
    pub(crate) meta: M,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Meta {
    pub(crate) total: Option<u64>,
    pub(crate) matched: Option<u64>,
    pub(crate) population: Option<u64>,
    pub(crate) excluded_insufficient: Option<u64>,
    pub(crate) next_cursor: Option<String>,
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) at: String,
    pub(crate) change: String,
    pub(crate) kind: String,
    pub(crate) entity_id: String,
    pub(crate) part: Option<String>,
    pub(crate) field: Option<String>,
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    pub(crate) capture: String,
    pub(crate) source: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) id: String,
    pub(crate) is_current: bool,
    pub(crate) synthetic: bool,
    pub(crate) facts_until: Option<String>,
    pub(crate) captured_until: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) tables: Vec<ManifestTable>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ManifestTable {
    pub(crate) name: String,
    pub(crate) rows: i64,
    pub(crate) bytes: i64,
    pub(crate) sha256: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Counts {
    pub(crate) known_until: Option<String>,
    pub(crate) first_date: Option<String>,
    pub(crate) last_date: Option<String>,
    pub(crate) tables: std::collections::BTreeMap<String, i64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Coverage {
    pub(crate) sources: Vec<SourceCoverage>,
    pub(crate) years: Vec<YearCoverage>,
    pub(crate) promotions: Vec<PromotionCoverage>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PromotionCoverage {
    pub(crate) promotion: Option<String>,
    pub(crate) year: i64,
    pub(crate) bouts: i64,
    pub(crate) with_round_stats: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SourceCoverage {
    pub(crate) source: String,
    pub(crate) group: String,
    pub(crate) captures: Option<i64>,
    pub(crate) last_captured_at: Option<String>,
    pub(crate) rows: Option<i64>,
    pub(crate) set_aside: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct YearCoverage {
    pub(crate) year: i64,
    pub(crate) bouts: i64,
    pub(crate) with_result: i64,
    pub(crate) with_round_stats: i64,
    pub(crate) with_control_time: i64,
    pub(crate) decisions: i64,
    pub(crate) with_scorecards: i64,
}

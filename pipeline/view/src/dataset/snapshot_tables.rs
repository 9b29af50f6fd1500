//! The tables of a snapshot that are served.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::RecordBatch;
use chrono::NaiveDate;

use super::lazy_columns::LazyColumns;

/// What the server needs to know of a snapshot beside its tables.
#[derive(Debug, Clone)]
pub struct SnapshotInfo {
    /// Id of the snapshot.
    pub id: String,
    /// Date of the last event with facts in it; `None` if there is none.
    pub facts_until: Option<NaiveDate>,
    /// Whether the data is made up.
    pub synthetic: bool,
    /// Rows of each of its tables, by name.
    pub rows: BTreeMap<String, u64>,
}

macro_rules! snapshot_tables {
    ($n:literal: $($name:ident),+; $large:literal: $($lazy:ident),+ $(,)?) => {
        /// The published tables that are served, under their contract names.
        #[derive(Debug, Clone)]
        pub struct SnapshotTables {
            $(pub $name: RecordBatch,)+
            $(pub $lazy: Arc<dyn LazyColumns>,)+
        }

        impl SnapshotTables {
            /// Those that are read whole.
            pub(crate) const WHOLE: [&str; $n] = [$(stringify!($name)),+];
            /// Those that are read a part at a time.
            pub(crate) const IN_PARTS: [&str; $large] = [$(stringify!($lazy)),+];

            /// Those of [`Self::WHOLE`] and of [`Self::IN_PARTS`], in their order.
            pub(crate) fn of(whole: [RecordBatch; $n], in_parts: [Arc<dyn LazyColumns>; $large]) -> Self {
                let [$($name),+] = whole;
                let [$($lazy),+] = in_parts;
                Self { $($name,)+ $($lazy,)+ }
            }
        }
    };
}

snapshot_tables! {
    24: events, bouts, fighters, results, round_stats, scorecards, identities, corrections, validity, aliases, articles, deductions, images, judge_cards, mentions, rankings, ratings, round_scorecards, short_notices, sources, stated_careers, videos, weigh_ins, wire;
    5: dna_versions, splits, round_profiles, finish_profiles, finish_times,
}

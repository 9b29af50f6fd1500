//! Lists that a later capture gives otherwise: each leaves a row in `corrections`.

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::address_id;
use fdna_rows::{CaptureFacts, TableRow, row_cells};
use fdna_schemas::tables::CorrectionsRow;

use super::division::RankingDivision;
use super::lists::RankingList;
use crate::facts::to_json_list;

/// A list as it was, and as the capture that replaced it has it.
pub(super) struct RankingCorrections<'a> {
    key: (RankingDivision, NaiveDate),
    old: RankingList<'a>,
    new: String,
    at: DateTime<Utc>,
    by: &'a str,
}

impl<'a> RankingCorrections<'a> {
    pub(super) fn new(
        key: (RankingDivision, NaiveDate),
        old: RankingList<'a>,
        new: &RankingList<'_>,
        capture: &'a CaptureFacts,
    ) -> Self {
        Self { key, old, new: list_text(new), at: capture.captured_at, by: &capture.capture }
    }

    fn correction_row(&self) -> TableRow {
        let (division, day) = self.key;
        let part = format!("{day}/{}", division.name());
        row_cells(&CorrectionsRow {
            kind: "ranking",
            entity_id: address_id("ranking", &part),
            part: &part,
            field: "places",
            change: "changed",
            old: Some(&list_text(&self.old)),
            new: Some(&self.new),
            old_first_seen_at: self.old.since,
            old_last_seen_at: self.old.captured_at,
            old_last_seen_in: self.old.capture,
            replaced_at: self.at,
            replaced_by: self.by,
        })
    }
}

/// Rows of `corrections`.
pub(super) fn correction_rows(restated: &[RankingCorrections<'_>]) -> Vec<TableRow> {
    restated.iter().map(RankingCorrections::correction_row).collect()
}

/// Names and ranks of a list, in its order.
fn list_text(list: &RankingList<'_>) -> String {
    let places = list.places.iter().map(|p| serde_json::json!({ "fighter_name": p.name, "rank": p.rank }));
    to_json_list(&places.collect::<Vec<_>>())
}

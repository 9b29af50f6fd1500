//! Lists that a later capture gives otherwise: each leaves a row in `corrections`.

use chrono::{DateTime, NaiveDate, Utc};
use fdna_model::address_id;
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};

use super::division::RankingDivision;
use super::lists::RankingList;
use crate::facts::json;

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
        Self { key, old, new: text(new), at: capture.captured_at, by: &capture.capture }
    }

    fn values(&self) -> [CellValue; 12] {
        let (division, day) = self.key;
        let part = format!("{day}/{}", division.name());
        [
            "ranking".into(),
            address_id("ranking", &part).into(),
            CellValue::text(&part),
            "places".into(),
            "changed".into(),
            CellValue::text(text(&self.old)),
            CellValue::text(&self.new),
            self.old.since.into(),
            self.old.captured_at.into(),
            self.old.capture.into(),
            self.at.into(),
            self.by.into(),
        ]
    }
}

/// Rows of `corrections`.
pub(super) fn rows(restated: &[RankingCorrections<'_>]) -> Result<Vec<TableRow>, RowsError> {
    let layout = TableLayout::corrections()?;
    Ok(restated.iter().map(|restated| layout.row(restated.values())).collect())
}

/// Names and ranks of a list, in its order.
fn text(list: &RankingList<'_>) -> String {
    let places = list.places.iter().map(|p| serde_json::json!({ "fighter_name": p.name, "rank": p.rank }));
    json(&places.collect::<Vec<_>>())
}

//! Events that are over and of which no bout is known: a source lists them before it lists what was fought.

use std::collections::BTreeSet;

use arrow::array::RecordBatch;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::RowsError;
use fdna_schemas::tables::{
    BoutsReader, BoutsRow, ContractReader as _, ContractRow as _, EventsReader, EventsRow,
};

/// A note for each, by the capture that told of it last.
pub(super) fn empty_event_findings(
    tables: &[(String, RecordBatch)],
) -> Result<Vec<(String, Finding)>, RowsError> {
    let table = |name: &str| tables.iter().find(|(own, _)| own == name).map(|(_, batch)| batch);
    let (Some(events), Some(bouts)) = (table(EventsRow::TABLE), table(BoutsRow::TABLE)) else {
        return Ok(Vec::new());
    };
    let with_bouts: BTreeSet<_> = BoutsReader::of(bouts).event_id()?.into_iter().collect();
    let events = EventsReader::of(events).all_rows()?.into_iter();
    let empty = events
        .filter(|event| event.card_status == Some("completed") && !with_bouts.contains(&event.event_id));
    let note = |event: fdna_schemas::tables::EventsRow<'_>| {
        let finding = Finding {
            kind: FindingKind::NoBout,
            severity: Severity::Note,
            file: String::new(),
            line: 0,
            key: Some(event.event_id.to_string()),
            reason: format!("`{}` of {} is over, and no bout of it is known", event.name, event.event_date),
            raw: None,
        };
        (event.last_capture.unwrap_or_default().to_owned(), finding)
    };
    Ok(empty.map(note).collect())
}

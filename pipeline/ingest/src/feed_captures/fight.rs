//! A fight of a capture, and the two ways in which lists of them run.

use fdna_model::FindingKind;

use crate::parse;
use crate::record_files::{JsonObject, LocatedRow};
use crate::row::RowError;
use crate::schedule::{BoutCorner, CardPosition, ScheduledBout, Status, stands_for_nobody};

pub(super) fn read(
    event: Option<&str>,
    listed_at: i32,
    json: JsonObject<'_>,
    unknown: Option<String>,
) -> Result<ScheduledBout, RowError> {
    let aside = || RowError::new(FindingKind::UnknownEvent, "its event is set aside");
    let event = event.ok_or_else(aside)?;
    let id = json.text("id").ok_or_else(|| RowError::new(FindingKind::MissingValue, "`id` has no value"))?;
    let is_noted = is_place(id, event);
    let parts: Vec<&str> =
        json.text("weight_class").unwrap_or_default().split(" - ").map(str::trim).collect();
    let is_main = parts.contains(&"Main Event");
    let class = parts.first().filter(|text| !text.is_empty() && !is_note(text));
    Ok(ScheduledBout {
        event: event.to_owned(),
        source_id: parse::feed_id(id).filter(|_| !is_noted).map(str::to_owned),
        listed_at,
        // Turned round where the list is whole.
        order: json.int("order"),
        position: is_main.then_some(CardPosition::MainEvent),
        weight_class: class.map(|text| (*text).to_owned()),
        is_title: is_noted.then(|| parts.contains(&"Title Fight")),
        status: status(json)?,
        status_raw: json.string("status"),
        // Lists without ids of the bouts give every bout the fighters' ids of the main event.
        corners: ["red", "blue"].map(|side| corner(json, side, !is_noted || is_main)),
        unknown,
        ..ScheduledBout::default()
    })
}

/// `600058725-1`: the first of the event's fights, and no id of a bout.
fn is_place(id: &str, event: &str) -> bool {
    id.strip_prefix(event).is_some_and(|rest| rest.starts_with('-'))
}

fn is_note(text: &str) -> bool {
    ["Main Event", "Title Fight"].contains(&text)
}

fn status(json: JsonObject<'_>) -> Result<Option<Status>, RowError> {
    match json.text("status") {
        None => Ok(None),
        Some("scheduled") => Ok(Some(Status::Scheduled)),
        Some("completed") => Ok(Some(Status::Completed)),
        Some(other) => Err(RowError::new(FindingKind::UnreadableValue, format!("`status` is `{other}`"))),
    }
}

fn corner(json: JsonObject<'_>, side: &str, is_own_id: bool) -> BoutCorner {
    let name = json.text(&format!("{side}.name")).filter(|name| !stands_for_nobody(name));
    let id = json.text(&format!("{side}.espn_id")).and_then(parse::feed_id);
    BoutCorner {
        source_id: id.filter(|_| name.is_some() && is_own_id).map(str::to_owned),
        name: name.map(str::to_owned),
        ..BoutCorner::default()
    }
}

/// Gives the fights of one event their places on the card: as numbered where they have ids of their own, turned
/// round where the main event is the first, and none where neither is so.
pub(super) fn place(bouts: &mut [LocatedRow<ScheduledBout>], event: JsonObject<'_>) {
    let listed = event.list("fights").count();
    let n = i32::try_from(listed).unwrap_or(i32::MAX);
    let is_whole = bouts.len() == listed && bouts.iter().map(|b| b.value.order).eq((1..=n).map(Some));
    let has_ids = bouts.iter().all(|bout| bout.value.source_id.is_some());
    let is_main = |bout: &LocatedRow<ScheduledBout>| bout.value.position == Some(CardPosition::MainEvent);
    let is_main_first = bouts.first().is_some_and(is_main) && !bouts.iter().skip(1).any(is_main);
    for bout in bouts {
        let order = bout.value.order.filter(|_| is_whole);
        bout.value.order = match (has_ids, is_main_first) {
            (true, _) => order,
            (false, true) => order.map(|order| n + 1 - order),
            (false, false) => None,
        };
    }
}

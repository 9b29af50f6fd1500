//! A bout of the feed, there called a competition.

use fdna_model::FindingKind;

use super::event::{channels, id, instant, status};
use super::fighter;
use crate::record_files::{JsonObject, LocatedRow, text_of};
use crate::row::RowError;
use crate::schedule::{self, BoutCorner, CardPosition, ScheduledBout, Status, Winner};

/// Reads the bout at a place of its event's list.
pub(super) fn read(
    event: Option<&str>,
    listed_at: i32,
    json: JsonObject<'_>,
    unknown: Option<String>,
) -> Result<ScheduledBout, RowError> {
    let refuse = |kind, reason: &str| RowError::new(kind, reason);
    let event = event.ok_or_else(|| refuse(FindingKind::UnknownEvent, "its event is set aside"))?;
    let competitors: Vec<JsonObject<'_>> = json.list("competitors").collect();
    let [first, second] = competitors[..] else {
        let reason = format!("it has {} competitors", competitors.len());
        return Err(RowError::new(FindingKind::Contradiction, reason));
    };
    let status = status(json);
    let is_time = json.truth("timeValid") != Some(false);
    Ok(ScheduledBout {
        event: event.to_owned(),
        source_id: Some(id(json)?),
        listed_at,
        // Turned round where the list is whole.
        order: json.int("matchNumber"),
        position: position(json),
        start_at: instant(json, "date")?.filter(|_| is_time),
        weight_class: json.string("type.text").or_else(|| json.string("type.abbreviation")),
        is_title: is_title(json),
        rounds: json.int("format.regulation.periods").filter(|rounds| (1..=12).contains(rounds)),
        winner: winner(status, json, [first, second])?,
        status,
        status_raw: json.string("status.type.name"),
        corners: [corner(first), corner(second)],
        broadcast: text_of(channels(json).into_iter()),
        unknown,
        ..ScheduledBout::default()
    })
}

fn position(json: JsonObject<'_>) -> Option<CardPosition> {
    if note_has(json, "main event") == Some(true) {
        return Some(CardPosition::MainEvent);
    }
    let segment = json.text("cardSegment.description").and_then(CardPosition::of_segment);
    segment.or_else(|| json.text("cardSegment.name").and_then(CardPosition::of_segment))
}

/// Whether a part of the note, such as `Welterweight - Main Event - Title Fight`, is this; `None` without a note.
fn note_has(json: JsonObject<'_>, part: &str) -> Option<bool> {
    let note = json.text("note")?.to_lowercase();
    Some(note.split(" - ").any(|p| p.trim() == part))
}

/// Belts are named in `types` and in the note; a payload without either says nothing of them.
fn is_title(json: JsonObject<'_>) -> Option<bool> {
    let belt = json.list("types").filter_map(|t| t.text("text")).any(|text| text.contains("Title"));
    match note_has(json, "title fight") {
        _ if belt => Some(true),
        noted => noted,
    }
}

fn corner(competitor: JsonObject<'_>) -> BoutCorner {
    if fighter::is_nobody(competitor) {
        return BoutCorner::default();
    }
    BoutCorner {
        source_id: id(competitor).ok(),
        name: competitor.string("athlete.displayName"),
        record: fighter::record(competitor),
        ..BoutCorner::default()
    }
}

/// Before a bout is over, the feed writes `false` for both.
fn winner(
    status: Option<Status>,
    json: JsonObject<'_>,
    competitors: [JsonObject<'_>; 2],
) -> Result<Option<Winner>, RowError> {
    let is_over = status == Some(Status::Completed) && json.truth("status.type.completed") == Some(true);
    match competitors.map(|competitor| competitor.truth("winner") == Some(true)) {
        _ if !is_over => Ok(None),
        [true, true] => Err(RowError::new(FindingKind::Contradiction, "both have won")),
        [true, false] => Ok(Some(Winner::First)),
        [false, true] => Ok(Some(Winner::Second)),
        // A draw, or a no contest: it does not say which.
        [false, false] => Ok(None),
    }
}

/// Gives the bouts of one event, of which the source lists `n`, their places on the card.
pub(super) fn place(bouts: &mut [LocatedRow<ScheduledBout>], n: usize) {
    let mut bouts: Vec<&mut ScheduledBout> = bouts.iter_mut().map(|bout| &mut bout.value).collect();
    let numbers: Vec<Option<i32>> = bouts.iter().map(|bout| bout.order).collect();
    bouts.iter_mut().for_each(|bout| bout.order = None);
    if bouts.len() != n {
        return;
    }
    if numbers.iter().all(Option::is_none) {
        return place_by_time(&mut bouts);
    }
    let last = i32::try_from(n).unwrap_or(i32::MAX);
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    if sorted.into_iter().eq((1..=last).map(Some)) {
        for (bout, number) in bouts.iter_mut().zip(numbers) {
            bout.order = number.map(|number| last + 1 - number);
        }
        schedule::name_top_bouts(&mut bouts);
    }
}

/// A list that goes on in time, over two times at least, is in the order of the card.
fn place_by_time(bouts: &mut [&mut ScheduledBout]) {
    let times: Vec<_> = bouts.iter().map(|bout| bout.start_at).collect();
    let goes_on = times.is_sorted() && times.iter().all(Option::is_some) && times.first() != times.last();
    for bout in bouts.iter_mut().filter(|_| goes_on) {
        bout.order = Some(bout.listed_at);
    }
}

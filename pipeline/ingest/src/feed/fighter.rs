//! A fighter of the feed: one of the competitors of a bout.

use fdna_model::FindingKind;

use super::event::{id, required};
use crate::parse;
use crate::record_files::JsonObject;
use crate::row::RowError;
use crate::schedule::{ScheduledFighter, stands_for_nobody};

pub(super) fn read(json: JsonObject<'_>, unknown: Option<String>) -> Result<ScheduledFighter, RowError> {
    let name = required(json, "athlete.displayName")?;
    if is_nobody(json) {
        return Err(RowError::note(FindingKind::UnknownFighter, format!("`{name}` stands for nobody")));
    }
    Ok(ScheduledFighter {
        source_id: id(json)?,
        name: name.to_owned(),
        nickname: json.string("athlete.nickname"),
        date_of_birth: read_or_refuse(json, "athlete.dateOfBirth", date_of_birth)?,
        height_in: read_or_refuse(json, "athlete.displayHeight", parse::height_in)?.map(f64::from),
        reach_in: read_or_refuse(json, "athlete.displayReach", reach)?,
        stance: json.string("athlete.stance.text"),
        country: json.string("athlete.country").or_else(|| json.string("athlete.flag.alt")),
        record: record(json),
        unknown,
    })
}

/// A text that is there but unreadable is not unknown.
fn read_or_refuse<T>(
    json: JsonObject<'_>,
    path: &str,
    reader: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, RowError> {
    let Some(text) = json.text(path) else { return Ok(None) };
    let refusal = || RowError::new(FindingKind::UnreadableValue, format!("`{path}` is `{text}`"));
    reader(text).map(Some).ok_or_else(refusal)
}

/// A day, or an instant of which the day counts.
fn date_of_birth(text: &str) -> Option<chrono::NaiveDate> {
    parse::iso_date(text).or_else(|| parse::instant(text).map(|t| t.date_naive()))
}

/// `74.5"`.
fn reach(text: &str) -> Option<f64> {
    parse::reach_inches(text.strip_suffix('"')?)
}

pub(super) fn is_nobody(json: JsonObject<'_>) -> bool {
    json.text("athlete.displayName").is_some_and(stands_for_nobody)
}

/// Wins, losses and draws: of the fight centre, or the scoreboard's total.
pub(super) fn record(json: JsonObject<'_>) -> Option<String> {
    let total = || json.list("records").find(|record| record.text("type") == Some("total"));
    json.string("displayRecord").or_else(|| total()?.string("summary"))
}

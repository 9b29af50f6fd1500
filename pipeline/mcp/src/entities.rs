//! Fighters by name and events by `next` and `latest`, where the API takes ids.

use fdna_api::ErrorCode;
use serde_json::Value;

use crate::Refusal;
use crate::ask::ask;
use fdna_server::write_query;

/// Fighters that are looked at for one of the name.
const CANDIDATES: &str = "25";

/// Whether a text may be an id or a `slug_id`: it becomes part of an address.
pub(crate) fn is_id(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphanumeric())
        && letters
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '~' | ':'))
}

fn is_uuid(text: &str) -> bool {
    let is_part = |(at, letter): (usize, char)| match at {
        8 | 13 | 18 | 23 => letter == '-',
        _ => letter.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.chars().enumerate().all(is_part)
}

/// The id of a fighter: what is given if it is one, else that of the only fighter of the name.
pub(crate) async fn find_fighter(
    api: &fdna_server::LocalApi,
    text: &str,
    snapshot: Option<&str>,
) -> Result<String, Refusal> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    if is_id(text) {
        match ask(api, &format!("/v1/mma/fighters/{text}{}", write_query(&[("snapshot", snapshot)]))).await {
            Ok(_) => return Ok(text.to_owned()),
            Err(refusal) if refusal.status != 404 => return Err(refusal),
            Err(_) => {}
        }
    }
    let pairs = [("q", Some(text)), ("limit", Some(CANDIDATES)), ("snapshot", snapshot)];
    let found = ask(api, &format!("/v1/mma/fighters{}", write_query(&pairs))).await?;
    let found: Vec<[&str; 2]> = found["data"].as_array().into_iter().flatten().map(name_and_id).collect();
    let is_named = |[name, _]: &&[&str; 2]| name.to_lowercase() == text.trim().to_lowercase();
    let exact: Vec<&[&str; 2]> = found.iter().filter(is_named).collect();
    match (exact.as_slice(), found.as_slice()) {
        ([[_, id]], _) | ([], [[_, id]]) => Ok((*id).to_owned()),
        (_, []) => Err(Refusal::new(
            ErrorCode::NotFound,
            format!("No fighter is named `{text}`; `search` finds ids"),
        )),
        _ => {
            let names: Vec<String> = found.iter().map(|[name, id]| format!("{name} ({id})")).collect();
            let message = format!("Several fighters fit `{text}`; give an id: {}", names.join(", "));
            Err(Refusal::new(ErrorCode::InvalidParameter, message))
        }
    }
}

fn name_and_id(fighter: &Value) -> [&str; 2] {
    ["name", "id"].map(|name| fighter[name].as_str().unwrap_or_default())
}

/// The id of an event: what is given, or that of the next or the latest one.
pub(crate) async fn find_event(
    api: &fdna_server::LocalApi,
    text: &str,
    snapshot: Option<&str>,
) -> Result<String, Refusal> {
    let status = match text {
        "next" => "upcoming",
        "latest" => "recent",
        id if is_id(id) => return Ok(id.to_owned()),
        _ => {
            let message = format!(
                "`{text}` is no id of an event; `search` finds ids, and `next` and `latest` are taken too"
            );
            return Err(Refusal::new(ErrorCode::InvalidParameter, message));
        }
    };
    let pairs =
        [("status", Some(status)), ("has_bouts", Some("true")), ("limit", Some("1")), ("snapshot", snapshot)];
    let events = ask(api, &format!("/v1/mma/events{}", write_query(&pairs))).await?;
    let id = events["data"][0]["id"].as_str().map(str::to_owned);
    id.ok_or_else(|| Refusal::new(ErrorCode::NotFound, format!("No event is {status} in this snapshot")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_id_becomes_no_part_of_an_address() {
        assert!(is_id("jon-jones-07f72a2a") && is_id("0198c6f2-0000-7000-8000-000000000000"));
        for text in ["", "..", "a/b", "a b", "a?b", "a%2f", "-a", "é"] {
            assert!(!is_id(text), "{text}");
        }
        assert!(is_uuid("0198c6f2-0000-7000-8000-000000000000") && !is_uuid("jon-jones-07f72a2a"));
    }
}

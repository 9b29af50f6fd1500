//! Suggestions of a search, with names and pages; `/suggest?q=` for the search field while one types.

use serde_json::{Value, json};

use crate::ask::{ApiClient, Refusal};
use crate::shown::name_parties;
use fdna_server::write_query;

/// Suggestions at most.
const LIMIT: &str = "8";

/// Text and address of each, as JSON.
pub(crate) async fn suggest(api: &ApiClient, text: &str) -> Result<String, Refusal> {
    let address = format!("/v1/mma/search{}", write_query(&[("q", Some(text)), ("limit", Some(LIMIT))]));
    let found = api.get_data(&address).await?;
    let one = |found: &Value| {
        let is_suggested = found["kind"] == "fighter" || found["kind"] == "event";
        let (text, href) = (name_found(found), find_page(found)?);
        is_suggested.then(|| json!({"text": text, "kind": found["kind"], "href": href}))
    };
    Ok(found.as_array().into_iter().flatten().filter_map(one).collect::<Value>().to_string())
}

/// The page about what was found; `None` for an article, which is elsewhere.
pub(crate) fn find_page(found: &Value) -> Option<String> {
    let record = &found["record"];
    Some(match found["kind"].as_str()? {
        "fighter" => format!("/fighters/{}", record["slug_id"].as_str()?),
        "event" => format!("/events/{}", record["id"].as_str()?),
        "bout" => format!("/bouts/{}", record["bout"]["id"].as_str()?),
        _ => return None,
    })
}

/// What it is called.
pub(crate) fn name_found(found: &Value) -> String {
    let record = &found["record"];
    let name = record["name"].as_str().or_else(|| record["title"].as_str());
    name.map_or_else(|| name_parties(record).join(" vs. "), str::to_owned)
}

/// What tells it apart from others of the name: the day of an event, the event of a bout, a nickname.
pub(crate) fn describe_found(found: &Value) -> Option<String> {
    let record = &found["record"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match found["kind"].as_str()? {
        "fighter" => text(&record["nickname"]).map(|nickname| format!("“{nickname}”")),
        "event" => text(&record["event_date"]),
        "bout" => {
            Some(format!("{}, {}", text(&record["event"]["name"])?, text(&record["event"]["event_date"])?))
        }
        _ => text(&record["published_at"]).map(|at| crate::shown::day(&at).to_owned()),
    }
}

//! `/suggest?q=`: fighters and events whose names begin so, for the search field.

use serde_json::json;

use crate::ask::{Api, Refusal, query};
use crate::model::Found;

/// Suggestions at most.
const LIMIT: &str = "8";

/// Text and address of each, as JSON.
pub(crate) async fn suggest(api: &Api, text: &str) -> Result<String, Refusal> {
    let address = format!("/v1/mma/search{}", query(&[("q", Some(text)), ("limit", Some(LIMIT))]));
    let found: Vec<Found> = api.data(&address).await?;
    let one = |found: &Found| {
        let name = found.record["name"].as_str()?;
        let href = match found.kind.as_str() {
            "fighter" => format!("/fighters/{}", found.record["slug_id"].as_str()?),
            "event" => format!("/events/{}", found.record["id"].as_str()?),
            _ => return None,
        };
        Some(json!({"text": name, "kind": found.kind, "href": href}))
    };
    Ok(serde_json::Value::from_iter(found.iter().filter_map(one)).to_string())
}

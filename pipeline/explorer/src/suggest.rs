//! `/suggest?q=`: fighters and events whose names begin so, for the search field.

use serde_json::{Value, json};

use crate::ask::{ApiClient, Refusal, query};

/// Suggestions at most.
const LIMIT: &str = "8";

/// Text and address of each, as JSON.
pub(crate) async fn suggest(api: &ApiClient, text: &str) -> Result<String, Refusal> {
    let address = format!("/v1/mma/search{}", query(&[("q", Some(text)), ("limit", Some(LIMIT))]));
    let found = api.get_data(&address).await?;
    let one = |found: &Value| {
        let (kind, record) = (found["kind"].as_str()?, &found["record"]);
        let href = match kind {
            "fighter" => format!("/fighters/{}", record["slug_id"].as_str()?),
            "event" => format!("/events/{}", record["id"].as_str()?),
            _ => return None,
        };
        Some(json!({"text": record["name"].as_str()?, "kind": kind, "href": href}))
    };
    Ok(found.as_array().into_iter().flatten().filter_map(one).collect::<Value>().to_string())
}

//! From a call of a tool to an answer, or a refusal.

use std::sync::Arc;

use fdna_api::operations::snapshots::EXPLAIN_ROW;
use fdna_api::{ErrorCode, Operation};
use fdna_server::{LocalApi, write_query};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::ask::ask;
use crate::entities::{find_event, find_fighter, is_id};
use crate::questions::{LakeName, MAX_QUERY_BYTES, MAX_ROWS, SqlQuestion};
use crate::tool_context::{TURN_WAIT, ToolContext};
use crate::tool_file::ToolEntry;
use crate::{Refusal, bounds, catalog};

/// The answer of a tool, not longer than [`crate::MAX_BYTES`].
pub(crate) async fn call_tool(
    shared: &Arc<ToolContext>,
    tool: &ToolEntry,
    arguments: Map<String, Value>,
) -> Result<Value, Refusal> {
    let answer = match tool.operation() {
        Some(operation) => call_operation(shared, tool, operation, arguments).await?,
        None => query_lake(shared, parse_arguments(arguments)?).await?,
    };
    let go_on = &tool.go_on;
    bounds::fit(answer, go_on).ok_or_else(|| {
        let message = format!("The answer is longer than {} bytes. {go_on}", bounds::MAX_BYTES);
        Refusal::new(ErrorCode::InvalidParameter, message)
    })
}

fn parse_arguments<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Refusal> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        Refusal::new(
            ErrorCode::InvalidParameter,
            format!("The arguments do not fit the tool's schema: {error}"),
        )
    })
}

async fn call_operation(
    shared: &ToolContext,
    tool: &ToolEntry,
    operation: &Operation,
    mut arguments: Map<String, Value>,
) -> Result<Value, Refusal> {
    let api = shared.lakes.mma().await;
    add_defaults(tool, &mut arguments);
    let path = fill_path(api, tool, operation, &mut arguments).await?;
    let pairs = arguments.iter().map(|(name, value)| Ok((name.as_str(), parameter_text(name, value)?)));
    let pairs = pairs.collect::<Result<Vec<_>, Refusal>>()?;
    let pairs: Vec<(&str, Option<&str>)> =
        pairs.iter().map(|(name, text)| (*name, text.as_deref())).collect();
    let mut answer = ask(api, &(path + &write_query(&pairs))).await?;
    let words = pairs.iter().find_map(|(name, text)| if *name == "q" { *text } else { None });
    if let (Some(catalog), Some(words)) = (shared.lakes.catalog().await, words) {
        answer["catalog"] = catalog::search(catalog, words, "10").await;
    }
    if operation.id == EXPLAIN_ROW.id {
        add_metric(api, &mut answer).await?;
    }
    Ok(answer)
}

/// The path of an operation with arguments in their places; they are taken out.
async fn fill_path(
    api: &LocalApi,
    tool: &ToolEntry,
    operation: &Operation,
    arguments: &mut Map<String, Value>,
) -> Result<String, Refusal> {
    let snapshot = arguments.get("snapshot").and_then(Value::as_str).map(str::to_owned);
    let mut path = operation.path.to_owned();
    for (parameter, argument) in &tool.path {
        let given = arguments.remove(argument);
        let text = given.as_ref().and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| invalid(format!("`{argument}` is required, as text")))?;
        let segment = match argument.as_str() {
            "event" => find_event(api, text, snapshot.as_deref()).await?,
            name if name.starts_with("fighter") => find_fighter(api, text, snapshot.as_deref()).await?,
            _ if is_id(text) => text.to_owned(),
            _ => {
                return Err(invalid(format!(
                    "`{argument}` is `{text}`; it takes letters, digits, `_` and `-`"
                )));
            }
        };
        path = path.replace(&format!("{{{parameter}}}"), &segment);
    }
    Ok(path)
}

/// Puts the metric that a row was asked about beside its explanation, which has the address of it alone.
async fn add_metric(api: &LocalApi, answer: &mut Value) -> Result<(), Refusal> {
    let (explained, snapshot) = (&answer["data"], answer["data"]["snapshot_id"].as_str());
    let Some(address) = explained["metric"].as_str() else { return Ok(()) };
    let address = format!("{address}&snapshot={}", snapshot.unwrap_or_default());
    let mut version = ask(api, &address).await?;
    let mut metric = version["data"]["metrics"][0].take();
    metric["as_of"] = version["data"]["as_of"].take();
    answer["metric"] = metric;
    Ok(())
}

fn add_defaults(tool: &ToolEntry, arguments: &mut Map<String, Value>) {
    let is_open = |name: &str| tool.unless.get(name).is_none_or(|other| !arguments.contains_key(other));
    let open: Vec<_> = tool.defaults.iter().filter(|(name, _)| is_open(name)).collect();
    for (name, value) in open {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        arguments.entry(name.clone()).or_insert(value.into());
    }
}

/// An argument as the query of an address has it; null is left out.
fn parameter_text(name: &str, value: &Value) -> Result<Option<String>, Refusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Bool(_) | Value::Number(_) => Ok(Some(value.to_string())),
        Value::Array(items) => {
            let texts = items.iter().map(|item| parameter_text(name, item));
            let texts: Vec<Option<String>> = texts.collect::<Result<_, _>>()?;
            Ok(Some(texts.into_iter().flatten().collect::<Vec<_>>().join(",")))
        }
        Value::Object(_) => Err(invalid(format!("`{name}` takes a text, a number or a list, no object"))),
    }
}

fn invalid(message: String) -> Refusal {
    Refusal::new(ErrorCode::InvalidParameter, message)
}

async fn query_lake(shared: &Arc<ToolContext>, question: SqlQuestion) -> Result<Value, Refusal> {
    let (lake, limit) = (question.lake, question.limit as usize);
    if !(1..=MAX_ROWS).contains(&question.limit) {
        return Err(invalid(format!("`limit` is {limit}; allowed is an integer from 1 to {MAX_ROWS}")));
    }
    if question.query.trim().is_empty() || question.query.len() > MAX_QUERY_BYTES {
        return Err(invalid(format!("`query` must be a SELECT of at most {MAX_QUERY_BYTES} characters")));
    }
    let snapshot = snapshot_id(shared, lake, question.snapshot.as_deref()).await?;
    let (asked, id) = (Arc::clone(shared), snapshot.clone());
    let mut rows = in_turn(shared, move || asked.queries.run_query(&question, &id)).await?.rows;
    let is_complete = rows.len() <= limit;
    rows.truncate(limit);
    let meta =
        json!({"lake": lake, "snapshot_id": snapshot, "count": rows.len(), "is_complete": is_complete});
    Ok(json!({"data": rows, "meta": meta}))
}

/// The snapshot that is asked about: the one that is named, or the one that is served.
async fn snapshot_id(shared: &ToolContext, lake: LakeName, named: Option<&str>) -> Result<String, Refusal> {
    if let Some(id) = named {
        let is_id = id.len() == 32 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let message = || invalid(format!("`snapshot` is `{id}`; allowed are 32 lower-case hex digits"));
        return if is_id { Ok(id.to_owned()) } else { Err(message()) };
    }
    let served = match lake {
        LakeName::Mma => shared.lakes.mma().await.snapshot().map(|snapshot| snapshot.id),
        LakeName::Catalog => {
            shared.lakes.catalog().await.and_then(LocalApi::catalog_snapshot).map(|(id, _)| id)
        }
    };
    served.ok_or_else(|| {
        let message = match lake {
            LakeName::Mma => "No snapshot is loaded yet; try again in a few seconds",
            LakeName::Catalog => {
                "No multi-sport catalog is served here: `fightdna mcp --catalog-lake` names one"
            }
        };
        Refusal::new(ErrorCode::SnapshotNotAvailable, message)
    })
}

/// Work that blocks, of which only some is done at a time.
async fn in_turn<T: Send + 'static>(
    shared: &ToolContext,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let waiting = tokio::time::timeout(TURN_WAIT, Arc::clone(&shared.turns).acquire_owned());
    let Ok(Ok(turn)) = waiting.await else {
        return Err(Refusal::new(
            ErrorCode::Busy,
            "Other questions of this kind are at work; ask again in a few seconds",
        ));
    };
    let done = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    });
    done.await.unwrap_or_else(|_| {
        Err(Refusal::new(ErrorCode::Internal, "a fault of ours; the log of the server has it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_as_the_api_takes_them() {
        let text = |value: Value| parameter_text("x", &value);
        assert_eq!(text(json!(["a", "b"])).unwrap().as_deref(), Some("a,b"));
        assert_eq!(text(json!("a,b")).unwrap().as_deref(), Some("a,b"));
        assert_eq!(text(json!(-1.5)).unwrap().as_deref(), Some("-1.5"));
        assert_eq!(text(json!(true)).unwrap().as_deref(), Some("true"));
        assert_eq!(text(Value::Null).unwrap(), None);
        assert_eq!(text(json!({"a": 1})).unwrap_err().code, "invalid_parameter");
    }
}

//! Calls of the API that a page declares, one after the other.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::template::TemplateScope;
use super::{DeclaredAsk, DeclaredPage};
use crate::ask::{ApiClient, Ask, Refusal};

/// Ids that one question to the API may name.
const AT_ONCE: usize = 25;

/// What was asked of a page and what the API answers, by name: each answer with `data`, `meta`, and why there is none.
pub(super) struct PageAnswers {
    pub(super) page: Value,
    pub(super) definitions: Arc<Value>,
}

impl PageAnswers {
    pub(super) fn scope(&self) -> TemplateScope<'_> {
        TemplateScope { page: &self.page, row: &self.page, definitions: &self.definitions }
    }
}

impl DeclaredPage {
    pub(super) async fn ask_operations(&self, api: &ApiClient, ask: &Ask) -> Result<PageAnswers, Refusal> {
        let query: Map<String, Value> =
            self.query_names().map(|name| (name.clone(), ask.get(name).into())).collect();
        let snapshot = api.local.snapshot().map(|snapshot| snapshot.id);
        let ids = (ask.id(), ask.ids.get(1));
        let page =
            json!({"query": query, "id": ids.0, "other_id": ids.1, "snapshot": snapshot, "metric": null});
        let mut answers = PageAnswers { page, definitions: Arc::default() };
        for asked in &self.asks {
            if asked.name == "definitions" {
                answers.definitions = api.get_definitions().await?;
                answers.page["metric"] = self.find_metric(&answers)?;
                continue;
            }
            let scope = answers.scope();
            let answer =
                if asked.condition.is_met(scope) { asked.ask_all(api, scope).await? } else { absent(None) };
            answers.page[&asked.name] = answer;
        }
        Ok(answers)
    }

    /// The definition of the metric that the page is about.
    fn find_metric(&self, answers: &PageAnswers) -> Result<Value, Refusal> {
        let name = self.metric.as_ref().and_then(|name| name.fill(answers.scope()));
        let Some(name) = name else { return Ok(Value::Null) };
        let metrics = answers.definitions["data"]["metrics"].as_array();
        let found = metrics.and_then(|metrics| metrics.iter().find(|metric| metric["metric"] == *name));
        let none = || Refusal::not_found(format!("no metric is named `{name}`; /metrics lists all"));
        found.cloned().ok_or_else(none)
    }
}

impl DeclaredAsk {
    async fn ask_all(&self, api: &ApiClient, scope: TemplateScope<'_>) -> Result<Value, Refusal> {
        let Some(ids) = &self.ids else { return self.ask_once(api, scope).await };
        let ids = ids.evaluate(scope);
        let ids: Vec<&str> = ids.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut found = Vec::new();
        for ids in ids.chunks(AT_ONCE) {
            let row = json!({"ids": ids.join(",")});
            let mut answer = self.ask_once(api, TemplateScope { row: &row, ..scope }).await?;
            if let Value::Array(rows) = answer["data"].take() {
                found.extend(rows);
            }
        }
        Ok(json!({"data": found, "meta": null, "refusal": null}))
    }

    async fn ask_once(&self, api: &ApiClient, scope: TemplateScope<'_>) -> Result<Value, Refusal> {
        let address = self.address.as_ref().and_then(|address| address.fill(scope));
        let address = address.ok_or_else(Refusal::unreadable_answer)?;
        match api.get(&address).await {
            Ok(mut answer) => {
                answer["refusal"] = Value::Null;
                Ok(answer)
            }
            Err(refusal) if self.may_be_missing && matches!(refusal.status, 404 | 503) => {
                Ok(absent(Some(refusal)))
            }
            Err(refusal) => Err(refusal),
        }
    }
}

/// In the place of an answer that was not asked for, or that is not there.
fn absent(refusal: Option<Refusal>) -> Value {
    json!({"data": null, "meta": null, "refusal": refusal.map(|refusal| refusal.message)})
}

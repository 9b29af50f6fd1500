//! Requests of pages: their own parameters, and calls of the API.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use fdna_api::Failure;
use fdna_server::{LocalApi, write_query};
use serde::Deserialize;
use serde_json::Value;

/// Path parameters in order, and the query without what is empty.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) ids: Vec<String>,
    pub(crate) query: BTreeMap<String, String>,
}

impl Ask {
    pub(crate) fn id(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }
}

/// Whether a text may be an id: it becomes part of an address, where nothing else has a place.
pub(crate) fn is_id(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    !text.is_empty() && text.chars().all(is_part)
}

/// An address of a page: its path and query.
pub(crate) fn address(path: &str, pairs: &[(&str, Option<&str>)]) -> String {
    format!("{path}{}", write_query(pairs))
}

/// Why there is no page, as the API says it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    pub(crate) status: u16,
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self { status: 404, code: "not_found".to_owned(), message: message.into() }
    }

    pub(crate) fn of(failure: &Failure) -> Self {
        let code = failure.code.name().to_owned();
        Self { status: failure.code.status(), code, message: failure.message.to_string() }
    }

    pub(crate) fn unreadable_answer() -> Self {
        let message = "an answer of the API could not be read".to_owned();
        Self { status: 500, code: "internal".to_owned(), message }
    }
}

/// What was served when an answer was read, and the answer.
type KeptAnswer = (String, Arc<Value>);

/// The operations of the API; all that pages know is from here.
#[derive(Debug, Clone)]
pub(crate) struct ApiClient {
    pub(crate) local: LocalApi,
    /// Of the metric definitions.
    definitions: Arc<Mutex<Option<KeptAnswer>>>,
}

impl ApiClient {
    pub(crate) fn new(local: LocalApi) -> Self {
        Self { local, definitions: Arc::default() }
    }

    /// The answer with the metric definitions, which most pages need: read once, as long as the same is served.
    pub(crate) async fn get_definitions(&self) -> Result<Arc<Value>, Refusal> {
        let state = self.local.state();
        let kept = || self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().as_ref().filter(|(of, _)| *of == state).map(|(_, answer)| Arc::clone(answer));
        if let Some(answer) = known {
            return Ok(answer);
        }
        let answer = Arc::new(self.get("/v1/mma/dna/metrics").await?);
        *kept() = Some((state, Arc::clone(&answer)));
        Ok(answer)
    }

    /// An answer with its `data` and `meta`, or why there is none.
    pub(crate) async fn get(&self, address: &str) -> Result<Value, Refusal> {
        let (status, body) = self.local.get(address).await;
        let answer: Value = serde_json::from_slice(&body).map_err(|_| Refusal::unreadable_answer())?;
        if status.is_success() {
            return Ok(answer);
        }
        Err(Refusal { status: status.as_u16(), ..read_part(&answer["error"])? })
    }

    pub(crate) async fn get_data(&self, address: &str) -> Result<Value, Refusal> {
        self.get(address).await.map(|mut answer| answer["data"].take())
    }
}

/// A part of an answer as the type that the API has for it.
pub(crate) fn read_part<'a, T: Deserialize<'a>>(part: &'a Value) -> Result<T, Refusal> {
    T::deserialize(part).map_err(|error| {
        debug_assert!(false, "{error}: {:.200}", part.to_string());
        Refusal::unreadable_answer()
    })
}

/// A text of an answer, by its RFC 6901 path; empty where it is null.
pub(crate) fn text_at<'a>(answer: &'a Value, path: &str) -> &'a str {
    answer.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

//! What a page is asked, and what it asks the API.

use std::collections::BTreeMap;

use fdna_api::Failure;
use fdna_server::LocalApi;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::model::{Envelope, MetricDefinitions};

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

    pub(crate) fn or<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.get(name).unwrap_or(default)
    }
}

/// Whether a text may be an id: it becomes part of an address, where nothing else has a place.
pub(crate) fn is_id(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    !text.is_empty() && text.chars().all(is_part)
}

/// A query as it stands in an address; what is `None` is left out.
pub(crate) fn query(pairs: &[(&str, Option<&str>)]) -> String {
    let mut text = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        if let Some(value) = value {
            text.append_pair(name, value);
        }
    }
    let text = text.finish();
    if text.is_empty() { text } else { format!("?{text}") }
}

/// An address of a page: its path and query.
pub(crate) fn address(path: &str, pairs: &[(&str, Option<&str>)]) -> String {
    format!("{path}{}", query(pairs))
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

    fn unreadable() -> Self {
        let message = "an answer of the API could not be read".to_owned();
        Self { status: 500, code: "internal".to_owned(), message }
    }
}

#[derive(Deserialize)]
struct Refused {
    error: Refusal,
}

/// The operations of the API; all that pages know is from here.
#[derive(Debug, Clone)]
pub(crate) struct Api(pub(crate) LocalApi);

impl Api {
    /// An answer, or why there is none.
    pub(crate) async fn get<T: DeserializeOwned>(&self, address: &str) -> Result<Envelope<T>, Refusal> {
        self.get_as(address).await
    }

    /// The same with what another API says in `meta`.
    pub(crate) async fn get_as<T: DeserializeOwned, M: DeserializeOwned>(
        &self,
        address: &str,
    ) -> Result<Envelope<T, M>, Refusal> {
        let (status, body) = self.0.get(address).await;
        if status.is_success() {
            return serde_json::from_slice(&body).map_err(|_| Refusal::unreadable());
        }
        let refused: Refused = serde_json::from_slice(&body).map_err(|_| Refusal::unreadable())?;
        Err(Refusal { status: status.as_u16(), ..refused.error })
    }

    pub(crate) async fn data<T: DeserializeOwned>(&self, address: &str) -> Result<T, Refusal> {
        self.get(address).await.map(|answer| answer.data)
    }

    pub(crate) async fn definitions(&self) -> Result<MetricDefinitions, Refusal> {
        self.data("/v1/mma/dna/metrics").await
    }
}

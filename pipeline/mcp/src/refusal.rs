//! Refusals: the code and the sentence of the API where a tool has no answer.

use fdna_api::ErrorCode;
use serde::Deserialize;
use serde_json::{Value, json};

/// Code, status and sentence of an error.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Refusal {
    #[serde(skip)]
    pub status: u16,
    pub code: String,
    pub message: String,
    /// What the API says beside it, such as the ids that are meant.
    #[serde(default)]
    pub details: Value,
}

impl Refusal {
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (status, code) = (code.status(), code.name().to_owned());
        Self { status, code, message: message.into(), details: Value::Null }
    }

    /// As an answer of the API states it.
    pub(crate) fn of_answer(status: u16, body: &[u8]) -> Self {
        let answer: Value = serde_json::from_slice(body).unwrap_or_default();
        Self::deserialize(&answer["error"]).map_or_else(
            |_| Self::new(ErrorCode::Internal, "an answer of the API could not be read"),
            |refusal| Self { status, ..refusal },
        )
    }

    /// As a client reads it.
    pub(crate) fn to_json(&self) -> Value {
        let Self { status, code, message, details } = self;
        json!({"error": {"status": status, "code": code, "message": message, "details": details}})
    }
}

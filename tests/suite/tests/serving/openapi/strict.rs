//! Holds answers against the document, strictly: what it does not name may not be there.

use fdna_api::operation;
use serde_json::Value;

use crate::openapi::app::Answer;
use crate::openapi::valid::problems;

/// The document to be held against.
pub(crate) struct Contract(Value);

impl Contract {
    pub(crate) fn of(document: Value) -> Self {
        Self(document)
    }

    /// What is not as documented, with where it was asked.
    pub(crate) fn faults(&self, name: &str, path: &str, answer: &Answer) -> Option<String> {
        let problem = self.check(name, answer).err()?;
        Some(format!("{path} {}: {problem}", answer.status))
    }

    /// Status, code, headers and body of an answer.
    pub(crate) fn check(&self, name: &str, answer: &Answer) -> Result<(), String> {
        let responses = &self.0["paths"][operation(name).unwrap().path]["get"]["responses"];
        let response = responses.get(answer.status.to_string()).ok_or("status is not documented")?;
        self.check_headers(response, answer)?;
        let kind = answer.headers.get("content-type").map_or("", String::as_str);
        let content = response["content"].get(kind).ok_or_else(|| format!("{kind} is not documented"))?;
        if kind != "application/json" {
            return Ok(());
        }
        let schema = &content["schema"];
        let problems = problems(&self.0, schema, &answer.body);
        if !problems.is_empty() {
            return Err(problems.join("\n"));
        }
        let codes = response["x-error-codes"].as_array();
        let code = &answer.body["error"]["code"];
        match codes {
            Some(codes) if !codes.contains(code) => Err(format!("{code} is not documented here")),
            _ => Ok(()),
        }
    }

    fn check_headers(&self, response: &Value, answer: &Answer) -> Result<(), String> {
        for (name, header) in response["headers"].as_object().unwrap() {
            let pointer = header["$ref"].as_str().and_then(|r| r.strip_prefix('#')).unwrap();
            let header = self.0.pointer(pointer).unwrap();
            let sent = answer.headers.get(&name.to_lowercase());
            if header["required"] == true && sent.is_none() {
                return Err(format!("{name} is missing"));
            }
        }
        Ok(())
    }
}

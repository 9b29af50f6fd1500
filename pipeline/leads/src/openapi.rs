//! The OpenAPI document with what an operator decided, and the page that is made of it.

use std::fmt::Write as _;

use axum_core::body::Body;
use hyper::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::fields::FieldRules;
use crate::refusal::{LEADS_API, json_response};

const DOCUMENT: &str = include_str!("openapi.json");

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}\
    code,pre{background:#8882;padding:.1rem .3rem}pre{overflow:auto;padding:1rem}";

/// The document, and the page.
#[derive(Debug)]
pub(crate) struct DocumentPages {
    pub(crate) json: String,
    pub(crate) html: String,
}

impl DocumentPages {
    pub(crate) fn new(rules: &FieldRules) -> Self {
        let mut document: Value = serde_json::from_str(DOCUMENT).unwrap_or_default();
        document["info"]["version"] = LEADS_API.version.into();
        document["components"]["schemas"]["Status"]["enum"] = json!(rules.statuses());
        Self { html: render_html(&document), json: document.to_string() }
    }
}

/// The page as an answer. It loads nothing.
pub(crate) fn page_response(html: String, id: Uuid) -> Response<Body> {
    let mut response = json_response(StatusCode::OK, html, id);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    let policy =
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    response
}

fn render_html(document: &Value) -> String {
    let title = text_of(&document["info"]["title"]);
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>\
         <h1>{title}</h1><p>{}</p><p><a href=\"/openapi.json\">OpenAPI</a></p>",
        text_of(&document["info"]["description"])
    );
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            if operation["operationId"].is_string() {
                write_operation(&mut page, path, method, operation);
            }
        }
    }
    let schemas = &document["components"]["schemas"];
    for name in [
        "Lead",
        "NewLead",
        "LeadPatch",
        "LeadChange",
        "Property",
        "ValuationRequest",
        "Valuation",
        "PublishedTable",
    ] {
        let shown = serde_json::to_string_pretty(&schemas[name]).unwrap_or_default();
        let _ = write!(page, "<h2 id=\"{name}\">{name}</h2><pre>{}</pre>", escape_html(&shown));
    }
    let statuses = serde_json::to_string(&schemas["Status"]["enum"]).unwrap_or_default();
    let _ = write!(
        page,
        "<h2>Status</h2><p><code>{}</code></p><h2 id=\"errors\">Errors</h2><ul>",
        escape_html(&statuses)
    );
    for code in
        schemas["Error"]["properties"]["error"]["properties"]["code"]["enum"].as_array().into_iter().flatten()
    {
        let _ = write!(page, "<li><code>{}</code>", text_of(code));
    }
    page + "</ul></html>"
}

fn write_operation(page: &mut String, path: &str, method: &str, operation: &Value) {
    let (id, summary) = (text_of(&operation["operationId"]), text_of(&operation["summary"]));
    let (method, path) = (method.to_uppercase(), escape_html(path));
    let description = text_of(&operation["description"]);
    let _ =
        write!(page, "<h2 id=\"{id}\">{summary}</h2><p><code>{method} {path}</code></p><p>{description}</p>");
}

fn text_of(value: &Value) -> String {
    escape_html(value.as_str().unwrap_or_default())
}

pub(crate) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::operation_names;
    use crate::refusal::Code;

    #[test]
    fn the_document_has_every_operation_error_and_status() {
        let statuses = ["new", "won"].map(str::to_owned);
        let pages = DocumentPages::new(&FieldRules::new(&statuses, "US".parse().unwrap()).unwrap());
        let document: Value = serde_json::from_str(&pages.json).unwrap();
        let schemas = &document["components"]["schemas"];
        assert_eq!(schemas["Status"]["enum"], json!(["new", "won"]));
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(schemas["Error"]["properties"]["error"]["properties"]["code"]["enum"], json!(codes));
        for name in &operation_names()[..13] {
            assert!(pages.json.contains(&format!("\"operationId\":\"{name}\"")), "{name}");
            assert!(pages.html.contains(&format!("<h2 id=\"{name}\">")), "{name}");
        }
    }
}

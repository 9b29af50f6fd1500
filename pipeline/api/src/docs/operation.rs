//! The section of an operation.

use std::fmt::Write as _;

use serde_json::Value;

use super::markdown::{escaped, html, inline};
use super::ordered::Schemas;
use super::samples::Request;
use super::schema::{limits, type_of};

/// With its parameters, samples, an answer and the errors that it can have.
pub(super) fn section(path: &str, get: &Value, schemas: &Schemas<'_>) -> String {
    let name = word(&get["operationId"]);
    let plan = word(&get["x-minimum-plan"]);
    let shown = escaped(path).replace('/', "/<wbr>");
    let mut out = format!(
        "<section class=operation id=\"{name}\"><h3><a href=\"#{name}\">{}</a></h3>\
         <p class=route><b>GET</b> <code>{shown}</code> <span class=\"plan {plan}\">{plan}</span></p>",
        word(&get["summary"])
    );
    out += &html(get["description"].as_str().unwrap_or_default());
    let parameters = get["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        out += "<h4>Parameters</h4><dl>";
        parameters.iter().for_each(|one| out += &parameter(one));
        out += "</dl>";
    }
    let _ = write!(out, "<h4>Sample</h4>{}", Request::of(path, get).html());
    out += "<h4>Response</h4>";
    let mut errors = String::new();
    for (status, response) in get["responses"].as_object().into_iter().flatten() {
        let is_success = status.starts_with('2');
        match response["content"].get("application/json") {
            Some(content) if is_success => out += &answer(status, content, schemas),
            None if is_success => {
                let _ = write!(out, "<p><b>{status}</b> {}</p>", word(&response["description"]));
            }
            _ => {}
        }
        let codes = response["x-error-codes"].as_array().into_iter().flatten().map(word);
        let codes: Vec<String> = codes.map(|code| format!("<a href=\"#error-{code}\">{code}</a>")).collect();
        if !codes.is_empty() {
            let _ = write!(errors, "<dt>{status}</dt><dd>{}</dd>", codes.join(" "));
        }
    }
    if out.ends_with("<h4>Response</h4>") {
        out += "<p>None yet: the operation answers with an error.</p>";
    }
    let _ = write!(out, "<h4>Errors</h4><dl class=errors>{errors}</dl>");
    out + "</section>\n"
}

pub(super) fn word(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

fn parameter(parameter: &Value) -> String {
    let required = if parameter["required"] == true { " <i>required</i>" } else { "" };
    let example = parameter.get("example").map(|example| {
        let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        format!("<div>Example: <code>{}</code></div>", escaped(&text))
    });
    format!(
        "<dt><code>{}</code> <span>{} · {}</span>{required}</dt><dd>{}{}{}</dd>",
        word(&parameter["name"]),
        word(&parameter["in"]),
        type_of(&parameter["schema"]),
        inline(parameter["description"].as_str().unwrap_or_default()),
        limits(&parameter["schema"]),
        example.unwrap_or_default(),
    )
}

fn answer<'a>(status: &str, content: &'a Value, schemas: &Schemas<'a>) -> String {
    let mut out = format!("<p><b>{status}</b> {}</p>", type_of(&content["schema"]));
    if let Some(example) = content.get("example") {
        let text = escaped(&schemas.written(&content["schema"], example));
        let _ = write!(out, "<pre tabindex=0><code>{text}</code></pre>");
    }
    out
}

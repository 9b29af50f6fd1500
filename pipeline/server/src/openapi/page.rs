//! The document as one page: no script, nothing loaded from anywhere, readable on a telephone.

use std::fmt::Write as _;

use serde_json::Value;

use super::markdown::{escaped, html, inline};
use super::schema::{limits, section, type_of};

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(document: &Value) -> String {
    let info = &document["info"];
    let (title, version) = (word(&info["title"]), word(&info["version"]));
    let mut out = format!(
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\n<body>\n\
         <h1>{title}</h1><p class=version>contract {version} · <a href=\"/openapi.json\">openapi.json</a></p>\n"
    );
    out += &html(info["description"].as_str().unwrap_or_default());
    let operations = operations(document);
    for tag in document["tags"].as_array().into_iter().flatten() {
        let of_tag = operations.iter().filter(|(_, get)| get["tags"][0] == tag["name"]);
        let _ = writeln!(
            out,
            "<h2>{}</h2>{}",
            word(&tag["name"]),
            html(tag["description"].as_str().unwrap_or_default())
        );
        of_tag.for_each(|(path, get)| out += &operation(path, get));
    }
    out += "<h2>Schemas</h2>\n";
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        out += &section(name, schema);
    }
    out + "</body></html>\n"
}

fn operations(document: &Value) -> Vec<(&str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.map(|(path, item)| (path.as_str(), &item["get"])).collect()
}

fn word(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

fn operation(path: &str, get: &Value) -> String {
    let name = word(&get["operationId"]);
    let plan = word(&get["x-minimum-plan"]);
    let path = escaped(path).replace('/', "/<wbr>");
    let mut out = format!(
        "<details class=operation id=\"{name}\"><summary><b>{}</b> <code>{path}</code> <em class={plan}>{plan}</em></summary>\n",
        word(&get["summary"])
    );
    out += &html(get["description"].as_str().unwrap_or_default());
    let parameters = get["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        out += "<h3>Parameters</h3><dl>";
        parameters.iter().for_each(|one| out += &parameter(one));
        out += "</dl>";
    }
    out += "<h3>Answers</h3>";
    for (status, response) in get["responses"].as_object().into_iter().flatten() {
        out += &answer(status, response);
    }
    out + "</details>\n"
}

fn parameter(parameter: &Value) -> String {
    let required = if parameter["required"] == true { " <i>needed</i>" } else { "" };
    let example = parameter.get("example").map(|example| {
        let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        format!("<div>for example <code>{}</code></div>", escaped(&text))
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

fn answer(status: &str, response: &Value) -> String {
    let content = &response["content"]["application/json"];
    let schema = if content["schema"].is_object() { type_of(&content["schema"]) } else { String::new() };
    let codes = response["x-error-codes"].as_array().into_iter().flatten();
    let codes: Vec<String> = codes.map(|code| format!("<code>{}</code>", word(code))).collect();
    let example = content.get("example").and_then(|example| serde_json::to_string_pretty(example).ok());
    let example = example.map(|text| format!("<pre>{}</pre>", escaped(&text)));
    format!(
        "<details class=answer><summary><b>{status}</b> {schema} {}</summary>{}{}</details>",
        codes.join(" "),
        html(response["description"].as_str().unwrap_or_default()),
        example.unwrap_or_default(),
    )
}

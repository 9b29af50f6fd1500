//! The chapters before the reference: prose from `guide.md`, tables from the document.

use std::fmt::Write as _;

use crate::ErrorCode;
use serde_json::Value;

use super::markdown::{escaped, html, inline};

/// Of the API of mixed martial arts.
pub(super) const MMA: &str = include_str!("guide.md");

/// A chapter: its id, its title, its text.
pub(super) struct Chapter {
    pub(super) id: String,
    pub(super) title: &'static str,
    text: &'static str,
}

/// In the order of reading.
pub(super) fn chapters(guide: &'static str) -> Vec<Chapter> {
    let parts = guide.split("## ").filter_map(|part| part.split_once('\n'));
    parts.map(|(title, text)| Chapter { id: id(title), title, text }).collect()
}

/// The id of a title: errors link to `/docs#errors`.
pub(super) fn id(title: &str) -> String {
    title.to_lowercase().replace([' ', '_'], "-")
}

impl Chapter {
    pub(super) fn section(&self, document: &Value, codes: &[ErrorCode]) -> String {
        let fighter = example(document, "/v1/mma/fighters/{id}", "id");
        let version = document["info"]["version"].as_str().unwrap_or_default();
        let text = self.text.replace("{fighter}", &fighter).replace("{version}", version);
        let body = html(&text)
            .replace("<p>{{paging}}</p>", &paging(document))
            .replace("<p>{{errors}}</p>", &errors(codes))
            .replace("<p>{{limits}}</p>", &limits(document));
        format!("<section id=\"{}\"><h2>{}</h2>{body}</section>\n", self.id, escaped(self.title))
    }
}

/// The example of a parameter, as text.
fn example(document: &Value, path: &str, name: &str) -> String {
    let parameters = document["paths"][path]["get"]["parameters"].as_array();
    let named = parameters.into_iter().flatten().find(|parameter| parameter["name"] == name);
    named.and_then(|parameter| parameter["example"].as_str()).unwrap_or_default().to_owned()
}

fn table(about: &str, head: [&str; 3], rows: &str) -> String {
    let head = head.map(|name| format!("<th scope=col>{name}</th>")).concat();
    format!(
        "<div class=table tabindex=0 role=region aria-label=\"{about}\"><table><thead><tr>{head}</tr></thead>\
         <tbody>{rows}</tbody></table></div>"
    )
}

/// Each list with its bounds.
fn paging(document: &Value) -> String {
    let mut rows = String::new();
    for item in document["paths"].as_object().into_iter().flat_map(|paths| paths.values()) {
        let parameters = item["get"]["parameters"].as_array();
        let find = |name: &str| parameters.into_iter().flatten().find(|one| one["name"] == name);
        let Some(limit) = find("limit").map(|limit| &limit["schema"]) else { continue };
        let name = escaped(item["get"]["operationId"].as_str().unwrap_or_default());
        let next = match (find("offset"), find("cursor")) {
            (Some(_), _) => "<code>offset</code>",
            (None, Some(_)) => "<code>cursor</code>",
            (None, None) => "one page",
        };
        let (least, most, default) = (&limit["minimum"], &limit["maximum"], &limit["default"]);
        let _ = write!(
            rows,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{least} to {most}, default {default}</td><td>{next}</td></tr>"
        );
    }
    table("Bounds of limit", ["Operation", "limit", "Next page"], &rows)
}

/// Each code with its status.
fn errors(codes: &[ErrorCode]) -> String {
    let mut rows = String::new();
    for code in codes {
        let (name, status, meaning) = (code.name(), code.status(), inline(code.meaning()));
        let _ = write!(
            rows,
            "<tr id=\"error-{name}\"><td><code>{name}</code></td><td>{status}</td><td>{meaning}</td></tr>"
        );
    }
    table("Error codes", ["Code", "Status", "Meaning"], &rows)
}

/// The headers of the gateway, in the document's words.
fn limits(document: &Value) -> String {
    let headers = document.pointer("/paths/~1v1~1mma/get/responses/200/headers");
    let mut rows = String::new();
    for (name, header) in headers.and_then(Value::as_object).into_iter().flatten() {
        let named = header["$ref"].as_str().and_then(|name| document.pointer(name.strip_prefix('#')?));
        let about = named.unwrap_or(header)["description"].as_str().unwrap_or_default();
        if !["RateLimit", "Quota", "X-Plan"].iter().any(|part| name.contains(part)) {
            continue;
        }
        let example = match name {
            name if name.ends_with("Limit") => "600",
            name if name.ends_with("Remaining") => "598",
            name if name.ends_with("Reset") => "1767225600",
            name if name.ends_with("Plan") => "ultra",
            _ => "",
        };
        let (name, about) = (escaped(name), inline(about.trim_start_matches("From the gateway: ")));
        let _ = write!(
            rows,
            "<tr><td><code>{name}</code></td><td>{about}</td><td><code>{example}</code></td></tr>"
        );
    }
    table(
        "Headers of limits",
        ["Header", "Meaning", "Example"],
        &rows.replace("<td><code></code></td>", "<td></td>"),
    )
}

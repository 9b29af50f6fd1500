//! The document as one page: nothing loaded from anywhere, whole without script, readable on a telephone.

mod guide;
mod markdown;
mod operation;
mod ordered;
mod samples;
mod schema;

use std::fmt::Write as _;

use crate::{ErrorCode, all_operations};
use serde_json::Value;

use guide::{Chapter, chapters};
use markdown::{escaped, html};
use operation::word;
use ordered::Schemas;

const STYLE: &str = include_str!("docs/style.css");

/// Narrows the contents down to what is typed. Without it the page has all the same, but the field to type into.
pub const SCRIPT: &str = include_str!("docs/filter.js");

/// A part of the contents: its id and title, and what stands in it.
struct Part {
    id: String,
    title: String,
    entries: Vec<(String, String)>,
}

/// What a page is made of.
pub struct DocsPage<'a> {
    /// The OpenAPI document.
    pub document: &'a Value,
    /// Its paths, in the order of the contract.
    pub paths: Vec<&'a str>,
    /// The chapters before the reference, in Markdown.
    pub guide: &'static str,
    /// Errors that it explains.
    pub codes: Vec<ErrorCode>,
}

/// The page of the API of mixed martial arts.
pub fn page(document: &Value) -> String {
    let paths = all_operations().map(|operation| operation.path).collect();
    DocsPage { document, paths, guide: guide::MMA, codes: ErrorCode::of_mma().collect() }.html()
}

impl DocsPage<'_> {
    /// The whole page.
    #[must_use]
    pub fn html(&self) -> String {
        whole(self)
    }
}

fn whole(page: &DocsPage<'_>) -> String {
    let document = page.document;
    let info = &document["info"];
    let (title, version) = (word(&info["title"]), word(&info["version"]));
    let (chapters, schemas) = (chapters(page.guide), Schemas::of(document));
    let operations: Vec<_> = page.paths.iter().map(|path| (*path, &document["paths"][path]["get"])).collect();
    let about = html(info["description"].as_str().unwrap_or_default());
    let mut main: String = chapters.iter().map(|chapter| chapter.section(document, &page.codes)).collect();
    let _ = writeln!(main, "<section id=conventions><h2>Conventions</h2>{about}</section>");
    for tag in tags(document) {
        let (id, about) = (tag_id(tag), html(tag["description"].as_str().unwrap_or_default()));
        let _ = writeln!(main, "<section id=\"{id}\"><h2>{}</h2>{about}</section>", word(&tag["name"]));
        for (path, get) in of_tag(&operations, tag) {
            main += &operation::section(path, get, &schemas);
        }
    }
    main += "<section id=schemas><h2>Schemas</h2><p>Types of fields, by name.</p></section>\n";
    for (name, named) in document["components"]["schemas"].as_object().into_iter().flatten() {
        main += &schema::section(name, named);
    }
    let contents = contents(&parts(document, &chapters, &operations));
    format!(
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\n<body>\n\
         <a class=skip href=\"#main\">Skip to the text</a>\n\
         <header><h1>{title}</h1><p>{}</p><p class=version>Contract {version} · \
         <a href=\"/openapi.json\">openapi.json</a></p></header>\n\
         <nav aria-label=Contents><input type=checkbox id=menu><label for=menu>Contents</label>\
         <div>{contents}</div></nav>\n<main id=main tabindex=-1>\n{main}</main>\n\
         <script>{SCRIPT}</script></body></html>\n",
        word(&info["summary"])
    )
}

fn tags(document: &Value) -> impl Iterator<Item = &Value> {
    document["tags"].as_array().into_iter().flatten()
}

fn tag_id(tag: &Value) -> String {
    format!("tag-{}", guide::id(tag["name"].as_str().unwrap_or_default()))
}

fn of_tag<'a>(
    operations: &'a [(&'a str, &'a Value)],
    tag: &'a Value,
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    operations.iter().copied().filter(|(_, get)| get["tags"][0] == tag["name"])
}

/// The contents, in groups.
fn parts(document: &Value, chapters: &[Chapter], operations: &[(&str, &Value)]) -> Vec<Part> {
    let guide = chapters.iter().map(|chapter| (chapter.id.clone(), escaped(chapter.title)));
    let mut parts = vec![Part {
        id: "quick-start".to_owned(),
        title: "Guide".to_owned(),
        entries: guide.chain([("conventions".to_owned(), "Conventions".to_owned())]).collect(),
    }];
    for tag in tags(document) {
        let entries = of_tag(operations, tag);
        let entries = entries.map(|(_, get)| (word(&get["operationId"]), word(&get["summary"]))).collect();
        parts.push(Part { id: tag_id(tag), title: word(&tag["name"]), entries });
    }
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    let entries = schemas.map(|(name, _)| (format!("schema-{}", escaped(name)), escaped(name))).collect();
    parts.push(Part { id: "schemas".to_owned(), title: "Schemas".to_owned(), entries });
    parts
}

fn contents(parts: &[Part]) -> String {
    let mut out = String::new();
    for Part { id, title, entries } in parts {
        let items: String =
            entries.iter().map(|(id, title)| format!("<li><a href=\"#{id}\">{title}</a></li>")).collect();
        // Only the long list of schemas is closed; nothing links into it.
        let open = if id == "schemas" { "" } else { " open" };
        let _ = write!(out, "<details{open}><summary>{title}</summary><ul>{items}</ul></details>");
    }
    out
}

//! Articles of the newsroom.
//!
//! A capture of a source holds all its articles: the newest says which there are, and one that it lacks has been
//! withdrawn. The earlier ones say since when each is known.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableLayout, TableRow};
use uuid::Uuid;

use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{counts, finding, reader, texts};
use super::mentions::{MentionRows, stated};

const TABLE: &str = "article_files";

const COLUMNS: [&str; 11] = [
    "slug",
    "title",
    "dek",
    "author",
    "published_at",
    "updated_at",
    "hero_image_id",
    "tags",
    "status",
    "body",
    "first_seen_at",
];

pub(super) fn statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    earlier: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let mut told = SourceStatements { counts: counts(captures, TABLE, |_| 0), ..SourceStatements::default() };
    let (layout, mentioned) = (TableLayout::new("articles", &COLUMNS)?, MentionRows::new()?);
    let (images, first_seen) = (served(earlier)?, first_seen(captures)?);
    let mut rows = Vec::new();
    if let Some(newest) = captures.last() {
        let facts = reader(newest, TABLE)?;
        let (files, lines, slugs) = (facts.texts("file")?, facts.counts("line")?, facts.texts("slug")?);
        let (titles, bodies, statuses) =
            (facts.texts("title")?, facts.texts("body")?, facts.texts("status")?);
        let (deks, authors, heroes) =
            (facts.strings("dek")?, facts.strings("author")?, facts.strings("hero")?);
        let (published, updated) = (facts.instants("published_at")?, facts.instants("updated_at")?);
        let (tags, fighters, events) =
            (facts.texts("tags")?, facts.texts("fighters")?, facts.texts("events")?);
        for i in 0..facts.rows() {
            let mut log = |kind: FindingKind, reason: String| {
                let finding = finding(files[i], lines[i], Severity::Note, kind, reason);
                told.findings.push((newest.capture.clone(), with_key(finding, slugs[i])));
            };
            let hero = heroes[i].and_then(|text| hero(text, &images, &mut log));
            let on = published[i].unwrap_or(newest.captured_at).date_naive();
            let (mentions, unknown) = stated(directory, &texts(fighters[i]), &texts(events[i]), on);
            for (kind, text) in unknown {
                let finding =
                    if kind == "event" { FindingKind::UnknownEvent } else { FindingKind::UnknownFighter };
                log(finding, format!("nobody can say which {kind} `{text}` is"));
            }
            told.mentions.extend(mentioned.of("article", slugs[i], &mentions));
            let values: [CellValue; 11] = [
                slugs[i].into(),
                titles[i].into(),
                deks[i].into(),
                authors[i].into(),
                published[i].into(),
                updated[i].into(),
                hero.into(),
                tags[i].into(),
                statuses[i].into(),
                bodies[i].into(),
                first_seen.get(slugs[i]).copied().into(),
            ];
            rows.push(layout.row(values));
        }
    }
    told.tables.push(("articles", rows));
    Ok(told)
}

/// By slug: when the first capture that had the article was made.
fn first_seen<'a>(captures: &[&'a CaptureFacts]) -> Result<HashMap<&'a str, DateTime<Utc>>, RowsError> {
    let mut first = HashMap::new();
    for capture in captures {
        for slug in reader(capture, TABLE)?.texts("slug")? {
            first.entry(slug).or_insert(capture.captured_at);
        }
    }
    Ok(first)
}

fn with_key(finding: Finding, slug: &str) -> Finding {
    Finding { key: Some(slug.to_owned()), ..finding }
}

/// Images by id and address; whether each is served.
type ArticleImages = HashMap<String, (Uuid, bool)>;

fn served(earlier: &BTreeMap<&str, Vec<TableRow>>) -> Result<ArticleImages, RowsError> {
    let table = fdna_schemas::Tables::get().table("images")?;
    let place = |name: &str| table.place(name).unwrap_or_default();
    let (id, url, is_served) = (place("image_id"), place("image_url"), place("is_served"));
    let mut images = ArticleImages::new();
    for row in earlier.get("images").into_iter().flatten() {
        let (CellValue::Id(id), Some(url)) = (&row[id], row[url].display()) else { continue };
        let known = (*id, row[is_served] == CellValue::Bool(true));
        images.insert(id.to_string(), known);
        images.insert(url, known);
    }
    Ok(images)
}

/// The image that the article names, if it may be shown.
fn hero(text: &str, images: &ArticleImages, log: &mut impl FnMut(FindingKind, String)) -> Option<Uuid> {
    match images.get(text) {
        Some((id, true)) => Some(*id),
        Some((_, false)) => {
            log(FindingKind::Contradiction, format!("the hero `{text}` may not be shown"));
            None
        }
        None => {
            log(FindingKind::MissingValue, format!("the hero `{text}` is no known image"));
            None
        }
    }
}

//! Articles of the newsroom.
//!
//! A capture of a source holds all its articles: the newest says which there are, and one that it lacks has been
//! withdrawn. The earlier ones say since when each is known.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, CellValue, RowsError, TableRow, row_cells};
use fdna_schemas::tables::{ArticleFilesReader, ArticleFilesRow, ArticlesRow, ContractRow as _, ImagesRow};
use uuid::Uuid;

use super::SourceStatements;
use super::directory::EntityDirectory;
use super::facts::{count_rows, parse_json_list, record_finding};
use super::mentions::{mention_rows, stated_mentions};

pub(super) fn editorial_statements(
    captures: &[&CaptureFacts],
    directory: &EntityDirectory,
    earlier: &BTreeMap<&str, Vec<TableRow>>,
) -> Result<SourceStatements, RowsError> {
    let counts = count_rows(captures, ArticleFilesRow::TABLE, |_| 0);
    let mut statements = SourceStatements { counts, ..SourceStatements::default() };
    let (images, first_seen) = (served_images(earlier), first_seen(captures)?);
    let mut rows = Vec::new();
    if let Some(newest) = captures.last() {
        for row in newest.read_table::<ArticleFilesReader<'_>>()?.all_rows()? {
            let mut log = |kind: FindingKind, reason: String| {
                let finding = record_finding(row.file, row.line, Severity::Note, kind, reason);
                statements.findings.push((newest.capture.clone(), with_key(finding, row.slug)));
            };
            let hero_image_id = row.hero.and_then(|text| hero_image(text, &images, &mut log));
            let on = row.published_at.unwrap_or(newest.captured_at).date_naive();
            let (mentions, unknown) =
                stated_mentions(directory, &parse_json_list(row.fighters), &parse_json_list(row.events), on);
            for (kind, text) in unknown {
                let finding =
                    if kind == "event" { FindingKind::UnknownEvent } else { FindingKind::UnknownFighter };
                log(finding, format!("nobody can say which {kind} `{text}` is"));
            }
            statements.mentions.extend(mention_rows("article", row.slug, &mentions));
            rows.push(row_cells(&ArticlesRow {
                slug: row.slug,
                title: row.title,
                dek: row.dek,
                author: row.author,
                published_at: row.published_at,
                updated_at: row.updated_at,
                hero_image_id,
                tags: row.tags,
                status: row.status,
                body: row.body,
                first_seen_at: first_seen[row.slug],
            }));
        }
    }
    statements.tables.push((ArticlesRow::TABLE, rows));
    Ok(statements)
}

/// By slug: when the first capture that had the article was made.
fn first_seen<'a>(captures: &[&'a CaptureFacts]) -> Result<HashMap<&'a str, DateTime<Utc>>, RowsError> {
    let mut first = HashMap::new();
    for capture in captures {
        for slug in capture.read_table::<ArticleFilesReader<'_>>()?.slug()? {
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

fn served_images(earlier: &BTreeMap<&str, Vec<TableRow>>) -> ArticleImages {
    let mut images = ArticleImages::new();
    for row in earlier.get(ImagesRow::TABLE).into_iter().flatten() {
        let (id, url) = (&row[ImagesRow::IMAGE_ID.place], row[ImagesRow::IMAGE_URL.place].display());
        let (CellValue::Id(id), Some(url)) = (id, url) else { continue };
        let known = (*id, row[ImagesRow::IS_SERVED.place] == CellValue::Bool(true));
        images.insert(id.to_string(), known);
        images.insert(url, known);
    }
    images
}

/// The image that the article names, if it may be shown.
fn hero_image(text: &str, images: &ArticleImages, log: &mut impl FnMut(FindingKind, String)) -> Option<Uuid> {
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

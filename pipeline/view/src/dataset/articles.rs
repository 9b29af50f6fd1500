//! Articles, newest first. Drafts are not loaded; what is dated ahead appears when its time comes.

use std::collections::HashMap;

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_api::ArticleFacts;
use fdna_schemas::tables::{ArticlesReader, ArticlesRow, ContractReader as _};
use uuid::Uuid;

use super::columns::instant;
use super::mentions::{MentionTable, MentionTarget};
use super::{DatasetError, json, json_text};

const TABLE: &str = "articles";

/// An article, ready to be sent.
#[derive(Debug)]
pub(crate) struct ArticleRow {
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) tags: Vec<String>,
    pub(crate) about: MentionTarget,
    /// Image of its head, which may or may not be shown.
    pub(crate) hero: Option<Uuid>,
    /// Without hero and body.
    pub(crate) json: Box<[u8]>,
    /// The text, as a JSON string.
    pub(crate) body: Box<[u8]>,
    slug: Box<str>,
}

/// All articles with a time of publication, newest first, ties by slug.
#[derive(Debug)]
pub(crate) struct ArticleTable {
    pub(crate) rows: Vec<ArticleRow>,
    by_slug: HashMap<Box<str>, usize>,
}

impl ArticleTable {
    pub(crate) fn read(batch: &RecordBatch, mentions: &mut MentionTable<'_>) -> Result<Self, DatasetError> {
        let mut rows = rows(batch, mentions)?;
        rows.sort_by(|a, b| b.published_at.cmp(&a.published_at).then_with(|| a.slug.cmp(&b.slug)));
        let by_slug = rows.iter().enumerate().map(|(row, article)| (article.slug.clone(), row)).collect();
        Ok(Self { rows, by_slug })
    }

    /// Rows of those that are published, newest first.
    pub(crate) fn published(&self, now: DateTime<Utc>) -> impl Iterator<Item = usize> {
        (0..self.rows.len()).filter(move |row| self.at(*row, now).is_some())
    }

    /// A published article by its address.
    pub(crate) fn find(&self, slug: &str, now: DateTime<Utc>) -> Option<&ArticleRow> {
        self.at(self.row(slug)?.0, now)
    }

    /// The row of an address, published or not.
    pub(crate) fn row(&self, slug: &str) -> Option<(usize, &ArticleRow)> {
        self.by_slug.get(slug).map(|&row| (row, &self.rows[row]))
    }

    /// The article of a row, if it is published.
    pub(crate) fn at(&self, row: usize, now: DateTime<Utc>) -> Option<&ArticleRow> {
        self.rows.get(row).filter(|article| article.published_at <= now)
    }

    /// When articles appear.
    pub(crate) fn publications(&self) -> impl Iterator<Item = DateTime<Utc>> {
        self.rows.iter().map(|article| article.published_at)
    }
}

fn rows(batch: &RecordBatch, mentions: &mut MentionTable<'_>) -> Result<Vec<ArticleRow>, DatasetError> {
    let mut article = |(row, published_at): (ArticlesRow<'_>, DateTime<Utc>)| {
        let tags: Vec<String> = json_text(row.tags, TABLE, "tags")?;
        let (about, ids) = mentions.take("article", row.slug);
        let facts = ArticleFacts {
            slug: row.slug,
            title: row.title,
            dek: row.dek,
            author: row.author,
            published_at: instant(published_at),
            updated_at: row.updated_at.map(instant),
            tags: &tags,
            about: ids,
        };
        let (json, body) = (json(&facts)?, json(&row.body)?);
        Ok(ArticleRow {
            published_at,
            about,
            hero: row.hero_image_id,
            json,
            body,
            slug: row.slug.into(),
            tags,
        })
    };
    let rows = ArticlesReader::of(batch).all_rows()?.into_iter();
    let dated = rows.filter(|row| row.status == "published").filter_map(|row| Some((row, row.published_at?)));
    dated.map(&mut article).collect()
}

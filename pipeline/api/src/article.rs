//! Articles of the newsroom on the wire.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{About, PreparedJson, PrimaryImage, formats, prepared};

/// A published article, as in lists.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Article<'a> {
    #[serde(flatten, serialize_with = "prepared::fields")]
    pub facts: PreparedJson<'a, ArticleFacts<'a>>,
    /// Image of its head; null where there is none that may be shown. Whoever shows it must render
    /// `attribution_text`.
    pub hero: Option<PreparedJson<'a, PrimaryImage<'a>>>,
}

/// What a snapshot says of an article, its image aside.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ArticleFacts<'a> {
    /// Its address: `/v1/mma/articles/{slug}`.
    pub slug: &'a str,
    pub title: &'a str,
    /// Summary line.
    pub dek: Option<&'a str>,
    pub author: Option<&'a str>,
    /// RFC 3339 with offset.
    #[schemars(with = "formats::Instant")]
    pub published_at: String,
    #[schemars(with = "Option<formats::Instant>")]
    pub updated_at: Option<String>,
    pub tags: &'a [String],
    #[serde(flatten)]
    pub about: About,
}

/// An article on its own.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ArticleDetail<'a> {
    #[serde(flatten)]
    pub article: Article<'a>,
    /// Markdown.
    pub body: PreparedJson<'a, str>,
}

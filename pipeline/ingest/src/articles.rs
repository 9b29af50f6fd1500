//! The newsroom's articles: Markdown files that begin with front matter in YAML between two lines of `---`.
//!
//! ```markdown
//! ---
//! slug: who-wins            # a-z, 0-9 and hyphens; one article a slug
//! title: "Who wins?"
//! dek: One line below the title.
//! author: A. Writer
//! published_at: 2026-02-07T12:00:00Z    # or 2026-02-07
//! updated_at: 2026-02-08
//! hero: https://images.example/a.jpg    # or the id of an image
//! tags: [preview]
//! fighters: [Zorvik Quandle]            # ids, source:id, or names
//! events: [Samplonia 12]
//! status: published                     # or draft; `draft: true` says the same
//! ---
//! Text.
//! ```

use bytes::Bytes;
use chrono::{DateTime, Utc};
use fdna_model::FindingKind;
use fdna_schemas::tables::{ArticleFilesRow, ContractRow as _};
use serde_json::{Map, Value};

use crate::fact_rows::RowPlace;
use crate::record::{FactRecord, missing};
use crate::record_files::LocatedRow;
use crate::record_rows::{self, FactItem};
use crate::row::RowError;
use crate::{IngestError, IngestedCapture};
use fdna_schemas::RowBuilder;

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "articles";

struct ArticleFile {
    slug: String,
    title: String,
    dek: Option<String>,
    author: Option<String>,
    published_at: Option<DateTime<Utc>>,
    updated_at: Option<DateTime<Utc>>,
    hero: Option<String>,
    tags: Vec<String>,
    fighters: Vec<String>,
    events: Vec<String>,
    is_draft: bool,
    body: String,
    unknown: Option<String>,
}

/// Reads every article of the capture; a file is one record, so that one bad file does not stop the others.
///
/// # Errors
/// The facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let whole = |_: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        Ok(vec![FactItem::new(std::str::from_utf8(bytes).map(str::to_owned).ok(), text)])
    };
    let mut items = record_rows::read(SOURCE, files, whole, |text| match text {
        Some(text) => read(text),
        None => Err(RowError::new(FindingKind::NotUtf8, "the file is no UTF-8")),
    })?;
    items.set_aside_where(other_of_the_slug);
    let table = items.table(ArticleFilesRow::TABLE, record_rows::every, push)?;
    Ok(items.ingested(vec![table]))
}

/// Nobody can say which of two articles of one slug is meant: neither is taken.
fn other_of_the_slug(article: &LocatedRow<ArticleFile>, all: &[LocatedRow<ArticleFile>]) -> Option<RowError> {
    let slug = &article.value.slug;
    let other = all.iter().find(|other| other.value.slug == *slug && !std::ptr::eq(*other, article))?;
    Some(RowError::new(FindingKind::Duplicate, format!("slug `{slug}` is also that of `{}`", other.file)))
}

fn read(text: &str) -> Result<ArticleFile, RowError> {
    let (front, body) = split(text).ok_or_else(|| {
        RowError::new(
            FindingKind::MissingValue,
            "the file does not begin with front matter between lines of `---`",
        )
    })?;
    let fields: Map<String, Value> = serde_saphyr::from_str(front).map_err(|e| {
        let text = e.to_string();
        // What follows quotes the lines, which the finding has anyway.
        let reason = text.split("\n").next().unwrap_or_default().trim_start_matches("error: ");
        RowError::new(FindingKind::UnreadableValue, format!("front matter: {reason}"))
    })?;
    let record = FactRecord(fields);
    let published_at = record.instant("published_at")?;
    Ok(ArticleFile {
        slug: slug(&record)?,
        title: record.required("title")?,
        dek: record.text("dek")?,
        author: record.text("author")?,
        published_at,
        updated_at: record.instant("updated_at")?,
        hero: record.text("hero")?,
        tags: record.texts("tags")?,
        fighters: record.texts("fighters")?,
        events: record.texts("events")?,
        is_draft: is_draft(&record, published_at)?,
        body: body.trim().to_owned(),
        unknown: record.unknown(SOURCE),
    })
}

/// Front matter and what follows it.
fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

fn slug(record: &FactRecord) -> Result<String, RowError> {
    let slug = record.required("slug")?;
    let is_good = slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let reason = || format!("`slug` is `{slug}`: only a-z, 0-9 and hyphens make an address");
    is_good.then(|| slug.clone()).ok_or_else(|| RowError::new(FindingKind::UnreadableValue, reason()))
}

/// As stated; without a word on it an article with a date is published, one without is a draft.
fn is_draft(record: &FactRecord, published_at: Option<DateTime<Utc>>) -> Result<bool, RowError> {
    let stated = record.flag("draft")?;
    let status = record.text("status")?;
    let by_status = match status.as_deref() {
        None => None,
        Some("draft") => Some(true),
        Some("published") => Some(false),
        Some(other) => {
            let reason = format!("`status` is `{other}`, neither published nor draft");
            return Err(RowError::new(FindingKind::UnreadableValue, reason));
        }
    };
    match (stated, by_status) {
        (Some(a), Some(b)) if a != b => {
            Err(RowError::new(FindingKind::Contradiction, "`draft` and `status` contradict each other"))
        }
        (a, b) => match a.or(b).unwrap_or(published_at.is_none()) {
            false if published_at.is_none() => Err(missing("published_at")),
            is_draft => Ok(is_draft),
        },
    }
}

fn push(to: &mut RowBuilder, at: RowPlace<'_>, article: &ArticleFile) {
    let list = |list: &Vec<String>| serde_json::to_string(list).unwrap_or_default();
    to.push(&ArticleFilesRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        slug: &article.slug,
        title: &article.title,
        dek: article.dek.as_deref(),
        author: article.author.as_deref(),
        published_at: article.published_at,
        updated_at: article.updated_at,
        hero: article.hero.as_deref(),
        tags: &list(&article.tags),
        fighters: &list(&article.fighters),
        events: &list(&article.events),
        status: if article.is_draft { "draft" } else { "published" },
        body: &article.body,
        unknown: article.unknown.as_deref(),
    });
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::SOURCE;
    use crate::IngestedCapture;
    use crate::mutate::{broken, check, column, findings, ingest};
    use crate::testing::fixture;

    const FIXTURES: [&[u8]; 3] = [
        include_bytes!("../../../tests/fixtures/articles/every-field-stated/who-wins.md").as_slice(),
        include_bytes!("../../../tests/fixtures/articles/drafts/draft-with-a-date.md").as_slice(),
        include_bytes!("../../../tests/fixtures/articles/files-that-cannot-be-used/no-yaml.md").as_slice(),
    ];

    /// All files of a fixture folder as one capture.
    fn folder(name: &str) -> IngestedCapture {
        crate::ingest(SOURCE, &fixture(SOURCE, name)).unwrap()
    }

    #[test]
    fn every_stated_field_is_kept_and_the_text_as_it_is() {
        let ingested = ingest(SOURCE, "who-wins.md", FIXTURES[0]);
        let (_, batch) = &ingested.tables[0];
        let names = batch.schema().fields().iter().map(|f| f.name().clone()).collect::<Vec<_>>();
        let values =
            names.iter().map(|name| format!("{name}: {}\n", column(&ingested, "article_files", name)[0]));
        expect![[r#"
            file: who-wins.md
            line: 1
            row_digest: 2f6bc7313ff70737
            slug: who-wins
            title: Who wins: Quandle or Tand?
            dek: Two champions, one belt.
            author: Edda Type
            published_at: 2026-02-07T11:00:00Z
            updated_at: 2026-02-08T00:00:00Z
            hero: https://images.example/zorvik.jpg
            tags: ["preview","title fight"]
            fighters: ["Zorvik Quandle","statsdb:00000000000000a2"]
            events: ["Samplonia Fight League 12"]
            status: published
            body: # Who wins

            Text with --- a rule

            ---

            and more.
            unknown: {"mood":"tense"}
        "#]]
        .assert_eq(&values.collect::<String>());
    }

    #[test]
    fn without_a_date_or_by_its_word_an_article_is_a_draft() {
        let ingested = folder("drafts");
        assert_eq!(column(&ingested, "article_files", "slug"), ["dated", "later"]);
        assert_eq!(column(&ingested, "article_files", "status"), ["draft", "draft"]);
    }

    #[test]
    fn a_bad_file_is_set_aside_and_the_good_one_is_taken() {
        let ingested = folder("files-that-cannot-be-used");
        assert_eq!(column(&ingested, "article_files", "slug"), ["good"]);
        expect![[r#"
            a-list.md 1 unreadable_value: front matter: line 1 column 1: expected mapping start
            bad-date.md 1 unreadable_value: `published_at` is `"next Friday"`
            bad-slug.md 1 unreadable_value: `slug` is `Who Wins?`: only a-z, 0-9 and hyphens make an address
            draft-and-published.md 1 contradiction: `draft` and `status` contradict each other
            never-closed.md 1 missing_value: the file does not begin with front matter between lines of `---`
            no-front-matter.md 1 missing_value: the file does not begin with front matter between lines of `---`
            no-slug.md 1 missing_value: `slug` has no value
            no-yaml.md 1 unreadable_value: front matter: line 2 column 11: mapping values are not allowed in this context
            number-as-title.md 1 unreadable_value: `title` is `[1,2]`
            published-without-date.md 1 missing_value: `published_at` has no value
        "#]].assert_eq(&findings(&ingested));
    }

    #[test]
    fn of_two_files_with_one_slug_neither_is_taken() {
        let ingested = folder("two-files-one-slug");
        assert_eq!(column(&ingested, "article_files", "slug"), ["once"]);
        expect![[r#"
            a.md 1 duplicate: slug `twice` is also that of `b.md`
            b.md 1 duplicate: slug `twice` is also that of `a.md`
        "#]]
        .assert_eq(&findings(&ingested));
        assert!(ingested.counts.iter().all(|c| c.rows_in == c.rows_out + c.set_aside));
    }

    #[test]
    fn deep_nesting_and_references_to_references_end() {
        let deep = format!("---\nslug: a\ntitle: {}\n---\n", "[".repeat(100_000));
        check(SOURCE, "a.md", deep.as_bytes());
        let mut bomb = "---\nslug: a\na0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..30 {
            let last = format!("*a{}", i - 1);
            bomb.push_str(&format!("a{i}: &a{i} [{}]\n", vec![last; 8].join(", ")));
        }
        check(SOURCE, "a.md", format!("{bomb}---\n").as_bytes());
    }

    proptest! {
        #[test]
        fn no_broken_file_loses_a_record(bytes in broken(&FIXTURES)) {
            check(SOURCE, "a.md", &bytes);
        }
    }
}

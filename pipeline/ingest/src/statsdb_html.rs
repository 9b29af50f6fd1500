//! The statistics source in its own pages, as served: the list of events, events, bouts and fighters.
//!
//! A capture holds some of the pages and never all of them. Each page becomes rows of the same facts tables as
//! the six files do; what another page would have said is not there, and normalisation says what that costs.
//! A page that is built otherwise than it was is one record, set aside with the selector that found nothing.

mod bout;
mod event;
mod fighter;
mod page;
mod rounds;
mod tables;

use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};

use self::page::HtmlPage;
use self::tables::{PageRecord, PageRecords};
use crate::row::RowError;
use crate::{FileCount, IngestError, IngestedCapture, parse};

/// Name of the source in captures and contracts; its ids are those of `statsdb`.
pub const SOURCE: &str = "statsdb-html";

/// The list of events, which is of the UFC's alone.
const LIST: &str = "events.html";

/// What a page is of, by the name of its file; the pages of bouts and fighters do not hold their own id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PageKind {
    List,
    Event,
    Bout,
    Fighter,
}

/// Reads the pages; files of other names are passed over.
///
/// # Errors
/// A facts table is not what its contract says.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let mut pages: Vec<_> = files.iter().filter_map(|file| Some((kind(&file.0)?, file))).collect();
    // The list first: of an event told twice, its row says more.
    pages.sort_by_key(|((kind, _), (name, _))| (*kind != PageKind::List, name.as_str()));
    let mut records = PageRecords::default();
    let (mut findings, mut counts) = (Vec::new(), Vec::new());
    for ((kind, id), (name, bytes)) in pages {
        let read = read(kind, id, bytes).unwrap_or_else(Read::refused);
        let (count, found) = records.take(name, bytes, read);
        counts.push(count);
        findings.extend(found);
    }
    if counts.is_empty() {
        findings.push(no_page());
    }
    counts.sort_by(|a: &FileCount, b| a.file.cmp(&b.file));
    Ok(IngestedCapture { tables: records.into_tables()?, findings, counts })
}

/// Whether a file of this name is one of the pages.
pub(crate) fn is_page(name: &str) -> bool {
    kind(name).is_some()
}

/// Kind of page, and the id in the name of its file; `None` for a file that is no page.
fn kind(name: &str) -> Option<(PageKind, &str)> {
    if name == LIST {
        return Some((PageKind::List, ""));
    }
    let stem = name.strip_suffix(".html")?;
    let kinds = [("event-", PageKind::Event), ("fight-", PageKind::Bout), ("fighter-", PageKind::Fighter)];
    kinds.into_iter().find_map(|(prefix, kind)| Some((kind, stem.strip_prefix(prefix)?)))
}

fn no_page() -> Finding {
    Finding {
        kind: FindingKind::MissingFile,
        severity: Severity::Fatal,
        file: LIST.to_owned(),
        line: 0,
        key: None,
        reason: "the capture has no page of an event, bout or fighter".to_owned(),
        raw: None,
    }
}

/// What one page says, record by record in the order of the page.
#[derive(Default)]
struct Read {
    records: Vec<Result<PageRecord, RowError>>,
    /// What was noticed and costs no record.
    notes: Vec<RowError>,
}

impl Read {
    /// A page that cannot be taken apart is one record.
    fn refused(refusal: RowError) -> Self {
        Self { records: vec![Err(refusal)], notes: Vec::new() }
    }
}

fn read(kind: PageKind, id: &str, bytes: &[u8]) -> Result<Read, RowError> {
    let page = HtmlPage::parse(bytes)?;
    if kind == PageKind::List {
        return event::list(&page);
    }
    let id = parse::source_id(id).ok_or_else(|| {
        RowError::new(FindingKind::UnreadableValue, format!("the file's name has `{id}` for an id"))
    })?;
    match kind {
        PageKind::List | PageKind::Event => event::event(&page, id),
        PageKind::Bout => bout::bout(&page, id),
        PageKind::Fighter => fighter::fighter(&page, id),
    }
}

#[cfg(test)]
mod tests;

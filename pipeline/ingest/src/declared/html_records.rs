//! Records of a page: the elements that a CSS selector finds, in order of the page.

use fdna_model::FindingKind;
use scraper::{ElementRef, Selector};

use super::file_records::unreadable;
use crate::html_page::{HtmlPage, text};
use crate::row::RowError;

/// Where a column stands, by its name in the contract.
pub(super) enum HtmlPlace {
    /// `SELECTOR`: the first such element in the record.
    Record(Selector),
    /// `$ SELECTOR`: the first of the page.
    Page(Selector),
    /// `^ SELECTOR`: the last before the record, such as the heading that it stands under.
    Heading(Selector),
    /// `@file`: what the star of the file's name stands for.
    File,
}

impl HtmlPlace {
    pub(super) fn parse(name: &str) -> Result<Self, RowError> {
        if name == "@file" {
            return Ok(Self::File);
        }
        if let Some(name) = name.strip_prefix("$ ") {
            return Ok(Self::Page(selector(name)?));
        }
        Ok(match name.strip_prefix("^ ") {
            Some(name) => Self::Heading(selector(name)?),
            None => Self::Record(selector(name)?),
        })
    }
}

fn selector(text: &str) -> Result<Selector, RowError> {
    Selector::parse(text).map_err(|_| unreadable(format!("its contract has no CSS selector: `{text}`")))
}

/// For each record the texts at these places.
pub(super) fn read(
    page: &HtmlPage,
    records: &str,
    places: &[HtmlPlace],
    star: &str,
) -> Result<Vec<Vec<Option<String>>>, RowError> {
    let is_record = selector(records)?;
    let first = |of: ElementRef<'_>, selector: &Selector| of.select(selector).next().map(text);
    // What does not change from record to record is looked up once.
    let mut current: Vec<Option<String>> = places
        .iter()
        .map(|place| match place {
            HtmlPlace::File => Some(star.to_owned()),
            HtmlPlace::Page(selector) => first(page.root(), selector),
            HtmlPlace::Heading(_) | HtmlPlace::Record(_) => None,
        })
        .collect();
    let mut found = Vec::new();
    for element in page.root().descendent_elements() {
        for (place, current) in places.iter().zip(&mut current) {
            if matches!(place, HtmlPlace::Heading(selector) if selector.matches(&element)) {
                *current = Some(text(element));
            }
        }
        if is_record.matches(&element) {
            let cells = places.iter().zip(&current).map(|(place, current)| match place {
                HtmlPlace::Record(selector) => first(element, selector),
                _ => current.clone(),
            });
            found.push(cells.collect());
        }
    }
    if found.is_empty() {
        return Err(RowError::new(FindingKind::MissingColumn, format!("the page has no `{records}`")));
    }
    Ok(found)
}

//! A page and what is found on it: elements by selector, texts with their spaces made one, labelled values.

use fdna_model::FindingKind;
use fdna_schemas::SourceContract;
use scraper::{ElementRef, Selector};

use super::SOURCE;
pub(super) use crate::html_page::{HtmlPage, text};
use crate::parse;
use crate::row::RowError;

/// Elements in the order of the page. The selectors are this module's own, and tested; one that could not be
/// read would find nothing.
pub(super) fn all<'a>(of: ElementRef<'a>, selector: &str) -> Vec<ElementRef<'a>> {
    Selector::parse(selector).map(|selector| of.select(&selector).collect()).unwrap_or_default()
}

/// The first element; without one the page is built otherwise.
pub(super) fn first<'a>(of: ElementRef<'a>, selector: &str) -> Result<ElementRef<'a>, RowError> {
    all(of, selector).into_iter().next().ok_or_else(|| changed(selector))
}

/// The page is not built as it was: this selector finds nothing, or not what it did.
pub(super) fn changed(selector: &str) -> RowError {
    RowError::new(FindingKind::MissingColumn, format!("the page has no `{selector}`"))
}

/// A text that must be there.
pub(super) fn required(of: ElementRef<'_>, selector: &str) -> Result<String, RowError> {
    let text = text(first(of, selector)?);
    if is_null(&text) {
        return Err(RowError::new(FindingKind::MissingValue, format!("`{selector}` has no value")));
    }
    Ok(text)
}

/// One of the source's ways of writing "not known".
pub(super) fn is_null(text: &str) -> bool {
    let contract = SourceContract::get(SOURCE);
    contract.is_some_and(|contract| contract.null_tokens.iter().any(|token| token == text))
}

/// The id at the end of the address in an attribute.
pub(super) fn id(of: ElementRef<'_>, attribute: &str) -> Result<String, RowError> {
    let address = of.attr(attribute).unwrap_or_default();
    parse::address_id(address).map(str::to_owned).ok_or_else(|| unreadable(attribute, address))
}

pub(super) fn unreadable(name: &str, text: &str) -> RowError {
    RowError::new(FindingKind::UnreadableValue, format!("`{name}` is `{text}`"))
}

/// Values by the label in front of each: `Height: 6' 0"`.
pub(super) struct LabelledText {
    selector: &'static str,
    values: Vec<(String, String)>,
}

impl LabelledText {
    pub(super) fn read(of: ElementRef<'_>, selector: &'static str, label: &str) -> Self {
        let pair = |item: ElementRef<'_>| {
            let label = text(*all(item, label).first()?);
            let value = text(item).strip_prefix(&label)?.trim().to_owned();
            Some((label.trim_end_matches(':').to_owned(), value))
        };
        Self { selector, values: all(of, selector).into_iter().filter_map(pair).collect() }
    }

    /// `None` where the page has the label and no value; a page without the label is built otherwise.
    pub(super) fn optional(&self, label: &str) -> Result<Option<&str>, RowError> {
        let found = self.values.iter().find(|(name, _)| name == label);
        let (_, value) = found.ok_or_else(|| changed(&format!("{}` with `{label}:", self.selector)))?;
        Ok(Some(value.as_str()).filter(|value| !is_null(value)))
    }

    pub(super) fn required(&self, label: &str) -> Result<&str, RowError> {
        let missing = || RowError::new(FindingKind::MissingValue, format!("`{label}` has no value"));
        self.optional(label)?.ok_or_else(missing)
    }

    pub(super) fn read_required<T>(&self, label: &str, reader: fn(&str) -> Option<T>) -> Result<T, RowError> {
        let text = self.required(label)?;
        reader(text).ok_or_else(|| unreadable(label, text))
    }

    pub(super) fn read_optional<T>(
        &self,
        label: &str,
        reader: fn(&str) -> Option<T>,
    ) -> Result<Option<T>, RowError> {
        let text = self.optional(label)?;
        text.map(|text| reader(text).ok_or_else(|| unreadable(label, text))).transpose()
    }
}

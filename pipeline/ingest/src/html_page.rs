//! A page of HTML, whole or refused, and the text of its elements.

use fdna_model::FindingKind;
use scraper::{ElementRef, Html};

use crate::parse;
use crate::row::RowError;

pub(crate) struct HtmlPage(Html);

impl HtmlPage {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, RowError> {
        let text = std::str::from_utf8(bytes).map_err(|e| {
            RowError::new(FindingKind::NotUtf8, format!("byte {} is no UTF-8", e.valid_up_to()))
        })?;
        // The parser takes whatever there is for a page: records of one that was cut would be missing in silence.
        if !text.trim_end().to_ascii_lowercase().contains("</html") {
            return Err(RowError::new(
                FindingKind::UnreadableValue,
                "the page ends before `</html>`: it was cut",
            ));
        }
        Ok(Self(Html::parse_document(text)))
    }

    pub(crate) fn root(&self) -> ElementRef<'_> {
        self.0.root_element()
    }
}

/// The text of an element and of those in it, with one space between words.
pub(crate) fn text(of: ElementRef<'_>) -> String {
    parse::one_space(&of.text().collect::<Vec<_>>().join(" "))
}

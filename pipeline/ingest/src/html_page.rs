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

/// A text that may be marked up, as a reader shows it: without tags, and with the characters that entities stand for, also
/// where a publisher wrote them twice or put them into a section of characters that he escaped besides.
pub(crate) fn plain_text(text: &str) -> String {
    let inner = text.trim().strip_prefix("<![CDATA[").and_then(|inner| inner.strip_suffix("]]>"));
    let mut plain = inner.unwrap_or(text).to_owned();
    if is_marked_up(&plain) {
        plain = shown(&plain);
    }
    // What was an entity within an entity is a character now, and no tag.
    if has_entity(&plain) {
        plain = shown(&plain.replace('<', "&lt;"));
    }
    parse::one_space(&plain)
}

fn shown(markup: &str) -> String {
    Html::parse_fragment(markup).root_element().text().collect()
}

fn is_marked_up(text: &str) -> bool {
    let is_tag = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
    has_entity(text) || text.split('<').skip(1).any(is_tag)
}

/// `&amp;`, `&#8217;` or `&#x2019;`.
fn has_entity(text: &str) -> bool {
    text.split('&').skip(1).any(|rest| {
        let name = rest.split_once(';').map_or("", |(name, _)| name.strip_prefix('#').unwrap_or(name));
        (1..=32).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_headline_is_what_a_reader_shows() {
        for (text, plain) in [
            ("Champion&#8217;s return", "Champion’s return"),
            ("Smith &amp; Jones", "Smith & Jones"),
            ("Smith &amp;amp; Jones", "Smith & Jones"),
            ("R&uuml;ckblick &#x2019;26", "Rückblick ’26"),
            ("<![CDATA[some &lt;b&gt; text]]>", "some <b> text"),
            ("Ada <b>Stone</b>&nbsp;wins", "Ada Stone wins"),
            ("one<br>line", "oneline"),
            ("R&D at 5 < 6 & more; <3", "R&D at 5 < 6 & more; <3"),
            ("plain", "plain"),
        ] {
            assert_eq!(plain_text(text), plain, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_is_plain_stays(text in "\\PC{0,24}|(<[a-z]?|&|amp|#|[0-9]|;|>|\\]\\]>|<!\\[CDATA\\[){0,16}") {
            plain_text(&text);
            let plain: String = text.chars().filter(|c| !"<&".contains(*c)).collect();
            prop_assert_eq!(plain_text(&plain), parse::one_space(&plain));
        }
    }
}

//! Texts with places for values of an answer.
//!
//! `{path}` is a value of the row that is drawn, `{$path}` one of the page; `{path|filter else text}` goes through a
//! filter, and is the text where there is no value; `{path or path}` is the first of several values that is there. A part
//! in brackets is left out where a value in it is missing; a missing value elsewhere makes the whole text missing. In a
//! path, a number is a place in a list, and a name after `~` may be absent.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use super::filters::{Filter, filter};
use crate::shown::words_of;

/// What a text is written from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TemplateScope<'a> {
    pub(crate) page: &'a Value,
    /// The answer with the metric definitions, under the name `definitions`; null before it is asked for.
    pub(crate) definitions: &'a Value,
    pub(crate) row: &'a Value,
}

impl<'a> TemplateScope<'a> {
    /// Of a row that is on no declared page.
    pub(crate) fn of_row(row: &'a Value) -> Self {
        Self { page: row, row, definitions: &Value::Null }
    }
}

/// A value of a row or a page, through filters.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ValueExpression {
    is_of_page: bool,
    path: Vec<String>,
    filters: Vec<Filter>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct TextTemplate(Vec<TemplatePart>);

#[derive(Debug, Clone)]
enum TemplatePart {
    Text(String),
    Value { of: Vec<ValueExpression>, otherwise: Option<String> },
    Optional(TextTemplate),
}

impl TryFrom<String> for ValueExpression {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut parts = text.split('|');
        let path = parts.next().unwrap_or_default();
        let is_of_page = path.starts_with('$');
        let path = path.trim_start_matches('$').split('.').filter(|name| !name.is_empty() && *name != "row");
        let filters = parts.map(|name| filter(name).ok_or_else(|| format!("no filter is named `{name}`")));
        Ok(Self {
            is_of_page,
            path: path.map(str::to_owned).collect(),
            filters: filters.collect::<Result<_, _>>()?,
        })
    }
}

impl ValueExpression {
    /// The value, before its filters.
    pub(super) fn find_value<'a>(&self, scope: TemplateScope<'a>) -> &'a Value {
        let (from, path) = match self.path.split_first() {
            Some((first, path)) if first == "definitions" => (scope.definitions, path),
            _ if self.is_of_page => (scope.page, self.path.as_slice()),
            _ => (scope.row, self.path.as_slice()),
        };
        path.iter().fold(from, |value, name| member(value, name))
    }

    /// The value; null where there is none.
    pub(crate) fn evaluate<'a>(&self, scope: TemplateScope<'a>) -> Cow<'a, Value> {
        self.filters
            .iter()
            .fold(Cow::Borrowed(self.find_value(scope)), |value, filter| Cow::Owned(filter(&value)))
    }

    pub(crate) fn evaluate_number(&self, scope: TemplateScope<'_>) -> Option<f64> {
        self.find_value(scope).as_f64()
    }

    pub(crate) fn evaluate_integer(&self, scope: TemplateScope<'_>) -> Option<i64> {
        self.find_value(scope).as_i64()
    }

    /// The rows of a list, or the one that is no list. Lists have no filters.
    pub(crate) fn evaluate_rows<'a>(&self, scope: TemplateScope<'a>) -> Vec<&'a Value> {
        match self.find_value(scope) {
            Value::Null => Vec::new(),
            Value::Array(rows) => rows.iter().collect(),
            row => vec![row],
        }
    }

    pub(crate) fn is_there(&self, scope: TemplateScope<'_>) -> bool {
        !matches!(*self.evaluate(scope), Value::Null | Value::Bool(false))
    }
}

/// A member of an object or a list. A name that an answer lacks is a mistake, which a build with assertions stops at.
fn member<'a>(value: &'a Value, name: &str) -> &'a Value {
    if let Ok(at) = name.parse::<usize>() {
        return &value[at];
    }
    let (name, may_be_absent) = name.strip_prefix('~').map_or((name, false), |name| (name, true));
    debug_assert!(
        may_be_absent || value.is_null() || value.get(name).is_some(),
        "no `{name}` in {:.200}",
        value.to_string()
    );
    &value[name]
}

impl TryFrom<String> for TextTemplate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (template, rest) = Self::parse(&text)?;
        if rest.is_empty() { Ok(template) } else { Err(format!("`{text}` has a bracket too many")) }
    }
}

impl TextTemplate {
    /// Up to the end of the text or of its bracket.
    fn parse(mut rest: &str) -> Result<(Self, &str), String> {
        let mut pieces = Vec::new();
        while let Some(at) = rest.find(['{', '[', ']']) {
            let (text, from) = rest.split_at(at);
            pieces.push(TemplatePart::Text(text.to_owned()));
            rest = match from.as_bytes()[0] {
                b']' => return Ok((Self(pieces), from)),
                b'[' => {
                    let (inside, end) = Self::parse(&from[1..])?;
                    pieces.push(TemplatePart::Optional(inside));
                    end.strip_prefix(']').ok_or("a bracket is not closed")?
                }
                _ => {
                    let (inside, end) = from[1..].split_once('}').ok_or("a brace is not closed")?;
                    let (of, otherwise) =
                        inside.split_once(" else ").map_or((inside, None), |(of, text)| (of, Some(text)));
                    let of = of
                        .split(" or ")
                        .map(|of| ValueExpression::try_from(of.to_owned()))
                        .collect::<Result<_, _>>()?;
                    pieces.push(TemplatePart::Value { of, otherwise: otherwise.map(str::to_owned) });
                    end
                }
            };
        }
        pieces.push(TemplatePart::Text(rest.to_owned()));
        Ok((Self(pieces), ""))
    }

    /// The text; `None` where a value is missing.
    pub(crate) fn fill(&self, scope: TemplateScope<'_>) -> Option<String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                TemplatePart::Text(piece) => text.push_str(piece),
                TemplatePart::Optional(inside) => text.push_str(&inside.fill(scope).unwrap_or_default()),
                TemplatePart::Value { of, otherwise } => {
                    let value = of.iter().find_map(|of| words_of(&of.evaluate(scope)));
                    text.push_str(&value.or_else(|| otherwise.clone())?);
                }
            }
        }
        Some(text)
    }
}

/// An address: a path, and a query without what is missing.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct AddressTemplate {
    path: TextTemplate,
    query: Vec<(String, TextTemplate)>,
    /// A section of the page, with `#`.
    section: String,
}

impl TryFrom<String> for AddressTemplate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (text, section) =
            text.split_at(text.find('#').filter(|_| text.contains('?')).unwrap_or(text.len()));
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is no parameter"))?;
            Ok((name.to_owned(), TextTemplate::try_from(value.to_owned())?))
        };
        let query =
            query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect::<Result<_, String>>()?;
        Ok(Self { path: TextTemplate::try_from(path.to_owned())?, query, section: section.to_owned() })
    }
}

impl AddressTemplate {
    pub(crate) fn fill(&self, scope: TemplateScope<'_>) -> Option<String> {
        let pairs: Vec<(&str, Option<String>)> =
            self.query.iter().map(|(name, value)| (name.as_str(), value.fill(scope))).collect();
        let pairs: Vec<(&str, Option<&str>)> =
            pairs.iter().map(|(name, value)| (*name, value.as_deref())).collect();
        Some(crate::ask::address(&self.path.fill(scope)?, &pairs) + &self.section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fill_text(template: &str) -> Option<String> {
        let page = json!({"query": {"as_of": "2020-01-01", "sort": null}});
        let row = json!({"name": "Ana", "wins": 3, "nickname": null, "bouts": [{"id": "b1"}], "class": "WOMENS_FLYWEIGHT"});
        TextTemplate::try_from(template.to_owned()).unwrap().fill(TemplateScope {
            page: &page,
            row: &row,
            definitions: &Value::Null,
        })
    }

    #[test]
    fn a_missing_value_makes_a_text_missing_but_in_brackets_and_with_another_text() {
        for (template, text) in [
            ("{name}: {wins}", Some("Ana: 3")),
            ("{name} {nickname}", None),
            ("{name}[ “{nickname}”]", Some("Ana")),
            ("{nickname else none}", Some("none")),
            ("{nickname or name|capital}", Some("Ana")),
            ("{class|class} on {$query.as_of}", Some("Women's flyweight on 2020-01-01")),
            ("{bouts.0.id}", Some("b1")),
            ("{bouts.1.id else no bout}", Some("no bout")),
            ("{~draws else 0}", Some("0")),
        ] {
            assert_eq!(fill_text(template).as_deref(), text, "{template}");
        }
    }

    #[test]
    #[should_panic(expected = "no `losses`")]
    fn a_name_that_an_answer_lacks_is_a_mistake() {
        fill_text("{losses}");
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for template in ["{name", "[{name}", "{name}]", "{name|shouted}"] {
            assert!(TextTemplate::try_from(template.to_owned()).is_err(), "{template}");
        }
    }

    #[test]
    fn an_address_has_no_parameter_without_a_value() {
        let (page, row) =
            (json!({"query": {"as_of": "a&b", "sort": null}}), json!({"id": "f1", "none": null}));
        let scope = TemplateScope { page: &page, row: &row, definitions: &Value::Null };
        let text = |address: &str| AddressTemplate::try_from(address.to_owned()).unwrap().fill(scope);
        let address = "/fighters/{id}?sort={$query.sort}&as_of={$query.as_of}#why";
        assert_eq!(text(address).as_deref(), Some("/fighters/f1?as_of=a%26b#why"));
        assert_eq!(text("/fighters/{none}"), None);
    }
}

//! Query and path parameters, checked against those that a contract lists. What it does not list is refused.

mod read;
mod refused;

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::{Failure, Parameter};

use read::{decode, decode_with, default, read};

pub use read::listed;
pub use refused::{invalid, must_be, nearest, no_such_name};

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
enum ParamValue {
    Number(u32),
    Decimal(f64),
    Word(&'static str),
    Words(Vec<&'static str>),
    Date(NaiveDate),
    Instant(DateTime<Utc>),
    Flag(bool),
    Text(String),
    Ids(Vec<Uuid>),
}

/// Checked parameters, defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Params(BTreeMap<&'static str, ParamValue>);

impl Params {
    /// Checks a raw query string against the parameters that are allowed.
    ///
    /// # Errors
    /// 400: a parameter is unknown, missing, given twice, or has a value that it does not allow.
    pub fn parse<'p>(
        allowed: impl Iterator<Item = &'p Parameter> + Clone,
        query: &str,
    ) -> Result<Self, Failure> {
        let mut given: BTreeMap<&'static str, String> = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            let known = allowed.clone().find(|p| p.name == name);
            let parameter = known.ok_or_else(|| refused::unknown(allowed.clone(), &name))?;
            match given.get_mut(parameter.name) {
                None => drop(given.insert(parameter.name, value)),
                // One parameter for each value is what most programs write of a list.
                Some(before) if parameter.kind.is_list() => *before = format!("{before},{value}"),
                Some(_) => return Err(refused::repeated(parameter)),
            }
        }
        let mut values = BTreeMap::new();
        for parameter in allowed.clone() {
            let Some(text) = given.get(parameter.name) else { continue };
            let value = read(parameter.kind, text);
            values.insert(parameter.name, value.ok_or_else(|| refused::value(parameter, text))?);
        }
        for parameter in allowed {
            if let Some(value) = default(parameter.kind) {
                values.entry(parameter.name).or_insert(value);
            }
            if parameter.required && !values.contains_key(parameter.name) {
                return Err(refused::missing(parameter));
            }
        }
        Ok(Self(values))
    }

    /// A number; the list of operations gives every number a default.
    pub fn number(&self, name: &str) -> usize {
        match self.0.get(name) {
            Some(ParamValue::Number(n)) => usize::try_from(*n).unwrap_or(usize::MAX),
            _ => 0,
        }
    }

    /// A decimal number, if it is given.
    pub fn decimal(&self, name: &str) -> Option<f64> {
        if let Some(ParamValue::Decimal(number)) = self.0.get(name) { Some(*number) } else { None }
    }

    /// A word of a closed choice that may be left out.
    pub fn given_word(&self, name: &str) -> Option<&'static str> {
        if let Some(ParamValue::Word(word)) = self.0.get(name) { Some(word) } else { None }
    }

    /// A word of a closed choice.
    pub fn word(&self, name: &str) -> &'static str {
        if let Some(ParamValue::Word(word)) = self.0.get(name) { word } else { "" }
    }

    /// Words of a comma list, in the order of the contract.
    pub fn words(&self, name: &str) -> &[&'static str] {
        if let Some(ParamValue::Words(words)) = self.0.get(name) { words } else { &[] }
    }

    pub fn date(&self, name: &str) -> Option<NaiveDate> {
        if let Some(ParamValue::Date(date)) = self.0.get(name) { Some(*date) } else { None }
    }

    /// The dates `from` and `to`, both inclusive, of which either may be left out.
    pub fn span(&self) -> Result<(Option<NaiveDate>, Option<NaiveDate>), Failure> {
        let (from, to) = (self.date("from"), self.date("to"));
        match from.zip(to).filter(|(from, to)| from > to) {
            Some((from, to)) => Err(must_be("to", &format!("a date not before `from`, {from} (got {to})"))),
            None => Ok((from, to)),
        }
    }

    /// An instant; of a date its last, or its first where rows since then are asked for.
    pub fn instant(&self, name: &str) -> Option<DateTime<Utc>> {
        if let Some(ParamValue::Instant(at)) = self.0.get(name) { Some(*at) } else { None }
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        if let Some(ParamValue::Flag(flag)) = self.0.get(name) { Some(*flag) } else { None }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        if let Some(ParamValue::Text(text)) = self.0.get(name) { Some(text) } else { None }
    }

    /// Ids of a comma list, each once, in the order in which they were asked.
    pub fn ids(&self, name: &str) -> &[Uuid] {
        if let Some(ParamValue::Ids(ids)) = self.0.get(name) { ids } else { &[] }
    }

    /// The same text for queries that mean the same.
    pub fn normalised(&self) -> String {
        format!("{:?}", self.0)
    }

    /// The same, some parameters aside.
    pub fn normalised_without(&self, names: &[&str]) -> String {
        let kept: BTreeMap<_, _> = self.0.iter().filter(|(name, _)| !names.contains(*name)).collect();
        format!("{kept:?}")
    }
}

/// The decoded path segments that stand for `{…}` in the template.
pub fn path_ids(template: &str, path: &str) -> Result<Vec<String>, Failure> {
    let segments = template.split('/').zip(path.split('/'));
    let ids = segments.filter(|(name, _)| name.starts_with('{'));
    ids.map(|(_, segment)| decode_with(segment, false)).collect()
}

#[cfg(test)]
mod tests;

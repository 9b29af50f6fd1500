//! Query and path parameters, checked against those that a contract lists. What it does not list is refused.

mod read;
mod refused;

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::operations::parameters::{FROM, TO};
use crate::{Failure, Param, ParamType, ParamValue, Parameter};

use read::{decode, decode_with, default, read};

pub use read::listed;
pub use refused::{invalid, must_be, nearest, no_such_name};

/// Checked parameters, defaults filled in: those that are declared, with their values if they have any.
#[derive(Debug, Clone, PartialEq)]
pub struct Params(BTreeMap<&'static str, Option<ParamValue>>);

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
            let read =
                |text: &String| read(parameter.kind, text).ok_or_else(|| refused::value(parameter, text));
            let value = given.get(parameter.name).map(read).transpose()?;
            values.insert(parameter.name, value.or_else(|| default(parameter.kind)));
        }
        for parameter in allowed.filter(|parameter| parameter.required) {
            if values.get(parameter.name).is_none_or(Option::is_none) {
                return Err(refused::missing(parameter));
            }
        }
        Ok(Self(values))
    }

    /// The value of a parameter that is declared.
    ///
    /// # Panics
    /// It is not, or as another type: the operation does not take what it reads.
    pub fn get<T: ParamType>(&self, param: Param<T>) -> T::Value<'_> {
        let name = param.name();
        self.find(param).unwrap_or_else(|| panic!("`{name}` is read and not declared"))
    }

    /// The same for what is common to several operations; `None` where it is not declared, or another of its name is.
    pub fn find<T: ParamType>(&self, param: Param<T>) -> Option<T::Value<'_>> {
        T::read(self.0.get(param.name())?.as_ref())
    }

    /// What was given of a parameter that is known by its declaration alone, or its default.
    pub fn given(&self, parameter: &Parameter) -> Option<&ParamValue> {
        self.0.get(parameter.name)?.as_ref()
    }

    /// The dates `from` and `to`, both inclusive, of which either may be left out.
    pub fn span(&self) -> Result<(Option<NaiveDate>, Option<NaiveDate>), Failure> {
        let (from, to) = (self.get(FROM), self.get(TO));
        match from.zip(to).filter(|(from, to)| from > to) {
            Some((from, to)) => {
                Err(must_be(TO.name(), &format!("a date not before `from`, {from} (got {to})")))
            }
            None => Ok((from, to)),
        }
    }

    /// The same text for queries that mean the same.
    pub fn normalised(&self) -> String {
        self.normalised_without(&[])
    }

    /// The same, some parameters aside.
    pub fn normalised_without(&self, names: &[&str]) -> String {
        let given = self.0.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let kept: BTreeMap<_, _> = given.filter(|(name, _)| !names.contains(*name)).collect();
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

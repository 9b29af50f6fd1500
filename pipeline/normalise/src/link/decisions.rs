//! What people decided about who is who: it wins over every rule. `data/aliases/README.md` has the format.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::Kind;
use serde::Deserialize;
use toml::Spanned;

use super::registry::{Key, Registry};

/// A decision that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("follow {file}:{line}, entry {entry}: {reason}")]
pub struct DecisionError {
    pub file: String,
    /// Counted from 1: where the entry begins, or where the file cannot be parsed.
    pub line: usize,
    /// `same 1`, `different 2`, …, counted in each file; `file` for one that cannot be parsed.
    pub entry: String,
    pub reason: String,
}

/// All decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    entries: Vec<Entry>,
    same: BTreeMap<Key, Vec<Key>>,
    different: BTreeMap<Key, Vec<Key>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    file: String,
    line: usize,
    name: String,
    is_same: bool,
    ids: [Key; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    same: Vec<Spanned<Written>>,
    #[serde(default)]
    different: Vec<Spanned<Written>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: String,
    source: String,
    source_id: String,
    #[serde(rename = "as")]
    other: String,
    reason: String,
    by: String,
    on: toml::value::Datetime,
}

impl Decisions {
    /// Reads the texts of the files, given by name.
    ///
    /// # Errors
    /// A file cannot be parsed, or an entry contradicts another.
    pub fn parse(files: &[(String, String)]) -> Result<Self, DecisionError> {
        let mut all = Self::default();
        for (file, text) in files {
            all.entries.extend(entries(file, text)?);
        }
        all.index()
    }

    /// Entries that say `same`, and that say `different`.
    #[must_use]
    pub fn counts(&self) -> [usize; 2] {
        [true, false].map(|is_same| self.entries.iter().filter(|entry| entry.is_same == is_same).count())
    }

    fn index(mut self) -> Result<Self, DecisionError> {
        for entry in self.entries.clone() {
            let [a, b] = &entry.ids;
            let (mine, joined) = (self.joined(a), self.joined(b));
            if entry.is_same {
                let rival = mine.iter().find_map(|x| {
                    let rival = |y: &&Key| x.is_exclusive() && x.source == y.source && x != *y;
                    joined
                        .iter()
                        .find(rival)
                        .map(|y| format!("{} {} and {}", x.source, x.source_id, y.source_id))
                });
                if let Some(rival) = rival {
                    return Err(entry.error(format!("it makes two ids of one source the same: {rival}")));
                }
                self.same.entry(a.clone()).or_default().push(b.clone());
                self.same.entry(b.clone()).or_default().push(a.clone());
            } else {
                self.different.entry(a.clone()).or_default().push(b.clone());
                self.different.entry(b.clone()).or_default().push(a.clone());
            }
        }
        for entry in self.entries.iter().filter(|entry| !entry.is_same) {
            if self.joined(&entry.ids[0]).contains(&entry.ids[1]) {
                return Err(entry.error("another entry says that these are the same".to_owned()));
            }
        }
        Ok(self)
    }

    /// The id with all that are the same.
    fn joined(&self, key: &Key) -> Vec<Key> {
        let mut all = vec![key.clone()];
        let mut next = 0;
        while next < all.len() {
            let more: Vec<Key> = self.same.get(&all[next]).into_iter().flatten().cloned().collect();
            let more: Vec<Key> = more.into_iter().filter(|key| !all.contains(key)).collect();
            all.extend(more);
            next += 1;
        }
        all
    }

    /// Ids that stand for the same.
    pub(super) fn same(&self, key: &Key) -> impl Iterator<Item = &Key> {
        let joined = if self.same.contains_key(key) { self.joined(key) } else { Vec::new() };
        let others: Vec<&Key> =
            joined.iter().filter_map(|other| Some(self.same.get_key_value(other)?.0)).collect();
        others.into_iter().filter(move |other| *other != key).collect::<Vec<_>>().into_iter()
    }

    pub(super) fn any_different(&self) -> bool {
        !self.different.is_empty()
    }

    /// Ids that stand for others.
    pub(super) fn different(&self, key: &Key) -> impl Iterator<Item = &Key> {
        self.different.get(key).into_iter().flatten()
    }
}

/// The entries of one file.
fn entries(file: &str, text: &str) -> Result<Vec<Entry>, DecisionError> {
    let error = |line, entry: &str, reason| {
        let (file, entry) = (file.to_owned(), entry.to_owned());
        DecisionError { file, line, entry, reason }
    };
    let unparsed = |e: toml::de::Error| {
        let line = line_of(text, e.span().map_or(0, |span| span.start));
        error(line, "file", e.message().trim().to_owned())
    };
    let read: File = toml::from_str(text).map_err(unparsed)?;
    let mut entries = Vec::new();
    for (is_same, written) in [(true, read.same), (false, read.different)] {
        for (n, written) in (1..).zip(written) {
            let name = format!("{} {n}", if is_same { "same" } else { "different" });
            let line = line_of(text, written.span().start);
            let ids = written.into_inner().ids().map_err(|reason| error(line, &name, reason))?;
            entries.push(Entry { file: file.to_owned(), line, name, is_same, ids });
        }
    }
    Ok(entries)
}

/// The line in which this byte stands, counted from 1.
fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
}

impl Entry {
    fn error(&self, reason: String) -> DecisionError {
        DecisionError { file: self.file.clone(), line: self.line, entry: self.name.clone(), reason }
    }
}

impl Written {
    fn ids(&self) -> Result<[Key; 2], String> {
        let kinds = [Kind::Event, Kind::Bout, Kind::Fighter];
        let kind = kinds.into_iter().find(|kind| kind.name() == self.kind);
        let kind = kind.ok_or_else(|| format!("`{}` is no event, bout or fighter", self.kind))?;
        let (source, id) = self.other.split_once(':').ok_or("`as` is no source and id, such as feed:123")?;
        if self.reason.trim().is_empty() || self.by.trim().is_empty() {
            return Err("it does not say why or by whom".to_owned());
        }
        let date = self.on.date.ok_or("`on` is no date")?;
        NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into())
            .ok_or("`on` is no date")?;
        let ids = [Key::new(kind, &self.source, &self.source_id), Key::new(kind, source, id)];
        if ids[0] == ids[1] { Err("it speaks of one id alone".to_owned()) } else { Ok(ids) }
    }
}

impl Registry {
    /// That every decision was about ids that there are, and was followed.
    ///
    /// # Errors
    /// Of the first one that was not.
    pub(super) fn check_decisions(&self) -> Result<(), DecisionError> {
        for entry in &self.decisions.entries {
            let mut entities = Vec::new();
            for key in &entry.ids {
                let Some(link) = self.links.get(key) else {
                    let (kind, Key { source, source_id, .. }) = (key.kind.name(), key);
                    return Err(entry.error(format!("no capture has {kind} `{source_id}` of {source}")));
                };
                entities.push(link.entity);
            }
            if (entities[0] == entities[1]) != entry.is_same {
                let reason = "the ids stand in bouts that other decisions tie otherwise";
                return Err(entry.error(reason.to_owned()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

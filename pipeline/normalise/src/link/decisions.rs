//! What people decided in `data/aliases`: it wins over every rule.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::Kind;
use serde::Deserialize;

use super::registry::{Key, Registry};

/// A decision that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("follow {file}, entry {entry}: {reason}")]
pub struct DecisionError {
    pub file: String,
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
    name: String,
    is_same: bool,
    ids: [Key; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    same: Vec<Written>,
    #[serde(default)]
    different: Vec<Written>,
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
            let error = |e: toml::de::Error| DecisionError {
                file: file.clone(),
                entry: "file".to_owned(),
                reason: e.to_string().trim().to_owned(),
            };
            let read: File = toml::from_str(text).map_err(error)?;
            for (is_same, written) in [(true, read.same), (false, read.different)] {
                for (n, written) in written.into_iter().enumerate() {
                    let name = format!("{} {}", if is_same { "same" } else { "different" }, n + 1);
                    let error = |reason| DecisionError { file: file.clone(), entry: name.clone(), reason };
                    let ids = written.ids().map_err(error)?;
                    all.entries.push(Entry { file: file.clone(), name, is_same, ids });
                }
            }
        }
        all.index()
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

    /// Ids that stand for others.
    pub(super) fn different(&self, key: &Key) -> impl Iterator<Item = &Key> {
        self.different.get(key).into_iter().flatten()
    }
}

impl Entry {
    fn error(&self, reason: String) -> DecisionError {
        DecisionError { file: self.file.clone(), entry: self.name.clone(), reason }
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

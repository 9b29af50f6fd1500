//! Decisions of people about identities, which win over every rule. `data/aliases/README.md` has the format.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use fdna_model::Kind;
use serde::Deserialize;
use toml::Spanned;

use super::registry::{EntityRegistry, SourceKey};

/// A decision that cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}, entry {entry}: {reason}")]
pub struct DecisionError {
    pub file: String,
    /// Counted from 1: where the entry begins, or where the file cannot be parsed.
    pub line: usize,
    /// `same 1`, `different 2`, `same_judge 1`, …, counted in each file; `file` for one that cannot be parsed.
    pub entry: String,
    pub reason: String,
}

/// All decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkDecisions {
    entries: Vec<DecisionEntry<SourceKey>>,
    same: BTreeMap<SourceKey, Vec<SourceKey>>,
    different: BTreeMap<SourceKey, Vec<SourceKey>>,
    /// By names as sources write them: no source gives judges ids.
    judges: Vec<DecisionEntry<String>>,
}

/// A decision about two ids, or about two names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DecisionEntry<T> {
    file: String,
    line: usize,
    name: String,
    pub(super) is_same: bool,
    pub(super) ids: [T; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecisionFile {
    #[serde(default)]
    same: Vec<Spanned<WrittenDecision>>,
    #[serde(default)]
    different: Vec<Spanned<WrittenDecision>>,
    #[serde(default)]
    same_judge: Vec<Spanned<WrittenJudgeDecision>>,
    #[serde(default)]
    different_judge: Vec<Spanned<WrittenJudgeDecision>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDecision {
    kind: String,
    source: String,
    source_id: String,
    #[serde(rename = "as")]
    other: String,
    reason: String,
    by: String,
    on: toml::value::Datetime,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenJudgeDecision {
    name: String,
    #[serde(rename = "as")]
    other: String,
    reason: String,
    by: String,
    on: toml::value::Datetime,
}

impl LinkDecisions {
    /// Reads the texts of the files, given by name.
    ///
    /// # Errors
    /// A file cannot be parsed, or an entry contradicts another.
    pub fn parse(files: &[(String, String)]) -> Result<Self, DecisionError> {
        let mut all = Self::default();
        for (file, text) in files {
            let (entries, judges) = parse_entries(file, text)?;
            all.entries.extend(entries);
            all.judges.extend(judges);
        }
        all.build_index()
    }

    /// Entries that say `same`, and that say `different`.
    #[must_use]
    pub fn count_entries(&self) -> [usize; 2] {
        let of_ids = self.entries.iter().map(|entry| entry.is_same);
        let all: Vec<bool> = of_ids.chain(self.judges.iter().map(|entry| entry.is_same)).collect();
        [true, false].map(|is_same| all.iter().filter(|said| **said == is_same).count())
    }

    /// Decisions about judges.
    pub(super) fn judge_decisions(&self) -> &[DecisionEntry<String>] {
        &self.judges
    }

    fn build_index(mut self) -> Result<Self, DecisionError> {
        for entry in self.entries.clone() {
            let [a, b] = &entry.ids;
            let (mine, joined) = (self.joined_keys(a), self.joined_keys(b));
            if entry.is_same {
                let rival = mine.iter().find_map(|x| {
                    let rival = |y: &&SourceKey| x.is_exclusive() && x.source == y.source && x != *y;
                    joined
                        .iter()
                        .find(rival)
                        .map(|y| format!("{} {} and {}", x.source, x.source_id, y.source_id))
                });
                if let Some(rival) = rival {
                    return Err(entry.to_error(format!("it makes two ids of one source the same: {rival}")));
                }
                self.same.entry(a.clone()).or_default().push(b.clone());
                self.same.entry(b.clone()).or_default().push(a.clone());
            } else {
                self.different.entry(a.clone()).or_default().push(b.clone());
                self.different.entry(b.clone()).or_default().push(a.clone());
            }
        }
        for entry in self.entries.iter().filter(|entry| !entry.is_same) {
            if self.joined_keys(&entry.ids[0]).contains(&entry.ids[1]) {
                return Err(entry.to_error("another entry says that these are the same".to_owned()));
            }
        }
        Ok(self)
    }

    /// The id with all that are the same.
    fn joined_keys(&self, key: &SourceKey) -> Vec<SourceKey> {
        let mut all = vec![key.clone()];
        let mut next = 0;
        while next < all.len() {
            let more: Vec<SourceKey> = self.same.get(&all[next]).into_iter().flatten().cloned().collect();
            let more: Vec<SourceKey> = more.into_iter().filter(|key| !all.contains(key)).collect();
            all.extend(more);
            next += 1;
        }
        all
    }

    /// Ids that stand for the same.
    pub(super) fn same_keys(&self, key: &SourceKey) -> impl Iterator<Item = &SourceKey> {
        let joined = if self.same.contains_key(key) { self.joined_keys(key) } else { Vec::new() };
        let others: Vec<&SourceKey> =
            joined.iter().filter_map(|other| Some(self.same.get_key_value(other)?.0)).collect();
        others.into_iter().filter(move |other| *other != key).collect::<Vec<_>>().into_iter()
    }

    pub(super) fn any_different(&self) -> bool {
        !self.different.is_empty()
    }

    /// Ids that stand for others.
    pub(super) fn different_keys(&self, key: &SourceKey) -> impl Iterator<Item = &SourceKey> {
        self.different.get(key).into_iter().flatten()
    }
}

/// Decisions about ids, and about judges.
type DecisionsOfFile = (Vec<DecisionEntry<SourceKey>>, Vec<DecisionEntry<String>>);

/// The entries of one file: about ids, and about judges.
fn parse_entries(file: &str, text: &str) -> Result<DecisionsOfFile, DecisionError> {
    let unparsed = |e: toml::de::Error| {
        let line = line_of(text, e.span().map_or(0, |span| span.start));
        let (file, entry) = (file.to_owned(), "file".to_owned());
        DecisionError { file, line, entry, reason: e.message().trim().to_owned() }
    };
    let read: DecisionFile = toml::from_str(text).map_err(unparsed)?;
    let (mut entries, mut judges) = (Vec::new(), Vec::new());
    let place = EntryPlace { file, text };
    place.read_entries("same", true, read.same, WrittenDecision::parse_ids, &mut entries)?;
    place.read_entries("different", false, read.different, WrittenDecision::parse_ids, &mut entries)?;
    place.read_entries(
        "same_judge",
        true,
        read.same_judge,
        WrittenJudgeDecision::parse_names,
        &mut judges,
    )?;
    place.read_entries(
        "different_judge",
        false,
        read.different_judge,
        WrittenJudgeDecision::parse_names,
        &mut judges,
    )?;
    Ok((entries, judges))
}

/// Position of entries in their file.
struct EntryPlace<'a> {
    file: &'a str,
    text: &'a str,
}

impl EntryPlace<'_> {
    /// Reads the entries under one heading.
    fn read_entries<W, T>(
        &self,
        heading: &str,
        is_same: bool,
        written: Vec<Spanned<W>>,
        ids: fn(W) -> Result<[T; 2], String>,
        entries: &mut Vec<DecisionEntry<T>>,
    ) -> Result<(), DecisionError> {
        for (n, written) in (1..).zip(written) {
            let (file, name) = (self.file.to_owned(), format!("{heading} {n}"));
            let line = line_of(self.text, written.span().start);
            match ids(written.into_inner()) {
                Ok(ids) => entries.push(DecisionEntry { file, line, name, is_same, ids }),
                Err(reason) => return Err(DecisionError { file, line, entry: name, reason }),
            }
        }
        Ok(())
    }
}

/// The line in which this byte stands, counted from 1.
fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
}

impl<T> DecisionEntry<T> {
    pub(super) fn to_error(&self, reason: String) -> DecisionError {
        DecisionError { file: self.file.clone(), line: self.line, entry: self.name.clone(), reason }
    }
}

impl WrittenDecision {
    fn parse_ids(self) -> Result<[SourceKey; 2], String> {
        let kinds = [Kind::Event, Kind::Bout, Kind::Fighter];
        let kind = kinds.into_iter().find(|kind| kind.name() == self.kind);
        let kind = kind.ok_or_else(|| format!("`{}` is no event, bout or fighter", self.kind))?;
        let (source, id) = self.other.split_once(':').ok_or("`as` is no source and id, such as feed:123")?;
        check_signed(&self.reason, &self.by, &self.on)?;
        let ids = [SourceKey::new(kind, &self.source, &self.source_id), SourceKey::new(kind, source, id)];
        if ids[0] == ids[1] { Err("it speaks of one id alone".to_owned()) } else { Ok(ids) }
    }
}

impl WrittenJudgeDecision {
    fn parse_names(self) -> Result<[String; 2], String> {
        check_signed(&self.reason, &self.by, &self.on)?;
        let names = [self.name, self.other];
        if names[0] == names[1] { Err("it speaks of one name alone".to_owned()) } else { Ok(names) }
    }
}

/// Checks that an entry has a reason, an author and a date.
fn check_signed(reason: &str, by: &str, on: &toml::value::Datetime) -> Result<(), String> {
    if reason.trim().is_empty() || by.trim().is_empty() {
        return Err("it does not say why or by whom".to_owned());
    }
    let date = on.date.ok_or("`on` is no date")?;
    NaiveDate::from_ymd_opt(date.year.into(), date.month.into(), date.day.into()).ok_or("`on` is no date")?;
    Ok(())
}

impl EntityRegistry {
    /// Checks that every decision was about known ids, and was followed.
    ///
    /// # Errors
    /// Of the first one that was not.
    pub(super) fn check_decisions(&self) -> Result<(), DecisionError> {
        for entry in &self.decisions.entries {
            let mut entities = Vec::new();
            for key in &entry.ids {
                let Some(link) = self.links.get(key) else {
                    let (kind, SourceKey { source, source_id, .. }) = (key.kind.name(), key);
                    return Err(entry.to_error(format!("no capture has {kind} `{source_id}` of {source}")));
                };
                entities.push(link.entity);
            }
            if (entities[0] == entities[1]) != entry.is_same {
                let reason = "the ids stand in bouts that other decisions tie otherwise";
                return Err(entry.to_error(reason.to_owned()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

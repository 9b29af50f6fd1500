//! Source contracts: which files and columns a source gives, and which of them may be missing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::Deserialize;

use crate::embedded;

/// A source's files as they come; one TOML file in `schemas/sources`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceContract {
    pub source: String,
    /// The group that it informs first; several sources may share one, and a file may be of another.
    pub group: SourceGroup,
    pub meaning: String,
    /// Hours from one capture to the next, where the source has a rhythm.
    pub expected_every_hours: Option<i32>,
    /// Of the rows that a file had in one capture the next must have this share, else it looks cut and is held;
    /// none where captures have less and less by nature.
    #[serde(default)]
    pub least_share: Option<f64>,
    /// A capture that is held for its share alone is believed once captures of so many later days agree with it. Without, as
    /// for every history, a person decides: what was cut at the same place each day agrees too.
    #[serde(default)]
    pub agreeing_days: Option<usize>,
    /// Texts that stand for "not known".
    pub null_tokens: Vec<String>,
    /// Treatment of columns or fields that the contract does not name.
    pub unknown_columns: UnknownColumns,
    /// Columns or fields that are never read nor kept: odds, which are not ours to use.
    #[serde(default)]
    pub never_used: Vec<String>,
    /// Selection of the starts of its events among those that it gives; all where the contract says nothing.
    #[serde(default)]
    pub starts: StatedStarts,
    #[serde(rename = "file")]
    pub files: Vec<SourceFile>,
}

/// Starts that are stated: a source fills in an hour where it knows none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedStarts {
    /// Its hours before this day are not those at which the events began.
    pub from: Option<NaiveDate>,
    /// Midnight in this time zone of the IANA database stands for an hour that is not known.
    pub midnight_is_unknown_in: Option<String>,
}

/// Treatment of columns that the contract does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownColumns {
    /// A finding says that it is there.
    Noted,
    /// It stands in a column of its own.
    Kept,
}

/// Subject of a source, in the order in which the tables are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceGroup {
    /// Bouts that were fought, their results and counts.
    Statistics,
    /// Events and bouts to come, and their past.
    Schedule,
    /// Points of each judge in each round, and deductions.
    Judging,
    /// Late replacements and missed weights.
    Notice,
    /// Official rankings.
    Rankings,
    /// Records and career numbers as a source states them.
    Career,
    /// Image metadata.
    Media,
    /// Articles of the newsroom.
    Editorial,
    /// Headlines of outlets.
    Wire,
    /// Videos of channels.
    Videos,
}

impl SourceGroup {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Statistics => "statistics",
            Self::Schedule => "schedule",
            Self::Judging => "judging",
            Self::Notice => "notice",
            Self::Rankings => "rankings",
            Self::Career => "career",
            Self::Media => "media",
            Self::Editorial => "editorial",
            Self::Wire => "wire",
            Self::Videos => "videos",
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Name of the file; `*.json` and the like stand for every file that ends so.
    pub name: String,
    /// Facts table that its rows become.
    pub table: String,
    /// Group of the rows, where it is not that of the source.
    #[serde(default)]
    pub group: Option<SourceGroup>,
    /// Columns of the facts table that identify a row of a file: a second row with the same values is refused.
    /// `row_digest` refuses identical rows only; without a key no row is refused.
    #[serde(default)]
    pub key: Vec<String>,
    /// If no code reads the source, they also say what each column becomes. One that becomes two values is listed twice.
    pub columns: Vec<SourceColumn>,
}

impl SourceFile {
    /// The names of the file's columns, each once, with their rules.
    pub fn header(&self) -> impl Iterator<Item = (&str, ColumnRule)> {
        let mut seen = BTreeSet::new();
        let names =
            self.columns.iter().flat_map(|column| column.file_columns().map(|name| (name, column.rule)));
        names.filter(move |(name, _)| seen.insert(*name))
    }

    /// Whether a file of this name is meant.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        match self.name.strip_prefix('*') {
            Some(end) => name.len() > end.len() && name.ends_with(end),
            None => name == self.name,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceColumn {
    pub name: String,
    /// Other columns whose texts are joined to it with spaces, to be read as one.
    #[serde(default)]
    pub and: Vec<String>,
    /// Its name in the facts table, if it differs.
    #[serde(rename = "as")]
    pub column: Option<String>,
    pub rule: ColumnRule,
    /// Name of the parser; without one, the type of the column in the facts table says how it is read.
    pub parse: Option<String>,
}

impl SourceColumn {
    /// Name in the facts table.
    #[must_use]
    pub fn fact_name(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }

    /// Names in the file.
    pub fn file_columns(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.and).map(String::as_str)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnRule {
    /// A row without a value is set aside.
    Required,
    /// Unknown is null.
    Nullable,
    /// A file may lack it; unknown is null.
    Optional,
    /// Expected, and not used.
    Ignored,
}

impl SourceContract {
    /// All sources known to this build, by name.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        static CONTRACTS: LazyLock<Vec<SourceContract>> = LazyLock::new(|| {
            let read = |(name, text): &(&str, &str)| {
                toml::from_str(text).unwrap_or_else(|error| panic!("embedded source {name}: {error}"))
            };
            embedded::SOURCES.iter().map(read).collect()
        });
        CONTRACTS.iter()
    }

    /// Their names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        embedded::SOURCES.iter().map(|(name, _)| *name)
    }

    /// All that it tells of: its own group, and those of its files.
    #[must_use]
    pub fn feeds(&self) -> BTreeSet<SourceGroup> {
        let of_files = self.files.iter().filter_map(|file| file.group);
        std::iter::once(self.group).chain(of_files).collect()
    }

    /// Their names.
    #[must_use]
    pub fn feeds_by_name(&self) -> Vec<&'static str> {
        self.feeds().into_iter().map(SourceGroup::name).collect()
    }

    #[must_use]
    pub fn keeps_unknown(&self) -> bool {
        self.unknown_columns == UnknownColumns::Kept
    }

    /// The contract of a source known to this build.
    #[must_use]
    pub fn get(source: &str) -> Option<&'static Self> {
        Self::all().find(|contract| contract.source == source)
    }
}

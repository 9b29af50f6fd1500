//! Sources of the multi-sport catalog: files, records, columns, parsers and licences, as data. One TOML file a source in
//! `schemas/catalog/sources`; the facts table of each file follows from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::Deserialize;

use crate::catalog_files::catalog_files;
use crate::gates::PublicationLimits;
use crate::source::ColumnRule;
use crate::table::{Column, ColumnType, Table};

/// Licences of sources: `A` redistributed with its notice, `B` a permissive licence whose feed is unclear, `B?` by
/// informal permission, `T` test input alone, `NC` not for money.
pub const LICENCES: [&str; 5] = ["A", "B", "B?", "T", "NC"];

/// Name in the place of a sport in sources and models of properties: a product of its own, in a lake of its own.
pub const PROPERTIES: &str = "properties";

/// A source of a sport, or of properties.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogSource {
    /// The sport, a hyphen, and the source's own name: `nhl-boxes`.
    pub source: String,
    /// First segment of the routes that are made of it; [`PROPERTIES`] for a source of properties, which no route serves.
    pub sport: String,
    /// One of [`LICENCES`].
    pub licence: String,
    /// Notice that an answer made of it must carry.
    pub notice: Option<String>,
    pub meaning: String,
    /// Texts that stand for "not known".
    pub null_tokens: Vec<String>,
    /// Columns that are neither read nor kept: models, picks and guesses of others.
    #[serde(default)]
    pub never_used: Vec<String>,
    #[serde(rename = "file")]
    pub files: Vec<CatalogFile>,
}

/// Files of one form, and the facts table that their rows become.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogFile {
    /// Name, in which one `*` stands for any text. A name that ends with `.gz` besides is looked through.
    pub name: String,
    /// Whether a capture may come without any such file.
    #[serde(default)]
    pub is_optional: bool,
    pub format: FileFormat,
    /// That of a text which is not UTF-8, such as `latin1`; by its label in the WHATWG standard.
    pub encoding: Option<String>,
    /// Whether fields of CSV may stand in quotes. In a file that opens quotes and never closes them they are characters, else
    /// two of them meet and hide the rows between them.
    #[serde(default = "default_true")]
    pub has_quotes: bool,
    /// Whether the first line of CSV names its columns. Without it they are those of the contract, in its order.
    #[serde(default = "default_true")]
    pub has_header: bool,
    /// Name of the first column, in a table whose header stands behind lines of titles: the first line that begins with it is
    /// the header, and white space within its names, line breaks too, counts as one space.
    pub header: Option<String>,
    /// Whether lines of a table end with carriage returns alone.
    #[serde(default)]
    pub ends_in_returns: bool,
    /// Whether rows of a table in which no column has a value are passed over, as blank lines are.
    #[serde(default)]
    pub skips_empty_rows: bool,
    /// Of JSON, the path of the records: `$.days[*].games[*]`; without, the document or its items. Of HTML, the CSS selector
    /// of their elements.
    pub records: Option<String>,
    pub table: String,
    pub merge: MergeRule,
    /// Whether rows that are merged by `latest` say in `first_captured_at` when their key was captured first.
    #[serde(default)]
    pub tells_first_capture: bool,
    /// Of the rows that a file of one name had in an earlier capture it must have this share, else it looks cut and is held.
    /// Without, files that replace earlier ones must have the share of a table that a snapshot must keep, and others none.
    least_share: Option<f64>,
    /// Columns of the facts table that identify a row of a capture.
    #[serde(default)]
    pub key: Vec<String>,
    /// Columns by which a row is the same in two captures, where no key is claimed; without, those that are required. Rows
    /// that share them in one capture are left out of the corrections.
    #[serde(default)]
    identity: Vec<String>,
    /// Column of the key whose text begins with the day of the row, as 20191007, where no column is a day.
    pub day_in: Option<String>,
    pub meaning: String,
    pub columns: Vec<CatalogColumn>,
}

/// Parsing of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileFormat {
    Csv,
    Parquet,
    /// A workbook, of which the first sheet is read. Its rows are lines; a day or an instant is written as ISO 8601 has it.
    Xlsx,
    /// A page, whose columns are CSS selectors: `SELECTOR` in the record, `$ SELECTOR` the first of the page, `^ SELECTOR` the
    /// last before the record, such as its heading.
    Html,
    Json,
    /// A JSON document a line.
    Jsonl,
    /// A module of JavaScript: its constants that are literals are the fields of a document.
    Script,
    /// An event file of Retrosheet as a document of its `games`: what its lines state, and what a walk through the plays
    /// finds.
    Retrosheet,
    /// JSON with `headers` and `rowSet`; columns whose names are paths, `$.parameters.Season`, are of the document.
    ResultSets,
}

/// How the captures of a source meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeRule {
    /// Rows of one key are one row; of each column the newest value that is not null counts.
    Latest,
    /// Every row stays, with the time at which it was captured first.
    Append,
    /// Of each file name the rows of the newest capture count.
    Replace,
}

/// A column of a file, and what is made of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogColumn {
    /// As the file names it: a header, a path in a JSON record, a CSS selector.
    pub name: String,
    /// Other paths in a JSON record, of shapes that the source has besides: the first at which a value stands counts.
    #[serde(default)]
    pub or: Vec<String>,
    /// As the facts table names it; the same without.
    #[serde(rename = "as")]
    pub column: Option<String>,
    #[serde(rename = "type", default = "default_text")]
    pub kind: ColumnType,
    pub rule: ColumnRule,
    /// Name of the parser; without, the type says how a value is read.
    pub parse: Option<String>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub min_date: Option<NaiveDate>,
    pub max_date: Option<NaiveDate>,
    /// The only values that there are.
    #[serde(default)]
    pub values: Vec<String>,
    pub meaning: Option<String>,
}

fn default_true() -> bool {
    true
}

fn default_text() -> ColumnType {
    ColumnType::String
}

impl CatalogColumn {
    /// Name in the facts table.
    #[must_use]
    pub fn column_name(&self) -> &str {
        self.column.as_deref().unwrap_or(&self.name)
    }

    #[must_use]
    pub fn is_read(&self) -> bool {
        self.rule != ColumnRule::Ignored
    }
}

/// Name of a file without the end that says how it is compressed.
#[must_use]
pub fn without_gz(name: &str) -> &str {
    name.strip_suffix(".gz").unwrap_or(name)
}

impl CatalogFile {
    /// The text that the star of the name stands for in a matching file; `None` for any other file.
    #[must_use]
    pub fn star_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let name = without_gz(name);
        match self.name.split_once('*') {
            Some((begin, end)) => name.strip_prefix(begin)?.strip_suffix(end).filter(|star| !star.is_empty()),
            None => (name == self.name).then_some(""),
        }
    }

    /// Columns by which a row is the same in two captures: those of the key, where it has one.
    #[must_use]
    pub fn identity_columns(&self) -> Vec<&str> {
        let required = self.columns.iter().filter(|column| column.rule == ColumnRule::Required);
        match (self.key.as_slice(), self.identity.as_slice()) {
            ([], []) => required.map(CatalogColumn::column_name).collect(),
            ([], identity) => identity.iter().map(String::as_str).collect(),
            (key, _) => key.iter().map(String::as_str).collect(),
        }
    }

    /// Share of its rows that the next file of the same name must have at least. What stays whatever later captures state
    /// cannot be lost, and has none unless its contract says so.
    #[must_use]
    pub fn least_share(&self) -> Option<f64> {
        let of_replaced = || self.is_replaced().then(|| 1.0 - PublicationLimits::get().may_lose);
        self.least_share.or_else(of_replaced)
    }

    /// Whether the next file of the same name takes the place of its rows.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        self.merge == MergeRule::Replace
    }

    fn check_file(&self) -> Result<(), String> {
        if let Some(share) = self.least_share.filter(|share| !(0.0..=1.0).contains(share)) {
            return Err(format!("`least_share` is {share}, and is a share from 0 to 1"));
        }
        let read = || self.columns.iter().filter(|column| column.is_read()).map(CatalogColumn::column_name);
        let mut seen = BTreeSet::new();
        if let Some(twice) = read().find(|column| !seen.insert(*column)) {
            return Err(format!("column {twice} stands twice"));
        }
        if let Some(reserved) = read().find(|column| RESERVED.contains(column)) {
            return Err(format!("column {reserved}: every facts table has one of that name"));
        }
        let is_required = |key: &&String| {
            let of_key = |column: &&CatalogColumn| column.column_name() == key.as_str();
            self.columns.iter().find(of_key).is_some_and(|column| column.rule == ColumnRule::Required)
        };
        if let Some(key) = self.key.iter().find(|key| !is_required(key)) {
            return Err(format!("its key has {key}, which is no required column"));
        }
        let is_read = |name: &&String| read().any(|column| column == name.as_str());
        if let Some(unknown) = self.identity.iter().find(|name| !is_read(name)) {
            return Err(format!("its identity has {unknown}, which is no column"));
        }
        if let Some(day) = self.day_in.iter().find(|day| !self.key.contains(*day)) {
            return Err(format!("`{day}` begins with the day, and is not of the key"));
        }
        let has_key = self.merge != MergeRule::Latest || !self.key.is_empty();
        has_key.then_some(()).ok_or_else(|| "`latest` needs a key".to_owned())
    }
}

/// Columns that a facts table begins with, and those by which captures are merged.
const RESERVED: [&str; 7] =
    ["file", "line", "row_digest", "captured_at", "first_captured_at", "capture", "ord"];

impl CatalogSource {
    /// All sources known to this build, by name.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        static SOURCES: LazyLock<Vec<CatalogSource>> = LazyLock::new(|| {
            let read = |(name, text): &(&str, &str)| {
                toml::from_str(text).unwrap_or_else(|error| panic!("source {name}: {error}"))
            };
            catalog_files().sources.iter().map(read).collect()
        });
        SOURCES.iter()
    }

    /// Their names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        catalog_files().sources.iter().map(|(name, _)| *name)
    }

    /// The source of that name; for one that is not declared, no contract is parsed.
    #[must_use]
    pub fn get(source: &str) -> Option<&'static Self> {
        let place = Self::names().position(|name| name == source)?;
        Self::all().nth(place)
    }

    /// The forms in which a file of this name is read: all that are declared under the first name that is its.
    pub fn forms_of(&self, name: &str) -> impl Iterator<Item = &CatalogFile> {
        let declared = self.files.iter().find(|file| file.star_of(name).is_some()).map(|file| &file.name);
        self.files.iter().filter(move |file| Some(&file.name) == declared)
    }

    /// Its facts tables, by name. Files of several forms may feed one table: it has the columns of all of them, and one that
    /// a form lacks may be null.
    #[must_use]
    pub fn facts_tables(&self) -> BTreeMap<String, Table> {
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        for file in &self.files {
            let columns: Vec<Column> =
                file.columns.iter().filter(|column| column.is_read()).map(fact_column).collect();
            match tables.get_mut(&file.table) {
                Some(table) => add_form(table, columns),
                None => drop(tables.insert(file.table.clone(), facts_table(file, columns))),
            }
        }
        tables
    }

    /// Says what does not hold of the contract in a file of this name.
    pub(crate) fn check_source(&self, name: &str) -> Result<(), String> {
        if self.source != name || !name.starts_with(&format!("{}-", self.sport)) {
            return Err(format!(
                "it is called {} of {}: file, sport and source disagree",
                self.source, self.sport
            ));
        }
        if !LICENCES.contains(&&*self.licence) {
            return Err(format!("no licence `{}`; there are {}", self.licence, LICENCES.join(", ")));
        }
        self.files
            .iter()
            .try_for_each(|file| file.check_file().map_err(|why| format!("{}: {why}", file.name)))
    }

    /// The first facts table that two of these sources have, and the second of them.
    pub(crate) fn table_of_two(sources: &[Self]) -> Option<(&str, &str)> {
        let mut tables: BTreeMap<&str, &str> = BTreeMap::new();
        let mut pairs = sources
            .iter()
            .flat_map(|source| source.files.iter().map(|file| (file.table.as_str(), source.source.as_str())));
        pairs.find(|(table, source)| tables.entry(table).or_insert(source) != source)
    }

    /// SHA-256 of its contract, in hex: what its facts depend on besides the captures.
    #[must_use]
    pub fn digest(&self) -> String {
        let text = catalog_files().sources.iter().find(|(name, _)| *name == self.source);
        crate::digest::digest_of(text.map(|(name, text)| (*name, *text)))
    }
}

/// Columns that every facts table begins with.
fn place_columns() -> [Column; 3] {
    let column = |name: &str, kind, meaning: &str| Column {
        name: name.to_owned(),
        kind,
        unit: None,
        meaning: meaning.to_owned(),
        null_means: None,
        null_is_value: false,
        is_bookkeeping: false,
    };
    [
        column("file", ColumnType::String, "file name inside the capture"),
        column("line", ColumnType::Int32, "line of the file, or place of the record in the file, 1 first"),
        column("row_digest", ColumnType::String, "first 16 hex digits of the SHA-256 of the row as received"),
    ]
}

fn fact_column(column: &CatalogColumn) -> Column {
    let as_named = format!("`{}` of the source", column.name);
    Column {
        name: column.column_name().to_owned(),
        kind: column.kind,
        unit: None,
        meaning: column.meaning.clone().unwrap_or(as_named),
        null_means: (column.rule != ColumnRule::Required).then(|| "not stated by the source".to_owned()),
        null_is_value: false,
        is_bookkeeping: false,
    }
}

/// The facts tables of all sources of the catalog, by name.
pub(crate) fn facts_tables() -> BTreeMap<String, Table> {
    CatalogSource::all().flat_map(CatalogSource::facts_tables).collect()
}

/// Adds the columns of another form of file.
fn add_form(table: &mut Table, columns: Vec<Column>) {
    let lacking = || "the file has no such column".to_owned();
    for own in &mut table.columns[3..] {
        if !columns.iter().any(|column| column.name == own.name) {
            own.null_means.get_or_insert_with(lacking);
        }
    }
    for mut column in columns {
        match table.columns.iter_mut().find(|own| own.name == column.name) {
            Some(own) => own.null_means = own.null_means.take().or(column.null_means),
            None => {
                column.null_means.get_or_insert_with(lacking);
                table.columns.push(column);
            }
        }
    }
}

fn facts_table(file: &CatalogFile, columns: Vec<Column>) -> Table {
    Table {
        name: file.table.clone(),
        stage: "facts".to_owned(),
        version: 1,
        grain: "one row per record of a file".to_owned(),
        key: vec!["file".to_owned(), "line".to_owned()],
        meaning: file.meaning.clone(),
        history: Vec::new(),
        objects: Vec::new(),
        columns: place_columns().into_iter().chain(columns).collect(),
    }
}

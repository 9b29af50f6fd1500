//! A snapshot as a Croissant 1.1 document (<https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html>): what is in
//! it, by what digests, and what its columns mean. It states what the manifest, the files and the contracts of sources
//! state; what none of them says, such as how to cite, is left out.

use std::collections::BTreeSet;

use chrono::{DateTime, SecondsFormat, Utc};
use fdna_schemas::{CatalogSource, ColumnType};
use serde_json::{Map, Value, json};

use crate::columns::ExportedColumn;
use crate::versions::{ExportedSchema, VersionHistory};

/// What a document says of a snapshot.
#[derive(Clone, Debug)]
pub struct DatasetDescription<'a> {
    /// Product, as lakes name it.
    pub product: &'a str,
    /// Id of the snapshot.
    pub snapshot: &'a str,
    /// Time at which it became current, where that is known.
    pub published_at: Option<DateTime<Utc>>,
    /// Whether any of it is made up.
    pub synthetic: bool,
    /// Licences of which sources count; none where every source does.
    pub licences: &'a [String],
    /// Names of the sources of its captures.
    pub sources: BTreeSet<&'a str>,
    /// Its tables.
    pub tables: Vec<DatasetTable<'a>>,
}

/// A table of a snapshot.
#[derive(Clone, Debug)]
pub struct DatasetTable<'a> {
    /// Name.
    pub name: &'a str,
    /// Address of its file, from that of the document.
    pub content_url: String,
    /// Bytes of its file.
    pub bytes: u64,
    /// Digest of its file, 64 hex digits.
    pub sha256: &'a str,
    /// What its rows and columns are, where that is known.
    pub schema: Option<&'a ExportedSchema>,
}

impl<'a> DatasetDescription<'a> {
    /// The newest version of an export, whose document lies above the tables.
    #[must_use]
    pub fn of_version(history: &'a VersionHistory, product: &'a str) -> Option<Self> {
        let newest = history.newest()?;
        let tables = newest.tables.iter().map(|table| DatasetTable {
            name: &table.name,
            content_url: format!("{}/{}", table.name, table.file_name()),
            bytes: table.bytes,
            sha256: &table.sha256,
            schema: history.schema_at(&table.name, history.versions().len() - 1),
        });
        Some(Self {
            product,
            snapshot: newest.snapshot.as_str(),
            published_at: Some(newest.published_at),
            synthetic: newest.synthetic,
            licences: &newest.licences,
            sources: newest.sources.iter().map(String::as_str).collect(),
            tables: tables.collect(),
        })
    }

    /// The table that a column refers to: that of the things which it names, if none of its own columns refers to another.
    /// Chains of references are true as well, but mlcroissant 1.1.1 reads no record of a table that begins one.
    fn referred_by(&self, table: &str, column: &str) -> Option<&'a str> {
        let found = self.named_by(table, column)?;
        let mut columns = found.schema?.columns.iter();
        let is_chain = columns.any(|column| self.named_by(found.name, &column.name).is_some());
        (!is_chain).then_some(found.name)
    }

    /// The table of the things that a column names, `fighters` for `fighter_id`, if that column is its whole key. Tables of the
    /// catalog have their sport in their names and so none: sources name players that no list of players has.
    fn named_by(&self, table: &str, column: &str) -> Option<&DatasetTable<'a>> {
        let named = format!("{}s", column.strip_suffix("_id").unwrap_or(column));
        let found = self.tables.iter().find(|other| other.name == named && other.name != table)?;
        found.schema.is_some_and(|schema| schema.key == [column]).then_some(found)
    }
}

/// The document.
#[must_use]
pub fn croissant_document(dataset: &DatasetDescription<'_>) -> Value {
    let mut document = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": format!("fightdna-{}", dataset.product),
        "description": describe(dataset),
        "identifier": dataset.snapshot,
        "isLiveDataset": false,
        "distribution": dataset.tables.iter().map(distribution).collect::<Vec<_>>(),
        "recordSet": record_sets(dataset),
    });
    if let Some(at) = dataset.published_at {
        document["datePublished"] = at.to_rfc3339_opts(SecondsFormat::Secs, true).into();
    }
    let licences: Vec<&str> = dataset.licences.iter().filter_map(|licence| licence_text(licence)).collect();
    if !licences.is_empty() {
        document["license"] = licences.into();
    }
    let notices: BTreeSet<&str> = dataset.sources.iter().filter_map(|source| notice(source)).collect();
    if !notices.is_empty() {
        document["creditText"] = notices.into_iter().collect::<Vec<_>>().join("\n").into();
    }
    document
}

fn describe(dataset: &DatasetDescription<'_>) -> String {
    let what = match dataset.product {
        "catalog" => "Facts of several sports and what is derived of them",
        "properties" => "Properties, their sales and values",
        _ => "Facts of mixed martial arts and the Fight DNA derived of them",
    };
    let made_up = if dataset.synthetic { " Rows of it are made up: it is a synthetic sample." } else { "" };
    format!("{what}, as published in snapshot {}.{made_up}", dataset.snapshot)
}

/// What a licence class of sources allows.
fn licence_text(licence: &str) -> Option<&'static str> {
    Some(match licence {
        "A" => "A: sources that may be redistributed with their notice",
        "B" => "B: sources under a permissive licence of a feed whose own terms are unclear",
        "B?" => "B?: sources by informal permission",
        "T" => "T: sources that are test input alone",
        "NC" => "NC: sources that are not for money",
        _ => return None,
    })
}

fn notice(source: &str) -> Option<&'static str> {
    CatalogSource::get(source)?.notice.as_deref()
}

fn distribution(table: &DatasetTable<'_>) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": file_id(table.name),
        "name": file_id(table.name),
        "contentUrl": table.content_url,
        "contentSize": format!("{} B", table.bytes),
        // By its registered type, `application/vnd.apache.parquet`, mlcroissant does not know it.
        "encodingFormat": "application/x-parquet",
        "sha256": table.sha256,
    })
}

fn file_id(table: &str) -> String {
    format!("{table}.parquet")
}

fn record_sets(dataset: &DatasetDescription<'_>) -> Vec<Value> {
    let known = dataset.tables.iter().filter_map(|table| Some((table.name, table.schema?)));
    known.map(|(table, schema)| record_set(dataset, table, schema)).collect()
}

fn record_set(dataset: &DatasetDescription<'_>, table: &str, schema: &ExportedSchema) -> Value {
    let key = schema.key.iter().map(|column| json!({ "@id": field_id(table, column) }));
    let mut set = json!({
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "key": key.collect::<Vec<_>>(),
        "field": schema.columns.iter().map(|column| field(dataset, table, column)).collect::<Vec<_>>(),
    });
    let texts = [schema.meaning.as_deref(), schema.grain.as_deref()];
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    if !texts.is_empty() {
        set["description"] = texts.join("\n").into();
    }
    set
}

fn field(dataset: &DatasetDescription<'_>, table: &str, column: &ExportedColumn) -> Value {
    let mut field = json!({
        "@type": "cr:Field",
        "@id": field_id(table, &column.name),
        "name": column.name,
        "dataType": data_type(column.kind),
        "source": { "fileObject": { "@id": file_id(table) }, "extract": { "column": column.name } },
    });
    if let Some(meaning) = &column.meaning {
        field["description"] = meaning.as_str().into();
    }
    if let Some(unit) = &column.unit {
        field["unitText"] = unit.as_str().into();
    }
    if let Some(other) = dataset.referred_by(table, &column.name) {
        field["references"] = json!({ "field": { "@id": field_id(other, &column.name) } });
    }
    field
}

fn field_id(table: &str, column: &str) -> String {
    format!("{table}/{column}")
}

fn data_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::String | ColumnType::Uuid | ColumnType::Json => "sc:Text",
        ColumnType::Int32 => "cr:Int32",
        ColumnType::Int64 => "cr:Int64",
        ColumnType::Float64 => "cr:Float64",
        ColumnType::Bool => "sc:Boolean",
        ColumnType::Date => "sc:Date",
        ColumnType::Instant => "sc:DateTime",
    }
}

/// That of the specification, whole: readers warn of another.
fn context() -> Value {
    let terms = [
        "arrayShape",
        "citeAs",
        "column",
        "containedIn",
        "equivalentProperty",
        "extract",
        "field",
        "fileProperty",
        "fileObject",
        "fileSet",
        "format",
        "includes",
        "isArray",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
        "parentField",
        "path",
        "recordSet",
        "references",
        "regex",
        "repeated",
        "replace",
        "samplingRate",
        "separator",
        "source",
        "subField",
        "transform",
    ];
    let mut context: Map<String, Value> =
        terms.into_iter().map(|term| (term.to_owned(), format!("cr:{term}").into())).collect();
    let others = json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "description": { "@container": "@language" },
        "name": { "@container": "@language" },
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "sc": "https://schema.org/",
    });
    if let Value::Object(others) = others {
        context.extend(others);
    }
    context.into()
}

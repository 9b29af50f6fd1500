//! The commits of a table's Delta log, as <https://github.com/delta-io/delta/blob/master/PROTOCOL.md> has them: reader
//! version 1, writer version 2, no partitions and no column mapping, which not all readers read.

use chrono::{DateTime, Utc};
use fdna_lake::PublicationKind;
use fdna_schemas::ColumnType;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::columns::ExportedColumn;
use crate::versions::{ExportedSchema, ExportedTable, ExportedVersion, VersionHistory};

/// The commit of a version of a table: its actions as lines of JSON. A version in which the table is as before has the
/// note of the commit alone. One that lacks the table, before it came or after it went, has no file and so no rows;
/// `None` where no version has it.
#[must_use]
pub fn delta_commit(history: &VersionHistory, table: &str, version: usize) -> Option<String> {
    let this = history.versions().get(version)?;
    let schema = history.schema_at(table, version)?;
    let before = version.checked_sub(1).and_then(|before| history.versions().get(before));
    let (old, new) = (before.and_then(|before| before.table(table)), this.table(table));
    let mut actions = vec![commit_info(this, new.is_some())];
    if before.is_none() {
        actions.push(json!({ "protocol": { "minReaderVersion": 1, "minWriterVersion": 2 } }));
    }
    if before.is_none() || history.schema_at(table, version - 1) != Some(schema) {
        actions.push(metadata(history, table, schema, this.published_at));
    }
    if old.map(|old| &old.sha256) != new.map(|new| &new.sha256) {
        actions.extend(old.map(|old| remove(old, this.published_at)));
        actions.extend(new.map(|new| add(new, this.published_at)));
    }
    Some(actions.iter().map(|action| format!("{action}\n")).collect())
}

fn commit_info(version: &ExportedVersion, has_table: bool) -> Value {
    let operation = match version.kind {
        PublicationKind::Rollback => "ROLLBACK",
        PublicationKind::Publish | PublicationKind::Found => "PUBLISH",
    };
    json!({ "commitInfo": {
        "timestamp": version.published_at.timestamp_millis(),
        "operation": operation,
        // Values are texts, which some readers need.
        "operationParameters": { "snapshot": version.snapshot, "hasTable": has_table.to_string() },
        "engineInfo": "fightdna",
    } })
}

fn metadata(history: &VersionHistory, table: &str, schema: &ExportedSchema, at: DateTime<Utc>) -> Value {
    // One id for all versions, and another in the export of another lake: readers cache by it.
    let first = history.versions().first().map(|version| format!("{}/{table}", version.snapshot));
    let id = Uuid::new_v5(&Uuid::NAMESPACE_OID, first.unwrap_or_default().as_bytes());
    let mut metadata = json!({
        "id": id.to_string(),
        "name": table,
        "format": { "provider": "parquet", "options": {} },
        "schemaString": schema_string(&schema.columns),
        "partitionColumns": [],
        "configuration": {},
        "createdTime": at.timestamp_millis(),
    });
    if let Some(meaning) = &schema.meaning {
        metadata["description"] = meaning.as_str().into();
    }
    json!({ "metaData": metadata })
}

/// The columns in the protocol's own JSON, as a text.
fn schema_string(columns: &[ExportedColumn]) -> String {
    let fields: Vec<Value> = columns.iter().map(field).collect();
    json!({ "type": "struct", "fields": fields }).to_string()
}

fn field(column: &ExportedColumn) -> Value {
    let notes = [("comment", &column.meaning), ("unit", &column.unit)];
    let notes: Map<String, Value> =
        notes.into_iter().filter_map(|(key, note)| Some((key.to_owned(), note.as_deref()?.into()))).collect();
    json!({ "name": column.name, "type": type_name(column.kind), "nullable": column.nullable, "metadata": notes })
}

fn type_name(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::String | ColumnType::Uuid | ColumnType::Json => "string",
        ColumnType::Int32 => "integer",
        ColumnType::Int64 => "long",
        ColumnType::Float64 => "double",
        ColumnType::Bool => "boolean",
        ColumnType::Date => "date",
        // In UTC; without a zone it would be `timestamp_ntz`, which needs a newer reader.
        ColumnType::Instant => "timestamp",
    }
}

fn add(table: &ExportedTable, at: DateTime<Utc>) -> Value {
    json!({ "add": {
        "path": table.file_name(),
        "partitionValues": {},
        "size": table.bytes,
        "modificationTime": at.timestamp_millis(),
        "dataChange": true,
        "stats": json!({ "numRecords": table.rows }).to_string(),
    } })
}

fn remove(table: &ExportedTable, at: DateTime<Utc>) -> Value {
    json!({ "remove": {
        "path": table.file_name(),
        "deletionTimestamp": at.timestamp_millis(),
        "dataChange": true,
        "extendedFileMetadata": true,
        "partitionValues": {},
        "size": table.bytes,
    } })
}

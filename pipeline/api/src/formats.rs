//! Shapes of text on the wire, for the schema of fields that Rust holds as plain strings.
//!
//! A field says what it is by `#[schemars(with = "…")]`: the type here is never made, it only has a schema.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident $schema:tt;)+) => { $(
        $(#[$doc])*
        pub(crate) struct $name;

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+ };
}

shapes! {
    /// `YYYY-MM-DD`.
    Date { "type": "string", "format": "date" };
    /// RFC 3339 with the offset `+00:00`.
    Instant { "type": "string", "format": "date-time", "pattern": "\\+00:00$" };
    /// An absolute address.
    Address { "type": "string", "format": "uri" };
    /// Clock of a round.
    Clock { "type": "string", "pattern": "^[0-9]+:[0-5][0-9]$" };
    /// SHA-256 as hex digits.
    Sha256 { "type": "string", "pattern": "^[0-9a-f]{64}$" };
    /// The same; empty where there is none.
    MaybeSha256 { "type": "string", "pattern": "^([0-9a-f]{64})?$" };
    /// Id of a snapshot.
    SnapshotId { "type": "string", "pattern": "^[0-9a-f]{32}$" };
    /// 0 to 1.
    Share { "type": "number", "minimum": 0, "maximum": 1 };
    /// A whole or broken number.
    Number { "type": "number" };
    /// The smallest and the largest.
    Range { "type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2 };
    /// A value of a row of the ledger.
    Cell { "type": ["null", "boolean", "integer", "string"] };
    /// Always false.
    False { "type": "boolean", "const": false };
}

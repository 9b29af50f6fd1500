//! The index: what this API is and where its routes are.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::{API_NAME, API_STATUS, API_VERSION, all_operations};

/// What every answer keeps to.
pub const PRINCIPLES: &[&str] = &[
    "read-only contract",
    "source-grounded normalized facts",
    "explicit nulls and unavailable states",
    "no fabricated rankings, odds, predictions, probabilities or editorial facts",
];

/// `data` of the index.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Index<'a> {
    pub name: &'static str,
    pub version: &'static str,
    /// A pre-release marker.
    pub status: &'static str,
    pub principles: &'static [&'static str],
    /// Where images are served; null while there are none.
    pub media_base_url: Option<&'a str>,
    /// Route name to path template with an example query string.
    pub endpoints: Endpoints,
}

/// All routes of the contract, from the list of operations.
#[derive(Debug)]
pub struct Endpoints;

impl Serialize for Endpoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for operation in all_operations() {
            map.serialize_entry(operation.name, &operation.with_example())?;
        }
        map.end()
    }
}

impl JsonSchema for Endpoints {
    fn schema_name() -> Cow<'static, str> {
        "Endpoints".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = all_operations().map(|operation| operation.name).collect();
        let path = json_schema!({"type": "string"}).to_value();
        let properties: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), path.clone())).collect();
        json_schema!({
            "description": "Route name to path template with an example query string.",
            "type": "object",
            "properties": properties,
            "required": names,
        })
    }
}

impl<'a> Index<'a> {
    /// The index of this build.
    #[must_use]
    pub fn new(media_base_url: Option<&'a str>) -> Self {
        Self {
            name: API_NAME,
            version: API_VERSION,
            status: API_STATUS,
            principles: PRINCIPLES,
            media_base_url,
            endpoints: Endpoints,
        }
    }
}

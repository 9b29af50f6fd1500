//! Search on the wire.

use schemars::JsonSchema;
use serde::Serialize;

use crate::enums;

/// What stands before `record`: the fighter or event in short, the bout with its event, fighters and result, or
/// the article as in lists.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SearchHead {
    /// fighter, event, bout or article.
    #[schemars(with = "enums::SearchKind")]
    pub kind: &'static str,
    /// How well the text fits, above 0 and up to 1; it orders the list and says nothing else.
    pub score: f64,
    /// The least near of the asked words: exact, prefix (a word begins with it) or similar (small errors).
    #[serde(rename = "match")]
    #[schemars(with = "enums::Nearness")]
    pub nearness: &'static str,
}

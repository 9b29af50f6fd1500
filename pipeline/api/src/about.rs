//! Fighters, events and bouts that an article, a story or a video is about.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Id;

/// Ids of those that an item is about; empty where nobody could be told with certainty.
#[derive(Debug, Clone, Default, JsonSchema, Serialize)]
pub struct About {
    pub fighter_ids: Vec<Id>,
    pub event_ids: Vec<Id>,
    pub bout_ids: Vec<Id>,
}

//! Records with the images that may be shown now: put together for each answer, for rights run out while a
//! snapshot is served.

use super::Dataset;
use super::bouts::BoutRow;
use super::images::ImageVisibility;
use crate::json_splice::{JsonObject, array};

const NULL: &[u8] = b"null";

impl Dataset {
    /// A fighter, as in lists and bouts.
    pub(crate) fn fighter_json(&self, fighter: usize, shown: ImageVisibility) -> Vec<u8> {
        self.with_portrait(&self.fighters.rows[fighter].json, fighter, shown).finish()
    }

    /// A fighter inside another record.
    pub(crate) fn fighter_compact(&self, fighter: usize, shown: ImageVisibility) -> Vec<u8> {
        self.with_portrait(&self.fighters.rows[fighter].compact, fighter, shown).finish()
    }

    /// A fighter on his own.
    pub(crate) fn fighter_detail(&self, fighter: usize, shown: ImageVisibility) -> JsonObject {
        let row = &self.fighters.rows[fighter];
        let slug = format!("\"{}\"", row.slug_id);
        let detail = self.with_portrait(&row.json, fighter, shown).field("slug_id", slug.as_bytes());
        detail.field_with("images", |out| array(out, self.images.all(fighter, shown)))
    }

    /// A bout of a card.
    pub(crate) fn bout_json(&self, bout: &BoutRow, shown: ImageVisibility) -> JsonObject {
        let [a, b] = bout.fighters.map(|fighter| self.fighter_json(fighter, shown));
        let result = bout.result.as_ref().map_or(NULL, |result| &result.json);
        JsonObject::of(&bout.json).field("fighter_a", &a).field("fighter_b", &b).field("result", result)
    }

    fn with_portrait(&self, fields: &[u8], fighter: usize, shown: ImageVisibility) -> JsonObject {
        JsonObject::of(fields).field("primary_image", self.images.primary(fighter, shown).unwrap_or(NULL))
    }
}

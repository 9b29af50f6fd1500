//! Records with the images that may be shown now: put together for each answer, for rights run out while a
//! snapshot is served.

use fdna_api::{Bout, EventCompact, Fighter, FighterCompact, PreparedJson};

use super::Dataset;
use super::bouts::BoutRow;
use super::images::ImageVisibility;

impl Dataset {
    /// A fighter, as in lists and bouts.
    pub(crate) fn fighter(&self, fighter: usize, shown: ImageVisibility) -> Fighter<'_> {
        Fighter {
            facts: PreparedJson::new(&*self.fighters.rows[fighter].json),
            primary_image: self.images.primary(fighter, shown),
        }
    }

    /// A fighter inside another record.
    pub(crate) fn fighter_compact(&self, fighter: usize, shown: ImageVisibility) -> FighterCompact<'_> {
        FighterCompact {
            names: PreparedJson::new(&*self.fighters.rows[fighter].compact),
            primary_image: self.images.primary(fighter, shown),
        }
    }

    /// An event inside another record.
    pub(crate) fn event_compact(&self, event: usize) -> PreparedJson<'_, EventCompact<'_>> {
        PreparedJson::new(&*self.events.rows[event].compact)
    }

    /// A bout of a card.
    pub(crate) fn bout<'a>(&'a self, bout: &'a BoutRow, shown: ImageVisibility) -> Bout<'a> {
        let [fighter_a, fighter_b] = bout.fighters.map(|fighter| self.fighter(fighter, shown));
        Bout { facts: bout.facts(), fighter_a, fighter_b, result: bout.result() }
    }
}

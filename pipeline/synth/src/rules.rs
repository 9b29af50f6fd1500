//! Weight classes and the round formats that the source has.

/// A division: its name in the source, the limit, usual heights.
pub(super) struct Division {
    pub(super) name: &'static str,
    pub(super) limit_lbs: u32,
    /// Mean height in inches.
    pub(super) height_in: u32,
}

const fn division(name: &'static str, limit_lbs: u32, height_in: u32) -> Division {
    Division { name, limit_lbs, height_in }
}

/// The modern divisions; a fighter stays in one.
pub(super) const DIVISIONS: [Division; 11] = [
    division("Flyweight", 125, 65),
    division("Bantamweight", 135, 67),
    division("Featherweight", 145, 69),
    division("Lightweight", 155, 70),
    division("Welterweight", 170, 71),
    division("Middleweight", 185, 73),
    division("Light Heavyweight", 205, 74),
    division("Heavyweight", 265, 75),
    division("Women's Strawweight", 115, 63),
    division("Women's Flyweight", 125, 65),
    division("Women's Bantamweight", 135, 67),
];

/// A round format: the source's text and the length of each round in seconds.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) text: &'static str,
    pub(super) rounds: &'static [u32],
}

const fn rules(text: &'static str, rounds: &'static [u32]) -> Rules {
    Rules { text, rounds }
}

pub(super) const THREE: Rules = rules("3 Rnd (5-5-5)", &[300; 3]);
pub(super) const FIVE: Rules = rules("5 Rnd (5-5-5-5-5)", &[300; 5]);
pub(super) const TWO: Rules = rules("2 Rnd (5-5)", &[300; 2]);
pub(super) const THREE_AND_OVERTIME: Rules = rules("3 Rnd + OT (5-5-5-5)", &[300; 4]);
pub(super) const TWELVE_AND_OVERTIME: Rules = rules("1 Rnd + OT (12-3)", &[720, 180]);
pub(super) const FIFTEEN_AND_TWO: Rules = rules("1 Rnd + 2OT (15-3-3)", &[900, 180, 180]);
pub(super) const TWENTY: Rules = rules("1 Rnd (20)", &[1200]);
/// The one format without an end; the bound is ours and no bout of the sample reaches it.
pub(super) const NO_LIMIT: Rules = rules("No Time Limit", &[3600]);

//! Properties and sales as the valuation takes them.

use chrono::{Datelike as _, NaiveDate};

/// Types of dwellings that have a value of their own; of any other type none is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DwellingType {
    OneFamily,
    TwoFamily,
    ThreeFamily,
    Condominium,
}

impl DwellingType {
    pub const ALL: [Self; 4] = [Self::OneFamily, Self::TwoFamily, Self::ThreeFamily, Self::Condominium];

    /// As the tables name it; `None` for what is no dwelling that can be valued: a co-operative's lot is its building's.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is sold among houses; condominiums have a market of their own.
    #[must_use]
    pub fn is_house(self) -> bool {
        self != Self::Condominium
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneFamily => "one_family",
            Self::TwoFamily => "two_family",
            Self::ThreeFamily => "three_family",
            Self::Condominium => "condominium",
        }
    }
}

/// Facts of a dwelling. Places are numbers that the caller gives to names: equal numbers, equal names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// The property, so that its earlier sales are known as its own; `None` of one that no capture has.
    pub property: Option<u32>,
    pub kind: DwellingType,
    pub area: Option<u32>,
    pub neighborhood: Option<u32>,
    pub block: Option<u32>,
    pub street: Option<u32>,
    /// Square feet.
    pub floor_area: Option<f64>,
    /// Square feet.
    pub lot_area: Option<f64>,
    pub year_built: Option<i32>,
    pub beds: Option<f64>,
    pub baths: Option<f64>,
    pub stories: Option<f64>,
    pub has_stone_walls: Option<bool>,
    /// East and north of a common point, in metres.
    pub place: Option<(f64, f64)>,
}

/// Facts that are not known of a dwelling, as a set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct UnknownFacts(pub(crate) [bool; 10]);

/// A floor area or lot smaller than this is none: a mistyped one.
const LEAST_AREA: f64 = 200.0;

impl Facts {
    /// Natural logarithm of the floor area, where it is one of a dwelling.
    #[must_use]
    pub fn log_floor_area(&self) -> Option<f64> {
        self.floor_area.filter(|area| *area >= LEAST_AREA).map(f64::ln)
    }

    #[must_use]
    pub fn log_lot_area(&self) -> Option<f64> {
        self.lot_area.filter(|area| *area >= LEAST_AREA).map(f64::ln)
    }

    /// Year of building, where it is one.
    #[must_use]
    pub fn year_built(&self) -> Option<f64> {
        self.year_built.filter(|year| (1600..=2200).contains(year)).map(f64::from)
    }

    /// Those of [`Self::hide_facts`] that are not known.
    pub(crate) fn unknown_facts(&self) -> UnknownFacts {
        UnknownFacts([
            self.neighborhood.is_none(),
            self.block.is_none(),
            self.street.is_none(),
            self.log_floor_area().is_none(),
            self.log_lot_area().is_none(),
            self.year_built().is_none(),
            self.beds.is_none(),
            self.baths.is_none(),
            self.stories.is_none(),
            self.has_stone_walls.is_none(),
        ])
    }

    /// The same dwelling as somebody describes it who does not know these facts: without its earlier sales.
    pub(crate) fn hide_facts(&self, unknown: UnknownFacts) -> Self {
        let [neighborhood, block, street, floor, lot, built, beds, baths, stories, walls] = unknown.0;
        Self {
            property: None,
            neighborhood: self.neighborhood.filter(|_| !neighborhood),
            block: self.block.filter(|_| !block),
            street: self.street.filter(|_| !street),
            floor_area: self.floor_area.filter(|_| !floor),
            lot_area: self.lot_area.filter(|_| !lot),
            year_built: self.year_built.filter(|_| !built),
            beds: self.beds.filter(|_| !beds),
            baths: self.baths.filter(|_| !baths),
            stories: self.stories.filter(|_| !stories),
            has_stone_walls: self.has_stone_walls.filter(|_| !walls),
            ..*self
        }
    }

    /// Whether both are one property that is known.
    pub(crate) fn is_same_property(&self, other: &Self) -> bool {
        self.property.is_some() && self.property == other.property
    }

    /// Metres between two dwellings, where both have a place.
    #[must_use]
    pub fn distance_metres(&self, other: &Self) -> Option<f64> {
        let ((a, b), (c, d)) = self.place.zip(other.place)?;
        Some((a - c).hypot(b - d))
    }
}

/// A sale whose price a market made, with the facts stated beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sale {
    pub day: NaiveDate,
    /// US dollars.
    pub price: f64,
    pub facts: Facts,
    /// Day of the first capture that had it.
    pub captured: NaiveDate,
}

/// Years since 2000.
pub(crate) fn years_since_2000(day: NaiveDate) -> f64 {
    f64::from(day.num_days_from_ce() - 730_120) / 365.25
}

/// The first day of the month.
pub(crate) fn month_start(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

//! Dwellings as somebody describes them: those that no capture has, and those of which a capture says something else.

use chrono::NaiveDate;

use crate::address::Address;
use crate::book::{BookedProperty, NotValued, PropertyBook, fold_city};
use crate::facts::{DwellingType, Facts};
use crate::valuation::{FactOrigin, NoValue, Valuation};

/// Facts that a request gives; what is not given is taken from the capture, if there is one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GivenFacts {
    pub kind: Option<DwellingType>,
    /// Square feet.
    pub floor_sqft: Option<f64>,
    /// Square feet.
    pub lot_sqft: Option<f64>,
    pub year_built: Option<i32>,
    pub beds: Option<f64>,
    pub baths: Option<f64>,
    pub stories: Option<f64>,
}

/// Where a dwelling is that no capture has. Of several, the block counts, then the house number, then the zip.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DescribedPlace<'a> {
    pub city: &'a str,
    pub state: &'a str,
    pub block: Option<&'a str>,
    /// House number and street.
    pub address: Option<&'a str>,
    pub zip: Option<&'a str>,
}

/// House numbers of a street so far away are not of the same part of it.
const NEAR_NUMBERS: u64 = 100;

impl GivenFacts {
    fn correct_facts(&self, facts: &Facts) -> Facts {
        Facts {
            kind: self.kind.unwrap_or(facts.kind),
            floor_area: self.floor_sqft.or(facts.floor_area),
            lot_area: self.lot_sqft.or(facts.lot_area),
            year_built: self.year_built.or(facts.year_built),
            beds: self.beds.or(facts.beds),
            baths: self.baths.or(facts.baths),
            stories: self.stories.or(facts.stories),
            ..*facts
        }
    }
}

impl PropertyBook {
    /// The value of a property of which some facts are said otherwise, with the facts that counted.
    ///
    /// # Errors
    /// It has none; the reason says why.
    pub fn value_corrected(
        &self,
        property: &BookedProperty,
        given: &GivenFacts,
        as_of: NaiveDate,
    ) -> Result<(Facts, Valuation), NotValued> {
        let captured = property.facts.or_else(|| self.place_of_untyped(property, given.kind?));
        let Some(captured) = captured else {
            return Err(NotValued::Type(property.record.facts.kind.clone()));
        };
        let facts = given.correct_facts(&captured);
        self.value_facts(&property.record.facts.market, &facts, as_of, FactOrigin::Corrected)
    }

    /// The value of a dwelling that no capture has, with the facts that counted: those that are given, and of its place those of the
    /// nearest property that is known.
    ///
    /// # Errors
    /// It has none; the reason says why.
    pub fn value_described(
        &self,
        place: &DescribedPlace<'_>,
        kind: DwellingType,
        given: &GivenFacts,
        as_of: NaiveDate,
    ) -> Result<(Facts, Valuation), NotValued> {
        let (market, facts) =
            self.facts_of_place(place, kind).ok_or(NotValued::NoValue(NoValue::UnknownPlace))?;
        self.value_facts(market, &given.correct_facts(&facts), as_of, FactOrigin::Described)
    }

    fn value_facts(
        &self,
        market: &str,
        facts: &Facts,
        as_of: NaiveDate,
        origin: FactOrigin,
    ) -> Result<(Facts, Valuation), NotValued> {
        let market = self.markets.get(&(market.to_owned(), facts.kind.is_house()));
        let value =
            market.ok_or(NoValue::NoMarket).and_then(|market| market.value_facts(facts, as_of, origin));
        value.map(|value| (*facts, value)).map_err(NotValued::NoValue)
    }

    /// Facts of a property whose captured type has no value.
    fn place_of_untyped(&self, property: &BookedProperty, kind: DwellingType) -> Option<Facts> {
        let record = &property.record;
        let line = property.address.to_string();
        let place = DescribedPlace {
            city: &record.city,
            state: &record.state,
            block: record.facts.block.as_deref(),
            address: Some(&line),
            zip: record.zip.as_deref(),
        };
        let (_, facts) = self.facts_of_place(&place, kind)?;
        let stated = &record.facts;
        Some(Facts {
            floor_area: stated.floor_sqft.map(f64::from),
            lot_area: stated.lot_sqft.map(f64::from),
            year_built: stated.year_built,
            ..facts
        })
    }

    /// The market, and the facts of a place without those of a dwelling.
    fn facts_of_place(&self, place: &DescribedPlace<'_>, kind: DwellingType) -> Option<(&str, Facts)> {
        let city = fold_city(place.city);
        let known = self.properties.iter().filter_map(|own| Some((own, own.facts?))).filter(|(own, _)| {
            let is_zip = place.zip.zip(own.record.zip.as_deref()).is_none_or(|(asked, own)| asked == own);
            is_zip
                && own.record.state.eq_ignore_ascii_case(place.state)
                && fold_city(&own.record.city) == city
        });
        let address = place.address.map(|line| Address::parse(line, None));
        let street =
            address.as_ref().map(|address| address.street.as_str()).filter(|street| !street.is_empty());
        let number = address.as_ref().and_then(|address| leading_number(address.number.as_deref()?));
        let numbers_away = |own: &BookedProperty| {
            let is_street = street.is_some_and(|street| own.address.street == street);
            let own = is_street.then_some(own.address.number.as_deref()).flatten().and_then(leading_number);
            own.zip(number).map(|(own, asked)| own.abs_diff(asked)).filter(|away| *away <= NEAR_NUMBERS)
        };
        let mut found: Option<((u8, u64), &BookedProperty, Facts)> = None;
        for (own, facts) in known.filter(|(_, facts)| facts.area.is_some()) {
            let is_block = place.block.is_some_and(|block| own.record.facts.block.as_deref() == Some(block));
            let away = numbers_away(own);
            let is_zip = place.zip.is_some_and(|zip| own.record.zip.as_deref() == Some(zip));
            let rank = match (is_block, away) {
                (true, away) => (0, away.unwrap_or(u64::MAX)),
                (false, Some(away)) if place.block.is_none() => (1, away),
                _ if is_zip && place.block.is_none() => (2, 0),
                _ => continue,
            };
            if found.as_ref().is_none_or(|(least, ..)| rank < *least) {
                found = Some((rank, own, facts));
            }
        }
        let ((rank, away), own, facts) = found?;
        let is_in_block = rank == 0;
        let is_on_street = rank == 1 || (is_in_block && away < u64::MAX);
        let facts = Facts {
            property: None,
            kind,
            area: facts.area,
            neighborhood: facts.neighborhood.filter(|_| rank < 2),
            block: facts.block.filter(|_| is_in_block),
            street: facts.street.filter(|_| is_on_street),
            floor_area: None,
            lot_area: None,
            year_built: None,
            beds: None,
            baths: None,
            stories: None,
            has_stone_walls: None,
            place: None,
        };
        Some((&own.record.facts.market, facts))
    }
}

fn leading_number(text: &str) -> Option<u64> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

//! All properties with their addresses and markets: listed, found, valued. It is made of tables once, and never changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::NaiveDate;

use crate::address::Address;
use crate::record::{PropertyFacts, PropertyRecord, SaleRecord, Spelling};
use crate::{DwellingType, Facts, Market, NoValue, Sale, Valuation, ValuationConstants};

/// A property of a book.
#[derive(Debug)]
pub struct BookedProperty {
    pub record: PropertyRecord,
    pub address: Address,
    facts: Option<Facts>,
    /// The address in one line, for the search.
    line: String,
}

/// Filter of a list of properties.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PropertyFilter {
    pub zip: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    /// A part of an address.
    pub text: Option<String>,
}

/// Properties at an address.
#[derive(Debug)]
pub enum AddressMatches<'b> {
    None,
    One(&'b BookedProperty),
    Several(Vec<&'b BookedProperty>),
}

/// Why a property has no value.
#[derive(Debug, Clone, PartialEq)]
pub enum NotValued {
    /// It is of a type that has none, which is named.
    Type(String),
    NoValue(NoValue),
}

impl std::fmt::Display for NotValued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Type(kind) => {
                write!(f, "properties of the type {kind} have none, for want of comparable sales")
            }
            Self::NoValue(why) => why.fmt(f),
        }
    }
}

/// Numbers for names: equal names, equal numbers.
#[derive(Debug, Default)]
struct NameNumbers(BTreeMap<String, u32>);

impl NameNumbers {
    fn number_of(&mut self, name: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(name.to_owned()).or_insert(next)
    }
}

/// Months that are fitted before somebody asks.
const PREPARED_MONTHS: u32 = 72;

/// Properties and markets.
#[derive(Debug)]
pub struct PropertyBook {
    pub constants: Arc<ValuationConstants>,
    /// By state, city, street, number and id.
    properties: Vec<BookedProperty>,
    /// By name, and whether they are of houses.
    markets: BTreeMap<(String, bool), Market>,
    /// By house number and street.
    by_address: BTreeMap<(String, String), Vec<usize>>,
    /// Flats under which a property was stated, by place.
    units: BTreeMap<usize, BTreeSet<String>>,
    /// By number of a property as [`Facts`] has it.
    places: Vec<Option<usize>>,
}

/// The properties by place, street and number.
fn book_properties(
    records: Vec<PropertyRecord>,
    names: &mut NameNumbers,
    ids: &mut NameNumbers,
) -> Vec<BookedProperty> {
    let booked = records.into_iter().map(|record| {
        let address = Address::parse(&record.address, record.unit.as_deref());
        let facts = dwelling_facts(&record.facts, &address, ids.number_of(&record.id), names);
        let line = address.to_string();
        BookedProperty { facts, line, address, record }
    });
    let mut properties: Vec<BookedProperty> = booked.collect();
    properties.sort_by_cached_key(|own| {
        let (record, address) = (&own.record, &own.address);
        let number = address.number.clone().unwrap_or_default();
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        let place = (record.state.clone(), record.city.clone(), address.street.clone());
        (place, digits.parse::<u64>().unwrap_or(u64::MAX), number, address.unit.clone(), record.id.clone())
    });
    properties
}

impl PropertyBook {
    /// Sales that a market did not make, and those of markets that the constants do not name, are no comparables.
    #[must_use]
    pub fn new(
        constants: ValuationConstants,
        records: Vec<PropertyRecord>,
        spellings: &[Spelling],
        sales: Vec<SaleRecord>,
    ) -> Self {
        let constants = Arc::new(constants);
        let (mut names, mut ids) = (NameNumbers::default(), NameNumbers::default());
        let properties = book_properties(records, &mut names, &mut ids);
        let mut places = vec![None; ids.0.len()];
        for (place, own) in properties.iter().enumerate() {
            places[ids.number_of(&own.record.id) as usize] = Some(place);
        }
        let mut by_market: BTreeMap<(String, bool), Vec<Sale>> = BTreeMap::new();
        for sale in sales.into_iter().filter(|sale| sale.excluded_as.is_none()) {
            let address = Address::parse(&sale.address, None);
            let Some(facts) =
                dwelling_facts(&sale.facts, &address, ids.number_of(&sale.property), &mut names)
            else {
                continue;
            };
            let place = places.get(facts.property as usize).copied().flatten();
            let of_record = place.and_then(|place| properties[place].facts).and_then(|facts| facts.place);
            #[expect(clippy::cast_precision_loss, reason = "a price in dollars")]
            let price = sale.price as f64;
            let facts = Facts { place: facts.place.or(of_record), ..facts };
            let sale_of = Sale { day: sale.sold_on, price, facts, captured: sale.captured_on };
            by_market.entry((sale.facts.market, facts.kind.is_house())).or_default().push(sale_of);
        }
        let market = |(key, sales): ((String, bool), Vec<Sale>)| {
            let rules = constants.markets.get(&key.0)?;
            Some((key, Market::new(Arc::clone(&constants), rules.least_price, sales)))
        };
        let markets = by_market.into_iter().filter_map(market).collect();
        let mut book = Self {
            constants,
            properties,
            markets,
            by_address: BTreeMap::new(),
            units: BTreeMap::new(),
            places,
        };
        book.build_index(spellings, &ids);
        book
    }

    fn build_index(&mut self, spellings: &[Spelling], ids: &NameNumbers) {
        let place_of = |id: &str| self.places.get(*ids.0.get(id)? as usize).copied().flatten();
        let own = self.properties.iter().enumerate().map(|(place, own)| (place, own.address.clone()));
        let stated = spellings.iter().filter_map(|spelling| {
            let unit = Some(spelling.unit.as_str()).filter(|unit| !unit.is_empty());
            Some((place_of(&spelling.property)?, Address::parse(&spelling.address, unit)))
        });
        // A number alone is no address: what stands there may be of any street.
        let all: Vec<(usize, Address)> =
            own.chain(stated).filter(|(_, address)| !address.street.is_empty()).collect();
        for (place, address) in all {
            for number in address.house_numbers() {
                let there = self.by_address.entry((number, address.street.clone())).or_default();
                if !there.contains(&place) {
                    there.push(place);
                }
            }
            address.unit_key().map(|unit| self.units.entry(place).or_default().insert(unit));
        }
        self.by_address.values_mut().for_each(|places| places.sort_unstable());
    }

    /// Properties in order, so many of them behind the first `offset`; and how many there are.
    #[must_use]
    pub fn list_properties(
        &self,
        filter: &PropertyFilter,
        limit: usize,
        offset: usize,
    ) -> (Vec<&BookedProperty>, usize) {
        let text = filter.text.as_deref().map(|text| Address::parse(text, None).to_string());
        let city = filter.city.as_deref().map(fold_city);
        let is_asked = |own: &&BookedProperty| {
            let record = &own.record;
            filter.zip.as_ref().is_none_or(|zip| record.zip.as_ref() == Some(zip))
                && filter.state.as_ref().is_none_or(|state| record.state.eq_ignore_ascii_case(state))
                && city.as_ref().is_none_or(|city| fold_city(&record.city) == *city)
                && text.as_ref().is_none_or(|text| !text.is_empty() && own.line.contains(text.as_str()))
        };
        let mut page = Vec::new();
        let mut total = 0;
        for own in self.properties.iter().filter(is_asked) {
            if total >= offset && page.len() < limit {
                page.push(own);
            }
            total += 1;
        }
        (page, total)
    }

    /// The properties of an address. A zip counts only where the property states one. Without a flat, a property that has
    /// none comes before those that do.
    #[must_use]
    pub fn find_properties(&self, line: &str, city: &str, state: &str, zip: &str) -> AddressMatches<'_> {
        let address = Address::parse(line, None);
        let is_there = |place: &usize| {
            let record = &self.properties[*place].record;
            fold_city(&record.city) == fold_city(city)
                && record.state.eq_ignore_ascii_case(state.trim())
                && record.zip.as_ref().is_none_or(|own| *own == zip.get(..5).unwrap_or(zip))
        };
        let at = |number: String| {
            let there = self.by_address.get(&(number, address.street.clone())).map_or(&[][..], Vec::as_slice);
            there.iter().copied().filter(is_there)
        };
        let mut numbers = address.house_numbers().into_iter();
        let Some(number) = numbers.next() else { return AddressMatches::None };
        let mut places: Vec<usize> = at(number).collect();
        if places.is_empty() {
            // A range that nobody states is that of whoever has one of its ends.
            places = numbers.flat_map(at).collect();
            places.sort_unstable();
            places.dedup();
        }
        let units = |place: &usize| self.units.get(place);
        match address.unit_key() {
            Some(unit) => places.retain(|place| units(place).is_some_and(|units| units.contains(&unit))),
            None if places.iter().any(|place| units(place).is_none()) => {
                places.retain(|place| units(place).is_none());
            }
            None => {}
        }
        let mut found: Vec<&BookedProperty> = places.iter().map(|place| &self.properties[*place]).collect();
        match found.len() {
            0 => AddressMatches::None,
            1 => found.pop().map_or(AddressMatches::None, AddressMatches::One),
            _ => AddressMatches::Several(found),
        }
    }

    /// The value of a property as of a day.
    ///
    /// # Errors
    /// It has none; the reason says why.
    pub fn value_property(
        &self,
        property: &BookedProperty,
        as_of: NaiveDate,
    ) -> Result<Valuation, NotValued> {
        let Some(facts) = property.facts else {
            return Err(NotValued::Type(property.record.facts.kind.clone()));
        };
        let market = self.markets.get(&(property.record.facts.market.clone(), facts.kind.is_house()));
        let value = market.ok_or(NoValue::NoMarket).and_then(|market| market.value_dwelling(&facts, as_of));
        value.map_err(NotValued::NoValue)
    }

    /// The property of a comparable.
    #[must_use]
    pub fn property_of(&self, sale: &Sale) -> Option<&BookedProperty> {
        let place = self.places.get(sale.facts.property as usize).copied().flatten()?;
        self.properties.get(place)
    }

    /// The markets by name, each of houses and of condominiums.
    #[must_use]
    pub fn markets(&self) -> BTreeMap<&str, Vec<&Market>> {
        let mut all: BTreeMap<&str, Vec<&Market>> = BTreeMap::new();
        self.markets.iter().for_each(|((name, _), market)| all.entry(name).or_default().push(market));
        all
    }

    /// Fits the newest months of all markets, the newest first, while `is_wanted` says so. A value of a month that nobody asked for
    /// before would have to wait for it.
    pub fn prepare_fits(&self, is_wanted: impl Fn() -> bool) {
        let each =
            (0..PREPARED_MONTHS).flat_map(|back| self.markets.values().map(move |market| (market, back)));
        each.take_while(|_| is_wanted()).for_each(|(market, back)| market.prepare_month(back));
    }

    /// Number of properties.
    #[must_use]
    pub fn len(&self) -> usize {
        self.properties.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }
}

/// A city whatever its case and spaces.
fn fold_city(city: &str) -> String {
    city.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Metres of a foot of the US survey.
const METRES_OF_A_FOOT: f64 = 0.304_800_609_6;

/// Metres of a degree of latitude.
const METRES_OF_A_DEGREE: f64 = 111_320.0;

/// `None` for a type that has no value.
fn dwelling_facts(
    stated: &PropertyFacts,
    address: &Address,
    property: u32,
    names: &mut NameNumbers,
) -> Option<Facts> {
    let kind = DwellingType::of_name(&stated.kind)?;
    let mut place = |what: &str, name: &Option<String>| {
        name.as_ref().map(|name| names.number_of(&format!("{what}/{}/{name}", stated.market)))
    };
    let feet = stated.east_feet.zip(stated.north_feet);
    let degrees = stated.latitude.zip(stated.longitude).map(|(latitude, longitude)| {
        let narrowed = latitude.to_radians().cos();
        (longitude * METRES_OF_A_DEGREE * narrowed, latitude * METRES_OF_A_DEGREE)
    });
    Some(Facts {
        property,
        kind,
        area: place("area", &stated.area),
        neighborhood: place("neighborhood", &stated.neighborhood),
        block: place("block", &stated.block),
        street: place("street", &Some(address.street.clone()).filter(|street| !street.is_empty())),
        floor_area: stated.floor_sqft.map(f64::from),
        lot_area: stated.lot_sqft.map(f64::from),
        year_built: stated.year_built,
        beds: stated.beds.map(f64::from),
        baths: stated.baths,
        stories: stated.stories,
        has_stone_walls: stated.has_stone_walls,
        place: feet.map(|(east, north)| (east * METRES_OF_A_FOOT, north * METRES_OF_A_FOOT)).or(degrees),
    })
}

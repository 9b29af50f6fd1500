//! All properties with their addresses and markets: listed, found, valued. It is made of tables once, and never changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::NaiveDate;

use crate::address::{Address, without_place};
use crate::address_index::AddressIndex;
use crate::record::{PropertyFacts, PropertyRecord, SaleRecord, Spelling};
use crate::{DwellingType, Facts, Market, NoValue, Sale, Valuation, ValuationConstants};

/// A property of a book.
#[derive(Debug)]
pub struct BookedProperty {
    pub record: PropertyRecord,
    pub address: Address,
    pub(crate) facts: Option<Facts>,
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
    /// None has it as it was asked; some have it but for a unit that is not stated of them, or for a part of the street's name.
    Like(Vec<&'b BookedProperty>),
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

    /// By number.
    fn into_names(self) -> Vec<String> {
        let mut names: Vec<(u32, String)> = self.0.into_iter().map(|(name, number)| (number, name)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}

/// Months that are fitted before somebody asks.
const PREPARED_MONTHS: u32 = 72;

/// Properties and markets.
#[derive(Debug)]
pub struct PropertyBook {
    pub constants: Arc<ValuationConstants>,
    /// By state, city, street, number and id.
    pub(crate) properties: Vec<BookedProperty>,
    /// By name, and whether they are of houses.
    pub(crate) markets: BTreeMap<(String, bool), Market>,
    index: AddressIndex,
    /// Zips that properties state, by city and state.
    zips: BTreeMap<(String, String), BTreeSet<String>>,
    /// By number of a property as [`Facts`] has it.
    places: Vec<Option<usize>>,
    /// By number of a place as [`Facts`] has it.
    place_names: Vec<String>,
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
            let place = facts.property.and_then(|property| *places.get(property as usize)?);
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
            index: AddressIndex::default(),
            zips: BTreeMap::new(),
            places,
            place_names: names.into_names(),
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
        let all: BTreeSet<(usize, Address)> = own.chain(stated).collect();
        all.iter().for_each(|(place, address)| self.index.add_address(*place, address));
        for BookedProperty { record, .. } in &self.properties {
            let zips = self.zips.entry(fold_place(&record.city, &record.state)).or_default();
            zips.extend(record.zip.clone());
        }
    }

    /// Zips that properties of a city state; `None` where no property of it is known.
    #[must_use]
    pub fn city_zips(&self, city: &str, state: &str) -> Option<&BTreeSet<String>> {
        self.zips.get(&fold_place(city, state))
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

    /// The properties of an address, behind which city, state and zip may stand. A zip counts only where the property states one.
    #[must_use]
    pub fn find_properties(
        &self,
        line: &str,
        city: &str,
        state: &str,
        zip: Option<&str>,
    ) -> AddressMatches<'_> {
        let address = Address::parse(without_place(line, city, state).0, None);
        let Some(number) = address.number.as_ref().filter(|_| !address.street.is_empty()) else {
            return AddressMatches::None;
        };
        let (street, asked_place) = (address.street_key(), fold_place(city, state));
        let is_there = |place: &usize| {
            let record = &self.properties[*place].record;
            let own = record.zip.as_deref();
            fold_place(&record.city, &record.state) == asked_place
                && own.is_none_or(|own| zip.is_none_or(|zip| own == zip.get(..5).unwrap_or(zip)))
        };
        let mut like: Vec<usize> = Vec::new();
        for (mut places, unit) in self.index.find_places(&address) {
            places.retain(is_there);
            let found = self.pick_unit(&places, unit.as_deref(), &street);
            if !found.is_empty() {
                return self.matches_of(found);
            }
            like.extend(places.into_iter().filter(|place| !self.index.units.contains_key(place)));
        }
        let parts = address.street_parts();
        let streets = self.index.streets.get(number).into_iter().flatten();
        like.extend(
            streets.filter(|(own, place)| own.is_like(&parts) && is_there(place)).map(|(_, place)| *place),
        );
        like.sort_unstable();
        like.dedup();
        match like.is_empty() {
            true => AddressMatches::None,
            false => AddressMatches::Like(like.iter().map(|place| &self.properties[*place]).collect()),
        }
    }

    /// Those of a flat; without one the one house that is of this street now beside flats, else all of them: neither a flat that was
    /// stated without its unit nor one of two houses is the one that is meant.
    fn pick_unit(&self, places: &[usize], unit: Option<&str>, street: &str) -> Vec<usize> {
        let units = |place: &usize| self.index.units.get(place);
        let is_house = |place: &usize| {
            let kind = self.properties[*place].record.facts.kind.as_str();
            units(place).is_none() && !matches!(kind, "condominium" | "cooperative")
        };
        let picked = |is_picked: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            places.iter().copied().filter(is_picked).collect()
        };
        if let Some(unit) = unit {
            return picked(&|place| units(place).is_some_and(|units| units.contains(unit)));
        }
        let houses = picked(&is_house);
        let is_here = |place: usize| self.properties[place].address.street_key() == street;
        match houses.as_slice() {
            [house] if is_here(*house) => houses,
            _ => places.to_vec(),
        }
    }

    fn matches_of(&self, mut places: Vec<usize>) -> AddressMatches<'_> {
        places.sort_unstable();
        places.dedup();
        match places.as_slice() {
            [] => AddressMatches::None,
            [place] => AddressMatches::One(&self.properties[*place]),
            all => AddressMatches::Several(all.iter().map(|place| &self.properties[*place]).collect()),
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

    /// The newest sale of a property before a day, and its price in dollars, as far as a market made it.
    #[must_use]
    pub fn last_sale_before(&self, property: &BookedProperty, day: NaiveDate) -> Option<(NaiveDate, i64)> {
        let newest = property.record.last_sale?;
        if newest.0 < day {
            return Some(newest);
        }
        let number = property.facts?.property?;
        let of_market = self.markets.iter().filter(|((name, _), _)| *name == property.record.facts.market);
        let own = of_market.filter_map(|(_, market)| market.newest_sale_of(number, day));
        #[expect(clippy::cast_possible_truncation, reason = "a price in dollars")]
        own.max_by_key(|sale| sale.day).map(|sale| (sale.day, sale.price as i64))
    }

    /// The property of a comparable.
    #[must_use]
    pub fn property_of(&self, sale: &Sale) -> Option<&BookedProperty> {
        let place = self.places.get(sale.facts.property? as usize).copied().flatten()?;
        self.properties.get(place)
    }

    /// What a place of the facts is called, such as a neighbourhood; without its kind and market.
    #[must_use]
    pub fn place_name(&self, place: u32) -> &str {
        let name = self.place_names.get(place as usize).map_or("", String::as_str);
        name.splitn(3, '/').nth(2).unwrap_or_default()
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
pub(crate) fn fold_city(city: &str) -> String {
    city.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn fold_place(city: &str, state: &str) -> (String, String) {
    (fold_city(city), state.trim().to_lowercase())
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
        property: Some(property),
        kind,
        area: place("area", &stated.area),
        neighborhood: place("neighborhood", &stated.neighborhood),
        block: place("block", &stated.block),
        street: place("street", &Some(address.street_key()).filter(|street| !street.is_empty())),
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

//! Rows of the tables of properties, as a book is made of them.

use chrono::{DateTime, NaiveDate, Utc};

/// Stated facts of a property, or of a dwelling beside a sale.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropertyFacts {
    /// As the constants of valuation name it.
    pub market: String,
    pub area: Option<String>,
    pub neighborhood: Option<String>,
    pub block: Option<String>,
    /// Type, as the tables name it.
    pub kind: String,
    pub units: Option<i32>,
    pub beds: Option<i32>,
    pub baths: Option<f64>,
    /// Square feet.
    pub floor_sqft: Option<i32>,
    /// Square feet.
    pub lot_sqft: Option<i32>,
    pub year_built: Option<i32>,
    pub stories: Option<f64>,
    pub has_stone_walls: Option<bool>,
    /// Degrees.
    pub latitude: Option<f64>,
    pub longitude: Option<f64>,
    /// Feet of a plane of the market's own.
    pub east_feet: Option<f64>,
    pub north_feet: Option<f64>,
}

/// A property.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyRecord {
    pub id: String,
    pub source: String,
    pub parcel: Option<String>,
    pub address_stated: String,
    /// House number and street, without the flat.
    pub address: String,
    pub unit: Option<String>,
    pub city: String,
    pub state: String,
    pub zip: Option<String>,
    pub type_stated: Option<String>,
    pub facts: PropertyFacts,
    pub last_sale: Option<(NaiveDate, i64)>,
    pub captured_at: DateTime<Utc>,
}

/// A sale.
#[derive(Debug, Clone, PartialEq)]
pub struct SaleRecord {
    /// Id of the property.
    pub property: String,
    pub sold_on: NaiveDate,
    /// US dollars.
    pub price: i64,
    /// Why it is no price that a market made.
    pub excluded_as: Option<String>,
    pub address: String,
    pub facts: PropertyFacts,
    /// Day of the first capture that had it.
    pub captured_on: NaiveDate,
}

/// An address under which a property was stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// Id of the property.
    pub property: String,
    pub address: String,
    /// Empty without one.
    pub unit: String,
}

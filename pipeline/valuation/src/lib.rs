//! Value of a dwelling, from sales of comparable ones before a day. Facts in, value out: no clock, no file, no HTTP.
//!
//! ```text
//! address     the rule by which addresses are written down and matched
//! address_index  where properties are, by the parts of their addresses
//! facts       properties and sales, and the types of dwellings
//! constants   the constants, as data, with their history
//! hedonic     prices explained by facts, trend, area and neighbourhood
//! linear      the equations of it
//! comparable  sales weighted by likeness, and what they add
//! interval    how far prices are from values: errors of earlier quarters, those of the like the most
//! market      one market on one day: all of that together
//! valuation   the value of one property, and why there may be none
//! fact_shares what each fact is worth in money
//! ratio_study ratios of values to prices, as assessors judge them
//! described   dwellings as somebody describes them
//! validity    values against prices, out of time
//! record      rows of the tables of properties
//! book        all properties: listed, found by address, valued
//! ```
//!
//! As of a day is before that day: nothing reads a sale on it or after it. The value is in US dollars, areas are in square
//! feet, residuals are of the natural logarithm of the price.

pub mod address;
mod address_index;
mod book;
mod comparable;
mod constants;
mod described;
mod fact_shares;
mod facts;
mod hedonic;
mod interval;
mod linear;
mod market;
mod ratio_study;
mod record;
mod validity;
mod valuation;

pub use book::{AddressMatches, BookedProperty, NotValued, PropertyBook, PropertyFilter};
pub use comparable::Comparable;
pub use constants::{ConstantsError, Revision, ValuationConstants};
pub use described::{DescribedPlace, GivenFacts};
pub use fact_shares::FactShare;
pub use facts::{DwellingType, Facts, Sale};
pub use hedonic::fact_names;
pub use market::Market;
pub use ratio_study::{RatioStudy, StudyStatistic, TrimmedStudy, ValuePricePair};
pub use record::{PropertyFacts, PropertyRecord, SaleRecord, Spelling};
pub use validity::{Backtest, BacktestedSale, BacktestedValue, MeasuredSlice};
pub use valuation::{Confidence, NoValue, Valuation};

//! Value of a dwelling, from sales of comparable ones before a day. Facts in, value out: no clock, no file, no HTTP.
//!
//! ```text
//! address     the rule by which addresses are written down and matched
//! facts       properties and sales, and the types of dwellings
//! constants   the constants, as data, with their history
//! hedonic     prices explained by facts, trend, area and neighbourhood
//! linear      the equations of it
//! comparable  sales weighted by likeness, and what they add
//! interval    what values of earlier quarters missed, by how much the comparables weigh
//! market      one market on one day: all of that together
//! valuation   the value of one property, and why there may be none
//! validity    values against prices, out of time
//! record      rows of the tables of properties
//! book        all properties: listed, found by address, valued
//! ```
//!
//! As of a day is before that day: nothing reads a sale on it or after it. The value is in US dollars, areas are in square
//! feet, residuals are of the natural logarithm of the price.

pub mod address;
mod book;
mod comparable;
mod constants;
mod facts;
mod hedonic;
mod interval;
mod linear;
mod market;
mod record;
mod validity;
mod valuation;

pub use book::{AddressMatches, BookedProperty, NotValued, PropertyBook, PropertyFilter};
pub use comparable::Comparable;
pub use constants::{ConstantsError, Revision, ValuationConstants};
pub use facts::{DwellingType, Facts, Sale};
pub use market::Market;
pub use record::{PropertyFacts, PropertyRecord, SaleRecord, Spelling};
pub use validity::{MeasuredSlice, measure_markets};
pub use valuation::{Confidence, NoValue, Valuation};

//! Leads and properties: a small product of its own. Leads are the only thing in this house that is written while it
//! serves; properties are given to it, and only read.
//!
//! ```text
//! serve               starts and stops the server and its listeners
//! handler, operation  one request: which operation, whose key, what is answered
//! json_body, fields   bodies, read strictly: what is unknown, repeated or out of bounds is refused by its name
//! query               parameters of the list
//! refusal             errors, in one envelope
//! key_ring            whose key it is, and what it may ask in a minute
//! lead_csv            files of leads
//! lead, store         leads, and the database that they are in
//! properties          the list of properties, and their values
//! tables              published tables of properties, and their files
//! streams             streams of changes
//! openapi             the document, and the page made of it
//! ```
//!
//! No log, metric, error or URL has personal data: `Debug` of a lead prints none, errors name fields and never values,
//! and the access log has the path of an operation in place of a URL.

mod described_facts;
pub mod fields;
mod handler;
mod json_body;
mod key_ring;
pub mod lead;
pub mod lead_csv;
mod openapi;
mod operation;
mod properties;
mod query;
mod refusal;
mod serve;
pub mod store;
mod streams;
mod tables;
mod validity_page;

pub use fdna_api::PublishedTable;
pub use fields::{FieldRules, PhoneRegion, UnknownRegion, UnusableStatuses, WrongField};
pub use properties::{PropertyShelf, ServedProperties, ServedValidity};
pub use serve::{AUDIT_DAYS, KEY_REQUESTS_PER_MINUTE, LeadsError, Options, REQUESTS_PER_MINUTE, serve};
pub use tables::{
    FileResponse, NamedSnapshot, RequestHead, SNAPSHOTS, TableFuture, TableRefusal, TableSource,
};

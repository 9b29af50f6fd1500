//! Contracts as data: what every table, metric and source column means.
//!
//! The TOML files beside this crate's `src` are the record; the code only reads them, so that the Arrow
//! schemas, the kernels, the audits, the metric definitions of the API and the data dictionary cannot
//! disagree about a column.
//!
//! ```
//! use fdna_schemas::{MetricDefinitions, Promotions, Tables};
//!
//! let bouts = Tables::get().table("bouts")?;
//! assert_eq!(bouts.key, ["bout_id"]);
//! let metric = MetricDefinitions::get().metric("sig_landed_per_min").expect("a metric of the metric definitions");
//! // Its denominator is in seconds, the value per minute.
//! assert!((metric.denominator_per - 60.0).abs() < f64::EPSILON);
//! assert_eq!(Promotions::get().of_event("UFC 300: Pereira vs. Hill"), Some("UFC"));
//! # Ok::<(), fdna_schemas::TableError>(())
//! ```

mod all_tables;
mod catalog_audit;
mod catalog_dna;
mod catalog_files;
mod catalog_folder;
mod catalog_model;
mod catalog_rating;
mod catalog_source;
mod columns;
mod definitions;
mod digest;
mod embedded;
mod event_days;
mod gates;
mod places;
mod promotions;
mod row_builder;
mod source;
mod table;
pub mod tables;
mod titles;

pub use all_tables::Tables;
pub use catalog_audit::{CatalogAudit, catalog_audits};
pub use catalog_dna::CatalogDna;
pub use catalog_files::{CatalogFilesError, catalog_folder};
pub use catalog_folder::use_catalog_folder;
pub use catalog_model::{
    CatalogModel, CatalogSeed, PROPERTY_VALIDITY_STAGE, corrections_table, is_quarantine, modelled_sports,
    models_digest, property_validity_table, set_aside_table,
};
pub use catalog_rating::{CatalogRating, PublishedRating, RATINGS, RATINGS_VALIDITY};
pub use catalog_source::{
    CatalogColumn, CatalogFile, CatalogSource, FileFormat, LICENCES, MergeRule, PROPERTIES, without_gz,
};
pub use columns::{ColumnError, TableReader, TableWriter, batches_to_one};
pub use definitions::{
    Confidence, ConfidenceCaps, ConfidenceLevel, ConfidenceSettings, Direction, EngineSettings, Estimator,
    Gate, GateSettings, Kernel, Metric, MetricChange, MetricDefinitionError, MetricDefinitions, MinSample,
    MinUnit, PublishedStabilisation, RatingMargin, RatingSettings, RatingSlowdown, Term, Unit, ValidityClass,
    ValiditySettings,
};
pub use event_days::EventDays;
pub use gates::PublicationLimits;
pub use places::{Place, Places};
pub use promotions::Promotions;
pub use row_builder::RowBuilder;
pub use source::{
    ColumnRule, SourceColumn, SourceContract, SourceFile, SourceGroup, StatedStarts, UnknownColumns,
};
pub use table::{Column, ColumnType, Table, TableError};
pub use titles::Titles;

/// Version of the data contract that the API states, in the specification's own form.
pub const CONTRACT_VERSION: &str = "2026-09-06.3";

/// Version of the Fight DNA definition that they describe.
pub const DEFINITION_VERSION: &str = "1";

/// The routes of the multi-sport catalog: name and text of each file.
#[must_use]
pub fn catalog_routes() -> &'static [(&'static str, &'static str)] {
    catalog_files::catalog_files().routes
}

/// The page of the catalog with what captures corrected: its entry, without a sport.
#[must_use]
pub fn catalog_changes() -> &'static str {
    include_str!("../catalog/changes.toml")
}

/// SHA-256 over all contract files, in hex: whatever a stage makes depends on it. Tables that only backfills make are
/// left out, since no stage reads them: a new one does not make every lake anew.
#[must_use]
pub fn contracts_digest() -> &'static str {
    static DIGEST: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
        let lists: &[(&str, &str)] = &[
            ("engine", embedded::MMA_ENGINE),
            ("event_days", include_str!("../event_days.toml")),
            ("places", include_str!("../places.toml")),
            ("promotions", include_str!("../promotions.toml")),
            ("titles", include_str!("../titles.toml")),
        ];
        let of_a_stage = |name: &str| Tables::get().table(name).is_ok_and(|table| table.stage != "backfill");
        let tables: Vec<_> = embedded::TABLES.iter().copied().filter(|(name, _)| of_a_stage(name)).collect();
        digest::digest_of([&tables, embedded::MMA_METRICS, embedded::SOURCES, lists].concat())
    });
    &DIGEST
}

//! Orchestration of runs: captures into the lake, facts, stages, gates, a snapshot.
//!
//! - a run: `run_job` has the jobs of each product, in order; `context` what a job gets; `report`, `ended`, `run_log` and
//!   `metrics` how it ended; `exit` the codes of the program
//! - captures: `import` takes them in, `ingest` reads them; `captures` has which count, which look cut, and their facts
//! - stages: `stages` for Fight DNA, `catalog` and `properties` for the products by sport
//! - work that an external engine shares out over machines: `engine`, `shard`
//! - publication: `publish`, `publication`, `gates`, `audits`, `current_snapshot`, `published_ids`; `ledger` behind it
//! - what two snapshots were made of, and a published value back to its facts: `lineage`
//! - what a person decides: `decisions`, `accept`, `licences`

pub mod accept;
pub mod audits;
pub mod captures;
pub mod catalog;
mod context;
pub mod current_snapshot;
pub mod decisions;
mod ended;
pub mod engine;
pub mod exit;
mod foundation;
mod gates;
pub mod import;
pub mod ingest;
pub mod ledger;
pub mod licences;
pub mod lineage;
pub mod metrics;
pub mod part_file;
pub mod product;
pub mod programs;
pub mod progress;
pub mod properties;
mod publication;
mod publish;
pub mod published_ids;
pub mod quarantine;
pub mod report;
pub mod run_job;
pub mod run_log;
pub mod shard;
pub mod stages;

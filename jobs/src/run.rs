//! What runs do: captures into the lake, facts, stages, gates, a snapshot.
//!
//! `run_job` is the table of contents of a run: which jobs it has for which product. Each job is in the file of its name.

pub(crate) mod accept;
pub(crate) mod audits;
pub(crate) mod captures;
pub(crate) mod catalog;
mod context;
pub(crate) mod current_snapshot;
pub(crate) mod decisions;
mod ended;
mod foundation;
mod gates;
pub(crate) mod import;
pub(crate) mod ingest;
pub(crate) mod ledger;
pub(crate) mod licences;
pub(crate) mod metrics;
pub(crate) mod product;
pub(crate) mod programs;
pub(crate) mod progress;
pub(crate) mod properties;
mod publication;
mod publish;
pub(crate) mod published_ids;
pub(crate) mod quarantine;
pub(crate) mod report;
pub(crate) mod run_job;
pub(crate) mod run_log;
pub(crate) mod shard;
pub(crate) mod stages;

//! The read-only HTTP layer over one published snapshot.
//!
//! ```text
//! http      one server over `fdna-http`         swap   polls the lake, swaps whole snapshots
//! routes    one handler per operation            load   the only module that knows the lake
//! params    query and path, against the          dataset  one snapshot: finished JSON and indexes
//!           list of operations                   respond  headers, ETag, cache policy
//! answers   what was answered before             finished an answer as often as it is asked for
//! encoding  compressed once for all
//! ```
//!
//! A request may name another snapshot (`?snapshot=`): `pins` loads it and keeps a few, within limits by `client`.
//! `key` is what a server may ask of everyone who is to be answered.
//!
//! The fight-week ledger (`ledger`) grows beside the snapshots and is swapped by itself.
//!
//! A request takes one dataset, one ledger and the time at its start and sees no other. Handlers are plain functions of
//! the dataset, the parameters and that time: no clock, no I/O. The time decides which images may be shown
//! and which articles are published, and nothing else; an answer as of a date does not look at it. `/healthz`, `/readyz`,
//! `/openapi.json` and `/docs` stand beside the contract's operations.

mod answers;
mod client;
mod dataset;
mod encoding;
mod finished;
mod guard;
mod health;
mod http;
mod key;
mod ledger;
mod load;
mod metrics;
mod openapi;
mod params;
mod pins;
mod respond;
mod routes;
mod splice;
mod swap;

pub use dataset::{Dataset, DatasetError, SnapshotInfo, SnapshotTables, WideTable};
pub use fdna_http::{AccessLog, BadOrigin, Clock, Cors, Limits, Target, Tls, TlsError, shutdown_signal};
pub use http::{Options, ServeError, State, serve};
pub use key::{KeyError, KeyFile};
pub use ledger::{Ledger, LedgerError};
pub use load::{LakeSource, LoadError};
pub use pins::PinLimits;
pub use routes::router;
pub use swap::{Served, SnapshotSource, watch};

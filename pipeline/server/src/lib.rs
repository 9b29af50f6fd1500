//! The read-only HTTP layer over one published snapshot: a router, a response cache, a snapshot watcher, health and
//! documentation pages. What an operation answers is computed by `fdna-view`.
//!
//! ```text
//! router            one route an operation           serving_state     what is served now; its watcher
//! dispatch          from a request to a response                       polls the lake and swaps whole snapshots
//! response_cache    encoded responses                pinned_snapshots  snapshots that requests name
//! respond           headers, ETag, cache policy      docs              `/openapi.json` and `/docs`
//! local_api         the operations for pages beside  downloads         files of tables for who downloads them
//! row_explainer     why a row says what it says, by who can read the facts
//! table_response    such a file: whole, in parts, or 304   lake_tables   the same for another product's server
//! stream_request    a request for a stream of changes
//! change_streams    what publications changed, as it comes      client_slots     how many of each a client has
//! ```
//!
//! A request may name another snapshot (`?snapshot=`): `pinned_snapshots` loads it and keeps a few, within limits by
//! `client`. `key` is what a server may require of every client. The fight-week ledger grows beside the snapshots and is
//! swapped by itself. A request takes one dataset, one ledger and the time at its start and sees no other.

mod api_key;
mod blocking;
mod cached_response;
mod catalog;
mod change_streams;
mod client;
mod client_slots;
mod csv_body;
mod dispatch;
mod docs;
mod downloads;
mod guard;
mod health;
mod http;
mod lake_tables;
mod local_api;
mod metrics;
mod paths;
mod pinned_snapshots;
mod respond;
mod response_cache;
mod router;
mod row_explainer;
mod serving_state;
mod snapshots;
mod stream_request;
mod table_response;

pub use api_key::{KeyError, KeyFile};
pub use catalog::{ServedCatalog, catalog_router, follow_catalog, serve_catalog};
pub use docs::openapi_document;
pub use fdna_api::{ErrorCode, Failure, LinkDecision, RowExplanation, RowStatement};
pub use fdna_catalog::{CatalogSnapshot, RouteCatalog, RouteFault};
pub use fdna_http::{
    AccessLog, BadOrigin, Clock, ConnectionLimits, Cors, LogTarget, Tls, TlsError, shutdown_signal,
};
pub use fdna_view::catalog::CatalogLake;
pub use fdna_view::{
    Dataset, DatasetError, LakeSource, LazyColumns, Ledger, LedgerError, LoadError, SnapshotInfo,
    SnapshotSource, SnapshotTables,
};
pub use http::{Options, ServeError, ServerState, serve};
pub use lake_tables::LakeTables;
pub use local_api::{LocalApi, Pages, write_query};
pub use metrics::RequestObserver;
pub use pinned_snapshots::PinnedSnapshotLimits;
pub use router::router;
pub use row_explainer::{PublishedRow, RowExplainer};
pub use serving_state::{ServingState, watch_snapshots};
pub use table_response::DownloadRefusal;

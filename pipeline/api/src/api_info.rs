//! Names and versions of the APIs.

/// Name of the API, as in `meta.api`.
pub const API_NAME: &str = "fight-data-intelligence";

/// Version of the data contract, as in `meta.version` and `X-API-Version`.
pub const API_VERSION: &str = "2026-09-06.3";

/// An API that one of our servers answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiInfo {
    /// As in `meta.api`.
    pub name: &'static str,
    /// Version of its contract, as in `meta.version` and `X-API-Version`.
    pub version: &'static str,
}

/// The API of mixed martial arts.
pub const MMA_API: ApiInfo = ApiInfo { name: API_NAME, version: API_VERSION };

/// The multi-sport catalog.
pub const CATALOG_API: ApiInfo = ApiInfo { name: "catalog", version: "2026-11-23.1" };

/// The pre-release marker of the index.
pub const API_STATUS: &str = "pre-release";

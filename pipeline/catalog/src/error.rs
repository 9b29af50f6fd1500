//! Errors in the files of routes.

/// Why the files of routes cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RouteFault {
    #[error("cannot parse the routes of {file}")]
    Toml { file: String, source: toml::de::Error },
    #[error("route {path} is not valid: {why}")]
    Route { path: String, why: String },
    #[error("the routes of {sport} are not valid: {why}")]
    Sport { sport: String, why: String },
}

//! Why the files of routes cannot be used.

/// Why the files of routes cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RouteFault {
    #[error("understand the routes of {file}")]
    Toml { file: String, source: toml::de::Error },
    #[error("use route {path}: {why}")]
    Route { path: String, why: String },
    #[error("use the routes of {sport}: {why}")]
    Sport { sport: String, why: String },
}

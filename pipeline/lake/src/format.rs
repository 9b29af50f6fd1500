//! Numbers of the formats that the lake writes.

/// Version of the bytes that the lake writes: Parquet settings and the rules of digests. It enters every
/// fingerprint and snapshot id, so that a change of it makes everything anew.
pub const DATA_FORMAT: u32 = 2;

/// Greatest `format` number of a manifest, `current.json` or `capture.json` that this build reads, and the one
/// it writes. Fields may be added within a number. From 2 on a file carries a digest of itself.
pub const MANIFEST_FORMAT: u32 = 2;

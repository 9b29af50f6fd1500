//! Names of snapshots.

use crate::digest::hex_id;

hex_id! {
    /// The first 32 hex digits of a SHA-256 over the tables of a snapshot and the versions they follow. The
    /// time of publishing is no part of it: two machines with the same captures agree.
    SnapshotId
}

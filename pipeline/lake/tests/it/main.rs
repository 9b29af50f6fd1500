//! The lake under interruptions and faults of the disk, as its callers see them.

mod faults;
mod interrupted;

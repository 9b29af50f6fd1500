//! No code: this crate makes every package of the workspace build its dependencies with the same features.

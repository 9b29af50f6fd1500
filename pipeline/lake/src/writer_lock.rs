//! What keeps other writers out, wherever the lake is.

use crate::bucket::BucketWriter;
use crate::lock::LakeLock;

/// What keeps other writers out, until dropped.
#[derive(Debug)]
#[expect(dead_code, reason = "held, and never asked")]
pub(crate) enum WriterLock {
    Folder(LakeLock),
    Bucket(BucketWriter),
}

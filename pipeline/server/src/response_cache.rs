//! The response cache: byte-weighted, keyed by all that determines a response (`RequestState::key` in
//! `dispatch.rs`). What a key names never changes, so that nothing is ever invalidated.

use std::fmt;
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::cached_response::CachedResponse;

/// Bytes of all that are kept.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// What keeping an answer costs beside its bytes, about.
const OVERHEAD: usize = 512;

/// Parts that are locked by themselves. An answer fits into one.
const SHARDS: usize = 4;

/// Answers by all that determines their bytes. Those that are not asked for again go first.
pub(crate) struct ResponseCache(Cache<String, Arc<CachedResponse>, Weight>);

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<String, Arc<CachedResponse>> for Weight {
    fn weight(&self, key: &String, response: &Arc<CachedResponse>) -> u64 {
        (key.len() + response.len() + OVERHEAD) as u64
    }
}

impl Default for ResponseCache {
    fn default() -> Self {
        let mut options = OptionsBuilder::new();
        // Room for so many of the smallest, as the shares of the parts are bounded by it.
        options.shards(SHARDS).estimated_items_capacity(8192).weight_capacity(MAX_BYTES);
        // Only what is left out makes it fail.
        let options = options.build().unwrap_or_else(|never| unreachable!("{never}"));
        let (hashes, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self(Cache::with_options(options, Weight, hashes, lifecycle))
    }
}

impl fmt::Debug for ResponseCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResponseCache({} of {} bytes)", self.0.len(), self.0.weight())
    }
}

impl ResponseCache {
    pub(crate) fn get(&self, key: &str) -> Option<Arc<CachedResponse>> {
        self.0.get(key)
    }

    pub(crate) fn put(&self, key: String, response: &Arc<CachedResponse>) {
        self.0.insert(key, Arc::clone(response));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cached_response::tests::finished;

    #[test]
    fn what_is_asked_for_again_stays_and_the_rest_goes_before_there_is_too_much() {
        let cache = ResponseCache::default();
        let large = finished(1024 * 1024);
        cache.put("wanted".to_owned(), &large);
        for n in 0..200 {
            cache.put(n.to_string(), &large);
            assert!(cache.get("wanted").is_some(), "after {n}");
            assert!(cache.0.weight() <= MAX_BYTES);
        }
        assert!(cache.get("0").is_none() && cache.get("199").is_some());
    }

    #[test]
    fn answers_beyond_all_room_and_empty_ones_do_no_harm() {
        let cache = ResponseCache::default();
        let empty = finished(0);
        for n in 0..100_000 {
            cache.put(n.to_string(), &empty);
        }
        cache.put("too large".to_owned(), &finished(40 * 1024 * 1024));
        assert!(cache.0.weight() <= MAX_BYTES && cache.get("too large").is_none());
    }
}

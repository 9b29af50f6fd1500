//! Answers that were given before: what they are made from never changes, so that they can be given again.

use std::fmt;
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::finished::Finished;

/// Bytes of all that are kept.
const ROOM: u64 = 32 * 1024 * 1024;

/// What keeping an answer costs beside its bytes, about.
const OVERHEAD: usize = 512;

/// Parts that are locked by themselves. An answer fits into one.
const SHARDS: usize = 4;

/// Answers by all that determines their bytes. Those that are not asked for again go first.
pub(crate) struct Answers(Cache<String, Arc<Finished>, Weight>);

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<String, Arc<Finished>> for Weight {
    fn weight(&self, key: &String, answer: &Arc<Finished>) -> u64 {
        (key.len() + answer.len() + OVERHEAD) as u64
    }
}

impl Default for Answers {
    fn default() -> Self {
        let mut options = OptionsBuilder::new();
        // Room for so many of the smallest, as the shares of the parts are bounded by it.
        options.shards(SHARDS).estimated_items_capacity(8192).weight_capacity(ROOM);
        // Only what is left out makes it fail.
        let options = options.build().unwrap_or_else(|never| unreachable!("{never}"));
        let (hashes, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self(Cache::with_options(options, Weight, hashes, lifecycle))
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answers({} of {} bytes)", self.0.len(), self.0.weight())
    }
}

impl Answers {
    pub(crate) fn get(&self, key: &str) -> Option<Arc<Finished>> {
        self.0.get(key)
    }

    pub(crate) fn put(&self, key: String, answer: &Arc<Finished>) {
        self.0.insert(key, Arc::clone(answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finished::tests::finished;

    #[test]
    fn what_is_asked_for_again_stays_and_the_rest_goes_before_there_is_too_much() {
        let answers = Answers::default();
        let large = finished(1024 * 1024);
        answers.put("wanted".to_owned(), &large);
        for n in 0..200 {
            answers.put(n.to_string(), &large);
            assert!(answers.get("wanted").is_some(), "after {n}");
            assert!(answers.0.weight() <= ROOM);
        }
        assert!(answers.get("0").is_none() && answers.get("199").is_some());
    }

    #[test]
    fn answers_beyond_all_room_and_empty_ones_do_no_harm() {
        let answers = Answers::default();
        let empty = finished(0);
        for n in 0..100_000 {
            answers.put(n.to_string(), &empty);
        }
        answers.put("too large".to_owned(), &finished(40 * 1024 * 1024));
        assert!(answers.0.weight() <= ROOM && answers.get("too large").is_none());
    }
}

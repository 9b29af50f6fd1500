//! Answers that were given before: a snapshot never changes, so that what was made once can be given again.

use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::finished::Finished;

/// What keeping an answer costs beside its bytes, about.
const OVERHEAD: usize = 256;

/// Bytes of a generation, at most; there are two.
const ROOM: usize = 12 * 1024 * 1024;

/// Answers by path and query, as they were asked. Those that nobody asks for are forgotten a generation at a time.
#[derive(Default)]
pub(crate) struct Answers(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<String, Arc<Finished>>,
    /// What was young before that was full.
    old: HashMap<String, Arc<Finished>>,
    /// Bytes of the young ones.
    bytes: usize,
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answers")
    }
}

impl Answers {
    pub(crate) fn get(&self, asked: &str) -> Option<Arc<Finished>> {
        let mut kept = self.lock();
        if let Some(answer) = kept.young.get(asked) {
            return Some(Arc::clone(answer));
        }
        let (asked, answer) = kept.old.remove_entry(asked)?;
        kept.keep(asked, Arc::clone(&answer));
        Some(answer)
    }

    pub(crate) fn put(&self, asked: String, answer: &Arc<Finished>) {
        self.lock().keep(asked, Arc::clone(answer));
    }

    /// Nothing half done can be seen: what a thread left that died holds good.
    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn keep(&mut self, asked: String, answer: Arc<Finished>) {
        let bytes = answer.len() + asked.len() + OVERHEAD;
        if self.bytes + bytes > ROOM {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        if self.young.insert(asked, answer).is_none() {
            self.bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use fdna_api::{MetaExtra, Plan};
    use fdna_http::Slot;

    use super::*;
    use crate::finished::{Made, Time};
    use crate::respond::Answer;

    fn answer(bytes: usize) -> Arc<Finished> {
        let made = Made {
            tag: String::new(),
            snapshot_id: None,
            ledger: None,
            time: Time::Nothing,
            link: None,
            slot: Slot(0),
        };
        let answer =
            Answer { data: vec![b'x'; bytes], meta: MetaExtra::None {}, plan: Plan::Pro, digest: None };
        Arc::new(Finished::of(&answer, made).unwrap())
    }

    #[test]
    fn what_is_asked_for_again_stays_and_the_rest_goes_before_there_is_too_much() {
        let answers = Answers::default();
        let large = answer(ROOM / 8);
        answers.put("wanted".to_owned(), &large);
        for n in 0..100 {
            answers.put(n.to_string(), &large);
            assert!(answers.get("wanted").is_some(), "after {n}");
            let kept = answers.lock();
            assert!(kept.young.len() + kept.old.len() <= 16);
        }
        assert!(answers.get("0").is_none() && answers.get("99").is_some());
    }

    #[test]
    fn answers_beyond_all_room_and_empty_ones_do_no_harm() {
        let answers = Answers::default();
        for n in 0..3 * ROOM / OVERHEAD {
            answers.put(n.to_string(), &answer(0));
        }
        assert!(answers.lock().young.len() <= ROOM / OVERHEAD);
        for n in 0..3 {
            answers.put(n.to_string(), &answer(2 * ROOM));
        }
        let kept = answers.lock();
        assert!(kept.young.len() + kept.old.len() <= 2);
    }
}

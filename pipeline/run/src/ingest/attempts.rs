//! Attempts to read a capture that failed for want of time or memory, which may be the machine's fault: one more is made by
//! the next run, and then none until the program or its bounds are others.

use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// Runs that may try in vain.
const MAX_ATTEMPTS: u64 = 2;

/// Attempts by one reader.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadAttempts {
    n: u64,
    reader: String,
}

impl ReadAttempts {
    /// With one more by this reader.
    pub fn one_more(before: Option<Self>, reader: &str) -> Self {
        let n = before.filter(|before| before.reader == reader).map_or(0, |before| before.n);
        Self { n: n + 1, reader: reader.to_owned() }
    }

    /// Whether this reader, or whichever begins with this program, need not try again.
    pub fn is_given_up(&self, reader: &str) -> bool {
        self.n >= MAX_ATTEMPTS && self.reader.starts_with(reader)
    }

    /// The next step, for a person who reads why the capture is refused.
    pub fn describe_outlook(&self) -> &'static str {
        if self.n < MAX_ATTEMPTS {
            "and is tried again by the next run"
        } else {
            "for the second time, and is not tried again until the program is another one, or FIGHTDNA_READ_SECONDS or \
             FIGHTDNA_READ_MEMORY_MB"
        }
    }
}

/// A stamp that tells this build of the program from others: its size and modification time.
pub fn program_stamp() -> String {
    let of_file = std::env::current_exe().and_then(std::fs::metadata).ok().and_then(|file| {
        let written = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
        Some(format!("{} bytes of {written}", file.len()))
    });
    of_file.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_attempts_of_one_reader_are_enough_and_another_reader_begins_anew() {
        let once = ReadAttempts::one_more(None, "a, 120 s");
        assert!(!once.is_given_up("a, 120 s") && once.describe_outlook().contains("next run"));
        let twice = ReadAttempts::one_more(Some(once), "a, 120 s");
        assert!(twice.is_given_up("a, 120 s") && twice.describe_outlook().contains("FIGHTDNA_READ_SECONDS"));
        assert!(twice.is_given_up("a"), "whatever its bounds");
        assert!(!twice.is_given_up("a, 240 s") && !twice.is_given_up("b, 120 s"));
        assert!(!ReadAttempts::one_more(Some(twice), "b, 120 s").is_given_up("b, 120 s"));
        assert!(!ReadAttempts::default().is_given_up("a, 120 s"), "an earlier build's");
    }
}

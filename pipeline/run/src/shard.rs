//! Work that is shared out over machines: which part of it one of them does.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// More are of no use.
const MAX_SHARDS: usize = 1000;

/// Number of a shard among all, as `2/7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShardSpec {
    /// From 1.
    #[serde(rename = "shard")]
    pub number: usize,
    pub of: usize,
}

impl FromStr for ShardSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) && of <= MAX_SHARDS => Ok(Self { number, of }),
            _ => Err(format!("use I/N such as 2/7, from 1/N to N/N, with N of at most {MAX_SHARDS}")),
        }
    }
}

impl ShardSpec {
    /// Every `of`-th item, from the one at the place of this shard on.
    pub fn select<T>(self, items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        items.into_iter().skip(self.number - 1).step_by(self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_named_by_its_number_and_how_many_there_are() {
        assert_eq!("2/7".parse(), Ok(ShardSpec { number: 2, of: 7 }));
        assert_eq!("1/1".parse(), Ok(ShardSpec { number: 1, of: 1 }));
        for text in ["0/7", "8/7", "1", "1/0", "a/b", "-1/2", "1/1001", ""] {
            assert!(text.parse::<ShardSpec>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_item_is_of_one_shard() {
        let shards = (1..=7).map(|number| ShardSpec { number, of: 7 });
        let mut all: Vec<i32> = shards.flat_map(|shard| shard.select(0..100)).collect();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }
}

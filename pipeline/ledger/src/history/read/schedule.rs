//! What the schedule's sources said: the spans of `event_listings` and `bout_listings`.

use chrono::{DateTime, Utc};
use fdna_schemas::TableReader;

use super::{ReadError, said, values};
use crate::history::{BoutHistory, LedgerHistory, SourceStatement};
use crate::{StateField, StateValue};

/// Source, from when on, and whether it lists it.
type ListingHead<'a> = (&'a str, DateTime<Utc>, bool);

fn heads<'a>(r: &TableReader<'a>) -> Result<Vec<ListingHead<'a>>, ReadError> {
    let (sources, from) = (r.texts("source")?, r.instants("from_at")?);
    let rows = sources.into_iter().zip(from).zip(r.bools("is_listed")?);
    Ok(rows.map(|((source, from), is)| (source, from.unwrap_or_default(), is.unwrap_or_default())).collect())
}

fn telling((_, from, is_listed): ListingHead<'_>, says: Vec<(StateField, StateValue)>) -> SourceStatement {
    SourceStatement { from, is_listed, says }
}

impl LedgerHistory {
    pub(super) fn read_schedule(
        &mut self,
        events: &TableReader<'_>,
        bouts: &TableReader<'_>,
    ) -> Result<(), ReadError> {
        self.read_events(events)?;
        self.read_bouts(bouts)
    }

    fn read_events(&mut self, r: &TableReader<'_>) -> Result<(), ReadError> {
        let columns = [
            (StateField::StartAt, values(r.instants("start_at")?)),
            (StateField::StartDate, values(r.dates("event_date")?)),
            (StateField::BoutStatus, values(r.strings("status")?)),
        ];
        let rows = r.ids("event_id")?.into_iter().zip(heads(r)?).zip(said(columns, r.rows()));
        for ((id, head), says) in rows {
            self.events.entry(id).or_default().tellings.add(head.0, telling(head, says));
        }
        Ok(())
    }

    fn read_bouts(&mut self, r: &TableReader<'_>) -> Result<(), ReadError> {
        let columns = [
            (StateField::StartAt, values(r.instants("start_at")?)),
            (StateField::CardPosition, values(r.strings("card_position")?)),
            (StateField::BoutOrder, values(r.int32s("bout_order")?)),
            (StateField::WeightClass, values(r.strings("weight_class")?)),
            (StateField::ScheduledRounds, values(r.int32s("scheduled_rounds")?)),
            (StateField::IsTitle, values(r.bools("is_title")?)),
            (StateField::BoutStatus, values(r.strings("status")?)),
            (StateField::RankingA, values(r.int32s("rank_a")?)),
            (StateField::RankingB, values(r.int32s("rank_b")?)),
        ];
        let events = r.ids("event_id")?;
        let fighters: Vec<_> = r.ids("fighter_a_id")?.into_iter().zip(r.ids("fighter_b_id")?).collect();
        let rows = r.ids("bout_id")?.into_iter().zip(heads(r)?).zip(said(columns, r.rows()));
        for (row, ((id, head), says)) in rows.enumerate() {
            let (event, (a, b)) = (events[row], fighters[row]);
            let new = || BoutHistory { event, fighters: [a, b], ..BoutHistory::default() };
            self.bouts.entry(id).or_insert_with(new).tellings.add(head.0, telling(head, says));
        }
        Ok(())
    }
}

//! Statements of the schedule's sources: the spans of `event_listings` and `bout_listings`.

use fdna_schemas::tables::{BoutListingsReader, EventListingsReader};

use super::{ReadError, stated_fields};
use crate::StateField;
use crate::history::{BoutHistory, LedgerHistory, SourceStatement};

impl LedgerHistory {
    pub(super) fn read_events(&mut self, events: EventListingsReader<'_>) -> Result<(), ReadError> {
        for row in events.all_rows()? {
            let says = stated_fields([
                (StateField::StartAt, row.start_at.into()),
                (StateField::StartDate, row.event_date.into()),
                (StateField::BoutStatus, row.status.into()),
            ]);
            let telling = SourceStatement { from: row.from_at, is_listed: row.is_listed, says };
            self.events.entry(row.event_id).or_default().tellings.add_statement(row.source, telling);
        }
        Ok(())
    }

    pub(super) fn read_bouts(&mut self, bouts: BoutListingsReader<'_>) -> Result<(), ReadError> {
        for row in bouts.all_rows()? {
            let says = stated_fields([
                (StateField::StartAt, row.start_at.into()),
                (StateField::CardPosition, row.card_position.into()),
                (StateField::BoutOrder, row.bout_order.into()),
                (StateField::WeightClass, row.weight_class.into()),
                (StateField::ScheduledRounds, row.scheduled_rounds.into()),
                (StateField::IsTitle, row.is_title.into()),
                (StateField::BoutStatus, row.status.into()),
                (StateField::RankingA, row.rank_a.into()),
                (StateField::RankingB, row.rank_b.into()),
            ]);
            let fighters = [row.fighter_a_id, row.fighter_b_id];
            let new = || BoutHistory { event: row.event_id, fighters, ..BoutHistory::default() };
            let telling = SourceStatement { from: row.from_at, is_listed: row.is_listed, says };
            self.bouts.entry(row.bout_id).or_insert_with(new).tellings.add_statement(row.source, telling);
        }
        Ok(())
    }
}

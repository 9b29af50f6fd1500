//! Records to rows of the facts tables.

use fdna_schemas::tables::{ScheduleBoutsRow, ScheduleEventsRow, ScheduleFightersRow, ScheduleVenuesRow};

use super::{CardPosition, EventVenue, ScheduledBout, ScheduledEvent, ScheduledFighter, Status, Winner};
use crate::fact_rows::RowPlace;
use fdna_schemas::RowBuilder;

pub(crate) fn push_event(to: &mut RowBuilder, id_space: &str, at: RowPlace<'_>, event: &ScheduledEvent) {
    to.push(&ScheduleEventsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        id_space,
        event_source_id: &event.source_id,
        event: &event.name,
        event_date: event.date,
        start_at: event.start_at,
        venue: event.venue.name.as_deref(),
        city: event.venue.city.as_deref(),
        region: event.venue.region.as_deref(),
        country: event.venue.country.as_deref(),
        status: event.status.map(Status::name),
        status_raw: event.status_raw.as_deref(),
        broadcast: event.broadcast.as_deref(),
        listed_bouts: event.listed_bouts,
        unknown: event.unknown.as_deref(),
    });
}

pub(crate) fn push_bout(to: &mut RowBuilder, id_space: &str, at: RowPlace<'_>, bout: &ScheduledBout) {
    let [first, second] = &bout.corners;
    to.push(&ScheduleBoutsRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        id_space,
        event_source_id: &bout.event,
        bout_source_id: bout.source_id.as_deref(),
        listed_at: bout.listed_at,
        bout_order: bout.order,
        card_position: bout.position.map(CardPosition::name),
        start_at: bout.start_at,
        weight_class_raw: bout.weight_class.as_deref(),
        weight_lbs: bout.weight_lbs,
        is_title: bout.is_title,
        scheduled_rounds: bout.rounds,
        status: bout.status.map(Status::name),
        status_raw: bout.status_raw.as_deref(),
        first_source_id: first.source_id.as_deref(),
        first_name: first.name.as_deref(),
        first_rank: first.rank,
        first_is_champion: first.is_champion,
        first_record: first.record.as_deref(),
        second_source_id: second.source_id.as_deref(),
        second_name: second.name.as_deref(),
        second_rank: second.rank,
        second_is_champion: second.is_champion,
        second_record: second.record.as_deref(),
        winner: bout.winner.map(Winner::name),
        broadcast: bout.broadcast.as_deref(),
        unknown: bout.unknown.as_deref(),
    });
}

pub(crate) fn push_fighter(
    to: &mut RowBuilder,
    id_space: &str,
    at: RowPlace<'_>,
    fighter: &ScheduledFighter,
) {
    to.push(&ScheduleFightersRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        id_space,
        fighter_source_id: &fighter.source_id,
        name: &fighter.name,
        nickname: fighter.nickname.as_deref(),
        date_of_birth: fighter.date_of_birth,
        height_in: fighter.height_in,
        reach_in: fighter.reach_in,
        stance: fighter.stance.as_deref(),
        country: fighter.country.as_deref(),
        record: fighter.record.as_deref(),
        unknown: fighter.unknown.as_deref(),
    });
}

/// Of a list of venues, where each has an id and a name.
pub(crate) fn push_venue(to: &mut RowBuilder, id_space: &str, at: RowPlace<'_>, venue: &EventVenue) {
    to.push(&ScheduleVenuesRow {
        file: at.file,
        line: at.line,
        row_digest: at.digest,
        id_space,
        venue_source_id: venue.source_id.as_deref().unwrap_or_default(),
        venue: venue.name.as_deref().unwrap_or_default(),
        city: venue.city.as_deref(),
        region: venue.region.as_deref(),
        country: venue.country.as_deref(),
        unknown: venue.unknown.as_deref(),
    });
}

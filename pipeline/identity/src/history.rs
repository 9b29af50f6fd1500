//! Entities of the statistics source, added to the registry.

use fdna_model::{Kind, WeightClass};
use fdna_rows::{RowsError, TableSet};
use fdna_schemas::tables::{
    BoutsReader, CorrectionsReader, EventsReader, FightersReader, FightersRow, IdentitiesReader,
};
use uuid::Uuid;

use super::claims::FirstSeen;
use super::published::kind_named;
use super::registry::{EntityLink, EntityRegistry, RegisteredBout, RegisteredEvent, SourceKey};

impl EntityRegistry {
    pub(super) fn add_history(&mut self, history: &TableSet) -> Result<(), RowsError> {
        for row in history.read_table::<EventsReader<'_>>()?.all_rows()? {
            let names = vec![row.name.to_owned()];
            self.add_event(RegisteredEvent {
                id: row.event_id,
                names,
                day: row.event_date,
                bouts: Vec::new(),
            });
        }
        self.add_fighters(history.read_table()?)?;
        self.add_former_names(history.read_table()?)?;
        self.add_bouts(history.read_table()?)?;
        self.add_links(history.read_table()?)
    }

    fn add_fighters(&mut self, fighters: FightersReader<'_>) -> Result<(), RowsError> {
        for row in fighters.all_rows()? {
            self.add_fighter(row.fighter_id, row.date_of_birth);
            self.add_name(row.fighter_id, row.name, row.nickname);
            if let Some(fighter) = self.fighters.get_mut(&row.fighter_id) {
                fighter.weight_lbs = row.weight_lbs;
            }
        }
        Ok(())
    }

    /// Names that the source gave up: schedules go on with them.
    fn add_former_names(&mut self, corrections: CorrectionsReader<'_>) -> Result<(), RowsError> {
        for row in corrections.all_rows()? {
            if let Some(old) =
                row.old.filter(|_| row.kind == "fighter" && row.field == FightersRow::NAME.name)
            {
                self.add_name(row.entity_id, old, None);
            }
        }
        Ok(())
    }

    fn add_bouts(&mut self, bouts: BoutsReader<'_>) -> Result<(), RowsError> {
        for row in bouts.all_rows()? {
            self.add_bout(RegisteredBout {
                id: row.bout_id,
                event: row.event_id,
                day: row.event_date,
                fighters: [row.fighter_a_id, row.fighter_b_id],
                order: row.bout_order,
                class: row.weight_class.and_then(WeightClass::from_name),
                possible_classes: Vec::new(),
                is_fought: true,
            });
        }
        Ok(())
    }

    fn add_links(&mut self, identities: IdentitiesReader<'_>) -> Result<(), RowsError> {
        for row in identities.all_rows()? {
            let Some(kind) = kind_named(row.kind) else { continue };
            let name = self.name_of(kind, row.entity_id);
            let seen = FirstSeen { at: row.first_seen_at, capture: row.first_seen_capture.to_owned() };
            let link =
                EntityLink { entity: row.entity_id, rule: row.rule.to_owned(), score: 1.0, name, seen };
            self.add_link(SourceKey::new(kind, row.source, row.source_id), link);
        }
        Ok(())
    }

    /// The name of an entity.
    pub(super) fn name_of(&self, kind: Kind, id: Uuid) -> Option<String> {
        match kind {
            Kind::Event => self.events.get(&id)?.names.first().cloned(),
            Kind::Fighter => self.fighters.get(&id)?.names.first().cloned(),
            Kind::Bout => {
                let [a, b] = self.bouts.get(&id)?.fighters;
                Some(format!("{} vs. {}", self.name_of(Kind::Fighter, a)?, self.name_of(Kind::Fighter, b)?))
            }
        }
    }
}

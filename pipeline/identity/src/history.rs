//! What the statistics source knows, told to the registry.

use fdna_model::{Kind, WeightClass};
use fdna_rows::{RowsError, TableSet};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::claims::FirstSeen;
use super::published::kind_named;
use super::registry::{EntityLink, EntityRegistry, RegisteredBout, RegisteredEvent, SourceKey};

impl EntityRegistry {
    pub(super) fn add_history(&mut self, history: &TableSet) -> Result<(), RowsError> {
        let reader = history.reader("events")?;
        let (ids, names) = (reader.ids("event_id")?, reader.texts("name")?);
        for (i, day) in reader.days("event_date")?.into_iter().enumerate() {
            let names = vec![names[i].to_owned()];
            self.add_event(RegisteredEvent { id: ids[i], names, day, bouts: Vec::new() });
        }
        self.add_fighters(&history.reader("fighters")?)?;
        self.add_former_names(&history.reader("corrections")?)?;
        self.add_bouts(&history.reader("bouts")?)?;
        self.add_links(&history.reader("identities")?)
    }

    fn add_fighters(&mut self, reader: &TableReader<'_>) -> Result<(), RowsError> {
        let (ids, names) = (reader.ids("fighter_id")?, reader.texts("name")?);
        let (nicknames, born) = (reader.strings("nickname")?, reader.dates("date_of_birth")?);
        let weights = reader.int32s("weight_lbs")?;
        for (i, id) in ids.into_iter().enumerate() {
            self.add_fighter(id, born[i]);
            self.add_name(id, names[i], nicknames[i]);
            if let Some(fighter) = self.fighters.get_mut(&id) {
                fighter.weight_lbs = weights[i];
            }
        }
        Ok(())
    }

    /// Names that the source gave up: schedules go on with them.
    fn add_former_names(&mut self, reader: &TableReader<'_>) -> Result<(), RowsError> {
        let (ids, olds) = (reader.ids("entity_id")?, reader.strings("old")?);
        let (kinds, fields) = (reader.texts("kind")?, reader.texts("field")?);
        for (i, id) in ids.into_iter().enumerate() {
            if let Some(old) = olds[i].filter(|_| kinds[i] == "fighter" && fields[i] == "name") {
                self.add_name(id, old, None);
            }
        }
        Ok(())
    }

    fn add_bouts(&mut self, reader: &TableReader<'_>) -> Result<(), RowsError> {
        let (ids, events, days) =
            (reader.ids("bout_id")?, reader.ids("event_id")?, reader.days("event_date")?);
        let (a, b) = (reader.ids("fighter_a_id")?, reader.ids("fighter_b_id")?);
        let (orders, classes) = (reader.int32s("bout_order")?, reader.strings("weight_class")?);
        for (i, id) in ids.into_iter().enumerate() {
            self.add_bout(RegisteredBout {
                id,
                event: events[i],
                day: days[i],
                fighters: [a[i], b[i]],
                order: orders[i],
                class: classes[i].and_then(WeightClass::from_name),
                possible_classes: Vec::new(),
                is_fought: true,
            });
        }
        Ok(())
    }

    fn add_links(&mut self, reader: &TableReader<'_>) -> Result<(), RowsError> {
        let (ids, rules) = (reader.ids("entity_id")?, reader.texts("rule")?);
        let (sources, source_ids) = (reader.texts("source")?, reader.texts("source_id")?);
        let (captures, times) = (reader.texts("first_seen_capture")?, reader.instants("first_seen_at")?);
        for (i, kind) in reader.texts("kind")?.into_iter().enumerate() {
            let (Some(kind), Some(at)) = (kind_named(kind), times[i]) else { continue };
            let name = self.name_of(kind, ids[i]);
            let seen = FirstSeen { at, capture: captures[i].to_owned() };
            let link = EntityLink { entity: ids[i], rule: rules[i].to_owned(), score: 1.0, name, seen };
            self.link(SourceKey::new(kind, sources[i], source_ids[i]), link);
        }
        Ok(())
    }

    /// What an entity is called.
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

//! Names for what the ledger knows by id, as the current snapshot has them, and the ids that people write for them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_ledger::{IdAliases, LedgerEntry, StateField, StateValue};
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{
    AliasesReader, AliasesRow, BoutsReader, BoutsRow, ContractReader as _, ContractRow as _, EventsReader,
    EventsRow, FightersReader, FightersRow, IdentitiesReader, IdentitiesRow,
};
use uuid::Uuid;

/// Names of columns of a row's table.
macro_rules! columns {
    ($row:ident: $($column:ident)*) => { [$($row::$column.name),*] };
}

/// Ids that were merged into others are found as those.
pub(super) struct EntityNames {
    fighters: BTreeMap<Uuid, String>,
    bouts: BTreeMap<Uuid, [Uuid; 2]>,
    events: BTreeMap<Uuid, NamedEvent>,
    aliases: IdAliases,
}

/// An event as its header tells it.
pub(super) struct NamedEvent {
    pub(super) name: String,
    pub(super) date: NaiveDate,
    /// Venue, city, country, as far as they are known.
    pub(super) place: Vec<String>,
}

impl EntityNames {
    pub(super) fn read_names(lake: &Lake, snapshot: &SnapshotManifest) -> anyhow::Result<Self> {
        let read = |table: &str, columns: &[&str]| lake.read_snapshot_columns(snapshot, table, columns);
        let fighters = read(FightersRow::TABLE, &columns!(FightersRow: FIGHTER_ID NAME))?;
        let bouts = read(BoutsRow::TABLE, &columns!(BoutsRow: BOUT_ID FIGHTER_A_ID FIGHTER_B_ID))?;
        let of_events = columns!(EventsRow: EVENT_ID NAME EVENT_DATE VENUE CITY COUNTRY);
        let events = read(EventsRow::TABLE, &of_events)?;
        let aliases = read(AliasesRow::TABLE, &IdAliases::COLUMNS)?;
        let r = FightersReader::of(&fighters);
        let names = r.name()?.into_iter().map(str::to_owned);
        let fighters = r.fighter_id()?.into_iter().zip(names).collect();
        let r = BoutsReader::of(&bouts);
        let sides = r.fighter_a_id()?.into_iter().zip(r.fighter_b_id()?).map(|(a, b)| [a, b]);
        let bouts = r.bout_id()?.into_iter().zip(sides).collect();
        let events = read_events(EventsReader::of(&events))?;
        let aliases = IdAliases::read_aliases(AliasesReader::of(&aliases))?;
        Ok(Self { fighters, bouts, events, aliases })
    }

    pub(super) fn survivor_of(&self, id: Uuid) -> Uuid {
        self.aliases.survivor_of(id)
    }

    pub(super) fn find_event(&self, id: Uuid) -> Option<&NamedEvent> {
        self.events.get(&self.survivor_of(id))
    }

    /// A fighter's name, or the id of who is in no snapshot.
    pub(super) fn fighter_name(&self, id: Uuid) -> String {
        self.fighters.get(&self.survivor_of(id)).cloned().unwrap_or_else(|| id.to_string())
    }

    /// The names of a bout's fighters, or its id.
    pub(super) fn bout_name(&self, id: Uuid) -> String {
        let sides = self.bouts.get(&self.survivor_of(id));
        sides
            .map_or_else(|| format!("bout {id}"), |sides| sides.map(|id| self.fighter_name(id)).join(" vs. "))
    }

    /// The same of a row, which knows its fighters itself.
    pub(super) fn bout_of(&self, entry: &LedgerEntry) -> String {
        let sides = [StateField::FighterA, StateField::FighterB].map(|field| entry.state.get(field).as_id());
        match sides {
            [Some(a), Some(b)] => format!("{} vs. {}", self.fighter_name(a), self.fighter_name(b)),
            _ => self.bout_name(entry.bout_id),
        }
    }

    /// A value with the name of what it is the id of.
    pub(super) fn value_name(&self, field: StateField, value: &StateValue) -> String {
        match (field, value.as_id()) {
            (StateField::ReplacedBout, Some(id)) => self.bout_name(id),
            (_, Some(id)) => self.fighter_name(id),
            (_, None) => value.to_string(),
        }
    }

    /// The event or bout that a text means: our id, an id of a source, or how an event's name begins.
    ///
    /// # Errors
    /// It means none, or several.
    pub(super) fn find_id(
        &self,
        lake: &Lake,
        snapshot: &SnapshotManifest,
        text: &str,
    ) -> anyhow::Result<Uuid> {
        if let Ok(id) = text.parse() {
            return Ok(self.survivor_of(id));
        }
        let needed = columns!(IdentitiesRow: KIND ENTITY_ID SOURCE SOURCE_ID);
        let identities = lake.read_snapshot_columns(snapshot, IdentitiesRow::TABLE, &needed)?;
        let of_source = of_source(IdentitiesReader::of(&identities), text)?;
        let found = match of_source.is_empty() {
            true => self.events_named(text),
            false => of_source.into_iter().map(|id| self.survivor_of(id)).collect(),
        };
        let refuse = |why: String| Err(error_with_code(ExitCode::Usage, why));
        match found.iter().collect::<Vec<_>>()[..] {
            [id] => Ok(*id),
            [] => refuse(format!(
                "No event or bout `{text}`: give its UUID, a source's id of it, or the beginning of an event's name, \
                 such as \"UFC 311\""
            )),
            _ => {
                let which: Vec<String> =
                    found.iter().map(|id| format!("{} ({id})", self.bout_title(*id))).collect();
                refuse(format!("`{text}` means {} things: {}", found.len(), which.join("; ")))
            }
        }
    }

    fn bout_title(&self, id: Uuid) -> String {
        self.find_event(id).map_or_else(|| self.bout_name(id), |event| event.name.clone())
    }

    /// The events whose name begins with this text: of `UFC311`, not `UFC 3110`.
    fn events_named(&self, text: &str) -> BTreeSet<Uuid> {
        let prefix = alphanumeric(text);
        let begins = |name: &str| {
            let rest = alphanumeric(name).strip_prefix(&prefix).map(str::to_owned);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        };
        let found = self.events.iter().filter(|(_, event)| !prefix.is_empty() && begins(&event.name));
        found.map(|(id, _)| *id).collect()
    }
}

/// Letters and digits alone.
fn alphanumeric(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn read_events(r: EventsReader<'_>) -> Result<BTreeMap<Uuid, NamedEvent>, ColumnError> {
    let (names, dates) = (r.name()?, r.event_date()?);
    let (venues, cities, countries) = (r.venue()?, r.city()?, r.country()?);
    let event = |(row, id): (usize, Uuid)| {
        let place = [venues[row], cities[row], countries[row]].into_iter().flatten().map(str::to_owned);
        (id, NamedEvent { name: names[row].to_owned(), date: dates[row], place: place.collect() })
    };
    Ok(r.event_id()?.into_iter().enumerate().map(event).collect())
}

/// Events and bouts with this id at the statistics source or the feed, the sources whose ids the contract takes.
fn of_source(r: IdentitiesReader<'_>, text: &str) -> Result<BTreeSet<Uuid>, ColumnError> {
    let (kinds, sources, source_ids) = (r.kind()?, r.source()?, r.source_id()?);
    let is_meant = |(row, _): &(usize, Uuid)| {
        source_ids[*row] == text
            && matches!(kinds[*row], "event" | "bout")
            && ["statsdb", "feed"].contains(&sources[*row])
    };
    Ok(r.entity_id()?.into_iter().enumerate().filter(is_meant).map(|(_, id)| id).collect())
}

//! Names for what the ledger knows by id, as the current snapshot has them, and the ids that people write for them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use fdna_lake::{Lake, SnapshotManifest};
use fdna_ledger::{IdAliases, LedgerEntry, StateField, StateValue};
use fdna_schemas::{ColumnError, TableReader};
use uuid::Uuid;

use crate::current_snapshot::current;
use crate::exit::{ExitCode, coded};

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
    pub(super) fn read(lake: &Lake, snapshot: &SnapshotManifest) -> anyhow::Result<Self> {
        let read = |table: &str, columns: &[&str]| lake.read_snapshot_columns(snapshot, table, columns);
        let fighters = read("fighters", &["fighter_id", "name"])?;
        let bouts = read("bouts", &["bout_id", "fighter_a_id", "fighter_b_id"])?;
        let events = read("events", &["event_id", "name", "event_date", "venue", "city", "country"])?;
        let aliases = read("aliases", &IdAliases::COLUMNS)?;
        let r = TableReader::new("fighters", &fighters);
        let names = r.texts("name")?.into_iter().map(str::to_owned);
        let fighters = r.ids("fighter_id")?.into_iter().zip(names).collect();
        let r = TableReader::new("bouts", &bouts);
        let sides = r.ids("fighter_a_id")?.into_iter().zip(r.ids("fighter_b_id")?).map(|(a, b)| [a, b]);
        let bouts = r.ids("bout_id")?.into_iter().zip(sides).collect();
        let events = read_events(&TableReader::new("events", &events))?;
        let aliases = IdAliases::read(&TableReader::new("aliases", &aliases))?;
        Ok(Self { fighters, bouts, events, aliases })
    }

    pub(super) fn survivor(&self, id: Uuid) -> Uuid {
        self.aliases.survivor(id)
    }

    pub(super) fn event(&self, id: Uuid) -> Option<&NamedEvent> {
        self.events.get(&self.survivor(id))
    }

    /// A fighter's name, or the id of who is in no snapshot.
    pub(super) fn fighter(&self, id: Uuid) -> String {
        self.fighters.get(&self.survivor(id)).cloned().unwrap_or_else(|| id.to_string())
    }

    /// The names of a bout's fighters, or its id.
    pub(super) fn bout(&self, id: Uuid) -> String {
        let sides = self.bouts.get(&self.survivor(id));
        sides.map_or_else(|| format!("bout {id}"), |sides| sides.map(|id| self.fighter(id)).join(" vs. "))
    }

    /// The same of a row, which knows its fighters itself.
    pub(super) fn bout_of(&self, entry: &LedgerEntry) -> String {
        let sides = [StateField::FighterA, StateField::FighterB].map(|field| entry.state.get(field).as_id());
        match sides {
            [Some(a), Some(b)] => format!("{} vs. {}", self.fighter(a), self.fighter(b)),
            _ => self.bout(entry.bout_id),
        }
    }

    /// A value with the name of what it is the id of.
    pub(super) fn value(&self, field: StateField, value: &StateValue) -> String {
        match (field, value.as_id()) {
            (StateField::ReplacedBout, Some(id)) => self.bout(id),
            (_, Some(id)) => self.fighter(id),
            (_, None) => value.to_string(),
        }
    }

    /// The event or bout that a text means: our id, an id of a source, or how an event's name begins.
    ///
    /// # Errors
    /// It means none, or several.
    pub(super) fn find(&self, lake: &Lake, snapshot: &SnapshotManifest, text: &str) -> anyhow::Result<Uuid> {
        if let Ok(id) = text.parse() {
            return Ok(self.survivor(id));
        }
        let identities = lake.read_snapshot_columns(
            snapshot,
            "identities",
            &["kind", "entity_id", "source", "source_id"],
        )?;
        let of_source = of_source(&TableReader::new("identities", &identities), text)?;
        let found = match of_source.is_empty() {
            true => self.named(text),
            false => of_source.into_iter().map(|id| self.survivor(id)).collect(),
        };
        let refuse = |why: String| Err(coded(ExitCode::Usage, why));
        match found.iter().collect::<Vec<_>>()[..] {
            [id] => Ok(*id),
            [] => refuse(format!(
                "No event or bout `{text}`: give its UUID, a source's id of it, or the beginning of an event's name, \
                 such as \"UFC 311\""
            )),
            _ => {
                let which: Vec<String> =
                    found.iter().map(|id| format!("{} ({id})", self.title(*id))).collect();
                refuse(format!("`{text}` means {} things: {}", found.len(), which.join("; ")))
            }
        }
    }

    fn title(&self, id: Uuid) -> String {
        self.event(id).map_or_else(|| self.bout(id), |event| event.name.clone())
    }

    /// The events whose name begins with this text: of `UFC311`, not `UFC 3110`.
    fn named(&self, text: &str) -> BTreeSet<Uuid> {
        let asked = plain(text);
        let begins = |name: &str| {
            let rest = plain(name).strip_prefix(&asked).map(str::to_owned);
            rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        };
        let found = self.events.iter().filter(|(_, event)| !asked.is_empty() && begins(&event.name));
        found.map(|(id, _)| *id).collect()
    }
}

/// Letters and digits alone.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn read_events(r: &TableReader<'_>) -> Result<BTreeMap<Uuid, NamedEvent>, ColumnError> {
    let [venues, cities, countries] = ["venue", "city", "country"].map(|name| r.strings(name));
    let (venues, cities, countries) = (venues?, cities?, countries?);
    let (ids, names, dates) = (r.ids("event_id")?, r.texts("name")?, r.days("event_date")?);
    let event = |row: usize| {
        let place = [venues[row], cities[row], countries[row]].into_iter().flatten().map(str::to_owned);
        (ids[row], NamedEvent { name: names[row].to_owned(), date: dates[row], place: place.collect() })
    };
    Ok((0..ids.len()).map(event).collect())
}

/// Events and bouts with this id at the statistics source or the feed, the sources whose ids the contract takes.
fn of_source(r: &TableReader<'_>, text: &str) -> Result<BTreeSet<Uuid>, ColumnError> {
    let (kinds, sources) = (r.texts("kind")?, r.texts("source")?);
    let (ids, source_ids) = (r.ids("entity_id")?, r.texts("source_id")?);
    let is_meant = |row: &usize| {
        source_ids[*row] == text
            && matches!(kinds[*row], "event" | "bout")
            && ["statsdb", "feed"].contains(&sources[*row])
    };
    Ok((0..ids.len()).filter(is_meant).map(|row| ids[row]).collect())
}

/// The current snapshot.
///
/// # Errors
/// There is none.
pub(super) fn snapshot(lake: &Lake) -> anyhow::Result<SnapshotManifest> {
    let none = || coded(ExitCode::Unavailable, "No snapshot is current: `fightdna run` makes one");
    current(lake)?.ok_or_else(none)
}

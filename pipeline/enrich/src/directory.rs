//! Directory of names, ids and texts: one index over fighters, events and bouts, for everything that is told
//! about them.

mod word;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::NaiveDate;
use fdna_model::fold_name;
use fdna_rows::{RowsError, TableSet};
use fdna_schemas::tables::{
    AliasesReader, BoutsReader, ContractReader as _, EventsReader, FightersReader, IdentitiesReader,
};
use uuid::Uuid;

pub(super) use self::word::{NameWord, split_words};
use super::rankings::RankedFighters;

/// A fighter who fought within this time of a text may be meant by it, even if others bear the name.
const ACTIVE_DAYS: i64 = 3 * 365;
/// A bout within this time of a text may be what the text is about.
pub(super) const NEAR_DAYS: i64 = 60;
/// One who has not fought for long is meant by his name only after so many bouts: the fewer, the likelier that
/// somebody else of that name is in the news.
const KNOWN_BOUTS: usize = 5;

/// Fighters, events and bouts by what others call them.
pub(crate) struct EntityDirectory {
    /// Folded names, other sources' spellings among them.
    names: HashMap<String, BTreeSet<Uuid>>,
    /// Facts that tell namesakes apart.
    fighters: HashMap<Uuid, DirectoryFighter>,
    /// Last one, two and three words of names, folded and put together.
    surnames: HashMap<String, BTreeSet<Uuid>>,
    first_names: HashSet<String>,
    bouts: Vec<DirectoryBout>,
    /// Places in `bouts`.
    bouts_of: HashMap<Uuid, Vec<usize>>,
    events: BTreeMap<Uuid, DirectoryEvent>,
    /// Folded names of events.
    event_names: HashMap<String, BTreeSet<Uuid>>,
    /// By `source:id`.
    source_ids: HashMap<(&'static str, String), Uuid>,
    /// Ids that were given to what is one entity with another.
    aliases: HashMap<Uuid, Uuid>,
    /// Ranked names: with class and time.
    pub(super) who: RankedFighters,
}

/// A bout, fought or to come.
#[derive(Debug)]
pub(super) struct DirectoryBout {
    pub(super) id: Uuid,
    pub(super) event: Uuid,
    pub(super) date: NaiveDate,
    pub(super) pair: [Uuid; 2],
    is_off: bool,
}

/// Facts that tell a fighter from a namesake.
#[derive(Debug, Clone)]
pub(super) struct DirectoryFighter {
    pub(super) name: String,
    pub(super) born: Option<NaiveDate>,
    /// Whether the statistics source has a page of his.
    pub(super) has_statistics_id: bool,
}

pub(super) struct DirectoryEvent {
    pub(super) name: String,
    date: NaiveDate,
}

/// Match of a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NameMatch {
    pub(crate) id: Uuid,
    pub(crate) rule: &'static str,
    /// 0 to 1.
    pub(crate) score: f64,
}

impl EntityDirectory {
    pub(crate) fn new(tables: &TableSet) -> Result<Self, RowsError> {
        let mut directory = Self {
            names: HashMap::new(),
            fighters: HashMap::new(),
            surnames: HashMap::new(),
            first_names: HashSet::new(),
            bouts: Vec::new(),
            bouts_of: HashMap::new(),
            events: BTreeMap::new(),
            event_names: HashMap::new(),
            source_ids: HashMap::new(),
            aliases: HashMap::new(),
            who: RankedFighters::new(tables)?,
        };
        directory.add_fighters(tables.read_table()?)?;
        directory.add_events(tables.read_table()?)?;
        directory.add_bouts(tables.read_table()?)?;
        directory.add_identities(tables.read_table()?)?;
        if tables.0.contains_key(AliasesReader::TABLE) {
            let aliases = tables.read_table::<AliasesReader<'_>>()?;
            directory.aliases = aliases.alias_id()?.into_iter().zip(aliases.entity_id()?).collect();
        }
        Ok(directory)
    }

    fn add_fighters(&mut self, fighters: FightersReader<'_>) -> Result<(), RowsError> {
        for row in fighters.all_rows()? {
            self.add_name(row.fighter_id, row.name);
            let (name, has_statistics_id) = (row.name.to_owned(), row.statsdb_id.is_some());
            let fighter = DirectoryFighter { name, born: row.date_of_birth, has_statistics_id };
            self.fighters.insert(row.fighter_id, fighter);
        }
        Ok(())
    }

    fn add_name(&mut self, id: Uuid, name: &str) {
        self.names.entry(fold_name(name)).or_default().insert(id);
        let mut words: Vec<String> = split_words(name).into_iter().map(|word| word.text).collect();
        if words.len() > 2
            && matches!(words.last().map(String::as_str), Some("jr" | "sr" | "ii" | "iii" | "iv"))
        {
            words.pop();
        }
        for n in 1..words.len().min(4) {
            self.surnames.entry(words[words.len() - n..].concat()).or_default().insert(id);
        }
        if words.len() > 1 {
            self.first_names.insert(words.swap_remove(0));
        }
    }

    fn add_events(&mut self, events: EventsReader<'_>) -> Result<(), RowsError> {
        let named = events.event_id()?.into_iter().zip(events.name()?);
        for ((id, name), date) in named.zip(events.event_date()?) {
            self.event_names.entry(fold_event(name)).or_default().insert(id);
            if let Some(number) = numbered_title(name) {
                self.event_names.entry(number).or_default().insert(id);
            }
            self.events.insert(id, DirectoryEvent { name: name.to_owned(), date });
        }
        Ok(())
    }

    fn add_bouts(&mut self, bouts: BoutsReader<'_>) -> Result<(), RowsError> {
        for (i, row) in bouts.all_rows()?.into_iter().enumerate() {
            let bout = DirectoryBout {
                id: row.bout_id,
                event: row.event_id,
                date: row.event_date,
                pair: [row.fighter_a_id, row.fighter_b_id],
                is_off: matches!(row.status, Some("cancelled" | "postponed")),
            };
            for fighter in bout.pair {
                self.bouts_of.entry(fighter).or_default().push(i);
            }
            self.bouts.push(bout);
        }
        Ok(())
    }

    fn add_identities(&mut self, identities: IdentitiesReader<'_>) -> Result<(), RowsError> {
        for row in identities.all_rows()? {
            let kind = match row.kind {
                "fighter" => "fighter",
                "event" => "event",
                _ => continue,
            };
            self.source_ids.insert((kind, format!("{}:{}", row.source, row.source_id)), row.entity_id);
            match row.name {
                Some(name) if kind == "fighter" => self.add_name(row.entity_id, name),
                Some(name) => {
                    self.event_names.entry(fold_event(name)).or_default().insert(row.entity_id);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The one fighter of this name; `None` for nobody or several.
    pub(crate) fn fighter_named(&self, name: &str) -> Option<NameMatch> {
        let id = only_id(self.names.get(&fold_name(name))?)?;
        Some(NameMatch { id, rule: "name", score: 1.0 })
    }

    /// All fighters of this name, by any source's spelling.
    pub(super) fn fighters_named(&self, name: &str) -> Vec<(Uuid, &DirectoryFighter)> {
        let ids = self.names.get(&fold_name(name)).into_iter().flatten();
        ids.filter_map(|id| Some((*id, self.fighters.get(id)?))).collect()
    }

    /// The fighter whom a text of that day means by a folded full name.
    ///
    /// One who has a bout within three years of the day, or who has fought often; of several of the name the only
    /// one who has a bout within three years.
    pub(super) fn fighter_meant_on(&self, folded: &str, on: NaiveDate) -> Option<NameMatch> {
        let bearers = self.names.get(folded)?;
        let active: BTreeSet<Uuid> = bearers.iter().copied().filter(|id| self.is_active(*id, on)).collect();
        match (only_id(bearers), only_id(&active)) {
            (Some(id), Some(_)) => Some(NameMatch { id, rule: "full_name", score: 0.98 }),
            (Some(id), None) if self.bouts_of(id).count() >= KNOWN_BOUTS => {
                Some(NameMatch { id, rule: "full_name_of_the_past", score: 0.9 })
            }
            (None, Some(id)) => Some(NameMatch { id, rule: "full_name_of_several", score: 0.9 }),
            _ => None,
        }
    }

    fn is_active(&self, fighter: Uuid, on: NaiveDate) -> bool {
        self.bouts_of(fighter).any(|bout| (bout.date - on).num_days().abs() <= ACTIVE_DAYS)
    }

    /// The entity of this id of ours, or of `source:id`.
    pub(super) fn by_id(&self, kind: &'static str, text: &str) -> Option<Uuid> {
        let id = Uuid::try_parse(text).ok().map(|id| self.aliases.get(&id).copied().unwrap_or(id));
        let is_ours = |id: &Uuid| match kind {
            "event" => self.events.contains_key(id),
            _ => self.names.values().any(|ids| ids.contains(id)),
        };
        id.filter(is_ours).or_else(|| self.source_ids.get(&(kind, text.to_owned())).copied())
    }

    /// The event whom a text of that day means by its name: the only one of the name, or the only one near.
    pub(super) fn event_meant_on(&self, folded: &str, on: NaiveDate) -> Option<Uuid> {
        let bearers = self.event_names.get(folded)?;
        let is_near = |id: &&Uuid| {
            self.events.get(*id).is_some_and(|event| (event.date - on).num_days().abs() <= NEAR_DAYS)
        };
        only_id(bearers).or_else(|| only_id(&bearers.iter().filter(is_near).copied().collect()))
    }

    pub(super) fn event_of(&self, bout: &DirectoryBout) -> Option<&DirectoryEvent> {
        self.events.get(&bout.event)
    }

    pub(super) fn bouts_of(&self, fighter: Uuid) -> impl Iterator<Item = &DirectoryBout> {
        self.bouts_of.get(&fighter).into_iter().flatten().map(|i| &self.bouts[*i])
    }

    pub(super) fn fighters_at(&self, event: Uuid) -> BTreeSet<Uuid> {
        self.bouts.iter().filter(|bout| bout.event == event).flat_map(|bout| bout.pair).collect()
    }

    /// Everybody of this folded surname or full name.
    pub(super) fn fighters_called(&self, folded: &str) -> BTreeSet<Uuid> {
        let full = self.called_in_full(folded);
        if full.is_empty() { self.surnames.get(folded).cloned().unwrap_or_default() } else { full }
    }

    /// Everybody of this folded full name.
    pub(super) fn called_in_full(&self, folded: &str) -> BTreeSet<Uuid> {
        self.names.get(folded).cloned().unwrap_or_default()
    }

    pub(super) fn bout(&self, id: Uuid) -> Option<&DirectoryBout> {
        self.bouts.iter().find(|bout| bout.id == id)
    }

    pub(super) fn is_first_name(&self, folded: &str) -> bool {
        self.first_names.contains(folded)
    }

    /// The one bout near the day in which somebody of the first meets somebody of the second; one that was called
    /// off only if there is no other.
    pub(super) fn bout_between(
        &self,
        first: &BTreeSet<Uuid>,
        second: &BTreeSet<Uuid>,
        on: NaiveDate,
    ) -> Option<&DirectoryBout> {
        let meets = |bout: &&DirectoryBout| {
            let [a, b] = bout.pair;
            let near = (bout.date - on).num_days().abs() <= NEAR_DAYS;
            near && ((first.contains(&a) && second.contains(&b))
                || (first.contains(&b) && second.contains(&a)))
        };
        let mut bouts: Vec<&DirectoryBout> =
            first.iter().flat_map(|id| self.bouts_of(*id)).filter(meets).collect();
        bouts.sort_by_key(|bout| bout.id);
        bouts.dedup_by_key(|bout| bout.id);
        if bouts.len() > 1 {
            bouts.retain(|bout| !bout.is_off);
        }
        match bouts[..] {
            [bout] => Some(bout),
            _ => None,
        }
    }
}

fn only_id(ids: &BTreeSet<Uuid>) -> Option<Uuid> {
    let mut ids = ids.iter();
    ids.next().filter(|_| ids.next().is_none()).copied()
}

/// An event's name for comparing: letters and digits of all its words.
fn fold_event(name: &str) -> String {
    split_words(name).into_iter().map(|word| word.text).collect()
}

/// `UFC 330` of `UFC 330: One vs. Two`; not the numbers below ten, which are also those of the games.
fn numbered_title(name: &str) -> Option<String> {
    let words = split_words(name);
    let [first, number, ..] = &words[..] else { return None };
    let is_number = (2..=3).contains(&number.text.len()) && number.text.bytes().all(|b| b.is_ascii_digit());
    (first.text == "ufc" && is_number).then(|| format!("ufc{}", number.text))
}

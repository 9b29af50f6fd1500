//! The index behind search: fighters, events, bouts and articles by the words of their names and titles.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::{Datelike as _, NaiveDate};
use fdna_model::fold_name;
use fdna_schemas::tables::{ArticlesReader, ContractReader as _, EventsReader, FightersReader};

use super::articles::ArticleTable;
use super::fighters::list_short_names;
use super::mentions::MentionRows;
use super::term_index::{BEGINS_ALIKE, EXACT, PREFIX, TermIndex, words};
use super::{DatasetError, SnapshotTables};

/// What can be found. The order breaks ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum HitKind {
    Fighter,
    Event,
    Bout,
    Article,
}

impl HitKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fighter => "fighter",
            Self::Event => "event",
            Self::Bout => "bout",
            Self::Article => "article",
        }
    }

    /// Of equally near names the fighter's own comes before the event named after him.
    fn weight(self) -> f32 {
        match self {
            Self::Fighter => 1.0,
            Self::Event => 0.95,
            Self::Bout => 0.9,
            Self::Article => 0.85,
        }
    }
}

/// A text by which something is found. A fighter has several.
#[derive(Debug)]
struct IndexEntry {
    kind: HitKind,
    /// Row of what is found, among those of its kind.
    row: usize,
    n_words: u16,
    /// Breaks ties, the higher first: a fighter's fame, otherwise the day.
    standing: i32,
}

/// Something found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SearchHit {
    pub(crate) kind: HitKind,
    pub(crate) row: usize,
    /// How well the text fits, up to 1.
    pub(crate) score: f32,
    /// The least near of the asked words: exact, prefix or similar.
    pub(crate) nearness: &'static str,
    standing: i32,
}

/// The index. It holds numbers and folded words alone: a megabyte for the whole history.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    entries: Vec<IndexEntry>,
    words: TermIndex,
    /// Whole names without spaces: `Jun Yong Park` is found by `junyong park`.
    names: TermIndex,
}

impl SearchIndex {
    pub(crate) fn build(
        tables: &SnapshotTables,
        rows: MentionRows<'_>,
        articles: &ArticleTable,
    ) -> Result<Self, DatasetError> {
        let mut draft = IndexDraft::default();
        draft.fighters(tables, rows)?;
        draft.events(tables, rows)?;
        draft.bouts(rows);
        draft.articles(tables, articles)?;
        let (words, names) = (TermIndex::build(&draft.words)?, TermIndex::build(&draft.names)?);
        Ok(Self { entries: draft.entries, words, names })
    }

    /// All that have every asked word or the asked name, the best first.
    pub(crate) fn find(&self, text: &str) -> Vec<SearchHit> {
        let mut hits = self.by_words(&words(text));
        hits.extend(self.by_name(&fold_name(text)));
        // The best of what is found twice, by two texts or in two ways.
        hits.sort_unstable_by(|a, b| (a.kind, a.row).cmp(&(b.kind, b.row)).then(b.score.total_cmp(&a.score)));
        hits.dedup_by_key(|hit| (hit.kind, hit.row));
        // Stable, so that the rest is in the order of kind and row.
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(Reverse(a.standing).cmp(&Reverse(b.standing))));
        hits
    }

    fn by_words(&self, query_words: &[String]) -> Vec<SearchHit> {
        let mut sums = vec![ScoreSum::default(); self.entries.len()];
        let mut last: Vec<u32> = Vec::new();
        for (n, word) in (0_u16..).zip(query_words) {
            last.clear();
            self.words.near(word, |nearness, _, entries| {
                for &entry in entries {
                    sums[entry as usize].take(n, nearness, || last.push(entry));
                }
            });
            last.iter().for_each(|&entry| sums[entry as usize].close());
        }
        let n = u16::try_from(query_words.len()).unwrap_or(u16::MAX);
        let whole = last.iter().filter(|&&entry| sums[entry as usize].words == n);
        let hit = |&entry: &u32| {
            let (sum, of) = (&sums[entry as usize], &self.entries[entry as usize]);
            let covered = f32::from(n) / f32::from(of.n_words.max(n));
            of.hit(sum.nearness / f32::from(n), covered, sum.least)
        };
        whole.map(hit).collect()
    }

    /// Whole names may have errors, but their beginnings may not: too many names begin alike.
    fn by_name(&self, query_name: &str) -> Vec<SearchHit> {
        let mut hits = Vec::new();
        let length = |n: usize| f32::from(u16::try_from(n).unwrap_or(u16::MAX));
        self.names.near(query_name, |nearness, of, entries| {
            if nearness <= BEGINS_ALIKE {
                return;
            }
            let covered = (length(query_name.len()) / length(of)).min(1.0);
            hits.extend(entries.iter().map(|&e| self.entries[e as usize].hit(nearness, covered, nearness)));
        });
        hits
    }
}

impl IndexEntry {
    fn hit(&self, nearness: f32, covered: f32, least: f32) -> SearchHit {
        let named = if least >= EXACT {
            "exact"
        } else if least >= PREFIX {
            "prefix"
        } else {
            "similar"
        };
        let score = nearness * (0.6 + 0.4 * covered) * self.kind.weight();
        SearchHit { kind: self.kind, row: self.row, score, nearness: named, standing: self.standing }
    }
}

/// How near an entry is to the words asked so far.
#[derive(Debug, Clone, Copy)]
struct ScoreSum {
    /// Words met.
    words: u16,
    nearness: f32,
    least: f32,
    /// Of the word that is being asked.
    current: f32,
}

impl Default for ScoreSum {
    fn default() -> Self {
        Self { words: 0, nearness: 0.0, least: EXACT, current: 0.0 }
    }
}

impl ScoreSum {
    /// Only who has met all words before goes on; `first` is called where the word is met for the first time.
    fn take(&mut self, asked_before: u16, nearness: f32, first: impl FnOnce()) {
        if self.words != asked_before {
            return;
        }
        if self.current <= 0.0 {
            first();
        }
        self.current = self.current.max(nearness);
    }

    fn close(&mut self) {
        self.words += 1;
        self.nearness += self.current;
        self.least = self.least.min(self.current);
        self.current = 0.0;
    }
}

/// The index under construction.
#[derive(Default)]
struct IndexDraft {
    entries: Vec<IndexEntry>,
    words: BTreeMap<String, Vec<u32>>,
    names: BTreeMap<String, Vec<u32>>,
}

impl IndexDraft {
    fn fighters(&mut self, tables: &SnapshotTables, rows: MentionRows<'_>) -> Result<(), DatasetError> {
        let table = FightersReader::of(&tables.fighters);
        for (id, nickname) in table.fighter_id()?.into_iter().zip(table.nickname()?) {
            let Some(row) = rows.fighters.ids.row(id) else { continue };
            let fighter = &rows.fighters.rows[row];
            let fame = i32::try_from(fighter.fame).unwrap_or(i32::MAX);
            self.named(HitKind::Fighter, row, fame, &fighter.name);
            for name in list_short_names(&fighter.name, nickname) {
                let entry = self.add(HitKind::Fighter, row, fame, &name) as usize;
                // Who is called so is not nearer than who has it as one of his two names.
                self.entries[entry].n_words = self.entries[entry].n_words.max(2);
            }
            if let Some(nickname) = nickname {
                self.add(HitKind::Fighter, row, fame, &format!("{} {nickname}", fighter.name));
            }
        }
        Ok(())
    }

    fn events(&mut self, tables: &SnapshotTables, rows: MentionRows<'_>) -> Result<(), DatasetError> {
        let table = EventsReader::of(&tables.events);
        for ((id, name), city) in table.event_id()?.into_iter().zip(table.name()?).zip(table.city()?) {
            let Some(row) = rows.events.ids.row(id) else { continue };
            let day = day(rows.events.rows[row].date);
            self.named(HitKind::Event, row, day, name);
            if let Some(city) = city {
                self.add(HitKind::Event, row, day, &format!("{name} {city}"));
            }
        }
        Ok(())
    }

    fn bouts(&mut self, rows: MentionRows<'_>) {
        for (row, bout) in rows.bouts.rows.iter().enumerate() {
            let [a, b] = bout.fighters.map(|fighter| &rows.fighters.rows[fighter].name);
            self.add(HitKind::Bout, row, day(bout.date), &format!("{a} vs {b}"));
        }
    }

    fn articles(&mut self, tables: &SnapshotTables, articles: &ArticleTable) -> Result<(), DatasetError> {
        let table = ArticlesReader::of(&tables.articles);
        for (slug, title) in table.slug()?.into_iter().zip(table.title()?) {
            if let Some((row, article)) = articles.row(slug) {
                self.add(HitKind::Article, row, day(article.published_at.date_naive()), title);
            }
        }
        Ok(())
    }

    fn named(&mut self, kind: HitKind, row: usize, standing: i32, name: &str) {
        let entry = self.add(kind, row, standing, name);
        let folded = fold_name(name);
        if !folded.is_empty() {
            self.names.entry(folded).or_default().push(entry);
        }
    }

    fn add(&mut self, kind: HitKind, row: usize, standing: i32, text: &str) -> u32 {
        let entry = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let words = words(text);
        let n_words = u16::try_from(words.len()).unwrap_or(u16::MAX);
        self.entries.push(IndexEntry { kind, row, n_words, standing });
        for word in words {
            let of_word = self.words.entry(word).or_default();
            if of_word.last() != Some(&entry) {
                of_word.push(entry);
            }
        }
        entry
    }
}

fn day(date: NaiveDate) -> i32 {
    date.num_days_from_ce()
}

//! Captures over time: the newest value wins, an absent or unknown one never replaces a known one, and
//! every change leaves a row in `corrections`.
//!
//! Layouts of one source have different rows and columns. What a capture lacks is withdrawn only if an earlier
//! capture of its own layout had it, and what it adds is filled in only if an earlier one of its layout lacked it.
//! A layout of single pages lacks nothing: no capture of it is whole.

mod agree;
mod track;

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_schemas::{Table, Tables};

use self::track::{Change, Now, Tracked};
use crate::NormaliseError;
use crate::layout::{LAST_CAPTURE, Layout, Row, Value, to_batch};

/// What merging needs to know of a table beyond its contract.
struct Rule {
    table: &'static str,
    /// `kind` in `corrections`.
    kind: &'static str,
    /// Kind in `identities`, with the column of the source id; `None` where rows are parts of a bout.
    identity: Option<&'static str>,
    /// Rows of one bout stand or fall together: a capture that has some replaces all.
    by_bout: bool,
    /// A column that, when it changes, makes the row another one: then its nulls replace as well, since parts
    /// of two rows put together are what neither capture says.
    whole: Option<&'static str>,
}

const RULES: [Rule; 6] = [
    Rule { table: "events", kind: "event", identity: Some("statsdb_id"), by_bout: false, whole: None },
    Rule { table: "fighters", kind: "fighter", identity: Some("statsdb_id"), by_bout: false, whole: None },
    Rule { table: "bouts", kind: "bout", identity: Some("statsdb_id"), by_bout: false, whole: None },
    Rule { table: "results", kind: "result", identity: None, by_bout: false, whole: None },
    Rule { table: "scorecards", kind: "scorecard", identity: None, by_bout: true, whole: Some("raw") },
    Rule { table: "round_stats", kind: "round_stats", identity: None, by_bout: true, whole: None },
];

/// A capture, in the order of time.
struct Seen {
    id: String,
    at: DateTime<Utc>,
    /// Place in [`Merged::layouts`].
    layout: usize,
}

struct Correction {
    kind: &'static str,
    key: Vec<Value>,
    change: Change,
    replaced: usize,
}

struct MergedTable {
    rule: &'static Rule,
    table: &'static Table,
    key: Vec<usize>,
    rows: BTreeMap<Vec<Value>, Tracked>,
}

/// All tables so far.
pub(crate) struct Merged {
    layouts: Vec<String>,
    captures: Vec<Seen>,
    tables: Vec<MergedTable>,
    corrections: Vec<Correction>,
}

impl Merged {
    pub(crate) fn new() -> Result<Self, NormaliseError> {
        let tables = RULES.iter().map(|rule| {
            let table = Tables::get().table(rule.table)?;
            Ok(MergedTable { rule, table, key: table.key_places(), rows: BTreeMap::new() })
        });
        let tables = tables.collect::<Result<_, NormaliseError>>()?;
        Ok(Self { layouts: Vec::new(), captures: Vec::new(), tables, corrections: Vec::new() })
    }

    /// Adds a capture newer than all before.
    pub(crate) fn add(
        &mut self,
        layout: &str,
        capture: &str,
        captured_at: DateTime<Utc>,
        mut rows: BTreeMap<&'static str, Vec<Row>>,
    ) {
        let layout = self.layouts.iter().position(|name| name == layout).unwrap_or_else(|| {
            self.layouts.push(layout.to_owned());
            self.layouts.len() - 1
        });
        let is_partial = self.layouts[layout] == crate::statsdb::PAGES;
        let now = Now { capture: self.captures.len(), layout, is_partial };
        self.captures.push(Seen { id: capture.to_owned(), at: captured_at, layout });
        for table in &mut self.tables {
            let rows = rows.remove(table.rule.table).unwrap_or_default();
            table.add(now, rows, &mut self.corrections);
        }
    }

    /// The merged tables, `identities` and `corrections` among them.
    pub(crate) fn into_tables(self) -> Result<Vec<(String, RecordBatch)>, NormaliseError> {
        let mut out = Vec::new();
        let identities = self.identities()?;
        let corrections = self.corrections()?;
        let newest = self.newest();
        for table in self.tables {
            let last = table.table.place(LAST_CAPTURE);
            let rows: Vec<Row> = table
                .rows
                .into_values()
                .map(|tracked| {
                    let mut row = tracked.row;
                    let is_gone = tracked.given.iter().any(|g| newest[g.layout] > tracked.last_seen);
                    if let Some(last) = last.filter(|_| is_gone) {
                        row[last] = Value::text(&self.captures[tracked.last_seen].id);
                    }
                    row
                })
                .collect();
            out.push((table.table.name.clone(), to_batch(table.table, &rows)?));
        }
        out.push(("identities".to_owned(), identities));
        out.push(("corrections".to_owned(), corrections));
        Ok(out)
    }

    /// The newest capture of each layout; of one whose captures are parts, none, since nothing is gone by it.
    fn newest(&self) -> Vec<usize> {
        let mut newest = vec![0; self.layouts.len()];
        let whole = |capture: &Seen| self.layouts[capture.layout] != crate::statsdb::PAGES;
        let captures = self.captures.iter().enumerate().filter(|(_, capture)| whole(capture));
        captures.for_each(|(i, capture)| newest[capture.layout] = i);
        newest
    }

    fn identities(&self) -> Result<RecordBatch, NormaliseError> {
        let layout = Layout::new(
            "identities",
            &[
                "kind",
                "entity_id",
                "source",
                "source_id",
                "rule",
                "first_seen_capture",
                "first_seen_at",
                "name",
                "score",
            ],
        )?;
        let mut rows = Vec::new();
        for table in &self.tables {
            let Some(column) = table.rule.identity else { continue };
            let Some(place) = table.table.place(column) else { continue };
            for (key, tracked) in &table.rows {
                let Seen { id, at, .. } = &self.captures[tracked.first_seen];
                rows.push(layout.row([
                    table.rule.kind.into(),
                    key[0].clone(),
                    "statsdb".into(),
                    tracked.row[place].clone(),
                    "source_id".into(),
                    Value::text(id),
                    (*at).into(),
                    Value::Null,
                    1.0.into(),
                ]));
            }
        }
        sort_by_key(layout.table, &mut rows);
        Ok(to_batch(layout.table, &rows)?)
    }

    fn corrections(&self) -> Result<RecordBatch, NormaliseError> {
        let layout = Layout::new(
            "corrections",
            &[
                "kind",
                "entity_id",
                "part",
                "field",
                "change",
                "old",
                "new",
                "old_first_seen_at",
                "old_last_seen_at",
                "old_last_seen_in",
                "replaced_at",
                "replaced_by",
            ],
        )?;
        let at = |capture: usize| Value::from(self.captures[capture].at);
        let id = |capture: usize| Value::text(&self.captures[capture].id);
        let mut rows: Vec<Row> = self
            .corrections
            .iter()
            .map(|c| {
                let part: Vec<String> = c.key[1..].iter().filter_map(Value::display).collect();
                let change = &c.change;
                layout.row([
                    c.kind.into(),
                    c.key[0].clone(),
                    Value::text(part.join("/")),
                    Value::text(&change.field),
                    change.change.into(),
                    change.old.as_deref().into(),
                    change.new.as_deref().into(),
                    at(change.first),
                    at(change.last),
                    id(change.last),
                    at(c.replaced),
                    id(c.replaced),
                ])
            })
            .collect();
        sort_by_key(layout.table, &mut rows);
        Ok(to_batch(layout.table, &rows)?)
    }
}

pub(crate) fn sort_by_key(table: &Table, rows: &mut [Row]) {
    let key = table.key_places();
    rows.sort_by(|a, b| key.iter().map(|i| &a[*i]).cmp(key.iter().map(|i| &b[*i])));
}

impl MergedTable {
    fn add(&mut self, now: Now, rows: Vec<Row>, corrections: &mut Vec<Correction>) {
        let whole = self.rule.whole.and_then(|name| self.table.place(name));
        let mut bouts = BTreeSet::new();
        for row in rows {
            let key: Vec<Value> = self.key.iter().map(|i| row[*i].clone()).collect();
            bouts.insert(key[0].clone());
            match self.rows.get_mut(&key) {
                Some(tracked) => {
                    let changes = tracked.update(self.table, whole, row, now);
                    corrections.extend(changes.into_iter().map(|change| Correction {
                        kind: self.rule.kind,
                        key: key.clone(),
                        change,
                        replaced: now.capture,
                    }));
                }
                None => {
                    self.rows.insert(key, Tracked::new(row, now));
                }
            }
        }
        if self.rule.by_bout {
            self.drop_replaced(now.capture, &bouts, corrections);
        }
    }

    /// Rows of a bout that the newest capture describes without them.
    fn drop_replaced(&mut self, now: usize, bouts: &BTreeSet<Value>, corrections: &mut Vec<Correction>) {
        self.withdraw(now, corrections, |key, tracked| tracked.last_seen != now && bouts.contains(&key[0]));
    }

    /// Takes rows out of the table; `corrections` keeps that they were there.
    fn withdraw(
        &mut self,
        now: usize,
        corrections: &mut Vec<Correction>,
        is_withdrawn: impl Fn(&[Value], &Tracked) -> bool,
    ) {
        let kind = self.rule.kind;
        self.rows.retain(|key, tracked| {
            let is_withdrawn = is_withdrawn(key, tracked);
            if is_withdrawn {
                corrections.push(Correction {
                    kind,
                    key: key.clone(),
                    change: Change {
                        field: "row".to_owned(),
                        change: "withdrawn",
                        old: Some("present".to_owned()),
                        new: None,
                        first: tracked.first_seen,
                        last: tracked.last_seen,
                    },
                    replaced: now,
                });
            }
            !is_withdrawn
        });
    }
}

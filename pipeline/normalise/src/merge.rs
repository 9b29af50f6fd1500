//! Captures over time: the newest value wins, an absent or unknown one never replaces a known one, and
//! every change leaves a row in `corrections`.

mod agree;

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use fdna_schemas::{Table, Tables};

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

/// A row with its past.
struct Tracked {
    row: Row,
    first_seen: usize,
    last_seen: usize,
    /// Capture that first had the present value, for columns that changed.
    since: BTreeMap<usize, usize>,
    /// Columns whose present value newer captures no longer give, with the capture that last gave it.
    withdrawn: BTreeMap<usize, usize>,
}

struct Correction {
    kind: &'static str,
    key: Vec<Value>,
    field: String,
    change: &'static str,
    old: Option<String>,
    new: Option<String>,
    first: usize,
    last: usize,
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
    captures: Vec<(String, DateTime<Utc>)>,
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
        Ok(Self { captures: Vec::new(), tables, corrections: Vec::new() })
    }

    /// Adds a capture newer than all before.
    pub(crate) fn add(
        &mut self,
        capture: &str,
        captured_at: DateTime<Utc>,
        mut rows: BTreeMap<&'static str, Vec<Row>>,
    ) {
        let now = self.captures.len();
        self.captures.push((capture.to_owned(), captured_at));
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
        let newest = self.captures.len().saturating_sub(1);
        for table in self.tables {
            let last = table.table.place(LAST_CAPTURE);
            let rows: Vec<Row> = table
                .rows
                .into_values()
                .map(|tracked| {
                    let mut row = tracked.row;
                    if let Some(last) = last.filter(|_| tracked.last_seen != newest) {
                        row[last] = Value::text(&self.captures[tracked.last_seen].0);
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

    fn identities(&self) -> Result<RecordBatch, NormaliseError> {
        let layout = Layout::new(
            "identities",
            &["kind", "entity_id", "source", "source_id", "rule", "first_seen_capture", "first_seen_at"],
        )?;
        let mut rows = Vec::new();
        for table in &self.tables {
            let Some(column) = table.rule.identity else { continue };
            let Some(place) = table.table.place(column) else { continue };
            for (key, tracked) in &table.rows {
                let (capture, at) = &self.captures[tracked.first_seen];
                rows.push(layout.row([
                    table.rule.kind.into(),
                    key[0].clone(),
                    "statsdb".into(),
                    tracked.row[place].clone(),
                    "source_id".into(),
                    Value::text(capture),
                    (*at).into(),
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
                "replaced_at",
                "replaced_by",
            ],
        )?;
        let at = |capture: usize| Value::from(self.captures[capture].1);
        let mut rows: Vec<Row> = self
            .corrections
            .iter()
            .map(|c| {
                let part: Vec<String> = c.key[1..].iter().filter_map(Value::display).collect();
                layout.row([
                    c.kind.into(),
                    c.key[0].clone(),
                    Value::text(part.join("/")),
                    Value::text(&c.field),
                    c.change.into(),
                    c.old.as_deref().into(),
                    c.new.as_deref().into(),
                    at(c.first),
                    at(c.last),
                    at(c.replaced),
                    Value::text(&self.captures[c.replaced].0),
                ])
            })
            .collect();
        sort_by_key(layout.table, &mut rows);
        Ok(to_batch(layout.table, &rows)?)
    }
}

fn sort_by_key(table: &Table, rows: &mut [Row]) {
    let key = table.key_places();
    rows.sort_by(|a, b| key.iter().map(|i| &a[*i]).cmp(key.iter().map(|i| &b[*i])));
}

impl MergedTable {
    fn add(&mut self, now: usize, rows: Vec<Row>, corrections: &mut Vec<Correction>) {
        let mut bouts = BTreeSet::new();
        for row in rows {
            let key: Vec<Value> = self.key.iter().map(|i| row[*i].clone()).collect();
            bouts.insert(key[0].clone());
            match self.rows.get_mut(&key) {
                Some(tracked) => update(self.rule, self.table, &key, tracked, row, now, corrections),
                None => {
                    let (since, withdrawn) = Default::default();
                    self.rows.insert(key, Tracked { row, first_seen: now, last_seen: now, since, withdrawn });
                }
            }
        }
        if self.rule.by_bout {
            self.drop_replaced(now, &bouts, corrections);
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
                    field: "row".to_owned(),
                    change: "withdrawn",
                    old: Some("present".to_owned()),
                    new: None,
                    first: tracked.first_seen,
                    last: tracked.last_seen,
                    replaced: now,
                });
            }
            !is_withdrawn
        });
    }
}

fn update(
    rule: &Rule,
    table: &Table,
    key: &[Value],
    tracked: &mut Tracked,
    new: Row,
    now: usize,
    corrections: &mut Vec<Correction>,
) {
    let is_other = rule.whole.and_then(|name| table.place(name)).is_some_and(|i| new[i] != tracked.row[i]);
    for (i, (column, value)) in table.columns.iter().zip(new).enumerate() {
        let old = &tracked.row[i];
        let is_withdrawal = value == Value::Null && *old != Value::Null && !column.null_is_value && !is_other;
        if value == *old {
            tracked.withdrawn.remove(&i);
            continue;
        }
        if column.is_bookkeeping {
            tracked.row[i] = value;
            continue;
        }
        let withdrawn = tracked.withdrawn.get(&i).copied();
        if is_withdrawal && withdrawn.is_some() {
            continue;
        }
        corrections.push(Correction {
            kind: rule.kind,
            key: key.to_vec(),
            field: column.name.clone(),
            change: match (is_withdrawal, old) {
                (true, _) => "withdrawn",
                (false, Value::Null) if !column.null_is_value => "filled",
                (false, _) => "changed",
            },
            old: old.display(),
            new: value.display(),
            first: tracked.since.get(&i).copied().unwrap_or(tracked.first_seen),
            last: withdrawn.unwrap_or(tracked.last_seen),
            replaced: now,
        });
        if is_withdrawal {
            tracked.withdrawn.insert(i, tracked.last_seen);
        } else {
            tracked.row[i] = value;
            tracked.since.insert(i, now);
            tracked.withdrawn.remove(&i);
        }
    }
    tracked.last_seen = now;
}

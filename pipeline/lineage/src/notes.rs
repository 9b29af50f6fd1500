//! Release notes of a snapshot: what it has that the one before has not, in words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use crate::cause::{CaptureName, Cause, Word};
use crate::difference::{CausedChunk, RowDiff, TableSummary};
use crate::names::EntityNames;

/// Names and corrections that notes list; of more they say how many.
const LISTED: usize = 50;

/// A value that a capture states otherwise than one before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorrectedValue {
    /// The entity by name, or by id where it has none.
    pub entity: String,
    pub column: String,
    pub old: Value,
    pub new: Value,
    pub capture: CaptureName,
}

/// What release notes are written from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReleaseNotes {
    /// Ids of the snapshots; the older one is null for the first of a lake.
    pub from: Option<String>,
    pub to: String,
    pub published_at: Option<String>,
    pub added_captures: Vec<CaptureName>,
    pub removed_captures: Vec<(CaptureName, Option<Word>)>,
    pub tables: Vec<TableSummary>,
    /// Names of new events, bouts and fighters, by table.
    pub new_entities: BTreeMap<String, Vec<String>>,
    /// Names of those that were merged into others or are gone, by table.
    pub gone_entities: BTreeMap<String, Vec<String>>,
    pub corrections: Vec<CorrectedValue>,
    /// Definitions that changed, merges and decisions of people, in words.
    pub others: Vec<String>,
}

impl ReleaseNotes {
    /// Adds the rows of a table that differ.
    pub fn add_chunk(
        &mut self,
        table: &str,
        columns: &[String],
        chunk: &CausedChunk<'_>,
        names: &EntityNames,
    ) {
        if !matches!(table, "events" | "bouts" | "fighters" | "results" | "round_stats" | "metrics") {
            return;
        }
        for row in chunk.rows(columns) {
            match row {
                RowDiff::Appeared { key, causes, .. } => {
                    self.add_entity(table, name_of(columns, &key, names), true);
                    self.add_others(causes);
                }
                RowDiff::Gone { key, causes, .. } => {
                    self.add_entity(table, name_of(columns, &key, names), false);
                    self.add_others(causes);
                }
                RowDiff::Changed { key, cells } => {
                    let entity = name_of(columns, &key, names);
                    for cell in cells {
                        self.add_others(cell.causes);
                        let correction = cell.causes.iter().find_map(|cause| match cause {
                            Cause::Correction { capture, .. } => Some(capture.clone()),
                            _ => None,
                        });
                        let [old, new] = [cell.old, cell.new].map(Option::unwrap_or_default);
                        let (entity, column) = (entity.clone(), cell.column.to_owned());
                        self.corrections.extend(correction.map(|capture| CorrectedValue {
                            entity,
                            column,
                            old,
                            new,
                            capture,
                        }));
                    }
                }
            }
        }
    }

    fn add_entity(&mut self, table: &str, name: String, is_new: bool) {
        if matches!(table, "events" | "bouts" | "fighters") {
            let of = if is_new { &mut self.new_entities } else { &mut self.gone_entities };
            of.entry(table.to_owned()).or_default().push(name);
        }
    }

    fn add_others(&mut self, causes: &[Cause]) {
        for cause in causes {
            if matches!(
                cause,
                Cause::Definition { .. }
                    | Cause::Merge { .. }
                    | Cause::Decision { .. }
                    | Cause::Registry { .. }
            ) {
                let text = cause.to_string();
                if !self.others.contains(&text) {
                    self.others.push(text);
                }
            }
        }
    }

    /// One line: what is new, by number.
    #[must_use]
    pub fn summary(&self) -> String {
        let of = |entities: &BTreeMap<String, Vec<String>>, what: &str| -> Vec<String> {
            entities.iter().map(|(table, names)| format!("{} {what} {table}", names.len())).collect()
        };
        let counts = [
            (self.added_captures.len(), "new captures"),
            (self.removed_captures.len(), "captures that no longer count"),
            (self.corrections.len(), "corrections"),
            (self.tables.iter().filter(|table| !table.is_same()).count(), "tables differ"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts = counts.map(|(count, what)| format!("{count} {what}"));
        let mut parts = of(&self.new_entities, "new");
        parts.extend(of(&self.gone_entities, "gone"));
        parts.extend(counts);
        if parts.is_empty() { "nothing differs".to_owned() } else { parts.join(", ") }
    }

    /// As Markdown; what sources wrote is escaped.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# Snapshot {}\n\n", self.to);
        let since = self
            .from
            .as_ref()
            .map_or("the first of its lake".to_owned(), |id| format!("since snapshot {id}"));
        let published = self.published_at.as_ref().map(|at| format!("Published {at}; ")).unwrap_or_default();
        text += &format!("{published}{since}.\n");
        text += &self.list_captures();
        for (title, entities) in [("New", &self.new_entities), ("Gone or merged", &self.gone_entities)] {
            for (table, names) in entities {
                let lines = names.iter().map(|name| escape(name));
                text += &section(&format!("{title} {table}"), lines, names.len());
            }
        }
        let lines = self.corrections.iter().map(|one| {
            let [old, new] = [&one.old, &one.new].map(|value| escape(&shown(value)));
            let (entity, capture) = (escape(&one.entity), escape(&one.capture.to_string()));
            format!("{entity}: `{}` {old} -> {new} ({capture})", one.column)
        });
        text += &section("Corrections", lines, self.corrections.len());
        text += &section(
            "Definitions, merges and decisions",
            self.others.iter().map(|one| escape(one)),
            self.others.len(),
        );
        text + &self.count_rows()
    }

    fn list_captures(&self) -> String {
        let added = self.added_captures.iter().map(|capture| escape(&capture.to_string()));
        let removed = self.removed_captures.iter().map(|(capture, word)| {
            let word =
                word.as_ref().map(|Word { action, by, reason, .. }| format!(": {action} by {by}: {reason}"));
            escape(&(capture.to_string() + &word.unwrap_or_default()))
        });
        section("New captures", added, self.added_captures.len())
            + &section("Captures that no longer count", removed, self.removed_captures.len())
    }

    fn count_rows(&self) -> String {
        let differing: Vec<_> = self.tables.iter().filter(|table| !table.is_same()).collect();
        let same = self.tables.len() - differing.len();
        let mut text = "\n## Tables\n\n".to_owned();
        if !differing.is_empty() {
            text += "| table | rows | appeared | gone | changed | cells | causes |\n|---|--:|--:|--:|--:|--:|---|\n";
        }
        for TableSummary { table, rows, appeared, gone, changed, cells, causes, .. } in differing {
            let rows = rows[1].map_or("no such table".to_owned(), |rows| rows.to_string());
            let causes: Vec<String> = causes.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let causes = causes.join(", ");
            // To a string it cannot fail.
            let _ = writeln!(
                text,
                "| `{table}` | {rows} | {appeared} | {gone} | {changed} | {cells} | {causes} |"
            );
        }
        text + &format!("\n{same} tables are the same.\n")
    }
}

/// Name of the first entity of a key; the key where none has a name.
fn name_of(columns: &[String], key: &serde_json::Map<String, Value>, names: &EntityNames) -> String {
    let texts = columns.iter().filter_map(|column| key.get(column)?.as_str());
    let named = texts.filter_map(|id| names.get(id)).next().map(str::to_owned);
    named.unwrap_or_else(|| key_text(columns, key))
}

/// A key as commands write it, in the order of the table's key: `bout_id=…,round=1`.
#[must_use]
pub fn key_text(columns: &[String], key: &serde_json::Map<String, Value>) -> String {
    let there = columns.iter().filter_map(|column| Some((column, key.get(column)?)));
    there.map(|(column, value)| format!("{column}={}", shown(value))).collect::<Vec<_>>().join(",")
}

/// A value for people: text without quotes.
#[must_use]
pub fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn section(title: &str, lines: impl Iterator<Item = String>, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let listed: String = lines.take(LISTED).map(|line| format!("- {line}\n")).collect();
    let more = match count.saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("- and {more} more\n"),
    };
    format!("\n## {title}: {count}\n\n{listed}{more}")
}

/// Text of a source within a line of Markdown: nothing in it is markup, and it stays one line.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '~' | '&' => {
                out.push('\\');
                out.push(letter);
            }
            _ if letter.is_control() => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}

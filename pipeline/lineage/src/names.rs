//! Names of events, bouts and fighters, for people who read what differs.

use std::collections::BTreeMap;

use arrow::array::RecordBatch;

use crate::cell::{cell_text, text_of};

/// Names by id.
#[derive(Clone, Debug, Default)]
pub struct EntityNames {
    names: BTreeMap<String, String>,
}

impl EntityNames {
    /// Tables that names are read from, in this order, with their columns.
    pub const COLUMNS: [(&'static str, &'static [&'static str]); 3] = [
        ("events", &["event_id", "name", "event_date"]),
        ("fighters", &["fighter_id", "name"]),
        ("bouts", &["bout_id", "event_id", "event_date", "fighter_a_id", "fighter_b_id"]),
    ];

    /// Adds the names of one of [`Self::COLUMNS`]; a later one of an id takes the place of an earlier one.
    pub fn add_rows(&mut self, table: &str, rows: &RecordBatch) {
        for row in 0..rows.num_rows() {
            let day = rows.column_by_name("event_date").and_then(|days| cell_text(days, row));
            let day = day.map(|day| format!(" ({day})")).unwrap_or_default();
            let (id, name) = match table {
                "events" => ("event_id", text_of(rows, "name", row).to_owned() + &day),
                "fighters" => ("fighter_id", text_of(rows, "name", row).to_owned()),
                _ => {
                    let [a, b] =
                        ["fighter_a_id", "fighter_b_id"].map(|column| self.get(text_of(rows, column, row)));
                    let names = [a, b].map(|name| name.unwrap_or("somebody"));
                    ("bout_id", names.join(" v ") + &day)
                }
            };
            self.names.insert(text_of(rows, id, row).to_owned(), name);
        }
    }

    /// The name of an entity.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&str> {
        self.names.get(id).map(String::as_str)
    }
}

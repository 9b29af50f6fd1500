//! Reads the generated files back, so that the tests see what a reader of the sample sees.

use std::collections::HashMap;

use crate::SampleFile;

pub(super) type Row = HashMap<String, String>;

/// One file: rows by column name.
pub(super) struct Sheet {
    pub(super) rows: Vec<Row>,
}

impl Sheet {
    pub(super) fn parse(text: &str) -> Self {
        let mut records = records(text).into_iter();
        let header = records.next().unwrap_or_default();
        let rows = records
            .map(|fields| {
                assert_eq!(fields.len(), header.len(), "{fields:?}");
                header.iter().cloned().zip(fields).collect()
            })
            .collect();
        Self { rows }
    }

    /// The rows with that text in that column.
    pub(super) fn find(&self, column: &str, text: &str) -> Vec<&Row> {
        self.rows.iter().filter(|row| row[column] == text).collect()
    }

    pub(super) fn any(&self, is_wanted: impl Fn(&Row) -> bool) -> bool {
        self.rows.iter().any(is_wanted)
    }

    pub(super) fn column<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.rows.iter().map(move |row| row[name].as_str())
    }
}

fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![];
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                push(&mut fields, '"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            '\n' if !is_quoted => records.push(std::mem::replace(&mut fields, vec![String::new()])),
            _ => push(&mut fields, letter),
        }
    }
    records
}

fn push(fields: &mut [String], letter: char) {
    if let Some(field) = fields.last_mut() {
        field.push(letter);
    }
}

/// The six files of a capture.
pub(super) struct Capture {
    pub(super) events: Sheet,
    pub(super) details: Sheet,
    pub(super) results: Sheet,
    pub(super) rounds: Sheet,
    pub(super) index: Sheet,
    pub(super) tape: Sheet,
    pub(super) texts: HashMap<&'static str, String>,
}

impl Capture {
    pub(super) fn read(files: &[SampleFile]) -> Self {
        let texts: HashMap<_, _> = files.iter().map(|file| (file.name, file.content.clone())).collect();
        let sheet = |name: &str| Sheet::parse(&texts[name]);
        Self {
            events: sheet("ufc_event_details.csv"),
            details: sheet("ufc_fight_details.csv"),
            results: sheet("ufc_fight_results.csv"),
            rounds: sheet("ufc_fight_stats.csv"),
            index: sheet("ufc_fighter_details.csv"),
            tape: sheet("ufc_fighter_tott.csv"),
            texts,
        }
    }
}

/// Single spaces, none at the ends.
pub(super) fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The two names of a row's bout.
pub(super) fn names(row: &Row) -> Vec<String> {
    tidy(&row["BOUT"]).split(" vs. ").map(str::to_owned).collect()
}

/// Minutes and seconds as seconds.
pub(super) fn secs(clock: &str) -> Option<u32> {
    let (minutes, seconds) = clock.split_once(':')?;
    Some(minutes.parse::<u32>().ok()? * 60 + seconds.parse::<u32>().ok()?)
}

/// `12 of 30`.
pub(super) fn of(row: &Row, column: &str) -> (u32, u32) {
    let (landed, attempted) = row[column].split_once(" of ").expect("a count of a count");
    let number = |text: &str| text.parse().expect("a number");
    (number(landed), number(attempted))
}

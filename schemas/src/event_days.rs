//! Days at the venue that no source states: `event_days.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::Deserialize;

/// Days at the venue by event.
#[derive(Debug)]
pub struct EventDays(BTreeMap<String, NaiveDate>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    event: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    statsdb_id: String,
    day: NaiveDate,
    /// For readers of the file.
    #[serde(rename = "what")]
    _what: String,
}

impl EventDays {
    /// Those of this build.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the file.
    #[must_use]
    pub fn get() -> &'static Self {
        static DAYS: LazyLock<EventDays> = LazyLock::new(|| {
            let text = include_str!("../event_days.toml");
            let file: File =
                toml::from_str(text).unwrap_or_else(|error| panic!("read event_days.toml: {error}"));
            EventDays(file.event.into_iter().map(|event| (event.statsdb_id, event.day)).collect())
        });
        &DAYS
    }

    /// The day at the venue of the event of this id at the statistics source.
    #[must_use]
    pub fn find_day(&self, statsdb_id: &str) -> Option<NaiveDate> {
        self.0.get(statsdb_id).copied()
    }
}

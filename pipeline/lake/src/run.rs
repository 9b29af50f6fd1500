//! Reports of runs: one JSON file each, for `status` and for people.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::manifest::{check_name, read_manifest, to_bytes};
use crate::{Lake, LakeError, LakeWriter, MANIFEST_FORMAT};

fn run_key(id: &str) -> Result<String, LakeError> {
    check_name("a run id", id)?;
    Ok(format!("runs/{id}.json"))
}

/// The number in the id of a run. Ids of earlier builds are a time and have none: they come before all others.
fn run_number(id: &str) -> u64 {
    id.split_once('-').and_then(|(number, _)| number.parse().ok()).unwrap_or_default()
}

impl Lake {
    /// Ids of the runs with a report, in the order that they were made in: by their numbers, whatever the clock said.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn list_runs(&self) -> Result<Vec<String>, LakeError> {
        let files = self.store.list_names("runs", false)?;
        let mut ids: Vec<_> =
            files.iter().filter_map(|f| f.strip_suffix(".json")).map(str::to_owned).collect();
        ids.sort_by_key(|id| (run_number(id), id.clone()));
        Ok(ids)
    }

    /// When the run of this id began by its own clock; `None` where the id does not say.
    #[must_use]
    pub fn run_began(id: &str) -> Option<DateTime<Utc>> {
        let time = id.split_once('-').map_or(id, |(_, time)| time);
        let (day, fraction) = time.strip_suffix('Z')?.split_at_checked(15)?;
        let began = NaiveDateTime::parse_from_str(day, "%Y%m%dT%H%M%S").ok()?;
        let millis = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
        Some(began.and_utc() + TimeDelta::milliseconds(millis))
    }

    /// The id of a run that begins now: the number after the last one, and the time, as
    /// `000042-20241215T120000000Z`.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn next_run_id(&self, now: DateTime<Utc>) -> Result<String, LakeError> {
        let last = self.list_runs()?.last().map_or(0, |id| run_number(id));
        Ok(format!("{:06}-{}", last + 1, now.format("%Y%m%dT%H%M%S%3fZ")))
    }

    /// The report of a run.
    ///
    /// # Errors
    /// [`LakeError::NoRun`], [`LakeError::Corrupt`], or it cannot be read.
    pub fn read_run(&self, id: &str) -> Result<Value, LakeError> {
        let found = read_manifest::<Value>(&self.store, &run_key(id)?)?;
        let mut report = found.ok_or_else(|| LakeError::NoRun { id: id.to_owned() })?;
        if let Some(fields) = report.as_object_mut() {
            fields.retain(|name, _| !["sha256", "format"].contains(&name.as_str()));
        }
        Ok(report)
    }
}

/// A report as it is kept.
#[derive(Serialize)]
struct KeptRuns<'a> {
    format: u32,
    #[serde(flatten)]
    report: &'a Map<String, Value>,
}

impl LakeWriter {
    /// Keeps the report of a run, over an earlier one of the same id: the fields of an object, and nothing of
    /// any other value.
    ///
    /// # Errors
    /// The id is no file name, or the file cannot be written.
    pub fn write_run(&self, run_id: &str, report: &Value) -> Result<(), LakeError> {
        let key = run_key(run_id)?;
        let store = &self.lake().store;
        let none = Map::new();
        let kept = KeptRuns { format: MANIFEST_FORMAT, report: report.as_object().unwrap_or(&none) };
        store.put_file("run", &key, &to_bytes(store, &key, &kept)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lake, noon};

    #[test]
    fn the_newest_run_is_the_last_whatever_the_clock_said() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        for old in ["20360101T000000000Z", "20261121T023840784Z"] {
            writer.write_run(old, &serde_json::json!({})).unwrap();
        }
        let times = [noon(), noon() + chrono::Days::new(4000), noon() - chrono::Days::new(1)];
        let ids = times.map(|now| {
            let id = lake.next_run_id(now).unwrap();
            writer.write_run(&id, &serde_json::json!({})).unwrap();
            id
        });
        assert_eq!(ids[0], "000001-20241215T120000000Z");
        assert_eq!(ids.each_ref().map(|id| Lake::run_began(id)), times.map(Some));
        let odd = ["20241215T120000Z", "20241215", "000001-", "x"].map(Lake::run_began);
        assert_eq!(odd, [Some(noon()), None, None, None]);
        writer.write_run("1000000-20241215T120000000Z", &serde_json::json!({})).unwrap();
        let runs = lake.list_runs().unwrap();
        assert_eq!(runs[..2], ["20261121T023840784Z", "20360101T000000000Z"]);
        assert_eq!(runs[2..5], ids);
        assert_eq!(lake.next_run_id(noon()).unwrap(), "1000001-20241215T120000000Z");
    }

    #[test]
    fn a_report_is_read_back_and_an_unknown_or_hostile_id_is_an_error() {
        let (_folder, lake) = lake();
        let writer = lake.writer("test", noon()).unwrap();
        writer.write_run("20241215T120000Z", &serde_json::json!({"done": false})).unwrap();
        writer.write_run("20241215T120000Z", &serde_json::json!({"done": true})).unwrap();
        assert_eq!(lake.list_runs().unwrap(), ["20241215T120000Z"]);
        assert_eq!(lake.read_run("20241215T120000Z").unwrap()["done"], true);
        assert!(matches!(lake.read_run("other"), Err(LakeError::NoRun { .. })));
        assert!(matches!(lake.read_run("../current"), Err(LakeError::Name { .. })));
    }
}

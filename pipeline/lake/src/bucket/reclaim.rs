//! Objects that no file needs any more.
//!
//! A reader may still use what the last entries removed, so that objects go at the earliest an hour after they were seen
//! to be of no use. Nothing can make them useful again meanwhile: a writer names only what a file of its log names, or
//! what it wrote itself, under its own number.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};

use super::Bucket;
use super::HEAD;
use super::clock;
use super::log::LogHint;

/// Objects of no use, and since when that is known.
const RECLAIM: &str = "reclaim.json";

/// Where the contents of files are.
const CONTENTS: [&str; 3] = ["tables", "files", "packs"];

const GRACE: Duration = Duration::from_secs(3600);

/// A pack with less of use in it than this share is written anew.
const SHARE: f64 = 0.5;

impl Bucket {
    /// Removes objects that were of no use an hour ago either, and notes those of no use now. Only the writer may call it.
    pub(crate) fn reclaim(&self) -> io::Result<()> {
        self.reclaim_at(clock::now())
    }

    pub(super) fn reclaim_at(&self, now: SystemTime) -> io::Result<()> {
        self.commit_all()?;
        self.write_packs_anew()?;
        let client = self.client()?;
        let hint = client.get(HEAD)?.and_then(|text| serde_json::from_slice::<LogHint>(&text).ok());
        let mut used: BTreeSet<String> =
            self.lock().places.values().map(|place| place.object.clone()).collect();
        used.extend(hint.and_then(|hint| hint.checkpoint).map(|checkpoint| checkpoint.object));
        let before: BTreeMap<String, DateTime<Utc>> = match client.get(RECLAIM)? {
            Some(text) => serde_json::from_slice(&text).unwrap_or_default(),
            None => BTreeMap::new(),
        };
        let mut noted = BTreeMap::new();
        for folder in CONTENTS.into_iter().chain(["checkpoints"]) {
            for object in client.list(folder)?.into_iter().filter(|object| !used.contains(&object.name)) {
                let since = before.get(&object.name).map_or(now, |since| (*since).into());
                let age = |at: SystemTime| now.duration_since(at).unwrap_or_default();
                if age(since) >= GRACE && age(object.modified_at) >= GRACE {
                    client.delete(&object.name)?;
                } else {
                    noted.insert(object.name, DateTime::<Utc>::from(since));
                }
            }
        }
        if noted != before {
            client.put(RECLAIM, serde_json::to_vec(&noted)?.into())?;
        }
        Ok(())
    }

    /// Keys whose object is missing or too short, each with what is wrong.
    pub(crate) fn missing_objects(&self) -> io::Result<Vec<(String, String)>> {
        let files = self.current(true)?.log().files.clone();
        let mut there = BTreeMap::new();
        for folder in CONTENTS {
            there.extend(self.client()?.list(folder)?.into_iter().map(|object| (object.name, object.bytes)));
        }
        let wrong = |(key, file): (String, super::StoredFile)| {
            let place = file.place?;
            let needed = place.offset.unwrap_or_default() + file.bytes;
            let what = match there.get(&place.object) {
                None => format!("its object {} is missing from the object store", place.object),
                Some(bytes) if *bytes < needed => {
                    format!("its object {} has {bytes} bytes, and needs {needed}", place.object)
                }
                Some(_) => return None,
            };
            Some((key, what))
        };
        Ok(files.into_iter().filter_map(wrong).collect())
    }

    /// Puts what is still of use in packs that are mostly of none into new ones.
    fn write_packs_anew(&self) -> io::Result<()> {
        let mut sparse = Vec::new();
        {
            let mut state = self.lock();
            let mut packs = BTreeMap::<String, (u64, BTreeMap<String, u64>)>::new();
            for file in state.log().files.values() {
                if let Some(place) = file.place.as_ref().filter(|place| place.offset.is_some()) {
                    let (end, inside) = packs.entry(place.object.clone()).or_default();
                    *end = (*end).max(place.offset.unwrap_or_default() + file.bytes);
                    inside.insert(file.sha256.clone(), file.bytes);
                }
            }
            for (object, (end, inside)) in packs {
                let used: u64 = inside.values().sum();
                if (used as f64) < end as f64 * SHARE {
                    sparse.push(object);
                }
            }
            // Contents that nothing names have no place any more.
            state.places = state.log().places();
        }
        for object in sparse {
            let files: Vec<_> = {
                let mut state = self.lock();
                let inside = |file: &super::StoredFile| {
                    file.place.as_ref().is_some_and(|place| place.object == object)
                };
                let found = state.log().files.iter().filter(|(_, file)| inside(file));
                found.map(|(key, file)| (key.clone(), file.clone())).collect()
            };
            for (key, file) in files {
                self.fetch(&file)?;
                let mut state = self.lock();
                state.places.remove(&file.sha256);
                state.set(&key, super::StoredFile { place: None, ..file });
            }
        }
        self.commit_all()
    }
}

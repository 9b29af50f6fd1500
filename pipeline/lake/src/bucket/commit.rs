//! Commits: contents first, each once, then the entry that names them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read as _};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::client::Upload;
use super::clock;
use super::log::{Action, FORMAT, LogEntry, Place, StoredFile, entry_name};
use super::{Bucket, is_temporary};
use crate::digest::sha256;

/// How long what was done may wait for more. A run that is broken off meanwhile does it again.
const WAIT: Duration = Duration::from_secs(3);

/// Changes that are committed together, about: contents of all are open meanwhile.
const TOGETHER: usize = 2000;

/// A file of so many bytes is an object of its own.
const LARGE: u64 = 256 << 10;

/// Bytes of a pack.
const PACK: u64 = 32 << 20;

/// How often an entry is offered where no answer comes.
const OFFERS: u32 = 4;

type Changes = BTreeMap<String, Option<StoredFile>>;

impl Bucket {
    /// Commits what was done, unless it may wait for more.
    pub(super) fn commit_in_time(&self, kind: &str) -> io::Result<()> {
        let may_wait = {
            let state = self.lock();
            state.changed.len() < TOGETHER && state.committed.is_some_and(|at| at.elapsed() < WAIT)
        };
        // What is served is seen at once.
        if may_wait && kind != "current" { Ok(()) } else { self.commit_all() }
    }

    /// Commits everything that was done.
    pub(crate) fn commit_all(&self) -> io::Result<()> {
        let _one = self.committing.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::take(&mut self.lock().changed);
        match self.commit_changes(&taken) {
            Ok(()) => {
                self.lock().committed = Some(Instant::now());
                Ok(())
            }
            Err(error) => {
                // They are to be committed still; what changed again since had this before.
                self.lock().changed.extend(taken);
                Err(error)
            }
        }
    }

    fn commit_changes(&self, taken: &Changes) -> io::Result<()> {
        let (mut put, mut remove) = (BTreeMap::new(), Vec::new());
        {
            let mut state = self.lock();
            let files = &state.log().files;
            for (key, before) in taken.iter().filter(|(key, _)| !is_temporary(key)) {
                match files.get(key) {
                    Some(now) if before.as_ref() != Some(now) => {
                        put.insert(key.clone(), now.clone());
                    }
                    None if before.is_some() => remove.push(key.clone()),
                    _ => {}
                }
            }
        }
        if put.is_empty() && remove.is_empty() {
            return Ok(());
        }
        let placed = self.upload(&put)?;
        for file in put.values_mut() {
            file.place = placed.get(&file.sha256).cloned().or(file.place.take());
        }
        self.append(Action::Write, put.clone(), remove)?;
        let mut state = self.lock();
        for (key, file) in put {
            match state.changed.get_mut(&key) {
                // It was changed meanwhile: this is what was there before.
                Some(before) => *before = Some(file),
                None => drop(state.log().files.insert(key, file)),
            }
        }
        state.places.extend(placed);
        Ok(())
    }

    /// Sends the contents that the store has not; gives where all are.
    fn upload(&self, put: &BTreeMap<String, StoredFile>) -> io::Result<HashMap<String, Place>> {
        let (mut placed, mut missing) = (HashMap::new(), BTreeMap::new());
        let epoch = {
            let state = self.lock();
            for (key, file) in put {
                match file.place.as_ref().or_else(|| state.places.get(&file.sha256)) {
                    Some(place) => drop(placed.insert(file.sha256.clone(), place.clone())),
                    None => drop(missing.entry(file.sha256.as_str()).or_insert((key.as_str(), file.bytes))),
                }
            }
            state.session.as_ref().map_or(0, |session| session.epoch)
        };
        let (mut uploads, mut packs) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
        for (digest, (key, bytes)) in missing {
            if bytes < LARGE {
                // Captures are read for other reasons than what came of them.
                packs.entry(key.starts_with("raw/")).or_default().push((digest, bytes));
                continue;
            }
            let (object, file) = (large_name(key, digest, epoch), self.open_new(digest, bytes)?);
            placed.insert(digest.to_owned(), Place { object: object.clone(), offset: None });
            uploads.push((object, Upload::File(file, bytes)));
        }
        for files in packs.into_values() {
            let mut rest = files.into_iter().peekable();
            while rest.peek().is_some() {
                let (mut pack, mut inside) = (Vec::new(), Vec::new());
                while let Some((digest, bytes)) = rest.next_if(|(_, bytes)| pack.len() as u64 + bytes <= PACK)
                {
                    inside.push((digest, pack.len() as u64));
                    self.open_new(digest, bytes)?.read_to_end(&mut pack)?;
                }
                let object = format!("packs/{}-{epoch}", sha256(&pack));
                placed.extend(inside.into_iter().map(|(digest, offset)| {
                    (digest.to_owned(), Place { object: object.clone(), offset: Some(offset) })
                }));
                uploads.push((object, Upload::Bytes(pack.into())));
            }
        }
        // Of one that was broken off, the same objects may be there; they are of this writer, and the same.
        self.client()?.put_all(uploads)?;
        Ok(placed)
    }

    /// The copy of content that was not sent yet.
    fn open_new(&self, digest: &str, bytes: u64) -> io::Result<std::fs::File> {
        let copy = self.cache()?.open(digest, bytes).map(|(file, _)| file);
        copy.ok_or_else(|| {
            io::Error::other(format!("the copy of a new file is gone from the cache: {digest}"))
        })
    }

    /// Adds an entry to the log. Whether it is there is known by its own id also where the answer was lost; where it is
    /// another writer's, that one has taken over.
    pub(super) fn append(
        &self,
        action: Action,
        put: BTreeMap<String, StoredFile>,
        remove: Vec<String>,
    ) -> io::Result<()> {
        let write_id = uuid::Uuid::new_v4().to_string();
        let mut offers = 0;
        loop {
            let (entry, doubtful) = {
                let mut state = self.lock();
                let Some(session) = &mut state.session else {
                    return Err(io::Error::other(
                        "nothing can be written: this process is not the lake's writer",
                    ));
                };
                if let Some(why) = &session.lost {
                    return Err(io::Error::other(why.clone()));
                }
                let (epoch, writer) = (session.epoch, session.holder.clone());
                // Until an answer says that it is not there, it may be.
                session.doubtful.insert(write_id.clone());
                let doubtful = session.doubtful.clone();
                let log = state.log();
                let entry = LogEntry {
                    format: FORMAT,
                    version: log.version + 1,
                    previous: log.entry.clone(),
                    write_id: write_id.clone(),
                    epoch,
                    action,
                    at: clock::now_in_utc(),
                    writer,
                    put: put.clone(),
                    remove: remove.clone(),
                };
                (entry, doubtful)
            };
            let (name, text) = (entry_name(entry.version), Bytes::from(serde_json::to_vec(&entry)?));
            let client = self.client()?;
            offers += 1;
            let there = match client.create(&name, text.clone()) {
                Ok(true) => Some(text),
                Ok(false) => client.get(&name)?,
                Err(error) => match client.get(&name)? {
                    None if offers < OFFERS => {
                        tracing::warn!(%error, "a commit was not answered and is not there: it is sent again");
                        continue;
                    }
                    None => return Err(error),
                    there => there,
                },
            };
            let Some(there) = there else { continue };
            let found: LogEntry =
                serde_json::from_slice(&there).map_err(|error| self.damaged(entry.version, error))?;
            if found.write_id == write_id {
                self.lock().take_own(&found, sha256(&there), true);
                return Ok(());
            }
            if !doubtful.contains(&found.write_id) {
                return Err(self.lose(&found));
            }
            // One of this process that was given up for want of an answer.
            self.lock().take_own(&found, sha256(&there), false);
        }
    }

    /// Another writer took over: nothing that this process does from here on is kept.
    fn lose(&self, found: &LogEntry) -> io::Error {
        let why = format!(
            "{} ({}) has taken the lake over: nothing of this run after entry {} of the log was kept; run it again",
            found.writer.owner,
            found.writer.describe(),
            found.version - 1,
        );
        if let Some(session) = &mut self.lock().session {
            session.lost = Some(why.clone());
        }
        io::Error::other(why)
    }
}

impl super::State {
    /// Goes on from an entry of this process. One that was thought to have failed has committed what is still to be
    /// committed: from here on that is what was there before.
    fn take_own(&mut self, entry: &LogEntry, sha256: String, is_expected: bool) {
        let log = self.log();
        (log.version, log.entry, log.epoch, log.format) = (entry.version, sha256, entry.epoch, FORMAT);
        if let Some(session) = &mut self.session {
            session.doubtful.remove(&entry.write_id);
            session.entries += 1;
        }
        if !is_expected {
            for (key, file) in &entry.put {
                self.changed.insert(key.clone(), Some(file.clone()));
            }
            self.changed.extend(entry.remove.iter().map(|key| (key.clone(), None)));
        }
    }
}

/// The object of a large file: those of a table are together.
fn large_name(key: &str, digest: &str, epoch: u64) -> String {
    let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
    match name.strip_suffix(".parquet") {
        Some(table) => format!("tables/{table}/{digest}-{epoch}.parquet"),
        None => format!("files/{digest}-{epoch}"),
    }
}

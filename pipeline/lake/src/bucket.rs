//! A lake in an object store.
//!
//! ```text
//! log/<20 digits>.json                  entries; the newest one says what is there
//! tables/<table>/<sha256>-<epoch>.parquet   larger files, an object each
//! files/<sha256>-<epoch>
//! packs/<sha256>-<epoch>                smaller files together
//! checkpoints/<20 digits>.json          all files as of an entry, so that nobody reads the whole log
//! head.json · lease.json · clock.json · reclaim.json
//! ```
//!
//! A commit is one entry of the log, created on the condition that there is none of its number. Nothing else needs a
//! condition or an order, and no object but `head.json` and the like is ever written twice. An entry seals the one
//! before by its digest. Objects of files have the number of their writer in their names: whatever a writer that was
//! thought dead still does, and whatever it left, touches no object that another writer names.
//!
//! To the rest of this crate a bucket looks like a folder whose operations last from the next commit on, all those before
//! it with it. So what is there after a broken off run is what a folder would have if the run had been killed at some step.
//!
//! Files are read from copies on this machine, by digest (`cache.rs`): what is there already is not asked for again.

mod cache;
mod client;
mod clock;
mod commit;
mod lease;
mod log;
mod object_folder;
mod reclaim;
mod session;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Bound;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tempfile::TempPath;

use self::cache::Cache;
use self::client::{Client, SCHEMES};
use self::log::{LogHint, LogState, Place, StoredFile, entry_name};
pub use self::object_folder::ObjectFolder;
use self::session::Session;
pub use self::session::take_uncommitted;
pub(crate) use self::session::{BeginError, BucketWriter};
use crate::backend::{Backend, EntryKind, FileStamp};
use crate::digest::sha256;
use crate::keys::CURRENT;
use crate::keys::TEMPORARY;

/// Where readers begin.
const HEAD: &str = "head.json";

/// A reader asks for newer entries at most so often.
const FRESH: Duration = Duration::from_secs(1);

/// Entries that are asked for at a time where it is known that they are there.
const AT_A_TIME: u64 = 16;

/// A lake in an object store, with what this process knows of it.
#[derive(Debug)]
pub(crate) struct Bucket {
    address: String,
    client: OnceLock<Arc<Client>>,
    cache: OnceLock<Cache>,
    state: Mutex<State>,
    /// Held while one commit is under way.
    committing: Mutex<()>,
    /// Held while newer entries are asked for.
    refreshing: Mutex<()>,
    /// Held while a pack is fetched.
    fetching: Mutex<()>,
    /// Entry as of which others of this machine were last told.
    shared: AtomicU64,
    /// Files that are being written, by their numbers: two may be for one key.
    unfinished: Mutex<HashMap<u64, TempPath>>,
}

#[derive(Debug, Default)]
struct State {
    /// Files as of the last entry, and what this process has changed since.
    log: Option<LogState>,
    refreshed: Option<Instant>,
    /// Where contents are that were committed, by SHA-256.
    places: HashMap<String, Place>,
    /// Keys that were changed since the last commit, and what they had in it.
    changed: BTreeMap<String, Option<StoredFile>>,
    session: Option<Session>,
    committed: Option<Instant>,
}

impl State {
    fn log(&mut self) -> &mut LogState {
        self.log.get_or_insert_default()
    }

    fn remember(&mut self, key: &str) {
        let before = self.log().files.get(key).cloned();
        self.changed.entry(key.to_owned()).or_insert(before);
    }

    fn set(&mut self, key: &str, file: StoredFile) {
        self.remember(key);
        self.log().files.insert(key.to_owned(), file);
    }

    fn unset(&mut self, key: &str) -> Option<StoredFile> {
        self.remember(key);
        self.log().files.remove(key)
    }

    /// The keys in a folder, at whatever depth.
    fn keys_below(&mut self, folder: &str) -> Vec<String> {
        let prefix = folder_prefix(folder);
        let from = (Bound::Included(prefix.clone()), Bound::Unbounded);
        let found = self.log().files.range::<String, _>(from).map(|(key, _)| key);
        found.take_while(|key| key.starts_with(&prefix)).cloned().collect()
    }
}

fn folder_prefix(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("{folder}/") }
}

/// Whether a key is of work in progress, which is never committed.
fn is_temporary(key: &str) -> bool {
    key.split('/').any(|name| name.starts_with(TEMPORARY))
}

fn not_found(key: &str) -> io::Error {
    io::Error::new(ErrorKind::NotFound, format!("there is no `{key}`"))
}

fn now_in_millis() -> i64 {
    let since = clock::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The bucket at an address, one for all who ask in this process; `None` if it is the path of a folder.
pub(crate) fn shared(root: &Path) -> Option<Arc<Bucket>> {
    static KNOWN: Mutex<BTreeMap<String, Weak<Bucket>>> = Mutex::new(BTreeMap::new());
    let address = root.to_str().filter(|root| SCHEMES.iter().any(|scheme| root.starts_with(scheme)))?;
    let (scheme, rest) = address.split_once("://")?;
    let address = &format!("{scheme}://{}", rest.trim_end_matches('/'));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let bucket = known.get(address).and_then(Weak::upgrade).unwrap_or_else(|| {
        let bucket = Arc::new(Bucket::new(address));
        known.insert(address.to_owned(), Arc::downgrade(&bucket));
        bucket
    });
    Some(bucket)
}

impl Bucket {
    fn new(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            client: OnceLock::new(),
            cache: OnceLock::new(),
            state: Mutex::default(),
            committing: Mutex::default(),
            refreshing: Mutex::default(),
            fetching: Mutex::default(),
            shared: AtomicU64::new(0),
            unfinished: Mutex::default(),
        }
    }

    /// A bucket in a store that is there, with copies in that folder.
    #[cfg(test)]
    fn in_store(store: Arc<dyn object_store::ObjectStore>, cache: &Path) -> Self {
        let bucket = Self::new("test://bucket");
        let _ = bucket.client.set(Arc::new(Client::with_store(store, &bucket.address)));
        let _ = bucket.cache.set(Cache::new(cache.to_owned()).unwrap());
        bucket
    }

    fn client(&self) -> io::Result<&Arc<Client>> {
        if self.client.get().is_none() {
            let _ = self.client.set(Arc::new(Client::new(&self.address)?));
        }
        Ok(self.client.get().unwrap_or_else(|| unreachable!("it was set")))
    }

    fn cache(&self) -> io::Result<&Cache> {
        if self.cache.get().is_none() {
            let cache = Cache::by_environment()?;
            cache.prune();
            let _ = self.cache.set(cache);
        }
        Ok(self.cache.get().unwrap_or_else(|| unreachable!("it was set")))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is there, not older than a second; to the writer, what it left there. Where the store does not answer it is
    /// what was there before, if that will do.
    fn current(&self, will_older_do: bool) -> io::Result<MutexGuard<'_, State>> {
        let is_known = {
            let state = self.lock();
            if state.session.is_some() || state.refreshed.is_some_and(|at| at.elapsed() < FRESH) {
                return Ok(state);
            }
            state.log.is_some() && will_older_do
        };
        let _one = match self.refreshing.try_lock() {
            Err(TryLockError::WouldBlock) if is_known => return Ok(self.lock()),
            Err(TryLockError::WouldBlock) => self.refreshing.lock().unwrap_or_else(PoisonError::into_inner),
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Ok(one) => one,
        };
        match self.read_log() {
            Err(error) if is_known => {
                tracing::warn!(%error, "the object store does not say what is new in the lake");
                self.lock().refreshed = Some(Instant::now());
            }
            done => done?,
        }
        Ok(self.lock())
    }

    /// Reads the entries that came since; only who holds `refreshing` may.
    fn read_log(&self) -> io::Result<()> {
        let client = self.client()?;
        if let Some(state) = self.known_state(client)? {
            self.lock().log.get_or_insert(state);
        }
        if self.lock().log.is_none() {
            let hint = client.get(HEAD)?.and_then(|text| serde_json::from_slice::<LogHint>(&text).ok());
            let known = hint.as_ref().map_or(0, |hint| hint.version);
            let checkpoint = hint.map(|hint| self.read_checkpoint(&hint)).transpose()?.flatten();
            let mut log = checkpoint.unwrap_or_default();
            while log.version < known {
                let versions = log.version + 1..=known.min(log.version + AT_A_TIME);
                let names = versions.clone().map(entry_name).collect();
                for (version, text) in versions.zip(client.get_all(names)?) {
                    let text =
                        text.ok_or_else(|| self.damaged(version, "it is missing, and `head.json` names it"))?;
                    self.take_entry(&mut log, version, &text)?;
                }
            }
            self.lock().log = Some(log);
        }
        loop {
            let next = self.lock().log().version + 1;
            let Some(text) = client.get(&entry_name(next))? else { break };
            self.take_entry(self.lock().log(), next, &text)?;
        }
        self.lock().refreshed = Some(Instant::now());
        Ok(())
    }

    /// What this machine knew last, if it is of this log.
    fn known_state(&self, client: &Client) -> io::Result<Option<LogState>> {
        if self.lock().log.is_some() {
            return Ok(None);
        }
        let known = self.cache()?.known_state(&self.endpoint());
        let Some(state) = known.and_then(|text| serde_json::from_slice::<LogState>(&text).ok()) else {
            return Ok(None);
        };
        let entry = client.get(&entry_name(state.version))?;
        Ok(Some(state).filter(|state| entry.is_some_and(|text| sha256(&text) == state.entry)))
    }

    /// Keeps what is committed, so that other processes of this machine need not ask for it.
    fn keep_state(&self) -> io::Result<()> {
        let text = serde_json::to_vec(&self.committed())?;
        self.cache()?.keep_state(&self.endpoint(), &text)
    }

    /// The address, and whose it is.
    fn endpoint(&self) -> String {
        let set = |name| std::env::var(name).unwrap_or_default();
        format!("{} {} {}", self.address, set("AWS_ENDPOINT"), set("AWS_ENDPOINT_URL"))
    }

    /// What is in the log, without what is not committed.
    fn committed(&self) -> LogState {
        let mut state = self.lock();
        let mut committed = state.log().clone();
        for (key, before) in &state.changed {
            match before {
                Some(file) => drop(committed.files.insert(key.clone(), file.clone())),
                None => drop(committed.files.remove(key)),
            }
        }
        committed.files.retain(|_, file| file.place.is_some());
        committed
    }

    /// Commits everything, so that another process of this machine that asks from now on sees it.
    pub(crate) fn share(&self) -> io::Result<()> {
        self.commit_all()?;
        let version = self.lock().log().version;
        if self.shared.swap(version, Ordering::SeqCst) != version {
            let _one = self.committing.lock().unwrap_or_else(PoisonError::into_inner);
            self.keep_state()?;
        }
        Ok(())
    }

    fn take_entry(&self, log: &mut LogState, version: u64, text: &[u8]) -> io::Result<()> {
        let entry = serde_json::from_slice(text).map_err(|error| self.damaged(version, error))?;
        log.apply(entry, sha256(text)).map_err(|why| self.damaged(version, why))
    }

    fn damaged(&self, version: u64, why: impl std::fmt::Display) -> io::Error {
        let name = entry_name(version);
        io::Error::new(ErrorKind::InvalidData, format!("`{}/{name}` is damaged: {why}", self.address))
    }

    /// The state as of an entry that the hint names; `None` where it names none, or it cannot be used: the log has it all.
    fn read_checkpoint(&self, hint: &LogHint) -> io::Result<Option<LogState>> {
        let Some(checkpoint) = &hint.checkpoint else { return Ok(None) };
        let place = Place { object: checkpoint.object.clone(), offset: None };
        let file = StoredFile {
            sha256: checkpoint.sha256.clone(),
            bytes: checkpoint.bytes,
            written_at: 0,
            place: Some(place),
        };
        let read =
            self.fetch(&file).and_then(|(file, _)| Ok(serde_json::from_reader(io::BufReader::new(file))?));
        match read {
            Ok(state) => Ok(Some(state)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => {
                tracing::warn!(%error, "a checkpoint cannot be used: the whole log is read");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn find(&self, key: &str) -> io::Result<StoredFile> {
        // Who asks for the pointer wants to know whether it moved.
        self.current(key != CURRENT)?.log().files.get(key).cloned().ok_or_else(|| not_found(key))
    }

    /// The copy of a file on this machine, made where there is none.
    fn fetch(&self, file: &StoredFile) -> io::Result<(File, PathBuf)> {
        let cache = self.cache()?;
        if let Some(copy) = cache.open(&file.sha256, file.bytes) {
            return Ok(copy);
        }
        match &file.place {
            Some(Place { object, offset: None }) => self.download(object, &file.sha256)?,
            Some(Place { object, offset: Some(offset) }) => {
                let digest = object_digest(object);
                let _one = self.fetching.lock().unwrap_or_else(PoisonError::into_inner);
                let mut pack = match cache.open_any(digest) {
                    Some(pack) => pack,
                    None => {
                        self.download(object, digest)?;
                        cache.open_any(digest).ok_or_else(|| not_found(object))?
                    }
                };
                let (part, path) = cache.copy_part(&mut pack, *offset, file.bytes)?;
                if let Err(error) = cache.insert_checked(&part, path, &file.sha256) {
                    cache.remove(digest);
                    return Err(error);
                }
            }
            None => return Err(not_found("the only copy of a file that was not committed")),
        }
        cache.open(&file.sha256, file.bytes).ok_or_else(|| not_found(&file.sha256))
    }

    fn download(&self, object: &str, digest: &str) -> io::Result<()> {
        let (file, path) = self.cache()?.create()?;
        self.client()?.download(object, file.try_clone()?)?;
        self.cache()?.insert_checked(&file, path, digest)
    }

    /// Bytes of all files, each once; without `except`, or only such as nothing else has.
    pub(crate) fn bytes_of(&self, is_asked: &dyn Fn(&str) -> bool) -> u64 {
        let Ok(mut state) = self.current(true) else { return 0 };
        let (mut asked, mut others) = (BTreeMap::new(), BTreeSet::new());
        for (key, file) in &state.log().files {
            match is_asked(key) {
                true => drop(asked.insert(file.sha256.as_str(), file.bytes)),
                false => drop(others.insert(file.sha256.as_str())),
            }
        }
        asked.iter().filter(|(sha256, _)| !others.contains(*sha256)).map(|(_, bytes)| bytes).sum()
    }

    /// A file for bytes that need not last.
    pub(crate) fn scratch_file(&self) -> io::Result<File> {
        Ok(self.cache()?.create()?.0)
    }
}

/// The digest in the name of an object.
fn object_digest(object: &str) -> &str {
    let name = object.rsplit_once('/').map_or(object, |(_, name)| name);
    name.split_once('-').map_or(name, |(digest, _)| digest)
}

impl Backend for Arc<Bucket> {
    fn entry_kind(&self, key: &str) -> io::Result<EntryKind> {
        let mut state = self.current(true)?;
        if let Some(file) = state.log().files.get(key) {
            return Ok(EntryKind::File(file.bytes));
        }
        let prefix = folder_prefix(key);
        let from = (Bound::Included(prefix.clone()), Bound::Unbounded);
        let mut below = state.log().files.range::<String, _>(from);
        match below.next().is_some_and(|(key, _)| key.starts_with(&prefix)) {
            true => Ok(EntryKind::Folder),
            false => Err(not_found(key)),
        }
    }

    fn open(&self, key: &str) -> io::Result<File> {
        Ok(self.fetch(&self.find(key)?)?.0)
    }

    fn entries(&self, key: &str) -> io::Result<BTreeSet<(String, bool)>> {
        let mut state = self.current(true)?;
        let prefix = folder_prefix(key);
        let (mut found, mut from) = (BTreeSet::new(), Bound::Included(prefix.clone()));
        while let Some((next, _)) = state.log().files.range::<String, _>((from, Bound::Unbounded)).next() {
            let Some(rest) = next.strip_prefix(&prefix) else { break };
            from = match rest.split_once('/') {
                Some((name, _)) => {
                    found.insert((name.to_owned(), true));
                    // The character after the slash: past everything in that folder.
                    Bound::Included(format!("{prefix}{name}0"))
                }
                None => {
                    found.insert((rest.to_owned(), false));
                    Bound::Excluded(next.clone())
                }
            };
        }
        if found.is_empty() { Err(not_found(key)) } else { Ok(found) }
    }

    fn stamp(&self, key: &str) -> io::Result<FileStamp> {
        let file = self.find(key)?;
        let since = Duration::from_millis(u64::try_from(file.written_at).unwrap_or_default());
        Ok(FileStamp { modified_at: UNIX_EPOCH + since, bytes: file.bytes })
    }

    fn folder_changed_at(&self, key: &str) -> io::Result<SystemTime> {
        self.entry_kind(key)?;
        // Each entry of the log is a change of something.
        Ok(UNIX_EPOCH + Duration::from_secs(self.lock().log().version))
    }

    fn create_folder(&self, _key: &str) -> io::Result<()> {
        Ok(())
    }

    fn create(&self, _key: &str) -> io::Result<File> {
        let (file, path) = self.cache()?.create()?;
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.insert(file.metadata()?.ino(), path);
        Ok(file)
    }

    fn finish(&self, key: &str, file: File) -> io::Result<()> {
        let number = file.metadata()?.ino();
        let path = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        let (sha256, bytes) = self.cache()?.insert(&file, path.ok_or_else(|| not_found(key))?)?;
        let file = StoredFile { sha256, bytes, written_at: now_in_millis(), place: None };
        self.current(true)?.set(key, file);
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.current(true)?;
        if let Some(file) = state.unset(from) {
            state.set(to, file);
            return Ok(());
        }
        let keys = state.keys_below(from);
        if keys.is_empty() {
            return Err(not_found(from));
        }
        for key in keys {
            if let Some(file) = state.unset(&key) {
                let new = format!("{to}{}", &key[from.len()..]);
                state.set(&new, file);
            }
        }
        Ok(())
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.current(true)?;
        let file = state.log().files.get(from).cloned().ok_or_else(|| not_found(from))?;
        state.set(to, file);
        Ok(())
    }

    fn sync_folder(&self, _key: &str) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, key: &str, may_remove: &dyn Fn(&str) -> io::Result<()>) -> io::Result<()> {
        let keys = {
            let mut state = self.current(true)?;
            match state.log().files.contains_key(key) {
                true => vec![key.to_owned()],
                false => state.keys_below(key),
            }
        };
        if keys.is_empty() {
            return Err(not_found(key));
        }
        for key in keys {
            may_remove(&key)?;
            self.lock().unset(&key);
        }
        Ok(())
    }

    fn local_path(&self, key: &str) -> io::Result<PathBuf> {
        Ok(self.fetch(&self.find(key)?)?.1)
    }

    fn commit(&self, kind: &str) -> io::Result<()> {
        self.commit_in_time(kind)
    }

    fn open_content(&self, sha256: &str) -> Option<File> {
        self.cache().ok()?.open_any(sha256)
    }

    fn drop_copy(&self, key: &str) -> bool {
        let Ok(file) = self.find(key) else { return false };
        file.place.is_some() && self.cache().is_ok_and(|cache| cache.remove(&file.sha256))
    }
}

#[cfg(test)]
mod tests;

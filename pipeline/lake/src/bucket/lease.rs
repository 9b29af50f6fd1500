//! Who writes. The log decides: a writer begins with an entry, and whoever held the lake before cannot add another one
//! after it. A lease that its holder renews only says whether to begin at all.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::client::Client;
use super::clock;
use crate::host::host_name;

/// The object that the holder renews.
pub(super) const LEASE: &str = "lease.json";

/// A holder that renewed nothing for so long is gone.
pub(super) const LEASE_TIME: Duration = Duration::from_secs(60);

const RENEWED_EVERY: Duration = Duration::from_secs(15);

/// The process that writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holder {
    pub(super) owner: String,
    pub(super) host: Option<String>,
    /// Of the start of the machine: process numbers begin anew with it.
    pub(super) boot: Option<String>,
    pub(super) pid: u32,
    /// Of this time of writing.
    pub(super) session: String,
}

/// Sessions of this process that have not ended.
static OPEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn open_sessions() -> MutexGuard<'static, BTreeSet<String>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Holder {
    pub(super) fn this_process(owner: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            host: host_name(),
            boot: boot_id(),
            pid: std::process::id(),
            session: uuid::Uuid::new_v4().to_string(),
        }
    }

    /// The session begins.
    pub(super) fn remember(&self) {
        open_sessions().insert(self.session.clone());
    }

    /// The session ended, whether or not the log says so.
    pub(super) fn forget(&self) {
        open_sessions().remove(&self.session);
    }

    pub(super) fn describe(&self) -> String {
        let host = self.host.as_ref().map(|host| format!(" on {host}")).unwrap_or_default();
        format!("process {}{host}", self.pid)
    }

    /// Whether it was a process of this machine, or a session of this process, that is no more.
    pub(super) fn is_gone(&self) -> bool {
        let here = self.boot.is_some() && self.boot == boot_id() && self.host == host_name();
        here && match self.pid == std::process::id() {
            true => !open_sessions().contains(&self.session),
            false => !std::path::Path::new(&format!("/proc/{}", self.pid)).exists(),
        }
    }
}

fn boot_id() -> Option<String> {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|id| id.trim().to_owned())
}

#[derive(Debug, Serialize, Deserialize)]
struct Lease {
    epoch: u64,
    holder: Holder,
    renewed_at: DateTime<Utc>,
}

/// Whether the writer of an epoch still renews its lease, by the clock of the store.
pub(super) fn is_held(client: &Client, epoch: u64, began: DateTime<Utc>) -> std::io::Result<bool> {
    let lease: Option<Lease> = client.get(LEASE)?.and_then(|text| serde_json::from_slice(&text).ok());
    let renewed = match lease.filter(|lease| lease.epoch == epoch) {
        Some(_) => client.modified_at(LEASE)?,
        // It may be about to write it.
        None => Some(SystemTime::from(began)),
    };
    // Machines disagree on the time; the store is one.
    const CLOCK: &str = "clock.json";
    client.put(CLOCK, "{}".into())?;
    let now = client.modified_at(CLOCK)?.unwrap_or_else(clock::now);
    Ok(renewed.is_some_and(|at| now.duration_since(at).map_or(true, |age| age < LEASE_TIME)))
}

/// Renews the lease of this process until dropped.
#[derive(Debug)]
pub(super) struct Renewal {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Renewal {
    pub(super) fn begin(client: Arc<Client>, epoch: u64, holder: Holder) -> std::io::Result<Self> {
        let renew = move || {
            let lease = Lease { epoch, holder: holder.clone(), renewed_at: clock::now_in_utc() };
            client.put(LEASE, serde_json::to_vec(&lease)?.into())
        };
        renew()?;
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::Builder::new().name("lease".to_owned()).spawn(move || {
            while stopped.recv_timeout(RENEWED_EVERY) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = renew() {
                    tracing::warn!(%error, "the lease of the lake could not be renewed");
                }
            }
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Renewal {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

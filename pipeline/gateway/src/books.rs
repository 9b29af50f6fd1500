//! The one thread that speaks with the store: it reserves for many accounts in one commit, writes down what was used,
//! and follows changes of keys. Without it nothing is counted and no revocation is seen, so that a gateway whose thread
//! died says that it is unready, and ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption, Guard};
use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::watch;
use uuid::Uuid;

use crate::counter::{Tally, Unused, Wanted};
use crate::directory::Directory;
use crate::meter::Meter;
use crate::metrics::Histogram;
use crate::plan::Plans;
use crate::store::{Ask, Settlement, Store, StoreError};
use fdna_http::{Clock, Count};

/// Between two looks at whether keys have changed: a revoked key is refused within a second.
const LOOK: Duration = Duration::from_millis(200);

/// Between two settlements.
const SETTLE: Duration = Duration::from_secs(1);

/// Between two times that minutes are forgotten.
const FORGET: Duration = Duration::from_secs(60);

/// Minutes that ended this long ago are forgotten.
const FORGET_AFTER: TimeDelta = TimeDelta::hours(1);

/// Asks that go into one commit, at most.
const BATCH: usize = 256;

/// How often the last settlements are tried: one may still be pending, and a connection may have broken.
const LAST_TRIES: usize = 4;

/// What the gateway knows of the store, and the way to ask it.
#[derive(Debug)]
pub(crate) struct Books {
    sender: Sender<Message>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    directory: ArcSwap<Directory>,
    /// Why the store cannot be asked.
    problem: ArcSwapOption<String>,
    clock: Clock,
    /// True when the thread has ended without being asked to.
    died: watch::Sender<bool>,
    reservations: Reservations,
}

/// How the store took the asks for portions.
#[derive(Debug, Default)]
pub(crate) struct Reservations {
    pub(crate) took: Histogram,
    pub(crate) failed: Count,
}

/// The thread; it ends, and gives back what is reserved, when asked to.
#[derive(Debug)]
pub(crate) struct Keeper {
    sender: Sender<Message>,
    thread: JoinHandle<()>,
}

enum Message {
    Ask(Arc<Meter>, Vec<Wanted>),
    Close,
}

/// Opens the books of a store.
///
/// # Errors
/// The store cannot be read, or no thread can be started.
pub(crate) fn open(
    mut store: Box<dyn Store>,
    plans: Plans,
    clock: Clock,
) -> Result<(Books, Keeper), StoreError> {
    let directory = Directory::of(store.register()?, &plans, &Directory::default());
    let (directory, problem, died) =
        (ArcSwap::from_pointee(directory), ArcSwapOption::empty(), watch::Sender::new(false));
    let shared = Shared { directory, problem, clock, died, reservations: Reservations::default() };
    let shared = Arc::new(shared);
    let (sender, receiver) = channel();
    let (used, unused, settlements, pending, forgot) = Default::default();
    let gateway = Uuid::new_v4().to_string();
    let told = Arc::clone(&shared);
    let keeping = Keeping { store, plans, shared: told, gateway, used, unused, settlements, pending, forgot };
    let thread = std::thread::Builder::new().name("books".to_owned()).spawn(move || {
        let _told = DeathNotice(Arc::clone(&keeping.shared));
        keeping.keep(&receiver);
    });
    let thread =
        thread.map_err(|source| StoreError::Ask { doing: "start a thread", source: source.into() })?;
    Ok((Books { sender: sender.clone(), shared }, Keeper { sender, thread }))
}

impl Books {
    /// All keys as they are known now: to be looked at, not to be kept.
    #[must_use]
    pub(crate) fn directory(&self) -> Guard<Arc<Directory>> {
        self.shared.directory.load()
    }

    /// Why the store cannot be asked; `None` if it can.
    #[must_use]
    pub(crate) fn problem(&self) -> Option<String> {
        self.shared.problem.load().as_deref().cloned()
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.shared.clock.now()
    }

    /// Ends when the thread has died; never, where it is asked to end.
    pub(crate) async fn died(&self) {
        let mut died = self.shared.died.subscribe();
        // The sender lives as long as `self`.
        let _ = died.wait_for(|died| *died).await;
    }

    pub(crate) fn is_dead(&self) -> bool {
        *self.shared.died.borrow()
    }

    pub(crate) fn reservations(&self) -> &Reservations {
        &self.shared.reservations
    }

    /// Asks for portions; the meter is told. False where the books are closed.
    pub(crate) fn ask(&self, meter: Arc<Meter>, wanted: Vec<Wanted>) -> bool {
        self.sender.send(Message::Ask(meter, wanted)).is_ok()
    }
}

impl Keeper {
    /// Settles, gives back what is reserved, and ends the thread. Blocks.
    pub(crate) fn close(self) {
        let is_told = self.sender.send(Message::Close).is_ok();
        if !is_told || self.thread.join().is_err() {
            tracing::error!("the books were not closed: what is reserved stays so");
        }
    }
}

/// Tells that the thread died, where it did not end as it was asked to.
struct DeathNotice(Arc<Shared>);

impl Drop for DeathNotice {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("the accounting thread died: nothing is counted any more");
            self.0.problem.store(Some(Arc::new("the accounting thread died".to_owned())));
            self.0.died.send_replace(true);
        }
    }
}

struct Keeping {
    store: Box<dyn Store>,
    plans: Plans,
    shared: Arc<Shared>,
    /// What the settlements are told apart from other gateways' by, and how many there were.
    gateway: String,
    settlements: i64,
    /// Requests, and portions that are not needed, since the last settlement was made.
    used: BTreeMap<Tally, i64>,
    unused: Vec<(i64, Unused)>,
    /// A settlement that may not have been applied. It is sent until the store says that it was, and not changed: the
    /// store applies it once.
    pending: Option<Settlement>,
    forgot: Option<Instant>,
}

impl Keeping {
    fn keep(mut self, receiver: &Receiver<Message>) {
        let (mut looked, mut settled) = (Instant::now(), Instant::now());
        loop {
            let first = match receiver.recv_timeout(LOOK.saturating_sub(looked.elapsed())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Message::Close),
            };
            let mut asks = Vec::new();
            for message in first.into_iter().chain(receiver.try_iter().take(BATCH)) {
                match message {
                    Message::Ask(meter, wanted) => asks.push((meter, wanted)),
                    Message::Close => return self.close(),
                }
            }
            self.reserve(&asks);
            if looked.elapsed() >= LOOK {
                self.look();
                looked = Instant::now();
            }
            if settled.elapsed() >= SETTLE {
                self.settle();
                settled = Instant::now();
            }
        }
    }

    fn reserve(&mut self, asks: &[(Arc<Meter>, Vec<Wanted>)]) {
        if asks.is_empty() {
            return;
        }
        let all = asks.iter().flat_map(|(meter, wanted)| {
            wanted.iter().map(|wanted| Ask { account_id: meter.account_id, wanted: *wanted })
        });
        let began = Instant::now();
        let granted = self.store.reserve(&all.collect::<Vec<_>>());
        let reservations = &self.shared.reservations;
        reservations.took.observe(began.elapsed());
        if granted.is_err() {
            reservations.failed.up();
        }
        match self.told(granted) {
            Some(grants) => {
                let mut grants = grants.into_iter();
                let now = self.shared.clock.now();
                asks.iter().for_each(|(meter, wanted)| meter.add(grants.by_ref().take(wanted.len()), now));
            }
            None => asks.iter().for_each(|(meter, _)| meter.fail()),
        }
    }

    /// Follows changes of accounts and keys.
    fn look(&mut self) {
        let generation = self.store.generation();
        let Some(generation) = self.told(generation) else { return };
        let before = self.shared.directory.load_full();
        if before.generation == Some(generation) {
            return;
        }
        let register = self.store.register();
        if let Some(register) = self.told(register) {
            self.shared.directory.store(Arc::new(Directory::of(register, &self.plans, &before)));
        }
    }

    /// Writes down what was used, and gives back what was not.
    fn settle(&mut self) {
        self.gather();
        if self.pending.is_none() && !self.is_settled() {
            self.settlements += 1;
            self.pending = Some(Settlement {
                gateway: self.gateway.clone(),
                number: self.settlements,
                at: self.shared.clock.now(),
                unused: std::mem::take(&mut self.unused),
                used: std::mem::take(&mut self.used),
                forget_before: self.forget_before(),
            });
        }
        let Some(settlement) = &self.pending else { return };
        let settled = self.store.settle(settlement);
        if self.told(settled).is_some() {
            self.pending = None;
        }
    }

    /// Takes together what the accounts' counters have counted.
    fn gather(&mut self) {
        for meter in self.shared.directory.load().meters() {
            let (used, left) = meter.with(crate::counter::Counter::drain);
            used.into_iter().for_each(|(tally, requests)| *self.used.entry(tally).or_default() += requests);
            self.unused.extend(left.into_iter().map(|unused| (meter.account_id, unused)));
        }
        self.used.retain(|_, requests| *requests != 0);
    }

    fn is_settled(&self) -> bool {
        self.used.is_empty() && self.unused.is_empty() && self.pending.is_none()
    }

    /// Old minutes are looked for once in a while: it takes a look at all of them.
    fn forget_before(&mut self) -> Option<DateTime<Utc>> {
        let is_time = self.forgot.is_none_or(|at| at.elapsed() >= FORGET);
        is_time.then(|| {
            self.forgot = Some(Instant::now());
            self.shared.clock.now() - FORGET_AFTER
        })
    }

    fn close(mut self) {
        self.shared.directory.load().meters().for_each(|meter| meter.with(crate::counter::Counter::close));
        for _ in 0..LAST_TRIES {
            self.settle();
            if self.is_settled() {
                return;
            }
        }
        tracing::error!("what was used last could not be written down");
    }

    /// Remembers and tells once why the store cannot be asked.
    fn told<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        let problem = &self.shared.problem;
        match result {
            Ok(value) => {
                if problem.load().is_some() {
                    problem.store(None);
                    tracing::info!("the key store answers again");
                }
                Some(value)
            }
            Err(error) => {
                let text = chain(&error);
                if problem.load().as_deref() != Some(&text) {
                    tracing::error!(problem = text, "the key store cannot be asked");
                    problem.store(Some(Arc::new(text)));
                }
                None
            }
        }
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

//! The one thread that speaks with the store: it reserves for many accounts in one commit, writes down what was used,
//! and follows changes of keys.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, ArcSwapOption, Guard};
use chrono::{DateTime, TimeDelta, Utc};

use crate::counter::Wanted;
use crate::directory::Directory;
use crate::meter::Meter;
use crate::plan::Plans;
use crate::store::{Ask, Settlement, Store, StoreError};
use crate::window::Window;
use fdna_http::Clock;

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
    let shared =
        Shared { directory: ArcSwap::from_pointee(directory), problem: ArcSwapOption::empty(), clock };
    let shared = Arc::new(shared);
    let (sender, receiver) = channel();
    let (used, forgot) = Default::default();
    let keeping = Keeping { store, plans, shared: Arc::clone(&shared), used, forgot };
    let thread = std::thread::Builder::new().name("books".to_owned()).spawn(move || keeping.keep(&receiver));
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

struct Keeping {
    store: Box<dyn Store>,
    plans: Plans,
    shared: Arc<Shared>,
    /// Requests by key and month that could not be written down yet.
    used: BTreeMap<(i64, Window), i64>,
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
        let granted = self.store.reserve(&all.collect::<Vec<_>>());
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

    /// Writes down what was used, which is tried again if it cannot be; and gives back what was not, which is not: had
    /// the store done it after all, the second time would give away what is not there.
    fn settle(&mut self) {
        let mut unused = Vec::new();
        for meter in self.shared.directory.load().meters() {
            let (used, left) = meter.with(crate::counter::Counter::drain);
            used.into_iter().for_each(|(key, requests)| *self.used.entry(key).or_default() += requests);
            unused.extend(left.into_iter().map(|unused| (meter.account_id, unused)));
        }
        self.used.retain(|_, requests| *requests != 0);
        if self.used.is_empty() && unused.is_empty() {
            return;
        }
        let used = self.used.iter().map(|((key, month), requests)| (*key, *month, *requests)).collect();
        let settlement = Settlement { unused, used, forget_before: self.forget_before() };
        let settled = self.store.settle(&settlement);
        if self.told(settled).is_some() {
            self.used.clear();
        }
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
        self.settle();
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

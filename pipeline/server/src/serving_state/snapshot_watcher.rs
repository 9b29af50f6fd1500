//! The watcher: what the source has newest is served, or why it is not is told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use arc_swap::ArcSwapOption;

use super::ServingState;
use crate::blocking::blocking;
use fdna_view::Ledger;
use fdna_view::{Dataset, LoadError};
use fdna_view::{SnapshotSource, error_chain};

/// Keeps what is served, and says why it is not the newest: the log in full, others without places.
fn record_failure(problem: &ArcSwapOption<String>, source: &dyn SnapshotSource, text: &str) {
    let redacted = source.redacted(text);
    if problem.load().as_ref().is_none_or(|old| **old != redacted) {
        tracing::error!(problem = %text, "what was served before stays");
    }
    problem.store(Some(Arc::new(redacted)));
}

/// Ticks between two attempts at what could not be loaded.
pub(crate) const TICKS_TO_RETRY: u32 = 60;

/// Ticks between two looks at all published snapshots, for damage that no request asks about.
const TICKS_TO_LOOK: u32 = 120;

/// Follows the source for ever: asks for its newest every so often, loads it whole, then swaps. What cannot be
/// loaded is tried again after a pause, or when the source has another.
pub async fn watch_snapshots(served: Arc<ServingState>, source: Arc<dyn SnapshotSource>, every: Duration) {
    let mut failed = LastFailure::default();
    let mut failed_ledger = LastFailure::default();
    served.is_ledger_known.send_replace(false);
    for tick_number in 0_u32.. {
        let snapshot = async {
            let failed = tick(&SNAPSHOT, &served, &source, failed.take()).await;
            let _ = served.has_begun.set(());
            failed
        };
        // After what a server is ready with, and beside the rest of that.
        let ledger = async {
            served.has_begun.wait().await;
            let failed = tick(&LEDGER, &served, &source, failed_ledger.take()).await;
            served.is_ledger_known.send_replace(true);
            failed
        };
        (failed, failed_ledger) = tokio::join!(snapshot, ledger);
        if tick_number.is_multiple_of(TICKS_TO_LOOK) {
            let polled = Arc::clone(&source);
            let _ = blocking(move || polled.snapshots()).await;
        }
        tokio::time::sleep(every).await;
    }
}

/// What could not be loaded, and for how many ticks it is left alone.
type LastFailure = Option<(String, u32)>;

/// Something of the source that is followed.
struct WatchedResource<T> {
    /// Its newest, and one of them, as messages call them.
    named: [&'static str; 2],
    newest: fn(&dyn SnapshotSource) -> Result<Option<String>, LoadError>,
    load: fn(&dyn SnapshotSource, &str) -> Result<Option<T>, LoadError>,
    /// What is loaded after the rest.
    load_rest: fn(&dyn SnapshotSource, &T) -> Result<(), LoadError>,
    is_serving: fn(&ServingState, &str) -> bool,
    is_any: fn(&ServingState) -> bool,
    /// Whether the first is served before [`Self::load_rest`].
    is_served_early: bool,
    /// The source has none yet.
    none: fn(&ServingState),
    publish: fn(&ServingState, Arc<T>),
    withdraw: fn(&ServingState, &T),
    problem: fn(&ServingState) -> &ArcSwapOption<String>,
    failed: fn(&ServingState, LoadError),
}

const SNAPSHOT: WatchedResource<Dataset> = WatchedResource {
    named: ["the current snapshot", "snapshot"],
    newest: |source| source.current(),
    load: |source, id| source.load(id).map(Some),
    load_rest: |source, dataset| source.load_rest(dataset),
    // One whose files are damaged is loaded anew.
    is_serving: |served, id| served.is_serving(id) && !served.is_damaged(),
    is_any: |served| served.dataset().is_some(),
    is_served_early: true,
    none: |served| served.is_empty.store(true, Ordering::Relaxed),
    publish: |served, dataset| {
        tracing::info!(snapshot = %dataset.snapshot_id(), "serving a new snapshot");
        served.publish(dataset);
    },
    withdraw: |served, dataset| {
        dataset.give_up();
        served.dataset.store(None);
    },
    problem: |served| &served.problem,
    failed: |served, error| {
        served.is_empty.store(false, Ordering::Relaxed);
        served.swaps.failure.send_replace(Some(Arc::new(error)));
    },
};

/// It grows without a new snapshot.
const LEDGER: WatchedResource<Ledger> = WatchedResource {
    named: ["the head of the ledger", "the ledger up to"],
    newest: |source| source.ledger_head(),
    load: |source, _| source.load_ledger(),
    load_rest: |_, _| Ok(()),
    is_serving: |served, head| served.ledger.load().as_ref().is_some_and(|ledger| ledger.head() == head),
    is_any: |served| served.ledger.load().is_some(),
    is_served_early: false,
    none: |_| {},
    publish: ServingState::publish_ledger,
    withdraw: |_, _| {},
    problem: |served| &served.ledger_problem,
    // A server may begin without.
    failed: |_, _| {},
};

async fn tick<T: Send + Sync + 'static>(
    what: &WatchedResource<T>,
    served: &ServingState,
    source: &Arc<dyn SnapshotSource>,
    failed: LastFailure,
) -> LastFailure {
    let ([newest_named, one_named], problem) = (what.named, (what.problem)(served));
    let (polled, newest) = (Arc::clone(source), what.newest);
    let id = match blocking(move || newest(&*polled)).await {
        Ok(Some(id)) => id,
        Ok(None) if (what.is_any)(served) => {
            record_failure(problem, &**source, &format!("{newest_named} is gone"));
            return None;
        }
        Ok(None) => {
            (what.none)(served);
            problem.store(None);
            return None;
        }
        Err(error) => {
            record_failure(
                problem,
                &**source,
                &format!("failed to find {newest_named}: {}", error_chain(&error)),
            );
            (what.failed)(served, error);
            return failed;
        }
    };
    if (what.is_serving)(served, &id) {
        problem.store(None);
        return None;
    }
    if let Some((bad, left)) = failed.filter(|(bad, left)| *bad == id && *left > 0) {
        return Some((bad, left - 1));
    }
    match load(what, served, source, &id).await {
        Ok(()) => None,
        Err(error) => {
            record_failure(
                problem,
                &**source,
                &format!("failed to load {one_named} {id}: {}", error_chain(&error)),
            );
            served.swaps.failed.inc();
            (what.failed)(served, error);
            Some((id, TICKS_TO_RETRY))
        }
    }
}

/// Loads the newest and serves it. Where nothing is served yet, it is as soon as it can answer anything; otherwise
/// what was before stays until the new one is whole.
async fn load<T: Send + Sync + 'static>(
    what: &WatchedResource<T>,
    served: &ServingState,
    source: &Arc<dyn SnapshotSource>,
    id: &str,
) -> Result<(), LoadError> {
    let (polled, load, wanted) = (Arc::clone(source), what.load, id.to_owned());
    let Some(loaded) = blocking(move || load(&*polled, &wanted)).await?.map(Arc::new) else { return Ok(()) };
    let is_first = what.is_served_early && !(what.is_any)(served);
    if is_first {
        (what.publish)(served, Arc::clone(&loaded));
    }
    let (polled, load_rest, begun) = (Arc::clone(source), what.load_rest, Arc::clone(&loaded));
    let rest = blocking(move || load_rest(&*polled, &begun)).await;
    match (rest, is_first) {
        (Ok(()), true) => {}
        (Ok(()), false) => (what.publish)(served, loaded),
        (Err(error), true) => {
            (what.withdraw)(served, &loaded);
            return Err(error);
        }
        (Err(error), false) => return Err(error),
    }
    Ok(())
}

//! Leases endpoints from the store, and starts a worker for each.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fdna_http::Clock;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::WebhookOptions;
use super::endpoint::WebhookEndpoint;
use super::metrics::WebhookMetrics;
use super::sender::WebhookSender;
use super::store_handle::StoreHandle;
use super::stream::ChangeFeed;
use super::worker::{DeliveryContext, DeliveryWorker, LeaseDeadline, WorkerEnd};
use crate::key::KeyProduct;
use crate::store::{StoreError, describe_error};
use crate::upstream::UpstreamTlsError;

/// Leases are renewed when this part of them is over.
const RENEWALS_PER_LEASE: u32 = 4;

/// Starts and ends workers.
pub(crate) struct WebhookDispatcher {
    context: Arc<DeliveryContext>,
    /// Names this process in leases.
    holder: String,
    poll: Duration,
    lease: Duration,
    drain: Duration,
    workers: HashMap<i64, RunningWorker>,
    renewed_at: Instant,
    stopped: watch::Receiver<bool>,
    /// Whether the last call of the store failed, which is logged once.
    has_failed: bool,
}

struct RunningWorker {
    epoch: i64,
    deadline: Arc<LeaseDeadline>,
    task: JoinHandle<WorkerEnd>,
}

impl WebhookDispatcher {
    /// Starts the delivery, and returns the store for those who show endpoints. Once `stopped` says so, no further message is
    /// sent; the task ends when the tries under way have, and the endpoints are given back.
    ///
    /// # Errors
    /// The authorities that receivers are trusted by cannot be used.
    pub(crate) fn start(
        options: WebhookOptions,
        product: KeyProduct,
        feed: Arc<dyn ChangeFeed>,
        clock: Clock,
        metrics: WebhookMetrics,
        stopped: watch::Receiver<bool>,
    ) -> Result<(StoreHandle, JoinHandle<()>), UpstreamTlsError> {
        let WebhookOptions { store, sender, schedule, intervals } = options;
        let store = StoreHandle::new(store);
        let sender = WebhookSender::new(&sender)?;
        // A lease must leave time for a try after a renewal that was late.
        let longest = sender.max_duration();
        let lease = intervals.lease.unwrap_or(longest * 5 / 2).max(longest * 2);
        let context = DeliveryContext {
            store: store.clone(),
            feed,
            sender,
            product,
            schedule,
            reconnect: intervals.reconnect,
            clock,
            metrics,
        };
        let dispatcher = Self {
            context: Arc::new(context),
            holder: Uuid::new_v4().to_string(),
            poll: intervals.poll,
            lease,
            drain: intervals.drain,
            workers: HashMap::new(),
            renewed_at: Instant::now(),
            stopped,
            has_failed: false,
        };
        Ok((store, tokio::spawn(dispatcher.run())))
    }

    async fn run(mut self) {
        let mut stopped = self.stopped.clone();
        loop {
            let synced = self.sync_workers().await;
            self.record_result(synced);
            let pause = tokio::time::sleep(self.poll);
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = pause => {}
            }
        }
        self.close_workers().await;
    }

    /// Brings the workers to what the store says.
    async fn sync_workers(&mut self) -> Result<(), StoreError> {
        self.reap_workers().await?;
        if !self.workers.is_empty() && self.renewed_at.elapsed() >= self.lease / RENEWALS_PER_LEASE {
            self.renew_leases().await?;
        }
        let mut endpoints = self.context.store.call(|store| store.list_endpoints()).await?;
        endpoints.retain(|endpoint| endpoint.product == self.context.product);
        let now = self.context.clock.now().timestamp();
        self.context.metrics.record_endpoints(endpoints.iter(), now);
        let is_kept = |id: i64, worker: &RunningWorker| {
            endpoints.iter().any(|endpoint| endpoint.id == id && self.holds(endpoint, worker))
        };
        let lost = self.workers.iter().filter(|(id, worker)| !is_kept(**id, worker)).map(|(id, _)| *id);
        for id in lost.collect::<Vec<_>>() {
            self.end_worker(id).await?;
        }
        for endpoint in endpoints.iter().filter(|endpoint| endpoint.is_claimable()) {
            if !self.workers.contains_key(&endpoint.id) {
                self.start_worker(endpoint.id).await?;
            }
        }
        Ok(())
    }

    fn holds(&self, endpoint: &WebhookEndpoint, worker: &RunningWorker) -> bool {
        let is_own = endpoint.lease.holder.as_ref() == Some(&self.holder);
        // A message that failed ends the lease, and the worker a moment later.
        let is_ending = endpoint.lease.holder.is_none() && worker.task.is_finished();
        endpoint.is_active() && endpoint.lease.epoch == worker.epoch && (is_own || is_ending)
    }

    /// Forgets workers that ended by themselves.
    async fn reap_workers(&mut self) -> Result<(), StoreError> {
        let ended = self.workers.iter().filter(|(_, worker)| worker.task.is_finished()).map(|(id, _)| *id);
        for id in ended.collect::<Vec<_>>() {
            self.end_worker(id).await?;
        }
        Ok(())
    }

    /// Ends a worker and whatever it is sending, before the endpoint is given back.
    async fn end_worker(&mut self, id: i64) -> Result<(), StoreError> {
        let Some(worker) = self.workers.remove(&id) else { return Ok(()) };
        worker.task.abort();
        match worker.task.await {
            Ok(WorkerEnd::Store(error)) => {
                self.context.metrics.store_failures.inc();
                tracing::error!(endpoint = id, error = describe_error(&error), "webhook worker ended");
            }
            Ok(end) => tracing::debug!(endpoint = id, %end, "webhook worker ended"),
            Err(error) if error.is_panic() => tracing::error!(endpoint = id, "webhook worker died"),
            Err(_) => tracing::debug!(endpoint = id, "webhook worker was ended"),
        }
        let holder = self.holder.clone();
        self.context.store.call(move |store| store.release_lease(id, &holder)).await
    }

    async fn renew_leases(&mut self) -> Result<(), StoreError> {
        // Before the call, so that the lease ends here before it does in the store.
        let (now, holder, lease_ms) = (Instant::now(), self.holder.clone(), self.lease_ms());
        let renewed = self.context.store.call(move |store| store.renew_leases(&holder, lease_ms)).await?;
        self.renewed_at = now;
        for (id, epoch) in renewed {
            if let Some(worker) = self.workers.get(&id).filter(|worker| worker.epoch == epoch) {
                worker.deadline.extend(now + self.lease);
            }
        }
        Ok(())
    }

    async fn start_worker(&mut self, id: i64) -> Result<(), StoreError> {
        let (now, holder, lease_ms) = (Instant::now(), self.holder.clone(), self.lease_ms());
        let claiming = self.context.store.call(move |store| store.claim_endpoint(id, &holder, lease_ms));
        let Some(endpoint) = claiming.await? else { return Ok(()) };
        let deadline = Arc::new(LeaseDeadline::new(now + self.lease));
        let epoch = endpoint.lease.epoch;
        let worker = DeliveryWorker::new(
            Arc::clone(&self.context),
            endpoint,
            Arc::clone(&deadline),
            self.stopped.clone(),
        );
        self.workers.insert(id, RunningWorker { epoch, deadline, task: tokio::spawn(worker.run()) });
        Ok(())
    }

    /// Waits for tries that are under way, and gives all endpoints back.
    async fn close_workers(&mut self) {
        let ends = tokio::time::Instant::now() + self.drain;
        for worker in self.workers.values_mut() {
            // The result is taken below.
            while !worker.task.is_finished() && tokio::time::Instant::now() < ends {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        for id in self.workers.keys().copied().collect::<Vec<_>>() {
            let ended = self.end_worker(id).await;
            self.record_result(ended);
        }
    }

    fn lease_ms(&self) -> i64 {
        i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX)
    }

    fn record_result(&mut self, result: Result<(), StoreError>) {
        if let Err(error) = &result {
            self.context.metrics.store_failures.inc();
            if !self.has_failed {
                tracing::error!(error = describe_error(error), "webhooks cannot use the key store");
            }
        } else if self.has_failed {
            tracing::info!("webhooks can use the key store again");
        }
        self.has_failed = result.is_err();
    }
}

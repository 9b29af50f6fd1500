//! Delivers to one endpoint, as long as this gateway has its lease: one message at a time, in the order of the stream.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fdna_http::Clock;
use tokio::sync::watch;

use super::endpoint::{AttemptedMessage, ClaimedEndpoint, FailureVerdict};
use super::message::WebhookMessage;
use super::metrics::{DeliveryOutcome, WebhookMetrics};
use super::schedule::RetrySchedule;
use super::sender::{DeliveryAttempt, WebhookSender};
use super::store_handle::StoreHandle;
use super::stream::{ChangeFeed, ChangeStream, StreamError, StreamEvent, StreamSource};
use crate::key::KeyProduct;
use crate::store::{StoreError, describe_error};

/// Reconnections are at most so much rarer after failures.
const MAX_BACKOFF: u32 = 10;

/// What all workers share.
pub(super) struct DeliveryContext {
    pub(super) store: StoreHandle,
    pub(super) feed: Arc<dyn ChangeFeed>,
    pub(super) sender: WebhookSender,
    pub(super) product: KeyProduct,
    pub(super) schedule: RetrySchedule,
    pub(super) reconnect: Duration,
    pub(super) clock: Clock,
    pub(super) metrics: WebhookMetrics,
}

/// Until when a lease lasts, by this process's own clock. No try begins that may outlast it.
#[derive(Debug)]
pub(super) struct LeaseDeadline(Mutex<Instant>);

impl LeaseDeadline {
    pub(super) fn new(at: Instant) -> Self {
        Self(Mutex::new(at))
    }

    pub(super) fn extend(&self, at: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }

    fn leaves(&self, time: Duration) -> bool {
        Instant::now() + time <= *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a worker ends.
#[derive(Debug, thiserror::Error)]
pub(super) enum WorkerEnd {
    #[error("the gateway stops")]
    Stopped,
    /// The message is tried again later, or the endpoint is disabled.
    #[error("the receiver did not take a message")]
    Settled,
    #[error("another gateway has the endpoint, or an operator changed it")]
    LeaseLost,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Delivers to an endpoint.
pub(super) struct DeliveryWorker {
    context: Arc<DeliveryContext>,
    endpoint: ClaimedEndpoint,
    /// As canonical hosts know it.
    client: String,
    deadline: Arc<LeaseDeadline>,
    stopped: watch::Receiver<bool>,
}

impl DeliveryWorker {
    pub(super) fn new(
        context: Arc<DeliveryContext>,
        endpoint: ClaimedEndpoint,
        deadline: Arc<LeaseDeadline>,
        stopped: watch::Receiver<bool>,
    ) -> Self {
        let client = format!("webhook-{}", endpoint.lease.endpoint_id);
        Self { context, endpoint, client, deadline, stopped }
    }

    /// Works until something ends it.
    pub(super) async fn run(mut self) -> WorkerEnd {
        match self.deliver_all().await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    async fn deliver_all(&mut self) -> Result<std::convert::Infallible, WorkerEnd> {
        if let Some(failing) = self.endpoint.failing.take() {
            self.deliver_message(failing).await?;
        }
        let mut failures = 0;
        loop {
            let error = match self.open_stream().await {
                Ok(mut stream) => {
                    failures = 0;
                    self.follow_stream(&mut stream).await?
                }
                Err(error) => error,
            };
            self.record_stream_error(&error)?;
            let pause = self.context.reconnect * (1 << failures.min(4)).min(MAX_BACKOFF);
            failures += 1;
            self.wait_for(tokio::time::sleep(pause)).await?;
        }
    }

    async fn open_stream(&self) -> Result<ChangeStream, StreamError> {
        let source = StreamSource {
            account_id: self.endpoint.account_id,
            sport: self.endpoint.sport.as_deref(),
            client: &self.client,
            last_event_id: self.endpoint.last_event_id.as_deref(),
        };
        self.context.feed.open_stream(&source).await
    }

    /// Delivers what the stream brings, until it breaks.
    async fn follow_stream(&mut self, stream: &mut ChangeStream) -> Result<StreamError, WorkerEnd> {
        loop {
            let event = match self.wait_for(stream.next_event()).await? {
                Ok(event) => event,
                Err(error) => return Ok(error),
            };
            match event {
                StreamEvent::Message { kind, id, data } => {
                    let now = self.context.clock.now();
                    match WebhookMessage::of_event(kind, id, &data, now) {
                        Some(message) => {
                            let new = AttemptedMessage { message, attempts: 0, first_attempt_at: now };
                            self.deliver_message(new).await?;
                        }
                        None => return Ok(StreamError::Unreadable),
                    }
                }
                StreamEvent::Snapshot { id } if self.endpoint.last_event_id.as_ref() != Some(&id) => {
                    let (lease, event_id) = (self.endpoint.lease.clone(), id.clone());
                    let moving = self.context.store.call(move |store| store.move_position(&lease, &event_id));
                    self.expect_lease(moving.await?)?;
                    self.endpoint.last_event_id = Some(id);
                }
                StreamEvent::Snapshot { .. } | StreamEvent::Other => {}
            }
        }
    }

    /// Sends a message once, and writes down what became of it.
    async fn deliver_message(&mut self, mut tried: AttemptedMessage) -> Result<(), WorkerEnd> {
        let (context, endpoint) = (&self.context, &self.endpoint);
        if *self.stopped.borrow() {
            return Err(WorkerEnd::Stopped);
        }
        if !self.deadline.leaves(context.sender.max_duration()) {
            return Err(WorkerEnd::LeaseLost);
        }
        let (started, now) = (Instant::now(), context.clock.now());
        let attempt =
            context.sender.send_message(&endpoint.url, &endpoint.secrets, &tried.message, now).await;
        tried.attempts = tried.attempts.saturating_add(1);
        let (outcome, result, verdict) = self.judge_attempt(&attempt, tried.attempts);
        context.metrics.record_delivery(outcome, started.elapsed());
        tracing::info!(
            endpoint = endpoint.lease.endpoint_id,
            account_id = endpoint.account_id,
            message = tried.message.id,
            kind = tried.message.kind,
            attempt = tried.attempts,
            outcome = outcome.name(),
            result,
            elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
            "webhook"
        );
        let (lease, at, id) = (endpoint.lease.clone(), context.clock.now(), tried.message.id.clone());
        let is_delivered = verdict.is_none();
        let writing = context.store.call(move |store| match verdict {
            None => store.record_delivery(&lease, &tried.message.id, &result, at),
            Some(verdict) => store.record_failure(&lease, &tried, &result, &verdict, at),
        });
        let written = writing.await?;
        self.expect_lease(written)?;
        if !is_delivered {
            return Err(WorkerEnd::Settled);
        }
        self.endpoint.last_event_id = Some(id);
        Ok(())
    }

    /// Outcome, result for people, and what follows if the message was not taken.
    fn judge_attempt(
        &self,
        attempt: &DeliveryAttempt,
        attempts: u32,
    ) -> (DeliveryOutcome, String, Option<FailureVerdict>) {
        match attempt {
            DeliveryAttempt::Delivered(status) => {
                (DeliveryOutcome::Delivered, format!("HTTP {}", status.as_u16()), None)
            }
            DeliveryAttempt::Gone => {
                let reason = "the receiver answered 410 Gone".to_owned();
                let verdict = FailureVerdict::Disable { reason, is_dead: false };
                (DeliveryOutcome::Gone, "HTTP 410".to_owned(), Some(verdict))
            }
            DeliveryAttempt::Failed { reason, retry_after } => {
                match self.context.schedule.delay_after(attempts, *retry_after) {
                    Some(delay) => {
                        let delay_ms = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
                        let verdict = FailureVerdict::RetryAfter(delay_ms);
                        (DeliveryOutcome::Failed, reason.clone(), Some(verdict))
                    }
                    None => {
                        let why = format!("a message was not taken in {attempts} tries; the last: {reason}");
                        let verdict = FailureVerdict::Disable { reason: why, is_dead: true };
                        (DeliveryOutcome::Dead, reason.clone(), Some(verdict))
                    }
                }
            }
        }
    }

    fn record_stream_error(&self, error: &StreamError) -> Result<(), WorkerEnd> {
        self.context.metrics.stream_failures.inc();
        let endpoint = self.endpoint.lease.endpoint_id;
        let described = describe_error(error);
        match error {
            StreamError::Ended => tracing::debug!(endpoint, error = described, "webhook stream"),
            _ => tracing::warn!(endpoint, error = described, "webhook stream"),
        }
        if !self.deadline.leaves(Duration::ZERO) {
            return Err(WorkerEnd::LeaseLost);
        }
        Ok(())
    }

    fn expect_lease(&self, is_written: bool) -> Result<(), WorkerEnd> {
        if is_written { Ok(()) } else { Err(WorkerEnd::LeaseLost) }
    }

    /// Waits for something, unless the gateway stops before.
    async fn wait_for<T>(&self, waiting: impl Future<Output = T>) -> Result<T, WorkerEnd> {
        let mut stopped = self.stopped.clone();
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => Err(WorkerEnd::Stopped),
            done = waiting => Ok(done),
        }
    }
}

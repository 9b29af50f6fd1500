//! Webhooks by the Standard Webhooks specification: the changes of a product, sent to the endpoints of accounts.
//!
//! ```text
//! endpoint    endpoints, leases, dead letters       message     what a receiver is sent
//! signature   secrets and signatures                schedule    when a message that failed is sent again
//! address     which addresses are public            sender      sends a message once
//! stream      changes of a canonical host, or of another feed       worker      delivers to one endpoint
//! dispatcher  leases endpoints, and starts workers  metrics
//! ```
//!
//! Each change is delivered at least once, in order, with the id of its event. A worker sends a message, waits for 2xx,
//! writes the position down, and goes on; the stream is resumed behind the position. Gateways that share a store lease
//! endpoints from it, and a gateway that lost a lease writes nothing.

mod address;
mod dispatcher;
mod endpoint;
mod message;
mod metrics;
mod schedule;
mod sender;
mod signature;
mod store_handle;
mod stream;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use fdna_http::Clock;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::key::KeyProduct;
use crate::store::WebhookStore;
use crate::upstream::UpstreamTlsError;

pub(crate) use dispatcher::WebhookDispatcher;
pub(crate) use endpoint::LeaseState;
pub use endpoint::{
    AddedEndpoint, AttemptedMessage, ClaimedEndpoint, DeadLetter, EndpointLease, EndpointSecrets,
    FailingMessage, FailureVerdict, InvalidUrl, MAX_ACCOUNT_ENDPOINTS, MAX_DEAD_LETTERS, MAX_ENDPOINTS,
    NewEndpoint, ReceiverPolicy, WebhookEndpoint, is_event_id,
};
pub use message::WebhookMessage;
pub use metrics::WebhookMetrics;
pub use schedule::RetrySchedule;
pub use sender::{DeliveryAttempt, DeliveryTimeouts, SenderOptions, WebhookSender};
pub use signature::WebhookSecret;
pub(crate) use store_handle::StoreHandle;
pub(crate) use stream::UpstreamFeed;
pub use stream::{ChangeFeed, ChangeStream, OpeningStream, StreamError, StreamEvent, StreamSource};

/// Settings of the delivery of webhooks.
pub struct WebhookOptions {
    /// Another connection to the key store: a delivery never waits for a reservation, nor the other way round.
    pub store: Box<dyn WebhookStore>,
    pub sender: SenderOptions,
    pub schedule: RetrySchedule,
    pub intervals: WebhookIntervals,
}

impl WebhookOptions {
    /// The defaults.
    #[must_use]
    pub fn new(store: Box<dyn WebhookStore>) -> Self {
        let (sender, schedule, intervals) = Default::default();
        Self { store, sender, schedule, intervals }
    }
}

/// Delivers the changes of a product that no gateway stands before, until `stopped` says so; the task ends when the tries under
/// way have.
///
/// # Errors
/// The authorities that receivers are trusted by cannot be used.
pub fn deliver_feed(
    options: WebhookOptions,
    product: KeyProduct,
    feed: Arc<dyn ChangeFeed>,
    clock: Clock,
    stopped: watch::Receiver<bool>,
) -> Result<(WebhookMetrics, JoinHandle<()>), UpstreamTlsError> {
    let metrics = WebhookMetrics::default();
    let (_, task) = WebhookDispatcher::start(options, product, feed, clock, metrics.clone(), stopped)?;
    Ok((metrics, task))
}

/// Times of the work that is not a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookIntervals {
    /// Between two looks at the endpoints of the store.
    pub poll: Duration,
    /// For which an endpoint is leased; a gateway that dies delays its endpoints by as much. Without it, two and a half
    /// times as long as a try: 40 s.
    pub lease: Option<Duration>,
    /// Until a stream that ended is opened again; more after each failure, up to ten times as long.
    pub reconnect: Duration,
    /// At shutdown, for the tries that are under way.
    pub drain: Duration,
}

impl Default for WebhookIntervals {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(1),
            lease: None,
            reconnect: Duration::from_secs(3),
            drain: Duration::from_secs(5),
        }
    }
}

//! An account with endpoints, and gateways that deliver to them in no time.

use std::time::Duration;

use fdna_gateway::key::{KeyProduct, Secret};
use fdna_gateway::plan::Plan;
use fdna_gateway::store::{Actor, EndpointChange, WebhookStore, open_webhook_store};
use fdna_gateway::webhooks::{
    AddedEndpoint, DeliveryTimeouts, NewEndpoint, ReceiverPolicy, RetrySchedule, WebhookEndpoint,
    WebhookOptions, WebhookSecret,
};

use crate::change_stream::StreamHost;
use crate::common::{Keys, TestGateway, eventually};
use crate::receiver::Received;

/// An account with an endpoint, and its store.
pub(crate) struct Hooks {
    pub(crate) keys: Keys,
    pub(crate) key: Secret,
    pub(crate) account_id: i64,
}

impl Hooks {
    pub(crate) fn new() -> Self {
        let keys = Keys::new();
        let (key, issued) = keys.issue("acme", Plan::Pro);
        Self { keys, key, account_id: issued.account_id }
    }

    pub(crate) fn store(&self) -> Box<dyn WebhookStore> {
        open_webhook_store(&self.keys.place).unwrap()
    }

    pub(crate) fn actor(&self) -> Actor {
        self.keys.actor()
    }

    /// Adds an endpoint that begins behind this event.
    pub(crate) fn add(&self, url: &str, from: Option<&str>) -> (i64, WebhookSecret) {
        let secret = WebhookSecret::generate().unwrap();
        let new = NewEndpoint {
            account_id: self.account_id,
            product: KeyProduct::Mma,
            sport: None,
            url: url.to_owned(),
            secret: secret.clone(),
        };
        let AddedEndpoint::Added(added) = self.store().add_endpoint(&new, &self.actor()).unwrap() else {
            panic!("too many")
        };
        if let Some(from) = from {
            self.change(added.id, &EndpointChange::Replay { from: Some(from.to_owned()) });
        }
        (added.id, secret)
    }

    pub(crate) fn change(&self, id: i64, change: &EndpointChange) {
        assert!(self.store().change_endpoint(id, change, &self.actor()).unwrap());
    }

    pub(crate) fn endpoint(&self, id: i64) -> WebhookEndpoint {
        self.store().list_endpoints().unwrap().into_iter().find(|endpoint| endpoint.id == id).unwrap()
    }

    pub(crate) fn options(&self) -> WebhookOptions {
        self.options_on(self.store())
    }

    /// Tests take seconds.
    pub(crate) fn options_on(&self, store: Box<dyn WebhookStore>) -> WebhookOptions {
        let mut options = WebhookOptions::new(store);
        options.sender.policy = ReceiverPolicy { allow_http: true, allow_private: true };
        options.sender.timeouts = DeliveryTimeouts { connect: SECOND / 2, total: SECOND / 2 };
        options.schedule = RetrySchedule::new(vec![SECOND / 50; 9]);
        options.intervals.poll = Duration::from_millis(20);
        options.intervals.reconnect = Duration::from_millis(20);
        options.intervals.lease = Some(SECOND * 4);
        options
    }

    pub(crate) async fn gateway(&self, stream: &StreamHost) -> TestGateway {
        self.gateway_with(stream, self.options()).await
    }

    pub(crate) async fn gateway_with(&self, stream: &StreamHost, webhooks: WebhookOptions) -> TestGateway {
        TestGateway::start_with(&self.keys, &[stream.host.url()], |options| options.webhooks = Some(webhooks))
            .await
    }

    pub(crate) async fn is_at(&self, id: i64, event: &str) -> bool {
        eventually(|| async { self.endpoint(id).last_event_id.as_deref() == Some(event) }).await
    }
}

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn numbered(snapshot: &str, numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
    numbers.map(|number| format!("{snapshot}:{number}")).collect()
}

pub(crate) fn is_signed(request: &Received, secret: &WebhookSecret) -> bool {
    let time = request.header("webhook-timestamp").parse().unwrap();
    let signature = secret.sign_message(&request.id(), time, &request.body);
    request.header("webhook-signature").split(' ').any(|own| own == signature)
}

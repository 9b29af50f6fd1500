//! Endpoints as the store has them, and what their receivers did not take.

use chrono::{DateTime, Utc};
use hyper::Uri;

use super::message::WebhookMessage;
use super::signature::WebhookSecret;
use crate::key::KeyProduct;

/// Endpoints that one account may have: each has a stream of a canonical host of its own.
pub const MAX_ACCOUNT_ENDPOINTS: i64 = 10;

/// Endpoints of all accounts: half of the streams that a canonical host has by default.
pub const MAX_ENDPOINTS: i64 = 250;

/// Dead letters that are kept of an endpoint; for one more, the oldest is dropped, and counted.
pub const MAX_DEAD_LETTERS: i64 = 100;

/// Bytes of an endpoint's URL.
const MAX_URL_BYTES: usize = 2000;

/// Characters of an id of an event.
const MAX_EVENT_ID_BYTES: usize = 300;

/// Where an account is sent the changes of a product, without the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    pub id: i64,
    pub account_id: i64,
    pub product: KeyProduct,
    /// Of an endpoint of the catalog.
    pub sport: Option<String>,
    pub url: String,
    pub created_at: DateTime<Utc>,
    /// Messages are signed with the secret before, too, until then.
    pub previous_secret_until: Option<DateTime<Utc>>,
    pub disabled_at: Option<DateTime<Utc>>,
    pub disabled_reason: Option<String>,
    /// The last event that was delivered, or passed on the way; `None` until the first.
    pub last_event_id: Option<String>,
    /// The message that failed and is tried again.
    pub failing: Option<FailingMessage>,
    pub delivered: i64,
    pub last_delivered_at: Option<DateTime<Utc>>,
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// Of the last try: `HTTP 204`, or why it failed.
    pub last_result: Option<String>,
    pub dead_letters: i64,
    /// Dead letters that were dropped for newer ones.
    pub dropped_dead_letters: i64,
    /// Its account is suspended.
    pub is_suspended: bool,
    pub(crate) lease: LeaseState,
}

impl WebhookEndpoint {
    /// State for people: `enabled`, `retrying`, `disabled` or `suspended`.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match &self.failing {
            _ if self.disabled_at.is_some() => "disabled",
            _ if self.is_suspended => "suspended",
            Some(_) => "retrying",
            None => "enabled",
        }
    }

    /// Whether no gateway works it and one may.
    pub(crate) fn is_claimable(&self) -> bool {
        self.is_active() && self.lease.is_free && self.lease.is_due
    }

    pub(crate) fn is_active(&self) -> bool {
        self.disabled_at.is_none() && !self.is_suspended
    }
}

/// A message that failed, and when it is tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingMessage {
    pub message_id: String,
    pub attempts: u32,
    pub first_attempt_at: DateTime<Utc>,
    /// `None` when it is tried as soon as the endpoint is enabled.
    pub next_attempt_at: Option<DateTime<Utc>>,
}

/// Which gateway works an endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LeaseState {
    pub(crate) holder: Option<String>,
    pub(crate) epoch: i64,
    /// Nobody holds it, or no longer.
    pub(crate) is_free: bool,
    /// No failed message waits for its time.
    pub(crate) is_due: bool,
}

/// An endpoint to be stored.
#[derive(Debug, Clone)]
pub struct NewEndpoint {
    pub account_id: i64,
    pub product: KeyProduct,
    pub sport: Option<String>,
    pub url: String,
    pub secret: WebhookSecret,
}

/// What became of an endpoint that was to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddedEndpoint {
    Added(Box<WebhookEndpoint>),
    /// There are as many as may be: of the account, or of all.
    TooMany {
        limit: i64,
        of_account: bool,
    },
}

/// The right to work an endpoint: void as soon as the epoch of the store is another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointLease {
    pub endpoint_id: i64,
    pub epoch: i64,
    pub holder: String,
}

/// The secrets of an endpoint, the newest first.
#[derive(Debug, Clone)]
pub struct EndpointSecrets {
    pub current: WebhookSecret,
    pub previous: Option<(WebhookSecret, DateTime<Utc>)>,
}

impl EndpointSecrets {
    /// Value of `webhook-signature`: by each secret that is valid at this time, with a space between.
    #[must_use]
    pub fn sign_message(&self, message: &WebhookMessage, now: DateTime<Utc>) -> String {
        let previous = self.previous.iter().filter(|(_, until)| now < *until).map(|(secret, _)| secret);
        let sign = |secret: &WebhookSecret| secret.sign_message(&message.id, now.timestamp(), &message.body);
        std::iter::once(&self.current).chain(previous).map(sign).collect::<Vec<_>>().join(" ")
    }
}

/// An endpoint that this gateway works.
#[derive(Debug, Clone)]
pub struct ClaimedEndpoint {
    pub lease: EndpointLease,
    pub account_id: i64,
    pub sport: Option<String>,
    pub url: String,
    pub secrets: EndpointSecrets,
    pub last_event_id: Option<String>,
    /// To be tried before anything else, with the number of tries so far.
    pub failing: Option<AttemptedMessage>,
}

/// A message, and how often it was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptedMessage {
    pub message: WebhookMessage,
    pub attempts: u32,
    pub first_attempt_at: DateTime<Utc>,
}

/// What becomes of a message that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureVerdict {
    /// It is tried again after so many milliseconds.
    RetryAfter(i64),
    /// The endpoint is disabled; if the message was tried often enough, it is a dead letter.
    Disable { reason: String, is_dead: bool },
}

/// A message that was not taken, as it is kept for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub id: i64,
    pub endpoint_id: i64,
    pub message: WebhookMessage,
    pub reason: String,
    pub attempts: u32,
    pub first_attempt_at: DateTime<Utc>,
    pub at: DateTime<Utc>,
}

/// Why a URL is none that messages can be sent to. The URL is not repeated: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUrl {
    #[error("it is not https://HOST/PATH of at most {MAX_URL_BYTES} printable characters")]
    Malformed,
    #[error("it is not https")]
    NotEncrypted,
    #[error("it holds a user name or password")]
    Credentials,
    #[error("its address is not one of the public Internet")]
    NotPublic,
}

/// Which receivers are allowed beside those of the public Internet over https.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReceiverPolicy {
    pub allow_http: bool,
    /// Private, loopback and all other addresses that are not public.
    pub allow_private: bool,
}

impl ReceiverPolicy {
    /// The URL, if messages may be sent to it. Names are resolved when a message is sent.
    ///
    /// # Errors
    /// See [`InvalidUrl`].
    pub fn check_url(self, url: &str) -> Result<Uri, InvalidUrl> {
        let is_printable = url.len() <= MAX_URL_BYTES && url.bytes().all(|byte| byte.is_ascii_graphic());
        let uri: Uri = url.parse().map_err(|_| InvalidUrl::Malformed)?;
        let authority = uri.authority().ok_or(InvalidUrl::Malformed)?;
        if authority.as_str().contains('@') {
            return Err(InvalidUrl::Credentials);
        }
        if !is_printable || authority.host().is_empty() || url.contains('#') {
            return Err(InvalidUrl::Malformed);
        }
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if self.allow_http => {}
            Some("http") => return Err(InvalidUrl::NotEncrypted),
            _ => return Err(InvalidUrl::Malformed),
        }
        match authority.host().trim_matches(['[', ']']).parse() {
            Ok(address) if !self.allows(address) => Err(InvalidUrl::NotPublic),
            _ => Ok(uri),
        }
    }

    /// Whether messages may be sent to an address.
    #[must_use]
    pub fn allows(self, address: std::net::IpAddr) -> bool {
        self.allow_private || super::address::is_public_address(address)
    }
}

/// Whether a text may be the id of an event: of a snapshot, and a number or `end`.
#[must_use]
pub fn is_event_id(text: &str) -> bool {
    let is_printable = text.len() <= MAX_EVENT_ID_BYTES && text.bytes().all(|byte| byte.is_ascii_graphic());
    let is_place = |place: &str| place == "end" || place.parse::<u32>().is_ok_and(|number| number > 0);
    is_printable
        && text.rsplit_once(':').is_some_and(|(snapshot, place)| !snapshot.is_empty() && is_place(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_public_urls_without_passwords_are_taken() {
        let strict = ReceiverPolicy::default();
        for (url, error) in [
            ("http://example.com/hook", InvalidUrl::NotEncrypted),
            ("https://user:hidden@example.com/", InvalidUrl::Credentials),
            ("https://hidden@example.com/", InvalidUrl::Credentials),
            ("https://127.0.0.1/", InvalidUrl::NotPublic),
            ("https://[::1]:8443/", InvalidUrl::NotPublic),
            ("https://[::ffff:10.0.0.1]/", InvalidUrl::NotPublic),
            ("https://169.254.169.254/latest", InvalidUrl::NotPublic),
            ("ftp://example.com/", InvalidUrl::Malformed),
            ("/hook", InvalidUrl::Malformed),
            ("example.com", InvalidUrl::Malformed),
            ("https://", InvalidUrl::Malformed),
            ("https://example.com/#part", InvalidUrl::Malformed),
            ("https://example.com/a b", InvalidUrl::Malformed),
        ] {
            assert_eq!(strict.check_url(url).unwrap_err(), error, "{url}");
        }
        assert!(strict.check_url("https://example.com:8443/hook?tenant=7").is_ok());
        assert!(strict.check_url(&format!("https://example.com/{}", "a".repeat(2000))).is_err());
        let open = ReceiverPolicy { allow_http: true, allow_private: true };
        assert!(open.check_url("http://127.0.0.1:9/").is_ok());
        assert_eq!(open.check_url("http://a:b@127.0.0.1:9/").unwrap_err(), InvalidUrl::Credentials);
    }

    #[test]
    fn an_event_is_named_by_snapshot_and_number() {
        for id in ["0193-ab:1", "0193-ab:end", "a:b:17"] {
            assert!(is_event_id(id), "{id}");
        }
        for id in ["", ":1", "a:", "a", "a:0", "a:-1", "a:last", "a b:1", "ä:1", "a:1\n"] {
            assert!(!is_event_id(id), "{id}");
        }
    }
}

//! Endpoints, leases and dead letters in both databases; `postgres` runs it on a server.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::key::KeyProduct;
use fdna_gateway::plan::{CustomLimits, Plan};
use fdna_gateway::store::{Actor, EndpointChange, WebhookStore, open_key_store, open_webhook_store};
use fdna_gateway::webhooks::{
    AddedEndpoint, AttemptedMessage, FailureVerdict, MAX_ACCOUNT_ENDPOINTS, MAX_DEAD_LETTERS, NewEndpoint,
    WebhookMessage, WebhookSecret,
};

use crate::common::{Keys, NOON};

/// Longer than a test takes.
const LONG: i64 = 600_000;

fn noon() -> DateTime<Utc> {
    NOON.parse().unwrap()
}

fn by() -> Actor {
    Actor { name: "ann".to_owned(), at: noon() }
}

/// Waits at least so long: a thread that was woken before does not park at once, as calls of the store wake it.
fn wait(time: Duration) {
    let ends = Instant::now() + time;
    while let Some(left) = ends.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        std::thread::park_timeout(left);
    }
}

fn new_endpoint(place: &str, account: &str) -> NewEndpoint {
    let mut keys = open_key_store(place).unwrap();
    let account_id = keys.open_account(account, Plan::Pro, CustomLimits::default(), &by()).unwrap().id;
    NewEndpoint {
        account_id,
        product: KeyProduct::Catalog,
        sport: Some("nhl".to_owned()),
        url: "https://example.com/hook".to_owned(),
        secret: WebhookSecret::generate().unwrap(),
    }
}

fn add(store: &mut dyn WebhookStore, new: &NewEndpoint) -> i64 {
    match store.add_endpoint(new, &by()).unwrap() {
        AddedEndpoint::Added(added) => added.id,
        AddedEndpoint::TooMany { .. } => panic!("too many"),
    }
}

fn attempted(id: &str, attempts: u32) -> AttemptedMessage {
    let message =
        WebhookMessage { id: id.to_owned(), kind: "catalog.change".to_owned(), body: "{}".to_owned() };
    AttemptedMessage { message, attempts, first_attempt_at: noon() }
}

/// Everything that is asked of a store of webhooks.
pub(crate) fn check(place: &str) {
    endpoints_come_back_as_they_were_kept(place);
    one_holder_at_a_time_has_a_lease(place);
    a_failure_waits_for_its_time_and_a_dead_letter_is_kept(place);
    endpoints_are_bounded(place);
}

fn endpoints_come_back_as_they_were_kept(place: &str) {
    // It makes the store, where there is none.
    let new = new_endpoint(place, "kept");
    let mut store = open_webhook_store(place).unwrap();
    let id = add(store.as_mut(), &new);
    let mut again = open_webhook_store(place).unwrap();
    let kept = again.list_endpoints().unwrap().into_iter().find(|endpoint| endpoint.id == id).unwrap();
    assert_eq!(
        (kept.product, kept.sport.as_deref(), kept.url.as_str()),
        (KeyProduct::Catalog, Some("nhl"), new.url.as_str())
    );
    assert_eq!((kept.created_at, kept.last_event_id.as_ref(), kept.state()), (noon(), None, "enabled"));
    let secrets = store.endpoint_secrets(id).unwrap().unwrap();
    assert!(secrets.current == new.secret && secrets.previous.is_none());
    let (secret, until) = (WebhookSecret::generate().unwrap(), noon() + TimeDelta::hours(1));
    let rotate = EndpointChange::RotateSecret { secret: secret.clone(), previous_until: until };
    assert!(store.change_endpoint(id, &rotate, &by()).unwrap());
    let secrets = again.endpoint_secrets(id).unwrap().unwrap();
    assert!(secrets.current == secret && secrets.previous == Some((new.secret, until)));
    assert!(store.change_endpoint(id, &EndpointChange::Disable, &by()).unwrap());
    let disabled = again.list_endpoints().unwrap().into_iter().find(|of| of.id == id).unwrap();
    assert_eq!((disabled.state(), disabled.disabled_at), ("disabled", Some(noon())));
    assert!(store.claim_endpoint(id, "a", LONG).unwrap().is_none());
    assert!(store.change_endpoint(id, &EndpointChange::Remove, &by()).unwrap());
    assert!(!store.change_endpoint(id, &EndpointChange::Enable, &by()).unwrap());
    assert!(again.endpoint_secrets(id).unwrap().is_none());
    let actions = open_key_store(place).unwrap().list_actions().unwrap();
    let own: Vec<&str> =
        actions.iter().filter(|of| of.account_id == new.account_id).map(|of| of.action.as_str()).collect();
    assert_eq!(own, ["open", "webhook-add", "webhook-rotate", "webhook-disable", "webhook-remove"]);
}

fn one_holder_at_a_time_has_a_lease(place: &str) {
    let mut stores = [(); 2].map(|()| open_webhook_store(place).unwrap());
    let id = add(stores[0].as_mut(), &new_endpoint(place, "leased"));
    let [first, second] = &mut stores;
    let claimed = first.claim_endpoint(id, "a", 200).unwrap().unwrap();
    assert_eq!((claimed.sport.as_deref(), claimed.failing), (Some("nhl"), None));
    assert!(second.claim_endpoint(id, "b", LONG).unwrap().is_none());
    assert_eq!(first.renew_leases("a", 200).unwrap(), [(id, claimed.lease.epoch)]);
    assert!(first.record_delivery(&claimed.lease, "s:1", "HTTP 200", noon()).unwrap());
    // The lease ends by itself, and another has it: the first writes nothing more.
    wait(Duration::from_millis(400));
    let taken = second.claim_endpoint(id, "b", LONG).unwrap().unwrap();
    assert_eq!(
        (taken.last_event_id.as_deref(), taken.lease.epoch > claimed.lease.epoch),
        (Some("s:1"), true)
    );
    assert_eq!(first.renew_leases("a", LONG).unwrap(), []);
    assert!(!first.record_delivery(&claimed.lease, "s:2", "HTTP 200", noon()).unwrap());
    assert!(!first.move_position(&claimed.lease, "s:2").unwrap());
    let retry = FailureVerdict::RetryAfter(1);
    assert!(!first.record_failure(&claimed.lease, &attempted("s:2", 1), "x", &retry, noon()).unwrap());
    first.release_lease(id, "a").unwrap();
    assert!(second.move_position(&taken.lease, "s:end").unwrap());
    // An operator's change ends it, too, but not before its holder gives it back.
    assert!(
        first.change_endpoint(id, &EndpointChange::Replay { from: Some("s:1".to_owned()) }, &by()).unwrap()
    );
    assert!(!second.move_position(&taken.lease, "s:9").unwrap());
    assert!(first.claim_endpoint(id, "a", LONG).unwrap().is_none());
    second.release_lease(id, "b").unwrap();
    let again = first.claim_endpoint(id, "a", LONG).unwrap().unwrap();
    assert_eq!(again.last_event_id.as_deref(), Some("s:1"));
}

fn a_failure_waits_for_its_time_and_a_dead_letter_is_kept(place: &str) {
    let mut store = open_webhook_store(place).unwrap();
    let id = add(store.as_mut(), &new_endpoint(place, "failing"));
    let lease = store.claim_endpoint(id, "a", LONG).unwrap().unwrap().lease;
    let retry = FailureVerdict::RetryAfter(200);
    assert!(store.record_failure(&lease, &attempted("s:1", 1), "HTTP 500", &retry, noon()).unwrap());
    assert!(store.claim_endpoint(id, "b", LONG).unwrap().is_none(), "it waits");
    wait(Duration::from_millis(400));
    let claimed = store.claim_endpoint(id, "b", LONG).unwrap().unwrap();
    assert_eq!(claimed.failing, Some(attempted("s:1", 1)));
    let mut lease = claimed.lease;
    let letters = usize::try_from(MAX_DEAD_LETTERS).unwrap();
    for number in 1..=letters + 3 {
        let dead = FailureVerdict::Disable { reason: format!("reason {number}"), is_dead: true };
        let failed = attempted(&format!("s:{number}"), 10);
        assert!(store.record_failure(&lease, &failed, "HTTP 500", &dead, noon()).unwrap());
        assert!(store.claim_endpoint(id, "b", LONG).unwrap().is_none(), "it is disabled");
        assert!(store.change_endpoint(id, &EndpointChange::Enable, &by()).unwrap());
        let claimed = store.claim_endpoint(id, "b", LONG).unwrap().unwrap();
        assert_eq!(claimed.failing, Some(attempted(&format!("s:{number}"), 0)), "it is tried anew");
        lease = claimed.lease;
    }
    let kept = store.dead_letters(Some(id)).unwrap();
    assert_eq!((kept.len(), kept[0].message.id.as_str(), kept[0].attempts), (letters, "s:4", 10));
    let of = |store: &mut dyn WebhookStore| {
        let endpoint = store.list_endpoints().unwrap().into_iter().find(|of| of.id == id).unwrap();
        (endpoint.dead_letters, endpoint.dropped_dead_letters)
    };
    assert_eq!(of(store.as_mut()), (MAX_DEAD_LETTERS, 3));
    assert!(store.record_delivery(&lease, &format!("s:{}", letters + 3), "HTTP 200", noon()).unwrap());
    assert_eq!(of(store.as_mut()), (MAX_DEAD_LETTERS - 1, 3));
}

/// What a gateway does all day, in the store of an operator.
pub(crate) fn deliver_and_bury(operator: &str, gateway: &str) {
    let id = add(open_webhook_store(operator).unwrap().as_mut(), &new_endpoint(operator, "acme"));
    let mut store = open_webhook_store(gateway).unwrap();
    let lease = store.claim_endpoint(id, "a", LONG).unwrap().unwrap().lease;
    assert_eq!(store.renew_leases("a", LONG).unwrap().len(), 1);
    assert!(store.move_position(&lease, "s:end").unwrap());
    assert!(store.record_delivery(&lease, "t:1", "HTTP 200", noon()).unwrap());
    let dead = FailureVerdict::Disable { reason: "x".to_owned(), is_dead: true };
    assert!(store.record_failure(&lease, &attempted("t:2", 1), "HTTP 500", &dead, noon()).unwrap());
    assert_eq!(store.dead_letters(Some(id)).unwrap().len(), 1);
    store.release_lease(id, "a").unwrap();
}

fn endpoints_are_bounded(place: &str) {
    let mut store = open_webhook_store(place).unwrap();
    let new = new_endpoint(place, "many");
    for _ in 0..MAX_ACCOUNT_ENDPOINTS {
        add(store.as_mut(), &new);
    }
    let refused = AddedEndpoint::TooMany { limit: MAX_ACCOUNT_ENDPOINTS, of_account: true };
    assert_eq!(store.add_endpoint(&new, &by()).unwrap(), refused);
}

#[test]
fn sqlite_keeps_webhooks() {
    let keys = Keys::new();
    check(&keys.place);
    assert_eq!(fdna_gateway::store::verify_store(&keys.place).unwrap(), Vec::<String>::new());
}

//! Keys of this product, in memory: whose a key is, and what it may ask in a minute. The store of keys is the gateway's,
//! and is asked every second whether it has changed. Plans do not apply.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use chrono::{DateTime, Utc};
use fdna_gateway::address_limiter::MinuteCounter;
use fdna_gateway::key::{KeyDigest, KeyProduct};
use fdna_gateway::presented_key;
use fdna_gateway::scope::KeyScopes;
use fdna_gateway::store::{KeyRegistry, Store, StoreError, describe_error};
use fdna_http::AuthenticatedCaller;
use hyper::header::HeaderMap;

use crate::refusal::{Code, Refusal};

/// Between two looks at the store of keys.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Placeholder for a plan in the log.
const NO_PLAN: &str = "none";

/// A key of this product.
#[derive(Debug)]
pub(crate) struct KeyHolder {
    pub(crate) key_id: i64,
    pub(crate) account: Arc<str>,
    pub(crate) scopes: KeyScopes,
    pub(crate) caller: Arc<AuthenticatedCaller>,
    pub(crate) requests: Arc<MinuteCounter>,
    digest: KeyDigest,
    expires_at: Option<DateTime<Utc>>,
}

/// All valid keys.
#[derive(Debug, Default)]
pub(crate) struct KeyRing {
    generation: Option<i64>,
    holders: HashMap<KeyDigest, Arc<KeyHolder>>,
    /// Names of accounts that are not suspended, by their number.
    account_names: HashMap<i64, Arc<str>>,
    counters: HashMap<i64, Arc<MinuteCounter>>,
    /// Accounts of all keys of the product, also of those that are not valid.
    pub(crate) accounts: Vec<(i64, String)>,
}

impl KeyRing {
    fn build_ring(registry: KeyRegistry, previous: &Self) -> Self {
        let mut ring = Self { generation: Some(registry.generation), ..Self::default() };
        let accounts: HashMap<i64, _> =
            registry.accounts.into_iter().map(|account| (account.id, account)).collect();
        let active = accounts.values().filter(|account| account.suspended_at.is_none());
        ring.account_names = active.map(|account| (account.id, account.name.as_str().into())).collect();
        let own = registry.keys.into_iter().filter(|key| KeyProduct::of_key(&key.shown) == KeyProduct::Leads);
        for key in own {
            let Some(account) = accounts.get(&key.account_id) else { continue };
            ring.accounts.push((key.id, account.name.clone()));
            if [key.revoked_at, key.suspended_at, account.suspended_at].iter().any(Option::is_some) {
                continue;
            }
            let requests = previous.counters.get(&key.id).cloned().unwrap_or_default();
            ring.counters.insert(key.id, Arc::clone(&requests));
            let caller = AuthenticatedCaller { account: account.name.clone(), plan: NO_PLAN, key_id: key.id };
            let holder = KeyHolder {
                key_id: key.id,
                account: account.name.as_str().into(),
                scopes: key.scopes,
                caller: Arc::new(caller),
                requests,
                digest: key.digest,
                expires_at: key.expires_at,
            };
            ring.holders.insert(key.digest, Arc::new(holder));
        }
        ring
    }

    /// The name of an account that is not suspended.
    pub(crate) fn account_name(&self, id: i64) -> Option<Arc<str>> {
        self.account_names.get(&id).cloned()
    }

    /// Whether a key opens anything still.
    pub(crate) fn has_key(&self, holder: &KeyHolder, now: DateTime<Utc>) -> bool {
        let found = self.holders.get(&holder.digest);
        found.is_some_and(|holder| holder.expires_at.is_none_or(|at| now < at))
    }

    /// Identifies the sender of a request. Whatever is wrong with a key, it takes the same time and gets the same answer.
    pub(crate) fn authenticate(
        &self,
        headers: &HeaderMap,
        now: DateTime<Utc>,
    ) -> Result<Arc<KeyHolder>, Refusal> {
        let digest = KeyDigest::of_text(presented_key(headers)?);
        let found = self.holders.get(&digest);
        // Compared without a key too, so that it takes as long.
        let other = KeyDigest([0; 32]);
        let is_same = digest.equals(found.map_or(&other, |holder| &holder.digest));
        let is_valid = |holder: &&Arc<KeyHolder>| is_same & holder.expires_at.is_none_or(|at| now < at);
        let invalid = || {
            Refusal::new(Code::Unauthorized, "Invalid API key: unknown, revoked, expired, or of another API")
        };
        found.filter(is_valid).map(Arc::clone).ok_or_else(invalid)
    }
}

/// Reads all keys.
///
/// # Errors
/// The store of keys cannot be read.
pub(crate) fn load_keys(store: &mut dyn Store) -> Result<KeyRing, StoreError> {
    Ok(KeyRing::build_ring(store.key_registry()?, &KeyRing::default()))
}

/// Follows the store of keys until the sender of `stopped` is gone. Its calls block, so that this is for a thread of its own. `problem` is why
/// it cannot be read, if it cannot.
pub(crate) fn follow_store(
    mut store: Box<dyn Store>,
    ring: &ArcSwap<KeyRing>,
    problem: &ArcSwapOption<String>,
    stopped: &Receiver<()>,
) {
    while stopped.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let previous = ring.load_full();
        let read = store.generation().and_then(|generation| {
            let has_changed = previous.generation != Some(generation);
            has_changed.then(|| store.key_registry()).transpose()
        });
        match read {
            Ok(changed) => {
                if let Some(registry) = changed {
                    ring.store(Arc::new(KeyRing::build_ring(registry, &previous)));
                }
                if problem.swap(None).is_some() {
                    tracing::info!("the key store can be read again");
                }
            }
            Err(error) => {
                let error = describe_error(&error);
                if problem.load().as_deref() != Some(&error) {
                    tracing::error!(error, "the key store cannot be read");
                    problem.store(Some(Arc::new(error)));
                }
            }
        }
    }
}

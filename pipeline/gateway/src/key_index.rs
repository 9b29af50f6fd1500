//! All keys of the store, in memory, by digest: looking up an unknown key costs no query, and as long as a known one.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use fdna_api::Plan;
use fdna_http::AuthenticatedCaller;

use crate::key::{KeyDigest, KeyProduct};
use crate::plan::{Limits, Plans};
use crate::store::{Account, Key, KeyRegistry};
use crate::usage_tracker::UsageTracker;

/// A key with its account.
#[derive(Debug)]
pub(crate) struct ApiKeyIdentity {
    pub(crate) key_id: i64,
    /// The key's first characters, for logs.
    pub(crate) shown: String,
    pub(crate) account: String,
    pub(crate) plan: Plan,
    pub(crate) limits: Limits,
    pub(crate) tracker: Arc<UsageTracker>,
    /// For the access log.
    pub(crate) caller: Arc<AuthenticatedCaller>,
    pub(crate) expires_at: Option<DateTime<Utc>>,
    digest: KeyDigest,
    /// Revoked or suspended, or its account is suspended.
    is_disabled: bool,
}

/// All keys of one generation of the store.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    pub(crate) generation: Option<i64>,
    identities: HashMap<KeyDigest, Arc<ApiKeyIdentity>>,
    trackers: HashMap<i64, Arc<UsageTracker>>,
}

impl KeyIndex {
    /// Indexes the keys of an API, and keeps the usage trackers of the previous index.
    pub(crate) fn build_index(
        product: KeyProduct,
        registry: KeyRegistry,
        plans: &Plans,
        previous: &Self,
    ) -> Self {
        let mut index = Self { generation: Some(registry.generation), ..Self::default() };
        let mut accounts = HashMap::new();
        for account in registry.accounts {
            let tracker = previous.trackers.get(&account.id).cloned();
            let tracker = tracker.unwrap_or_else(|| Arc::new(UsageTracker::new(account.id)));
            index.trackers.insert(account.id, tracker);
            match plans.limits_of(account.plan, account.custom) {
                Ok(limits) => drop(accounts.insert(account.id, (account, limits))),
                Err(error) => tracing::error!(account = account.name, %error, "its keys are not valid"),
            }
        }
        for key in registry.keys.into_iter().filter(|key| KeyProduct::of_key(&key.shown) == product) {
            let Some((account, limits)) = accounts.get(&key.account_id) else { continue };
            let Some(tracker) = index.trackers.get(&key.account_id) else { continue };
            let identity = ApiKeyIdentity::new(key, account, *limits, Arc::clone(tracker));
            index.identities.insert(identity.digest, Arc::new(identity));
        }
        index
    }

    /// The key of this digest, if it is valid at this time.
    pub(crate) fn lookup_key(&self, digest: &KeyDigest, now: DateTime<Utc>) -> Option<Arc<ApiKeyIdentity>> {
        let found = self.identities.get(digest);
        // Compared without a key too, so that it takes as long.
        let other = KeyDigest([0; 32]);
        let is_same = digest.equals(found.map_or(&other, |identity| &identity.digest));
        found.filter(|identity| is_same && identity.is_valid(now)).map(Arc::clone)
    }

    pub(crate) fn trackers(&self) -> impl Iterator<Item = &Arc<UsageTracker>> {
        self.trackers.values()
    }

    pub(crate) fn len(&self) -> usize {
        self.identities.len()
    }
}

impl ApiKeyIdentity {
    fn new(key: Key, account: &Account, limits: Limits, tracker: Arc<UsageTracker>) -> Self {
        let caller =
            AuthenticatedCaller { account: account.name.clone(), plan: account.plan.name(), key_id: key.id };
        let disabled_at = [key.revoked_at, key.suspended_at, account.suspended_at];
        Self {
            key_id: key.id,
            shown: key.shown,
            account: account.name.clone(),
            plan: account.plan,
            limits,
            tracker,
            caller: Arc::new(caller),
            expires_at: key.expires_at,
            digest: key.digest,
            is_disabled: disabled_at.iter().any(Option::is_some),
        }
    }

    fn is_valid(&self, now: DateTime<Utc>) -> bool {
        !self.is_disabled & self.expires_at.is_none_or(|at| now < at)
    }
}

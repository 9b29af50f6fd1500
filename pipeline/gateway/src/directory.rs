//! Whose key it is: all keys of the store, in memory, by digest.
//!
//! A key that is unknown costs the store nothing, and is found unknown in the same time as one that is known.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use fdna_api::Plan;
use fdna_http::Caller;

use crate::key::KeyDigest;
use crate::meter::Meter;
use crate::plan::{Limits, Plans};
use crate::store::{Account, Key, Register};

/// What a key stands for.
#[derive(Debug)]
pub(crate) struct Holder {
    pub key_id: i64,
    /// The key's beginning, for logs.
    pub shown: String,
    pub account: String,
    pub plan: Plan,
    pub limits: Limits,
    pub(crate) meter: Arc<Meter>,
    /// As the access log names it.
    pub(crate) caller: Arc<Caller>,
    digest: KeyDigest,
    pub(crate) expires_at: Option<DateTime<Utc>>,
    /// Revoked or suspended, or its account is suspended.
    is_stopped: bool,
}

/// All keys at one moment.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    pub(crate) generation: Option<i64>,
    holders: HashMap<KeyDigest, Arc<Holder>>,
    meters: HashMap<i64, Arc<Meter>>,
}

impl Directory {
    /// What the store holds, with the meters of accounts that are known already.
    #[must_use]
    pub(crate) fn of(register: Register, plans: &Plans, before: &Self) -> Self {
        let mut directory = Self { generation: Some(register.generation), ..Self::default() };
        let meter = |id: i64| before.meters.get(&id).cloned().unwrap_or_else(|| Arc::new(Meter::of(id)));
        let mut accounts = HashMap::new();
        for account in register.accounts {
            directory.meters.insert(account.id, meter(account.id));
            match plans.limits(account.plan, account.custom) {
                Ok(limits) => drop(accounts.insert(account.id, (account, limits))),
                Err(error) => tracing::error!(account = account.name, %error, "its keys are not valid"),
            }
        }
        for key in register.keys {
            let Some((account, limits)) = accounts.get(&key.account_id) else { continue };
            let Some(meter) = directory.meters.get(&key.account_id) else { continue };
            let holder = Holder::of(key, account, *limits, Arc::clone(meter));
            directory.holders.insert(holder.digest, Arc::new(holder));
        }
        directory
    }

    /// Who holds the key of this digest, if it is valid now.
    #[must_use]
    pub(crate) fn find(&self, digest: &KeyDigest, now: DateTime<Utc>) -> Option<Arc<Holder>> {
        let found = self.holders.get(digest);
        let other = KeyDigest([0; 32]);
        let is_same = digest.is(found.map_or(&other, |holder| &holder.digest));
        found.filter(|holder| is_same && holder.is_valid(now)).map(Arc::clone)
    }

    /// The meters of all accounts.
    pub(crate) fn meters(&self) -> impl Iterator<Item = &Arc<Meter>> {
        self.meters.values()
    }

    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.holders.len()
    }
}

impl Holder {
    fn of(key: Key, account: &Account, limits: Limits, meter: Arc<Meter>) -> Self {
        let caller = Caller { account: account.name.clone(), plan: account.plan.name(), key_id: key.id };
        Self {
            caller: Arc::new(caller),
            key_id: key.id,
            shown: key.shown,
            account: account.name.clone(),
            plan: account.plan,
            limits,
            meter,
            digest: key.digest,
            expires_at: key.expires_at,
            is_stopped: [key.revoked_at, key.suspended_at, account.suspended_at].iter().any(Option::is_some),
        }
    }

    fn is_valid(&self, now: DateTime<Utc>) -> bool {
        !self.is_stopped & self.expires_at.is_none_or(|at| now < at)
    }
}

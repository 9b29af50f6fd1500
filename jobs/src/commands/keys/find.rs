//! Lookup of the key or account that an operator means.

use std::io::Read as _;

use anyhow::Context as _;
use fdna_gateway::key::Secret;
use fdna_gateway::store::{Account, Key, KeyRegistry, Store, Subject};
use fdna_run::exit::{ExitCode, error_with_code};

use crate::commands::key_store::unavailable_store;

/// Prefix of every key.
const PREFIX: &str = "fdk_";
/// Bytes of what is taken for a name and repeated: less than what is secret of a key.
const LONGEST_NAME: usize = 24;

pub(super) fn account_named<'a>(registry: &'a KeyRegistry, name: &str) -> anyhow::Result<&'a Account> {
    let found = registry.accounts.iter().find(|account| account.name == name);
    found.ok_or_else(|| {
        error_with_code(ExitCode::Usage, format!("keys: no account `{name}`; `fightdna keys list` has them"))
    })
}

/// The account of this name, or else the key, and what to call it.
pub(super) fn find_subject(store: &mut dyn Store, who: &str) -> anyhow::Result<(Subject, String)> {
    let registry = store.key_registry().map_err(unavailable_store)?;
    if let Ok(account) = account_named(&registry, who) {
        return Ok((Subject::Account(account.id), format!("account {}", account.name)));
    }
    let (_, key) = find_key(store, who)?;
    Ok((Subject::Key(key.id), format!("key {} ({}…)", key.id, key.shown)))
}

/// The one key that is meant, by number, beginning or whole, and its account.
pub(super) fn find_key(store: &mut dyn Store, meant: &str) -> anyhow::Result<(Account, Key)> {
    let mut text = meant.to_owned();
    if meant == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).context("cannot read a key from standard input")?;
    }
    let text = text.trim();
    let registry = store.key_registry().map_err(unavailable_store)?;
    let (number, digest) = (text.parse::<i64>().ok(), Secret::parse(text).map(|secret| secret.digest()));
    let is_meant = |key: &&Key| match (number, &digest) {
        (Some(number), _) => key.id == number,
        (_, Some(digest)) => key.digest.equals(digest),
        _ => key.shown == text.trim_end_matches('…'),
    };
    let found: Vec<&Key> = registry.keys.iter().filter(is_meant).collect();
    // What was typed may be a secret, so that it is not repeated.
    let [key] = found.as_slice() else {
        let is_name = number.is_none() && !text.starts_with(PREFIX) && text.len() <= LONGEST_NAME;
        let what = match found.is_empty() {
            true if is_name => format!("no account and no key `{text}`"),
            true => "no such key".to_owned(),
            false => "several keys begin so: give the number".to_owned(),
        };
        return Err(error_with_code(ExitCode::Usage, format!("keys: {what}; `fightdna keys list` has them")));
    };
    let account = registry.accounts.iter().find(|account| account.id == key.account_id);
    Ok((account.context("no account for the key")?.clone(), (*key).clone()))
}

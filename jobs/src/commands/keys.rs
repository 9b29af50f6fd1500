//! `fightdna keys`: what an operator does with keys and accounts. A running gateway follows within a second.

mod args;
mod export;
mod find;
mod show;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use fdna_gateway::key::{Environment, KeyProduct, Secret};
use fdna_gateway::plan::CustomLimits;
use fdna_gateway::scope::{KeyScope, KeyScopes};
use fdna_gateway::store::{Account, Actor, Key, NewKey, Store};
use fdna_gateway::window::Window;
use fdna_run::exit::{ExitCode, error_with_code};

use crate::commands::key_store::{actor_name, unavailable_store};
use crate::commands::verification::checked_store;
use crate::output::CommandReport;
use args::{KeysCommand, ProductArg, TermsArgs};
use find::{account_named, find_key, find_subject};

pub(crate) use args::KeysArgs;

impl KeysArgs {
    /// Does what is asked, and tells it.
    pub(crate) fn run(&self, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        if matches!(self.command, KeysCommand::Verify) {
            let problems = self.store.verify_store()?;
            return Ok(checked_store("key store", problems));
        }
        let makes_store = matches!(self.command, KeysCommand::Issue { .. } | KeysCommand::Migrate);
        let mut store = if makes_store { self.store.open_store()? } else { self.store.open_existing()? };
        let store = store.as_mut();
        let by = Actor { name: actor_name(self.by.as_deref(), "keys")?, at: now };
        match &self.command {
            KeysCommand::Issue { terms, product, scopes, test, label, expires } => {
                let wanted = IssuedKey {
                    product: (*product).into(),
                    environment: if *test { Environment::Test } else { Environment::Live },
                    label: label.clone(),
                    scopes: scopes_of(*product, scopes)?,
                    expires_at: expires.map(|e| e.instant_after(now)),
                };
                self.issue_key(store, terms, wanted, &by)
            }
            KeysCommand::Plan(terms) => self.change_plan(store, terms, &by),
            KeysCommand::List { account } => list_keys(store, account.as_deref(), now),
            KeysCommand::Rotate { key, overlap_hours, expires } => {
                rotate_key(store, key, *overlap_hours, expires.map(|e| e.instant_after(now)), &by)
            }
            KeysCommand::Revoke { key } => {
                let (_, key) = find_key(store, key)?;
                store.revoke_key(key.id, &by).map_err(unavailable_store)?;
                Ok(show::revoked_report(&key))
            }
            KeysCommand::Suspend { who } => suspend_subject(store, who, true, &by),
            KeysCommand::Resume { who } => suspend_subject(store, who, false, &by),
            KeysCommand::Log { account } => show_log(store, account.as_deref()),
            KeysCommand::Usage { who, month } => self.report_usage(store, who, *month, now),
            KeysCommand::Export { from, to, format } => export::export_usage(store, *from, *to, *format),
            // Opening it did.
            KeysCommand::Migrate | KeysCommand::Verify => Ok(show::migrated_report()),
        }
    }

    fn issue_key(
        &self,
        store: &mut dyn Store,
        terms: &TermsArgs,
        wanted: IssuedKey,
        by: &Actor,
    ) -> anyhow::Result<CommandReport> {
        self.check_terms(terms)?;
        if terms.account.is_empty() || terms.account.starts_with("fdk_") {
            return Err(error_with_code(
                ExitCode::Usage,
                "keys: an account needs a name, and not one like a key's",
            ));
        }
        if terms.account.starts_with(export::FORMULA) || terms.account.contains(char::is_control) {
            let message = "keys: the name of an account must not begin with =, +, - or @, which a spreadsheet would run, nor \
                           have control characters";
            return Err(error_with_code(ExitCode::Usage, message));
        }
        check_end(wanted.expires_at, by.at)?;
        let account = store.open_account(&terms.account, terms.plan, terms.custom_limits(), by);
        let account = account.map_err(unavailable_store)?;
        let has_numbers =
            terms.custom_limits() == CustomLimits::default() || terms.custom_limits() == account.custom;
        if account.plan != terms.plan || !has_numbers {
            let (name, has) = (&account.name, account.plan.name());
            let wanted = terms.plan.name();
            let message = format!(
                "keys: account `{name}` is on plan {has} with other limits. To change them: fightdna keys plan \
                 --account {name} --plan {wanted}"
            );
            return Err(error_with_code(ExitCode::Usage, message));
        }
        let (secret, key) = wanted.add_key(store, account.id, None, by)?;
        Ok(show::issued_report(&account, &key, &secret, None))
    }

    fn change_plan(
        &self,
        store: &mut dyn Store,
        terms: &TermsArgs,
        by: &Actor,
    ) -> anyhow::Result<CommandReport> {
        self.check_terms(terms)?;
        let registry = store.key_registry().map_err(unavailable_store)?;
        let account = account_named(&registry, &terms.account)?;
        store.change_plan(account.id, terms.plan, terms.custom_limits(), by).map_err(unavailable_store)?;
        let account = Account { plan: terms.plan, custom: terms.custom_limits(), ..account.clone() };
        let limits = self.store.read_plans()?.limits_of(account.plan, account.custom)?;
        Ok(show::plan_report(&account, limits))
    }

    /// Refuses terms under which no request could be judged.
    fn check_terms(&self, terms: &TermsArgs) -> anyhow::Result<()> {
        let limits = self.store.read_plans()?.limits_of(terms.plan, terms.custom_limits());
        limits.map(drop).map_err(|error| {
            error_with_code(ExitCode::Usage, format!("keys: {error}: pass --per-minute and --per-month"))
        })
    }

    fn report_usage(
        &self,
        store: &mut dyn Store,
        who: &str,
        month: Option<NaiveDate>,
        now: DateTime<Utc>,
    ) -> anyhow::Result<CommandReport> {
        let registry = store.key_registry().map_err(unavailable_store)?;
        let account = match registry.accounts.iter().find(|account| account.name == who) {
            Some(account) => account.clone(),
            None => find_key(store, who)?.0,
        };
        let at = month.and_then(|day| day.and_hms_opt(0, 0, 0)).map_or(now, |at| at.and_utc());
        let month = Window::month_of(at);
        let usage = store.account_usage(account.id, month).map_err(unavailable_store)?;
        let limits = self.store.read_plans()?.limits_of(account.plan, account.custom)?;
        Ok(show::usage_report(&account, limits, &registry.keys, month, &usage))
    }
}

fn list_keys(
    store: &mut dyn Store,
    account: Option<&str>,
    now: DateTime<Utc>,
) -> anyhow::Result<CommandReport> {
    let registry = store.key_registry().map_err(unavailable_store)?;
    if let Some(name) = account {
        account_named(&registry, name)?;
    }
    let last_used = store.last_used().map_err(unavailable_store)?.into_iter().collect();
    Ok(show::list_report(&registry, &last_used, account, now))
}

fn rotate_key(
    store: &mut dyn Store,
    key: &str,
    overlap_hours: u32,
    expires_at: Option<DateTime<Utc>>,
    by: &Actor,
) -> anyhow::Result<CommandReport> {
    check_end(expires_at, by.at)?;
    let (account, old) = find_key(store, key)?;
    if old.revoked_at.is_some() {
        return Err(error_with_code(
            ExitCode::Usage,
            format!("keys: key {} is revoked: issue a new one", old.id),
        ));
    }
    let ends = by.at + TimeDelta::hours(i64::from(overlap_hours));
    let label = old.label.clone();
    let (product, environment) = (KeyProduct::of_key(&old.shown), old.environment);
    let scopes = old.scopes.clone();
    let new = IssuedKey { product, environment, label, scopes, expires_at };
    let (secret, new) = new.add_key(store, account.id, Some((old.id, ends)), by)?;
    let ends = old.expires_at.map_or(ends, |at| at.min(ends));
    Ok(show::issued_report(&account, &new, &secret, Some((&old, ends))))
}

fn suspend_subject(
    store: &mut dyn Store,
    who: &str,
    suspended: bool,
    by: &Actor,
) -> anyhow::Result<CommandReport> {
    let (subject, name) = find_subject(store, who)?;
    let is_changed = store.set_suspended(subject, suspended, by).map_err(unavailable_store)?;
    Ok(show::suspended_report(subject, &name, suspended, is_changed))
}

fn show_log(store: &mut dyn Store, account: Option<&str>) -> anyhow::Result<CommandReport> {
    let registry = store.key_registry().map_err(unavailable_store)?;
    let account = account.map(|name| account_named(&registry, name)).transpose()?.map(|account| account.id);
    let mut actions = store.list_actions().map_err(unavailable_store)?;
    actions.retain(|action| account.is_none_or(|id| action.account_id == id));
    Ok(show::log_report(&registry, &actions))
}

/// A key that is wanted.
struct IssuedKey {
    product: KeyProduct,
    environment: Environment,
    label: Option<String>,
    scopes: KeyScopes,
    expires_at: Option<DateTime<Utc>>,
}

impl IssuedKey {
    fn add_key(
        self,
        store: &mut dyn Store,
        account_id: i64,
        ends: Option<(i64, DateTime<Utc>)>,
        by: &Actor,
    ) -> anyhow::Result<(Secret, Key)> {
        let secret = Secret::generate_for(self.product, self.environment)?;
        let Self { label, scopes, expires_at, .. } = self;
        let new =
            NewKey { label, scopes, expires_at, ..NewKey::of_account(account_id, self.environment, &secret) };
        let key = store.add_key(&new, ends, by).map_err(unavailable_store)?;
        Ok((secret, key))
    }
}

/// All, where none are named.
fn scopes_of(product: ProductArg, named: &[KeyScope]) -> anyhow::Result<KeyScopes> {
    match (product, named) {
        (_, []) => Ok(KeyScopes::default()),
        (ProductArg::Leads, named) => Ok(named.iter().copied().collect()),
        _ => Err(error_with_code(ExitCode::Usage, "keys: only keys of --product leads have scopes")),
    }
}

fn check_end(expires_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> anyhow::Result<()> {
    match expires_at.filter(|at| *at <= now) {
        Some(at) => {
            let message = format!("keys: a key that expires {} would never be valid", at.to_rfc3339());
            Err(error_with_code(ExitCode::Usage, message))
        }
        None => Ok(()),
    }
}

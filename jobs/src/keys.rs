//! `fightdna keys`: what an operator does with keys and accounts. A running gateway follows within a second.

mod show;

use std::io::Read as _;

use anyhow::Context as _;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use clap::Subcommand;
use fdna_gateway::key::{Environment, Secret};
use fdna_gateway::plan::{Custom, PLANS, Plan, plan_named};
use fdna_gateway::store::{Account, Key, NewKey, Register, Store};
use fdna_gateway::window::Window;

use crate::exit::{ExitCode, coded};
use crate::gateway::{StoreArgs, unavailable};
pub(crate) use show::Told;

#[derive(clap::Args)]
pub(crate) struct KeysArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[command(subcommand)]
    command: KeysCommand,
}

#[derive(Subcommand)]
enum KeysCommand {
    /// Issue a key, and print its secret: it is shown this once. The account is opened if there is none.
    Issue {
        #[command(flatten)]
        terms: TermsArgs,
        /// A key for tests: it counts as any other.
        #[arg(long)]
        test: bool,
    },
    /// Put an account on another plan; its keys stay, and what it used this month too.
    Plan(TermsArgs),
    /// List keys.
    List {
        /// Of this account alone.
        #[arg(long)]
        account: Option<String>,
    },
    /// Issue a key in place of another, which stays valid for a while.
    Rotate {
        /// Its number, its beginning, or the whole of it; `-` reads it from standard input.
        key: String,
        /// Hours for which the old key stays valid.
        #[arg(long, default_value_t = 24)]
        overlap_hours: u32,
    },
    /// End a key now: within a second, on every gateway.
    Revoke {
        /// Its number, its beginning, or the whole of it; `-` reads it from standard input.
        key: String,
    },
    /// What an account used in a month.
    Usage {
        /// An account, or one of its keys as for revoke.
        who: String,
        /// YYYY-MM; this month without.
        #[arg(long, value_parser = month)]
        month: Option<NaiveDate>,
    },
}

#[derive(clap::Args)]
struct TermsArgs {
    /// Whose key it is; limits and usage belong to the account.
    #[arg(long)]
    account: String,
    /// developer, pro, ultra, scale or enterprise.
    #[arg(long, value_parser = plan)]
    plan: Plan,
    /// Requests per minute of the account's own, in place of the plan's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    per_minute: Option<u64>,
    /// Requests per month of the account's own, in place of the plan's.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    per_month: Option<u64>,
}

fn plan(name: &str) -> Result<Plan, String> {
    plan_named(name).ok_or_else(|| format!("not one of {}", PLANS.map(Plan::name).join(", ")))
}

fn month(text: &str) -> Result<NaiveDate, String> {
    format!("{text}-01").parse().map_err(|_| "not a month as YYYY-MM".to_owned())
}

impl TermsArgs {
    fn custom(&self) -> Custom {
        Custom { per_minute: self.per_minute, per_month: self.per_month }
    }
}

impl KeysArgs {
    /// Does what is asked, and tells it.
    pub(crate) fn run(&self, now: DateTime<Utc>) -> anyhow::Result<Told> {
        let mut store = self.store.open()?;
        let store = store.as_mut();
        match &self.command {
            KeysCommand::Issue { terms, test } => self.issue(store, terms, *test, now),
            KeysCommand::Plan(terms) => self.change_plan(store, terms),
            KeysCommand::List { account } => {
                let register = store.register().map_err(unavailable)?;
                if let Some(name) = account {
                    account_named(&register, name)?;
                }
                Ok(show::list(&register, account.as_deref(), now))
            }
            KeysCommand::Rotate { key, overlap_hours } => rotate(store, key, *overlap_hours, now),
            KeysCommand::Revoke { key } => {
                let (_, key) = find(store, key)?;
                store.revoke_key(key.id, now).map_err(unavailable)?;
                Ok(show::revoked(&key))
            }
            KeysCommand::Usage { who, month } => self.usage(store, who, *month, now),
        }
    }

    fn issue(
        &self,
        store: &mut dyn Store,
        terms: &TermsArgs,
        test: bool,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Told> {
        self.check(terms)?;
        if terms.account.is_empty() || terms.account.starts_with("fdk_") {
            return Err(coded(ExitCode::Usage, "keys: an account needs a name, and not one like a key's"));
        }
        let account = store.open_account(&terms.account, terms.plan, terms.custom(), now);
        let account = account.map_err(unavailable)?;
        let has_numbers = terms.custom() == Custom::default() || terms.custom() == account.custom;
        if account.plan != terms.plan || !has_numbers {
            let (name, has) = (&account.name, account.plan.name());
            let message = format!(
                "keys: account `{name}` is on {has} with terms of its own: `fightdna keys plan` changes them"
            );
            return Err(coded(ExitCode::Usage, message));
        }
        let environment = if test { Environment::Test } else { Environment::Live };
        let (secret, key) = add(store, account.id, environment, now, None)?;
        Ok(show::issued(&account, &key, &secret, None))
    }

    fn change_plan(&self, store: &mut dyn Store, terms: &TermsArgs) -> anyhow::Result<Told> {
        self.check(terms)?;
        let register = store.register().map_err(unavailable)?;
        let account = account_named(&register, &terms.account)?;
        store.change_plan(account.id, terms.plan, terms.custom()).map_err(unavailable)?;
        let account = Account { plan: terms.plan, custom: terms.custom(), ..account.clone() };
        let limits = self.store.plans()?.limits(account.plan, account.custom)?;
        Ok(show::plan(&account, limits))
    }

    /// Refuses terms under which no request could be judged.
    fn check(&self, terms: &TermsArgs) -> anyhow::Result<()> {
        let limits = self.store.plans()?.limits(terms.plan, terms.custom());
        limits.map(drop).map_err(|error| {
            coded(ExitCode::Usage, format!("keys: {error}: give --per-minute and --per-month"))
        })
    }

    fn usage(
        &self,
        store: &mut dyn Store,
        who: &str,
        month: Option<NaiveDate>,
        now: DateTime<Utc>,
    ) -> anyhow::Result<Told> {
        let register = store.register().map_err(unavailable)?;
        let account = match register.accounts.iter().find(|account| account.name == who) {
            Some(account) => account.clone(),
            None => find(store, who)?.0,
        };
        let at = month.and_then(|day| day.and_hms_opt(0, 0, 0)).map_or(now, |at| at.and_utc());
        let month = Window::month(at);
        let usage = store.usage(account.id, month).map_err(unavailable)?;
        let limits = self.store.plans()?.limits(account.plan, account.custom)?;
        Ok(show::usage(&account, limits, &register.keys, month, &usage))
    }
}

fn rotate(store: &mut dyn Store, key: &str, overlap_hours: u32, now: DateTime<Utc>) -> anyhow::Result<Told> {
    let (account, old) = find(store, key)?;
    if old.revoked_at.is_some() {
        return Err(coded(ExitCode::Usage, format!("keys: key {} is revoked: issue a new one", old.id)));
    }
    let ends = now + TimeDelta::hours(i64::from(overlap_hours));
    let (secret, new) = add(store, account.id, old.environment, now, Some((old.id, ends)))?;
    let ends = old.expires_at.map_or(ends, |at| at.min(ends));
    Ok(show::issued(&account, &new, &secret, Some((&old, ends))))
}

fn add(
    store: &mut dyn Store,
    account_id: i64,
    environment: Environment,
    now: DateTime<Utc>,
    ends: Option<(i64, DateTime<Utc>)>,
) -> anyhow::Result<(Secret, Key)> {
    let secret = Secret::draw(environment)?;
    let key = store.add_key(&NewKey::of(account_id, environment, &secret), now, ends).map_err(unavailable)?;
    Ok((secret, key))
}

fn account_named<'a>(register: &'a Register, name: &str) -> anyhow::Result<&'a Account> {
    let found = register.accounts.iter().find(|account| account.name == name);
    found.ok_or_else(|| coded(ExitCode::Usage, format!("keys: there is no account `{name}`")))
}

/// The one key that is meant, by number, beginning or whole, and its account.
fn find(store: &mut dyn Store, meant: &str) -> anyhow::Result<(Account, Key)> {
    let mut text = meant.to_owned();
    if meant == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).context("read a key from standard input")?;
    }
    let text = text.trim();
    let register = store.register().map_err(unavailable)?;
    let (number, digest) = (text.parse::<i64>().ok(), Secret::parse(text).map(|secret| secret.digest()));
    let is_meant = |key: &&Key| match (number, &digest) {
        (Some(number), _) => key.id == number,
        (_, Some(digest)) => key.digest.is(digest),
        _ => key.shown == text.trim_end_matches('…'),
    };
    let found: Vec<&Key> = register.keys.iter().filter(is_meant).collect();
    // What was typed may be a secret, so that it is not repeated.
    let [key] = found.as_slice() else {
        let what =
            if found.is_empty() { "there is no such key" } else { "several keys begin so: give the number" };
        return Err(coded(ExitCode::Usage, format!("keys: {what}; `fightdna keys list` has them")));
    };
    let account = register.accounts.iter().find(|account| account.id == key.account_id);
    Ok((account.context("find the key's account")?.clone(), (*key).clone()))
}

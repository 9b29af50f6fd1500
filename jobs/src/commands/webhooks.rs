//! `fightdna webhooks`: what an operator does with endpoints of webhooks. A running gateway follows within seconds.

mod args;
mod show;

use chrono::{DateTime, TimeDelta, Utc};
use fdna_gateway::store::{Actor, EndpointChange, WebhookStore};
use fdna_gateway::webhooks::{
    AddedEndpoint, InvalidUrl, NewEndpoint, WebhookEndpoint, WebhookMessage, WebhookSecret, WebhookSender,
    is_event_id,
};
use fdna_run::exit::{ExitCode, error_with_code};

use crate::commands::catalog_data::route_catalog;
use crate::commands::key_store::{actor_name, unavailable_store};
use crate::output::CommandReport;
use args::{AddArgs, ProductArg, WebhooksCommand};

pub(crate) use args::{ReceiverArgs, WebhooksArgs, parse_delay};

impl WebhooksArgs {
    /// Does what is asked, and tells it.
    pub(crate) fn run(&self, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let mut store = self.place.open_webhooks()?;
        let store = store.as_mut();
        let by = Actor { name: actor_name(self.by.as_deref(), "webhooks")?, at: now };
        match &self.command {
            WebhooksCommand::Add(add) => self.add_endpoint(store, add, &by),
            WebhooksCommand::List { account } => self.list_endpoints(store, account.as_deref()),
            WebhooksCommand::Remove { endpoint } => {
                change_endpoint(store, *endpoint, &EndpointChange::Remove, &by)?;
                Ok(show::changed_report(*endpoint, "removed", "it is sent nothing more"))
            }
            WebhooksCommand::RotateSecret { endpoint, overlap_hours } => {
                let secret = WebhookSecret::generate()?;
                let previous_until = now + TimeDelta::hours(i64::from(*overlap_hours));
                let change = EndpointChange::RotateSecret { secret: secret.clone(), previous_until };
                change_endpoint(store, *endpoint, &change, &by)?;
                Ok(show::rotated_report(*endpoint, &secret, previous_until))
            }
            WebhooksCommand::Enable { endpoint } => {
                change_endpoint(store, *endpoint, &EndpointChange::Enable, &by)?;
                let note = "delivery goes on behind the last event that was delivered";
                Ok(show::changed_report(*endpoint, "enabled", note))
            }
            WebhooksCommand::Disable { endpoint } => {
                change_endpoint(store, *endpoint, &EndpointChange::Disable, &by)?;
                let note = "`fightdna webhooks enable` goes on where it stopped";
                Ok(show::changed_report(*endpoint, "disabled", note))
            }
            WebhooksCommand::Test { endpoint, receivers } => test_endpoint(store, *endpoint, receivers, now),
            WebhooksCommand::DeadLetters { endpoint } => {
                if let Some(id) = endpoint {
                    find_endpoint(store, *id)?;
                }
                let letters = store.dead_letters(*endpoint).map_err(unavailable_store)?;
                Ok(show::dead_letters_report(&letters))
            }
            WebhooksCommand::Replay { endpoint, from, .. } => {
                replay_events(store, *endpoint, from.as_deref(), &by)
            }
        }
    }

    fn add_endpoint(
        &self,
        store: &mut dyn WebhookStore,
        add: &AddArgs,
        by: &Actor,
    ) -> anyhow::Result<CommandReport> {
        let refuse = |message: String| error_with_code(ExitCode::Usage, format!("webhooks: {message}"));
        if let Err(error) = add.receivers.policy().check_url(&add.url) {
            let advice = match error {
                InvalidUrl::NotEncrypted => "; --webhook-allow-http, here and of the gateway, allows it",
                InvalidUrl::NotPublic => "; --webhook-allow-private, here and of the gateway, allows it",
                InvalidUrl::Malformed | InvalidUrl::Credentials => "",
            };
            return Err(refuse(format!("messages cannot be sent to this URL: {error}{advice}")));
        }
        check_sport(add.product, add.sport.as_deref()).map_err(refuse)?;
        let registry = self.place.open_existing()?.key_registry().map_err(unavailable_store)?;
        let account = registry.accounts.iter().find(|account| account.name == add.account);
        let account = account
            .ok_or_else(|| refuse(format!("no account `{}`; `fightdna keys list` has them", add.account)))?;
        let secret = WebhookSecret::generate()?;
        let new = NewEndpoint {
            account_id: account.id,
            product: add.product.into(),
            sport: add.sport.clone(),
            url: add.url.clone(),
            secret: secret.clone(),
        };
        match store.add_endpoint(&new, by).map_err(unavailable_store)? {
            AddedEndpoint::Added(endpoint) => Ok(show::added_report(&account.name, &endpoint, &secret)),
            AddedEndpoint::TooMany { limit, of_account } => {
                let whose = if of_account { "this account has" } else { "there are" };
                Err(refuse(format!("{whose} {limit} endpoints, and no more are allowed: remove one first")))
            }
        }
    }

    fn list_endpoints(
        &self,
        store: &mut dyn WebhookStore,
        account: Option<&str>,
    ) -> anyhow::Result<CommandReport> {
        let registry = self.place.open_existing()?.key_registry().map_err(unavailable_store)?;
        if let Some(name) = account.filter(|name| registry.accounts.iter().all(|of| of.name != **name)) {
            let message = format!("webhooks: no account `{name}`; `fightdna keys list` has them");
            return Err(error_with_code(ExitCode::Usage, message));
        }
        let endpoints = store.list_endpoints().map_err(unavailable_store)?;
        Ok(show::list_report(&registry, &endpoints, account))
    }
}

fn change_endpoint(
    store: &mut dyn WebhookStore,
    id: i64,
    change: &EndpointChange,
    by: &Actor,
) -> anyhow::Result<()> {
    let changed = store.change_endpoint(id, change, by).map_err(unavailable_store)?;
    if changed { Ok(()) } else { Err(no_endpoint(id)) }
}

fn find_endpoint(store: &mut dyn WebhookStore, id: i64) -> anyhow::Result<WebhookEndpoint> {
    let endpoints = store.list_endpoints().map_err(unavailable_store)?;
    endpoints.into_iter().find(|endpoint| endpoint.id == id).ok_or_else(|| no_endpoint(id))
}

fn no_endpoint(id: i64) -> anyhow::Error {
    let message = format!("webhooks: no endpoint {id}; `fightdna webhooks list` has them");
    error_with_code(ExitCode::Usage, message)
}

/// Why a product is sold with or without this sport.
fn check_sport(product: ProductArg, sport: Option<&str>) -> Result<(), String> {
    match (product, sport) {
        (ProductArg::Mma | ProductArg::Leads, None) => Ok(()),
        (ProductArg::Mma | ProductArg::Leads, Some(_)) => {
            Err("--sport is of --product catalog alone".to_owned())
        }
        (ProductArg::Catalog, None) => Err("--product catalog needs --sport".to_owned()),
        (ProductArg::Catalog, Some(sport)) => {
            let catalog = route_catalog().map_err(|error| format!("{error:#}"))?;
            let sports: Vec<&str> = catalog.sports.iter().map(|known| known.key).collect();
            match sports.contains(&sport) {
                true => Ok(()),
                false => Err(format!("no sport `{sport}`: use one of {}", sports.join(", "))),
            }
        }
    }
}

/// Sends a signed message once, as a gateway would.
fn test_endpoint(
    store: &mut dyn WebhookStore,
    id: i64,
    receivers: &ReceiverArgs,
    now: DateTime<Utc>,
) -> anyhow::Result<CommandReport> {
    let endpoint = find_endpoint(store, id)?;
    let secrets = store.endpoint_secrets(id).map_err(unavailable_store)?.ok_or_else(|| no_endpoint(id))?;
    let sender = WebhookSender::new(&receivers.sender_options()).map_err(|error| {
        let error = anyhow::Error::new(error);
        error_with_code(ExitCode::Unavailable, format!("webhooks: {error:#}"))
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let message = WebhookMessage::ping(id, now);
    let attempt = runtime.block_on(sender.send_message(&endpoint.url, &secrets, &message, now));
    Ok(show::tested_report(id, &message, &attempt))
}

fn replay_events(
    store: &mut dyn WebhookStore,
    id: i64,
    from: Option<&str>,
    by: &Actor,
) -> anyhow::Result<CommandReport> {
    if let Some(event) = from.filter(|event| !is_event_id(event)) {
        let message =
            format!("webhooks: `{event}` is no id of an event: use SNAPSHOT:NUMBER or SNAPSHOT:end");
        return Err(error_with_code(ExitCode::Usage, message));
    }
    change_endpoint(store, id, &EndpointChange::Replay { from: from.map(str::to_owned) }, by)?;
    Ok(show::replayed_report(id, from))
}

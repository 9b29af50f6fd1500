//! `fightdna leads serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use chrono::TimeDelta;
use fdna_gateway::store::open_webhook_store;
use fdna_gateway::webhooks::WebhookOptions;
use fdna_gateway::{Clock, shutdown_signal};
use fdna_leads::store::LeadStore;
use fdna_leads::{AUDIT_DAYS, KEY_REQUESTS_PER_MINUTE, LeadsError, Options, REQUESTS_PER_MINUTE};
use fdna_run::exit::{ExitCode, error_with_code};
use tokio::sync::oneshot;

use super::fields::FieldArgs;
use super::properties;
use super::store::unavailable_store;
use super::tables::PropertyTables;
use crate::commands::key_store::{self, code_of_fault};
use crate::commands::serving::{self, EncryptionArgs, systemd};
use crate::commands::webhooks::ReceiverArgs;
use crate::output::print_text;

#[derive(clap::Args)]
pub(super) struct LeadsServeArgs {
    /// Store of keys, as `fightdna keys` has it: the path of a SQLite file, or postgres://…
    #[arg(long, env = "FIGHTDNA_KEYS", hide_env_values = true)]
    keys: String,
    /// Address to listen on; port 0 takes a free one, which is printed.
    #[arg(long, value_parser = serving::parse_address, value_name = "ADDRESS", default_value = "127.0.0.1:8083")]
    listen: SocketAddr,
    /// Address of the operator's pages, /metrics and /readyz with its reasons; without, there are none.
    #[arg(long, value_parser = serving::parse_address, value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
    /// Lake of `fightdna properties run`: its properties are listed and valued too, and those of newer runs as they come.
    /// Without it, and until it is whole, the operations of properties answer 503; leads are served all the same.
    #[arg(long, value_name = "DIR", env = "FIGHTDNA_PROPERTIES_LAKE")]
    properties_lake: Option<PathBuf>,
    #[command(flatten)]
    rules: FieldArgs,
    /// Days for which the audit and the list of changes are kept.
    #[arg(long, value_name = "N", default_value_t = AUDIT_DAYS, value_parser = clap::value_parser!(i64).range(1..=36_500))]
    audit_days: i64,
    /// Requests of one key in a minute; beyond, they are answered 429. Each megabyte of a table that is downloaded counts as one.
    /// 0: any number.
    #[arg(long, value_name = "N", default_value_t = KEY_REQUESTS_PER_MINUTE)]
    max_requests_per_key: u32,
    /// Requests of one address in a minute (IPv6: one /64), with or without a key. 0: any number.
    #[arg(long, value_name = "N", default_value_t = REQUESTS_PER_MINUTE)]
    max_requests_per_address: u32,
    /// Connections at a time. Default: what the limit of open files leaves.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,
    /// Send changes to the endpoints of `fightdna webhooks add --product leads`.
    #[arg(long)]
    webhooks: bool,
    #[command(flatten)]
    receivers: ReceiverArgs,
    #[command(flatten)]
    speak: EncryptionArgs,
}

impl LeadsServeArgs {
    /// Serves until SIGTERM or SIGINT, then lets requests in flight finish.
    pub(super) async fn serve_leads(&self, store: &str, quiet: bool) -> anyhow::Result<ExitCode> {
        let rules = self.rules.field_rules()?;
        let address = self.keys.clone();
        // The calls of the key store block.
        let keys = tokio::task::spawn_blocking(move || fdna_gateway::store::open_existing(&address)).await;
        let keys = keys.context("cannot open the key store")?.map_err(key_store::unavailable_store)?;
        // Behind the keys: a mistyped command makes no store.
        let store = LeadStore::open_store(store).await.map_err(unavailable_store)?;
        let mut options = Options::new(rules, Clock::new(serving::now));
        if let Some(folder) = self.properties_lake.clone() {
            options.tables = Some(Arc::new(PropertyTables::open(&folder)));
            let followed = tokio::task::spawn_blocking(move || properties::follow_lake(&folder));
            options.properties = Some(followed.await.context("cannot read the properties")??);
        }
        options.audit_time = TimeDelta::days(self.audit_days);
        options.requests_per_key = self.max_requests_per_key;
        options.requests_per_address = self.max_requests_per_address;
        options.tls = self.speak.load_tls()?.map(Arc::new);
        options.access_log = self.speak.access_log()?.map(Arc::new);
        options.limits.max_connections = serving::max_connections(self.max_connections, 1)?;
        if self.webhooks {
            let address = self.keys.clone();
            let webhooks = tokio::task::spawn_blocking(move || open_webhook_store(&address)).await;
            let webhooks =
                webhooks.context("cannot open the key store")?.map_err(key_store::unavailable_store)?;
            options.webhooks = Some(WebhookOptions {
                sender: self.receivers.sender_options(),
                ..WebhookOptions::new(webhooks)
            });
        }
        let (listener, address) = serving::open_listener(self.listen).await?;
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        let mut line = format!("leads on {scheme}://{address}/v1/leads");
        if let Some(operator) = self.admin_listen {
            let (listener, address) = serving::bind_listener(operator).await?;
            options.admin_listener = Some(listener);
            line += &format!(", operator on http://{address}/metrics");
        }
        if !quiet {
            print_text(line + "\n")?;
        }
        systemd::reopen_on_hangup(options.access_log.clone())?;
        let (ready, is_ready) = oneshot::channel();
        options.ready = Some(ready);
        let shutdown = async {
            shutdown_signal().await;
            systemd::notify_stopping();
        };
        tokio::select! {
            done = fdna_leads::serve(listener, store, keys, options, shutdown) => done.map_err(serve_error)?,
            never = systemd::notify_alive(is_ready, "serving leads") => match never {},
        }
        Ok(ExitCode::Done)
    }
}

fn serve_error(error: LeadsError) -> anyhow::Error {
    let code = match &error {
        LeadsError::Keys(error) => code_of_fault(error.fault()),
        LeadsError::Store(error) => code_of_fault(error.fault()),
        _ => ExitCode::Failed,
    };
    error_with_code(code, format!("leads: {:#}", anyhow::Error::new(error)))
}

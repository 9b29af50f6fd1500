//! `fightdna gateway`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use fdna_catalog::{
    CHANGES, CHANGES_STREAM, CHANGES_STREAM_NAME, CatalogRoute, RouteCatalog, TablesPage, without_prefix,
};
use fdna_gateway::plan::Plan;
use fdna_gateway::webhooks::{RetrySchedule, WebhookOptions};
use fdna_gateway::{
    CatalogRouteAccess, CatalogRoutes, Clock, Failure, HeaderValue, Options, REFUSALS_PER_MINUTE,
    ServedProduct, shutdown_signal,
};
use fdna_run::exit::{ExitCode, error_with_code};
use tokio::sync::oneshot;

use super::catalog_data::route_catalog;
use super::key_store::{StoreArgs, code_of_fault};
use super::serving::{self, TransportArgs, systemd};
use super::webhooks::{ReceiverArgs, parse_delay};
use crate::output::print_text;

#[derive(clap::Args)]
pub(crate) struct GatewayArgs {
    /// A canonical host as `http://HOST:PORT` or `https://HOST:PORT`; may be repeated.
    #[arg(long = "upstream", required = true)]
    upstreams: Vec<String>,
    /// Authorities in PEM that canonical hosts are trusted by, and no other. Default: the system's.
    #[arg(long, value_name = "FILE")]
    upstream_ca: Option<PathBuf>,
    /// A key for canonical hosts, as their `serve --key-file` has it: sent as `Authorization: Bearer KEY`.
    #[arg(long, value_name = "FILE")]
    upstream_key_file: Option<PathBuf>,
    /// The API that canonical hosts serve: keys of the other are refused.
    #[arg(long, value_enum, default_value_t)]
    product: ProductArg,
    #[command(flatten)]
    store: StoreArgs,
    /// Address to listen on; port 0 takes a free one, which is printed.
    #[arg(long, value_parser = serving::parse_address, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
    /// Address of the operator's pages, /metrics and /readyz with its reasons; without, there are none.
    #[arg(long, value_parser = serving::parse_address, value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
    /// Connections at a time; each may take a second one to a canonical host. For one more, those that have been
    /// idle the longest are closed; if all are at work, it is answered 503. Default: what the limit of open files
    /// leaves.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,
    /// 401 and 403 that one address may collect in a minute (IPv6: one /64); beyond, they are answered 429. 0: any number.
    #[arg(long, value_name = "N", default_value_t = REFUSALS_PER_MINUTE)]
    max_refusals_per_minute: u32,
    /// Deliver no webhooks: another gateway of the same store does, or none.
    #[arg(long)]
    no_webhooks: bool,
    #[command(flatten)]
    receivers: ReceiverArgs,
    /// Delays before a webhook that failed is sent again, such as `5s,5m,30m`; after the last it is a dead letter, and its
    /// endpoint is disabled. Default: those of Standard Webhooks, nine in three days.
    #[arg(long, value_name = "DELAYS", value_delimiter = ',', value_parser = parse_delay)]
    webhook_retries: Vec<Duration>,
    /// Threads that serve clients. Default: one a processor.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    speak: TransportArgs,
}

/// An API that the gateway stands before.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum ProductArg {
    /// The MMA API.
    #[default]
    Mma,
    /// The multi-sport catalog, whose clients may send their key as `?key=`, too.
    Catalog,
}

/// Routes of the catalog that is compiled in.
#[derive(Debug)]
struct CompiledRoutes(&'static RouteCatalog);

impl CatalogRoutes for CompiledRoutes {
    fn canonical_path<'p>(&self, path: &'p str) -> &'p str {
        without_prefix(path)
    }

    fn find_route(&self, path: &str) -> Result<CatalogRouteAccess, Failure> {
        let narrow = |name, plan| CatalogRouteAccess { name, in_narrow_listing: true, plan };
        if without_prefix(path) == CHANGES {
            return Ok(narrow(&CHANGES[1..], Plan::Developer));
        }
        if without_prefix(path) == CHANGES_STREAM {
            return Ok(narrow(CHANGES_STREAM_NAME, Plan::Developer));
        }
        if let Some(page) = TablesPage::find(path) {
            return Ok(narrow(page.name(), page.plan()));
        }
        let CatalogRoute { operation, in_narrow_listing, .. } = *self.0.find(path)?.route;
        Ok(CatalogRouteAccess { name: operation, in_narrow_listing, plan: Plan::Developer })
    }
}

impl GatewayArgs {
    fn webhook_options(&self) -> anyhow::Result<Option<WebhookOptions>> {
        if self.no_webhooks {
            return Ok(None);
        }
        let mut options = WebhookOptions::new(self.store.place.open_webhooks()?);
        options.sender = self.receivers.sender_options();
        if !self.webhook_retries.is_empty() {
            options.schedule = RetrySchedule::new(self.webhook_retries.clone());
        }
        Ok(Some(options))
    }
}

/// Serves until SIGTERM or SIGINT, then lets requests in flight finish.
pub(crate) fn serve_gateway(args: &GatewayArgs, quiet: bool) -> anyhow::Result<ExitCode> {
    let (store, plans) = (args.store.open_existing()?, args.store.read_plans()?);
    let mut options = Options::new(args.upstreams.clone(), plans, Clock::new(serving::now));
    options.product = match args.product {
        ProductArg::Mma => ServedProduct::Mma,
        ProductArg::Catalog => ServedProduct::Catalog(Arc::new(CompiledRoutes(route_catalog()?))),
    };
    options.upstream_ca.clone_from(&args.upstream_ca);
    options.upstream_key = args.upstream_key_file.as_deref().map(read_bearer).transpose()?;
    options.refusals_per_minute = args.max_refusals_per_minute;
    options.cors = args.speak.cors()?;
    options.tls = args.speak.load_tls()?.map(Arc::new);
    options.access_log = args.speak.access_log()?.map(Arc::new);
    options.webhooks = args.webhook_options()?;
    options.limits.max_connections = serving::max_connections(args.max_connections, 2)?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(threads) = args.threads {
        runtime.worker_threads(threads.get());
    }
    let runtime = runtime.enable_all().build().context("cannot start the runtime")?;
    let served = runtime.block_on(async {
        let (listener, address) = serving::open_listener(args.listen).await?;
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        let mut line = format!("gateway on {scheme}://{address}{}", first_page(args.product));
        if let Some(operator) = args.admin_listen {
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
        let status = format!("canonical hosts: {}", args.upstreams.len());
        let shutdown = async {
            shutdown_signal().await;
            systemd::notify_stopping();
        };
        tokio::select! {
            done = fdna_gateway::serve(listener, store, options, shutdown) => done.map_err(serve_error),
            never = systemd::notify_alive(is_ready, &status) => match never {},
        }
    });
    // A store that hangs keeps nobody.
    runtime.shutdown_background();
    served.map(|()| ExitCode::Done)
}

/// The bearer token in this file, without the file's last line end.
fn read_bearer(path: &Path) -> anyhow::Result<HeaderValue> {
    let place = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| {
        error_with_code(
            ExitCode::Unavailable,
            format!("gateway: cannot read the upstreams' key in {place}: {e}"),
        )
    })?;
    let key = text.trim();
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
    let value = is_key.then(|| HeaderValue::try_from(format!("Bearer {key}")).ok()).flatten();
    let mut value = value.ok_or_else(|| {
        let expected = "one line of printable ASCII without spaces is wanted";
        error_with_code(ExitCode::BadData, format!("gateway: no key for upstreams in {place}: {expected}"))
    })?;
    value.set_sensitive(true);
    Ok(value)
}

fn first_page(product: ProductArg) -> &'static str {
    match product {
        ProductArg::Mma => "/v1/mma",
        ProductArg::Catalog => "/sports",
    }
}

fn serve_error(error: fdna_gateway::GatewayError) -> anyhow::Error {
    use fdna_gateway::{GatewayError, UpstreamTlsError};
    let code = match &error {
        GatewayError::Upstream(_) | GatewayError::NoUpstream => ExitCode::Usage,
        GatewayError::Store(error) => code_of_fault(error.fault()),
        GatewayError::UpstreamTls(UpstreamTlsError::Read { .. }) => ExitCode::Unavailable,
        GatewayError::UpstreamTls(_) => ExitCode::BadData,
        _ => ExitCode::Failed,
    };
    let error = anyhow::Error::new(error);
    error_with_code(code, format!("gateway: {error:#}"))
}

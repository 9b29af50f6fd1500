//! `fightdna serve`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use fdna_lake::{CATALOG_PRODUCT, Lake, SnapshotId};
use fdna_run::current_snapshot::NoCurrentSnapshot;
use fdna_run::exit::{ExitCode, error_with_code, exit_code};
use fdna_run::product::Product;
use fdna_server::{
    CatalogLake, KeyError, KeyFile, LakeSource, LoadError, Options, Pages, PinnedSnapshotLimits, ServeError,
    shutdown_signal,
};
use tokio::net::TcpListener;

use super::catalog_data::route_catalog;
use super::explain::LakeExplainer;
use super::serving::{
    TransportArgs, bind_listener, max_connections, open_listener, parse_address, system_clock, systemd,
};
use crate::output::print_text;

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 takes a free one, which is printed.
    #[arg(long, value_parser = parse_address, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Connections at a time. For one more, those that have been idle the longest are closed; if all are at work, it
    /// is answered 503. Default: what the limit of open files (raised to its hard limit) leaves, 16384 at most.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,
    /// Serve this snapshot, such as one made with `run --known-at`, whichever is current.
    #[arg(long)]
    snapshot: Option<SnapshotId>,
    /// Serve the multi-sport catalog instead, from the lake that `fightdna catalog run` made. Before its first snapshot,
    /// routes with data answer 503.
    #[arg(long, conflicts_with_all = ["wait"])]
    pub(crate) catalog: bool,
    /// Start before there is a snapshot: answer 503 until the first is published, rather than end with 69.
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    pinned: PinnedArgs,
    /// File with a key, or several, one a line: every route but /healthz and /readyz answers only who sends one of them
    /// as `Authorization: Bearer <key>`. Read again when it changes and at SIGHUP.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Address of the operator's pages: /metrics, and /readyz with its reasons, are then nowhere else. It asks for no
    /// key: keep it private.
    #[arg(long, value_parser = parse_address, value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
    /// Address of the explorer: the same snapshot as web pages for people, with the same certificate and access log. It
    /// asks for no key; what it shows is what the operations answer.
    #[arg(long, value_parser = parse_address, value_name = "ADDRESS")]
    explorer: Option<SocketAddr>,
    #[command(flatten)]
    speak: TransportArgs,
    /// Where images are served, for the index of the API.
    #[arg(long, value_name = "URL")]
    media_base_url: Option<String>,
}

/// What snapshots may take that requests name with `?snapshot=`.
#[derive(clap::Args)]
struct PinnedArgs {
    /// Snapshots kept beside the current one because requests name them; 0 answers from the current one alone.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pinned: usize,
    /// Megabytes of memory that they may take together, as estimated by the sizes of their tables.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pinned_memory: u64,
    /// Seconds for each load of one in the long run, after four at once; one client alone has half of that. Beyond, the
    /// answer is 503 `busy`. 0 is no limit.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pinned_every: u32,
}

impl PinnedArgs {
    fn pinned_limits(&self) -> PinnedSnapshotLimits {
        PinnedSnapshotLimits {
            snapshots: self.pinned,
            bytes: self.pinned_memory.saturating_mul(1 << 20),
            load_every: Duration::from_secs(self.pinned_every.into()),
            ..PinnedSnapshotLimits::default()
        }
    }
}

/// Serves until SIGTERM or SIGINT, then lets requests in flight finish.
pub(crate) fn serve_api(lake: Lake, args: &ServeArgs, quiet: bool) -> anyhow::Result<ExitCode> {
    let root = lake.root().display().to_string();
    if let Some(id) = &args.snapshot {
        lake.snapshot(id)?;
    } else if !args.wait && lake.current_snapshot()?.is_none() {
        return Err(NoCurrentSnapshot::new(&lake, Product::Mma).into());
    }
    let options = args.server_options(lake)?;
    args.serve_until_end(options, quiet, (&root, "/v1/mma"), async |listener, options| {
        let serving = fdna_server::serve(listener, options, shutdown_signal());
        serving.await.map_err(|error| damage_error(error, &root, "fightdna run"))
    })
}

/// Serves the multi-sport catalog of a lake. Before its first snapshot it says which routes there are, and routes with
/// data answer 503.
pub(crate) fn serve_catalog(lake: Lake, args: &ServeArgs, quiet: bool) -> anyhow::Result<ExitCode> {
    let (catalog, root) = (route_catalog()?, lake.root().display().to_string());
    let kind = lake.capture_log()?.kind.clone();
    if let Some(kind) = kind.filter(|kind| kind.product != CATALOG_PRODUCT) {
        let message = format!(
            "serve: {root} is a lake of product `{}`; give one of `fightdna catalog run` with --lake",
            kind.product
        );
        return Err(error_with_code(ExitCode::Usage, message));
    }
    if let Some(id) = &args.snapshot {
        lake.snapshot(id)?;
    }
    let what = match lake.current_snapshot()? {
        Some(_) => format!("the catalog of {root}"),
        None => format!("the catalog, of which {root} has no snapshot yet,"),
    };
    let mut options = args.server_options(lake.clone())?;
    options.catalog =
        Some(args.snapshot.iter().fold(CatalogLake::new(lake), |lake, id| lake.only(id.clone())));
    args.serve_until_end(options, quiet, (&what, "/sports"), async |listener, options| {
        let serving = fdna_server::serve_catalog(listener, options, catalog, shutdown_signal());
        serving.await.map_err(|error| damage_error(error, &root, "fightdna catalog run"))
    })
}

impl ServeArgs {
    /// Serves on its address until it ends. `told` is what and where, for the line that says so.
    fn serve_until_end(
        &self,
        mut options: Options,
        quiet: bool,
        (what, index): (&str, &str),
        serve: impl AsyncFnOnce(TcpListener, Options) -> anyhow::Result<()>,
    ) -> anyhow::Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.context("cannot start the runtime")?.block_on(async {
            let (listener, address) = open_listener(self.listen).await?;
            let scheme = if options.tls.is_some() { "https" } else { "http" };
            let mut line = format!("serving {what} on {scheme}://{address}{index}");
            if let Some(operator) = self.admin_listen {
                let (listener, address) = bind_listener(operator).await?;
                options.admin = Some(listener);
                line += &format!(", operator on http://{address}/metrics");
            }
            if let Some(explorer) = self.explorer {
                let (listener, address) = bind_listener(explorer).await?;
                let names =
                    if self.catalog { fdna_explorer::catalog_names() } else { fdna_explorer::names() };
                options.pages = Some(Pages { listener, names, router: fdna_explorer::router });
                line += &format!(", explorer on {scheme}://{address}/");
            }
            if !quiet {
                print_text(line + "\n")?;
            }
            let (log, key) = (options.access_log.clone(), options.key.clone());
            systemd::on_hangup(move || {
                log.iter().for_each(|log| log.reopen_file());
                key.iter().for_each(|key| key.reload());
            })?;
            let supervising = systemd::notify_state(options.state.subscribe());
            let ended = tokio::select! {
                ended = serve(listener, options) => ended,
                never = supervising => match never {},
            };
            systemd::notify_stopping();
            ended
        })?;
        Ok(ExitCode::Done)
    }

    fn server_options(&self, lake: Lake) -> anyhow::Result<Options> {
        let source = LakeSource::new(lake.clone());
        let source = self.snapshot.iter().fold(source, |source, id| source.only(id.clone()));
        let mut options = Options::new(Arc::new(source), system_clock());
        options.explainer = Some(Arc::new(LakeExplainer::new(lake)));
        options.limits.max_connections = max_connections(self.max_connections, 1)?;
        options.cors = self.speak.cors()?;
        options.tls = self.speak.load_tls()?.map(Arc::new);
        options.access_log = self.speak.access_log()?.map(Arc::new);
        options.pins = self.pinned.pinned_limits();
        options.key = self.key_file.as_deref().map(key_file).transpose()?.map(Arc::new);
        options.media_base_url.clone_from(&self.media_base_url);
        options.must_load = true;
        Ok(options)
    }
}

pub(crate) fn key_file(path: &Path) -> anyhow::Result<KeyFile> {
    KeyFile::load(path).map_err(|error| {
        let code = match error {
            KeyError::Read { .. } => ExitCode::Unavailable,
            KeyError::NoKey { .. } => ExitCode::BadData,
        };
        error_with_code(code, format!("serve: {:#}", anyhow::Error::new(error)))
    })
}

/// The error at the start for a damaged snapshot, with advice. Another snapshot is not served in its place:
/// nobody would notice that the data stands still.
fn damage_error(error: ServeError, root: &str, run: &str) -> anyhow::Error {
    let is_data =
        matches!(&error, ServeError::FirstLoad(cause) if !matches!(**cause, LoadError::Panicked(_)));
    let error = anyhow::Error::new(error);
    if !is_data {
        return error.context("serve");
    }
    let code = match exit_code(&error) {
        ExitCode::Failed => ExitCode::BadData,
        code => code,
    };
    let help = format!(
        "`fightdna verify --lake {root}` names what is damaged, `{run}` makes it anew, \
         `fightdna rollback` points to the snapshot before"
    );
    error_with_code(code, format!("serve: {error:#}; {help}"))
}

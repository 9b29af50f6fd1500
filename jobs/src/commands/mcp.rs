//! `fightdna mcp`: what is served, as tools of the Model Context Protocol.

mod lake_queries;
mod run_query;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use fdna_lake::{Lake, SnapshotId};
use fdna_mcp::{HttpOptions, McpServer, ServedLakes, serve_http, serve_stdio};
use fdna_run::current_snapshot::{NoCurrentSnapshot, require_current};
use fdna_run::exit::ExitCode;
use fdna_run::product::Product;
use fdna_server::{
    CatalogLake, ConnectionLimits, LakeSource, LocalApi, ServingState, SnapshotSource, follow_catalog,
    shutdown_signal, watch_snapshots,
};
use tokio::task::JoinSet;

use self::lake_queries::LakeQueries;
use super::catalog_data::route_catalog;
use super::explain::LakeExplainer;
use super::serve::key_file;
use super::serving::{EncryptionArgs, bind_listener, max_connections, parse_address, system_clock, systemd};
use crate::output::print_text;

/// Between two looks at the pointers of the lakes.
const POLL: Duration = Duration::from_millis(500);

#[derive(clap::Args)]
pub(crate) struct McpArgs {
    /// Lake of `fightdna catalog run`: its sports are searched and queried too.
    #[arg(long, value_name = "DIR", env = "FIGHTDNA_CATALOG_LAKE")]
    catalog_lake: Option<PathBuf>,
    /// Answer from this snapshot, whichever is current.
    #[arg(long)]
    snapshot: Option<SnapshotId>,
    /// Serve over HTTP at this address, path /mcp, instead of standard input and output; port 0 takes a free one, which is
    /// printed.
    #[arg(long, value_parser = parse_address, value_name = "ADDRESS", requires = "key_file")]
    listen: Option<SocketAddr>,
    /// File with a key, or several, one a line: over HTTP only who sends one of them as `Authorization: Bearer <key>` is
    /// answered. Read again when it changes and at SIGHUP.
    #[arg(long, value_name = "FILE", requires = "listen")]
    key_file: Option<PathBuf>,
    /// Name or address by which clients reach this server, beside localhost: a request that names another Host is refused.
    /// May be repeated.
    #[arg(long = "allow-host", value_name = "HOST", requires = "listen")]
    hosts: Vec<String>,
    /// Origin whose web pages may ask, such as `https://app.example:443`; a request of any other page is refused. May be
    /// repeated.
    #[arg(long = "allow-origin", value_name = "ORIGIN", requires = "listen")]
    origins: Vec<String>,
    /// Connections at a time. Default: what the limit of open files leaves.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), requires = "listen")]
    max_connections: Option<u32>,
    #[command(flatten)]
    speak: EncryptionArgs,
}

impl McpArgs {
    /// Serves until standard input ends, or until SIGTERM or SIGINT.
    pub(crate) fn run(&self, lake: Lake, quiet: bool) -> anyhow::Result<ExitCode> {
        match &self.snapshot {
            Some(id) => drop(lake.snapshot(id)?),
            None if lake.current_snapshot()?.is_none() => {
                return Err(NoCurrentSnapshot::new(&lake, Product::Mma).into());
            }
            None => {}
        }
        let catalog = self.open_catalog()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.context("cannot start the runtime")?;
        let ended = runtime.block_on(async {
            let mut following = JoinSet::new();
            let server = self.open_server(lake, catalog, &mut following)?;
            match self.listen {
                None => serve_stdio(server).await.context("mcp"),
                Some(address) => self.serve_over_http(server, address, quiet).await,
            }
        });
        // A read of standard input that nothing ends would hold the process.
        runtime.shutdown_background();
        ended.map(|()| ExitCode::Done)
    }

    /// The lake of the catalog, which must have been published.
    fn open_catalog(&self) -> anyhow::Result<Option<Lake>> {
        let Some(folder) = &self.catalog_lake else { return Ok(None) };
        let lake = Lake::open(folder);
        require_current(&lake, Product::Catalog)?;
        Ok(Some(lake))
    }

    /// The server over the operations of the snapshots, which are loaded and followed meanwhile.
    fn open_server(
        &self,
        lake: Lake,
        catalog: Option<Lake>,
        following: &mut JoinSet<()>,
    ) -> anyhow::Result<McpServer> {
        let source = LakeSource::new(lake.clone());
        let source: Arc<dyn SnapshotSource> =
            Arc::new(self.snapshot.iter().fold(source, |source, id| source.only(id.clone())));
        let served = ServingState::new(None, system_clock()).with_source(Arc::clone(&source));
        let served = Arc::new(served.with_explainer(Arc::new(LakeExplainer::new(lake.clone()))));
        following.spawn(watch_snapshots(Arc::clone(&served), source, POLL));
        let catalog_api = match &catalog {
            Some(lake) => {
                let served = ServingState::new(None, system_clock());
                let lake = CatalogLake::new(lake.clone());
                let (api, follow) = follow_catalog(served, route_catalog()?, lake, POLL);
                following.spawn(follow);
                Some(api)
            }
            None => None,
        };
        let lakes = ServedLakes::new(LocalApi::new(served), catalog_api);
        Ok(McpServer::new(lakes, Arc::new(LakeQueries { mma: lake, catalog })))
    }

    async fn serve_over_http(
        &self,
        server: McpServer,
        address: SocketAddr,
        quiet: bool,
    ) -> anyhow::Result<()> {
        let (listener, address) = bind_listener(address).await?;
        let tls = self.speak.load_tls()?.map(Arc::new);
        let file = self.key_file.as_deref().context("over HTTP a key file is needed: --key-file")?;
        let (key, access_log) = (Arc::new(key_file(file)?), self.speak.access_log()?.map(Arc::new));
        let scheme = if tls.is_some() { "https" } else { "http" };
        if !quiet {
            print_text(format!("serving tools on {scheme}://{address}/mcp\n"))?;
        }
        let (log, reloaded) = (access_log.clone(), Arc::clone(&key));
        systemd::on_hangup(move || {
            log.iter().for_each(|log| log.reopen_file());
            reloaded.reload();
        })?;
        let max_connections = max_connections(self.max_connections, 1)?;
        let limits = ConnectionLimits { max_connections, ..ConnectionLimits::default() };
        let (hosts, origins) = (self.hosts.clone(), self.origins.clone());
        let options = HttpOptions { listener, limits, key, tls, access_log, hosts, origins };
        serve_http(server, options, shutdown_signal()).await.context("mcp")
    }
}

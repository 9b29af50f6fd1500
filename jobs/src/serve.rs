//! `fightdna serve`.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use fdna_lake::{Lake, SnapshotId};
use fdna_server::{Clock, LakeSource, Options, shutdown_signal};
use tokio::net::TcpListener;

use crate::exit::{ExitCode, coded};

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 takes a free one, which is printed.
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Connections at a time; more wait to be accepted.
    #[arg(long, default_value_t = 1024)]
    max_connections: usize,
    /// Serve this snapshot, such as one made with `run --known-at`, whichever is current.
    #[arg(long)]
    snapshot: Option<SnapshotId>,
}

/// Serves until SIGTERM or SIGINT, then lets requests in flight finish.
pub(crate) fn serve(lake: Lake, args: &ServeArgs, quiet: bool) -> anyhow::Result<ExitCode> {
    let root = lake.root().display().to_string();
    if let Some(id) = &args.snapshot {
        lake.snapshot(id)?;
    } else if lake.current()?.is_none() {
        return Err(coded(
            ExitCode::Unavailable,
            format!("serve: no snapshot is current in {root}; `fightdna run --lake {root}` makes one"),
        ));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("start the runtime")?.block_on(async {
        let listener = TcpListener::bind(args.listen).await;
        let unavailable = |e| coded(ExitCode::Unavailable, format!("listen on {}: {e}", args.listen));
        let listener = listener.map_err(unavailable)?;
        let address = listener.local_addr().context("find the address that was taken")?;
        if !quiet {
            crate::cli::print(format!("serving {root} on http://{address}/v1/mma\n"))?;
        }
        let lake = LakeSource::new(lake);
        let source = args.snapshot.iter().fold(lake, |lake, id| lake.only(id.clone()));
        let mut options = Options::new(Arc::new(source), clock());
        options.limits.max_connections = args.max_connections;
        fdna_server::serve(listener, options, shutdown_signal()).await.context("serve")
    })?;
    Ok(ExitCode::Done)
}

#[expect(clippy::disallowed_methods, reason = "a server asks for the time of each request, and asks here")]
fn clock() -> Clock {
    Clock::new(chrono::Utc::now)
}

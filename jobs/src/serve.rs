//! `fightdna serve`.

use std::net::SocketAddr;

use anyhow::Context as _;
use fdna_lake::Lake;

use crate::exit::ExitCode;

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 takes a free one, which is printed.
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
}

pub(crate) fn serve(lake: Lake, args: ServeArgs) -> anyhow::Result<ExitCode> {
    let _ = (lake, args.listen);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("start the runtime")?;
    drop(runtime);
    Ok(ExitCode::Done)
}

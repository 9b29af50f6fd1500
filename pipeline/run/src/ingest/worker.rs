//! The process that reads captures for a run: what ends it, ends no run. Started by [`super::workers`], it reads one
//! capture after the other, as it is asked on its standard input, until that is closed.

use std::io::{BufRead as _, BufWriter, Write as _};

use anyhow::Context as _;
use fdna_lake::Lake;
use rlimit::Resource;

use super::frame::{ReadRequest, write_answer};
use super::reading::LocalReader;
use crate::exit::ExitCode;

/// Processor time of one worker, in seconds: should nobody be left to end it. Another one goes on from there.
const CPU_SECONDS: u64 = 1800;

/// Answers until nobody asks.
///
/// # Errors
/// The bounds cannot be set, or what is asked cannot be understood or answered.
pub fn serve_requests(lake: &Lake, memory_bytes: u64) -> anyhow::Result<ExitCode> {
    limit_memory(memory_bytes)?;
    let reader = LocalReader::default();
    let mut output = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let request: ReadRequest = serde_json::from_str(&line.context("cannot read the request")?)?;
        let read = reader.read_capture(lake, &request.capture, request.base.as_ref());
        write_answer(&mut output, read).context("cannot answer")?;
    }
    Ok(ExitCode::Done)
}

fn limit_memory(memory_bytes: u64) -> anyhow::Result<()> {
    let at_most = |resource: Resource, bound: u64| {
        let hard = resource.get_hard()?;
        resource.set(bound.min(hard), hard)
    };
    at_most(Resource::AS, memory_bytes).context("cannot limit the memory")?;
    at_most(Resource::CPU, CPU_SECONDS).context("cannot limit the processor time")?;
    at_most(Resource::CORE, 0).context("cannot forbid core dumps")?;
    // If the machine has no memory left, this process is the one to end.
    let score = std::fs::OpenOptions::new().write(true).open("/proc/self/oom_score_adj");
    if let Ok(mut score) = score {
        let _ = score.write_all(b"1000");
    }
    Ok(())
}

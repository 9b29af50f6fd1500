//! The program itself, built here so that cargo tells the tests of this package where it is. One thing more:
//! `FIGHTDNA_CRASH_AT_STEP=n` aborts it right before the n-th durable step of a commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fdna_lake::Lake;

fn main() -> std::process::ExitCode {
    fdna_jobs::main_on(with_crash_point)
}

fn with_crash_point(lake: Lake) -> Lake {
    let at = std::env::var("FIGHTDNA_CRASH_AT_STEP").ok().and_then(|n| n.parse::<usize>().ok());
    let Some(at) = at else { return lake };
    let steps = AtomicUsize::new(0);
    lake.with_step_hook(Arc::new(move |_: &str| {
        if steps.fetch_add(1, Ordering::SeqCst) + 1 == at {
            std::process::abort();
        }
    }))
}

//! The program itself, built here so that cargo tells the tests of this package where it is. Two things more:
//! `FIGHTDNA_CRASH_AT_STEP=n` aborts it right before the n-th durable step of a commit, and `FIGHTDNA_NOW` is the
//! time that it takes for now.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use fdna_lake::Lake;

fn main() -> std::process::ExitCode {
    fdna_jobs::main_on(with_crash_point, now())
}

#[expect(clippy::disallowed_methods, reason = "the program's own clock, where a test gives no time")]
fn now() -> DateTime<Utc> {
    let given = std::env::var("FIGHTDNA_NOW").ok();
    given.map_or_else(Utc::now, |text| text.parse().expect("an instant in FIGHTDNA_NOW"))
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

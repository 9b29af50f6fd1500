//! The program itself, built here so that cargo tells the tests of this package where it is. Three things more:
//! `FIGHTDNA_CRASH_AT_STEP=n` aborts it right before the n-th durable step of a commit; `FIGHTDNA_FAULT=kill:n`,
//! `full:n` and `io:n` end it at the n-th operation on the disk, or let that and all later ones meet a full or a
//! broken disk, and `FIGHTDNA_FAULT=list:FILE` writes the operations into a file; `FIGHTDNA_NOW` is the time that it
//! takes for now.

use std::io::{ErrorKind, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use fdna_lake::Lake;

fn main() -> std::process::ExitCode {
    fdna_jobs::main_on(|lake| with_fault(with_crash_point(lake)), now())
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

fn with_fault(lake: Lake) -> Lake {
    let Ok(fault) = std::env::var("FIGHTDNA_FAULT") else { return lake };
    let (what, rest) = fault.split_once(':').expect("kill:n, full:n, io:n or list:FILE");
    if what == "list" {
        let file = std::fs::File::create(rest).expect("a file for the operations");
        return lake
            .with_fault_hook(Arc::new(move |operation: &str, _: &str| writeln!(&file, "{operation}")));
    }
    let (what, at) = (what.to_owned(), rest.parse::<usize>().expect("a number"));
    let seen = AtomicUsize::new(0);
    lake.with_fault_hook(Arc::new(move |_: &str, _: &str| {
        let n = seen.fetch_add(1, Ordering::SeqCst) + 1;
        match what.as_str() {
            _ if n < at => Ok(()),
            "kill" => std::process::abort(),
            "full" => Err(ErrorKind::StorageFull.into()),
            _ => Err(std::io::Error::other("the disk is broken")),
        }
    }))
}

//! The program itself, built here so that cargo tells the tests of this package where it is. Two things more:
//! `FIGHTDNA_NOW` is the time that it takes for now, and `FIGHTDNA_FAULT` breaks it off:
//!
//! | value | what happens |
//! |---|---|
//! | `kill:n` | it is killed before its n-th operation on the disk |
//! | `full:n`, `io:n` | that operation and all later ones meet a full or a broken disk |
//! | `crash:n` | it is killed before the n-th durable step of a commit |
//! | `list:FILE`, `steps:FILE` | its operations, or its steps, are written into the file, a line each |

use std::io::{ErrorKind, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use fdna_lake::Lake;

fn main() -> std::process::ExitCode {
    fdna_jobs::main_on(with_fault, now())
}

#[expect(clippy::disallowed_methods, reason = "the program's own clock, where a test gives no time")]
fn now() -> DateTime<Utc> {
    let given = std::env::var("FIGHTDNA_NOW").ok();
    given.map_or_else(Utc::now, |text| text.parse().expect("an instant in FIGHTDNA_NOW"))
}

fn with_fault(lake: Lake) -> Lake {
    let Ok(fault) = std::env::var("FIGHTDNA_FAULT") else { return lake };
    let (kind, rest) = fault.split_once(':').expect("KIND:NUMBER or KIND:FILE");
    // A worker process is given the same file.
    let list = || std::fs::File::options().append(true).create(true).open(rest).expect("a file for the list");
    let at = || rest.parse::<usize>().expect("a number");
    match kind {
        "list" => {
            let file = list();
            lake.with_fault_hook(Arc::new(move |operation: &str, path: &str| {
                writeln!(&file, "{operation} {path}")
            }))
        }
        "steps" => {
            let file = list();
            lake.with_step_hook(Arc::new(move |step: &str| {
                writeln!(&file, "{step}").expect("a step is listed");
            }))
        }
        "crash" => {
            let reached = counted_to(at());
            lake.with_step_hook(Arc::new(move |_: &str| {
                if reached() {
                    std::process::abort();
                }
            }))
        }
        _ => {
            let (kind, reached) = (kind.to_owned(), counted_to(at()));
            lake.with_fault_hook(Arc::new(move |_: &str, _: &str| match kind.as_str() {
                _ if !reached() => Ok(()),
                "kill" => std::process::abort(),
                "full" => Err(ErrorKind::StorageFull.into()),
                _ => Err(std::io::Error::other("the disk is broken")),
            }))
        }
    }
}

/// Says whether it was called `n` times.
fn counted_to(n: usize) -> impl Fn() -> bool {
    let calls = AtomicUsize::new(0);
    move || calls.fetch_add(1, Ordering::SeqCst) + 1 >= n
}

//! The one binary `fightdna`: its command line, and a file in `commands` for each command. What runs do is in `fdna-run`. The
//! clock is read here, once, and passed down.

pub mod cli;
mod command_line;
mod commands;
mod output;
mod settings;

pub use cli::Cli;
pub use commands::explain::LakeExplainer;
use fdna_run::exit::error_with_code;
pub use fdna_run::exit::{ExitCode, exit_code};
pub use fdna_run::report::{JobReport, RunReport};

/// Gives memory back: what loading a snapshot and deriving need for a moment is many times what stays.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The whole program: reads the command line and the clock, does what is asked, says how it ended.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub fn main() -> std::process::ExitCode {
    main_on(|lake| lake, chrono::Utc::now())
}

/// As [`main`] at a time, on the lake as `prepare` gives it back: tests hang their hooks on it.
#[must_use]
pub fn main_on(
    prepare: impl FnOnce(fdna_lake::Lake) -> fdna_lake::Lake,
    now: chrono::DateTime<chrono::Utc>,
) -> std::process::ExitCode {
    let cli = match command_line::parse_line::<Cli>(std::env::args_os().collect()) {
        Ok(cli) => cli.as_program(),
        Err(refused) => return refused.print_refusal(),
    };
    cli.init_logging();
    let is_json = cli.is_json();
    let mut done = cli.run(now, prepare);
    // A writer ends when it is dropped, which tells nobody what failed then.
    if let (Ok(_), Some(why)) = (&done, fdna_lake::take_uncommitted()) {
        let why = format!("what was done last was not committed, and is to be done again: {why}");
        done = Err(error_with_code(ExitCode::Unavailable, why));
    }
    let code = done.unwrap_or_else(|error| {
        let code = exit_code(&error);
        output::print_error(&format!("{error:#}"), code.as_u8(), is_json);
        code
    });
    std::process::ExitCode::from(code.as_u8())
}

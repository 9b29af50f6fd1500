//! `fightdna`: captured MMA facts in, Fight DNA out.

use clap::Parser as _;
use fdna_jobs::{Cli, ExitCode, exit_code};

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    cli.init_logging();
    let code = match cli.run(chrono::Utc::now()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("fightdna: {error:#}");
            exit_code(&error)
        }
    };
    let code = if code == ExitCode::NothingToDo { ExitCode::Done } else { code };
    std::process::ExitCode::from(code.number())
}

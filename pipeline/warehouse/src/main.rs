//! `fightdna-sql`: what the lake holds, in SQL.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}

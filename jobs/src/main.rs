//! `fightdna`: captured MMA facts in, Fight DNA out.

fn main() -> std::process::ExitCode {
    fdna_jobs::main()
}

//! The program itself, built here so that cargo tells the tests of this package where it is.

fn main() -> std::process::ExitCode {
    fdna_jobs::main()
}

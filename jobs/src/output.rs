//! What commands print: results on standard output, errors on standard error.

use std::io::Write as _;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::exit::ExitCode;

/// What a command tells, as text and as JSON.
pub(crate) struct CommandReport {
    pub(crate) text: String,
    pub(crate) json: Value,
    pub(crate) code: ExitCode,
}

/// Standard output closed by the reader (`| head`) is no failure.
pub(crate) fn print(text: String) -> anyhow::Result<ExitCode> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::Done),
        written => written.context("print the result").map(|()| ExitCode::Done),
    }
}

/// An error on standard error.
pub(crate) fn tell_error(message: &str, code: u8, is_json: bool) {
    match is_json {
        true => eprintln!("{}", json!({ "error": { "message": message, "exit_code": code } })),
        false => eprintln!("fightdna: {message}"),
    }
}

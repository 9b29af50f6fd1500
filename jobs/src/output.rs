//! Output of commands: results on standard output, errors on standard error.

use std::io::Write as _;

use anyhow::Context as _;
use fdna_run::exit::ExitCode;
use serde::Serialize;
use serde_json::{Value, json};

/// Answer of a command, as text for a person and as JSON for a machine, with the exit code.
pub(crate) struct CommandReport {
    text: String,
    json: String,
    code: ExitCode,
}

impl CommandReport {
    pub(crate) fn new(text: impl Into<String>, json: &Value, code: ExitCode) -> Self {
        Self { text: text.into(), json: format!("{json:#}"), code }
    }

    /// As [`Self::new`], of a command that did what it was asked for.
    pub(crate) fn done(text: impl Into<String>, json: &Value) -> Self {
        Self::new(text, json, ExitCode::Done)
    }

    /// With a record as JSON, whose fields stay in their order.
    ///
    /// # Errors
    /// The record cannot be written as JSON.
    pub(crate) fn of_record(
        text: impl Into<String>,
        record: &impl Serialize,
        code: ExitCode,
    ) -> anyhow::Result<Self> {
        let json = serde_json::to_string_pretty(record).context("cannot write the result as JSON")?;
        Ok(Self { text: text.into(), json, code })
    }

    pub(crate) fn code(&self) -> ExitCode {
        self.code
    }

    /// Prints one of the two.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn print_to_stdout(self, is_json: bool) -> anyhow::Result<ExitCode> {
        print_text(if is_json { self.json + "\n" } else { self.text })?;
        Ok(self.code)
    }
}

/// Standard output closed by the reader (`| head`) is no failure.
pub(crate) fn print_text(text: String) -> anyhow::Result<ExitCode> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(ExitCode::Done),
        written => written.context("cannot print the result").map(|()| ExitCode::Done),
    }
}

/// An error on standard error.
pub(crate) fn print_error(message: &str, code: u8, is_json: bool) {
    match is_json {
        true => eprintln!("{}", json!({ "error": { "message": message, "exit_code": code } })),
        false => eprintln!("fightdna: {message}"),
    }
}

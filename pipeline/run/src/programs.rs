//! Programs that this one starts. `fightdna-sql` is linked to the SQL engine, so that this one needs no library beside it.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::{Command, ExitStatus};

use anyhow::Context as _;
use fdna_schemas::catalog_folder;

use crate::exit::{ExitCode, error_with_code};

const PROGRAM: &str = "fightdna-sql";

/// Names the catalog's folder, where this program was given one.
pub fn hand_on_folder(command: &mut Command) {
    if let Some(folder) = catalog_folder() {
        command.arg("--catalog-data").arg(folder);
    }
}

pub fn explain_start_error<T>(result: std::io::Result<T>) -> anyhow::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(missing_program()),
        result => result.with_context(|| format!("cannot run `{PROGRAM}`")),
    }
}

/// The one beside this program; else its name, to be found on the `PATH`.
pub fn sql_program() -> OsString {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside =
        std::env::current_exe().ok().map(|own| own.with_file_name(&name)).filter(|path| path.is_file());
    beside.map_or_else(|| name.into(), Into::into)
}

fn missing_program() -> anyhow::Error {
    let message = format!(
        "no `{PROGRAM}` beside this program or on the PATH; \
         `tools/build-sql` in the repository builds it"
    );
    error_with_code(ExitCode::Unavailable, message)
}

pub fn exit_code_of(status: ExitStatus) -> ExitCode {
    let codes = [ExitCode::Done, ExitCode::Usage, ExitCode::BadData, ExitCode::Unavailable];
    let same = |code: &ExitCode| status.code() == Some(code.as_u8().into());
    codes.into_iter().find(same).unwrap_or(ExitCode::Failed)
}

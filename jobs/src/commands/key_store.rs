//! The store of keys, for the commands that open it; exit codes of stores that cannot be asked.

use std::path::{Path, PathBuf};

use fdna_gateway::database::FaultCause;
use fdna_gateway::plan::{PlanError, Plans};
use fdna_gateway::store;
use fdna_run::exit::{ExitCode, error_with_code};

/// Which store.
#[derive(clap::Args)]
pub(crate) struct StorePlace {
    /// Store of keys: the path of a SQLite file, which `keys issue` makes if it is not there, or postgres://…
    #[arg(long, env = "FIGHTDNA_KEYS", hide_env_values = true)]
    keys: String,
}

impl StorePlace {
    /// Where a mistyped place must not make a new store.
    pub(crate) fn open_existing(&self) -> anyhow::Result<Box<dyn store::Store>> {
        store::open_existing(&self.keys).map_err(unavailable_store)
    }

    /// Its webhooks.
    pub(crate) fn open_webhooks(&self) -> anyhow::Result<Box<dyn store::WebhookStore>> {
        store::open_webhook_store(&self.keys).map_err(unavailable_store)
    }
}

/// Which store, and what the plans allow.
#[derive(clap::Args)]
pub(crate) struct StoreArgs {
    #[command(flatten)]
    pub(super) place: StorePlace,
    /// Prices and limits that differ from the contract's, as TOML.
    #[arg(long, env = "FIGHTDNA_PLANS")]
    plans: Option<PathBuf>,
}

impl StoreArgs {
    pub(crate) fn open_store(&self) -> anyhow::Result<Box<dyn store::Store>> {
        store::open_key_store(&self.place.keys).map_err(unavailable_store)
    }

    pub(crate) fn open_existing(&self) -> anyhow::Result<Box<dyn store::Store>> {
        self.place.open_existing()
    }

    /// Problems of the store.
    pub(crate) fn verify_store(&self) -> anyhow::Result<Vec<String>> {
        store::verify_store(&self.place.keys).map_err(unavailable_store)
    }

    pub(crate) fn read_plans(&self) -> anyhow::Result<Plans> {
        let Some(path) = &self.plans else { return Ok(Plans::default_plans()?) };
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|e| {
            error_with_code(ExitCode::Unavailable, format!("cannot read {}: {e}", path.display()))
        })?;
        Plans::from_toml(&text).map_err(|error| bad_plans(path, error))
    }
}

fn bad_plans(path: &Path, error: PlanError) -> anyhow::Error {
    let error = anyhow::Error::new(error);
    error_with_code(ExitCode::BadData, format!("{}: {error:#}", path.display()))
}

/// Name written into the log of key actions: the one that was given, else that of the user of the system.
///
/// # Errors
/// There is none.
pub(crate) fn actor_name(given: Option<&str>, command: &str) -> anyhow::Result<String> {
    let user = || ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
    let by = given.map(str::to_owned).or_else(user).filter(|by| !by.trim().is_empty());
    by.or_else(os_user).ok_or_else(|| {
        let message =
            format!("{command}: nobody can tell who you are: give --by NAME, for the log of key actions");
        error_with_code(ExitCode::Usage, message)
    })
}

/// As the system's list of users names whoever runs this.
fn os_user() -> Option<String> {
    let output = std::process::Command::new("id").arg("-un").output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !name.is_empty()).then_some(name)
}

/// A store that cannot be asked.
pub(crate) fn unavailable_store(error: store::StoreError) -> anyhow::Error {
    error_with_code(code_of_fault(error.fault()), store::describe_error(&error))
}

/// Of a store of keys or leads that cannot be asked.
pub(crate) fn code_of_fault(fault: FaultCause) -> ExitCode {
    match fault {
        FaultCause::Damaged => ExitCode::BadData,
        FaultCause::Unwritable => ExitCode::CannotWrite,
        FaultCause::Other => ExitCode::Unavailable,
    }
}

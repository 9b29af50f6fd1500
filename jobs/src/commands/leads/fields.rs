//! The rules of fields, as an operator sets them for a server and for an import.

use fdna_leads::{FieldRules, PhoneRegion};
use fdna_run::exit::{ExitCode, error_with_code};

#[derive(clap::Args)]
pub(super) struct FieldArgs {
    /// Statuses that a lead may have; `new`, which a lead begins with, must be one.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "new,contacted,qualified,won,lost"
    )]
    statuses: Vec<String>,
    /// Country whose national telephone numbers are read as such.
    #[arg(long, value_name = "CODE", default_value = "US")]
    phone_region: PhoneRegion,
}

impl FieldArgs {
    pub(super) fn field_rules(&self) -> anyhow::Result<FieldRules> {
        let rules = FieldRules::new(&self.statuses, self.phone_region);
        rules.map_err(|error| error_with_code(ExitCode::Usage, format!("leads: {error}")))
    }
}

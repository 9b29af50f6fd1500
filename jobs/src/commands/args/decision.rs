//! Author and reason of a decision about the lake.

use clap::Args;

/// Who decides, and why; both stay in the log.
#[derive(Args)]
pub(crate) struct DecisionArgs {
    /// Why, for whoever reads the log later.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// By whom; without, the user of the operating system.
    #[arg(long, value_name = "NAME", env = "USER", default_value = "unknown")]
    pub(crate) by: String,
}

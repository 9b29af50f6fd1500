//! The store of leads, where it cannot be asked.

use fdna_leads::store::StoreError;
use fdna_run::exit::coded;

use crate::commands::key_store::code_of_fault;

/// A store that cannot be asked.
pub(super) fn unavailable(error: StoreError) -> anyhow::Error {
    coded(code_of_fault(error.fault()), format!("leads: {:#}", anyhow::Error::new(error)))
}

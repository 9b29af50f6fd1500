//! The store of leads, where it cannot be asked.

use fdna_leads::store::StoreError;
use fdna_run::exit::error_with_code;

use crate::commands::key_store::code_of_fault;

/// A store that cannot be asked.
pub(super) fn unavailable_store(error: StoreError) -> anyhow::Error {
    error_with_code(code_of_fault(error.fault()), format!("leads: {:#}", anyhow::Error::new(error)))
}

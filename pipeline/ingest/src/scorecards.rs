//! Judges' scores of every round, deductions and weights on the scales: bouts of all promotions, by ids of the
//! source's own.

mod files;

use bytes::Bytes;

use crate::{IngestError, Ingested, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "scorecards";

/// Reads the six files.
///
/// # Errors
/// A file cannot be taken apart into rows.
pub fn ingest(files: &[(String, Bytes)]) -> Result<Ingested, IngestError> {
    layout::ingest(SOURCE, files, files::read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn rounds_totals_votes_and_deductions_are_kept_as_written() {
        expect![""].assert_eq(&shown(SOURCE, "judged-every-way"));
    }

    #[test]
    fn rows_that_say_two_things_or_nothing_readable_are_set_aside() {
        expect![""].assert_eq(&shown(SOURCE, "rows-that-contradict"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_damage_loses_a_row(files in damaged(SOURCE, "judged-every-way")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}

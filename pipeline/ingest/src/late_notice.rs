//! Late replacements and missed weights: bouts of all promotions, by ids of the source's own, with the fighters'
//! ids at the statistics source where it knows them.

mod files;

use bytes::Bytes;

use crate::{IngestError, Ingested, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "late-notice";

/// Reads the four files.
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
    fn fighters_keep_their_ids_elsewhere() {
        expect![""].assert_eq(&shown(SOURCE, "met-twice"));
    }

    #[test]
    fn figures_that_are_none_are_set_aside() {
        expect![""].assert_eq(&shown(SOURCE, "rows-that-contradict"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_damage_loses_a_row(files in damaged(SOURCE, "met-twice")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}

//! Late replacements and missed weights: bouts of all promotions, by ids of the source's own, with the fighters'
//! ids at the statistics source where it knows them.

mod files;

use bytes::Bytes;

use crate::{IngestError, IngestedCapture, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "late-notice";

/// Reads the four files.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
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
        expect![[r#"
            notice_bouts: line=2 bout_source_id=21 event_source_id=5 bout_order=1 first_source_id=202 second_source_id=201
            notice_bouts: line=3 bout_source_id=22 event_source_id=5 bout_order=2 first_source_id=203 second_source_id=204
            notice_bouts: line=4 bout_source_id=23 event_source_id=6 bout_order=1 first_source_id=201 second_source_id=202
            notice_bouts: line=5 bout_source_id=24 event_source_id=6 bout_order=2 first_source_id=205 second_source_id=206
            notice_bouts: line=6 bout_source_id=25 event_source_id=7 bout_order=1 first_source_id=207 second_source_id=208
            notice_bouts: line=7 bout_source_id=27 event_source_id=5 bout_order=3 first_source_id=209 second_source_id=210
            notice_bouts: line=8 bout_source_id=28 event_source_id=6 bout_order=3 first_source_id=203 second_source_id=206
            notice_fighters: line=2 fighter_source_id=201 statsdb_id=0000000000000001 sherdog_id=11 name=A One height_in=72.0 reach_in=76.5 stance=Orthodox nationality=Samplonia
            notice_fighters: line=3 fighter_source_id=202 statsdb_id=0000000000000002 sherdog_id=12 name=B Two height_in=71.0 stance=Switches (Equal Both) nationality=Samplonia
            notice_fighters: line=4 fighter_source_id=203 statsdb_id=0000000000000003 name=C Three
            notice_fighters: line=5 fighter_source_id=204 statsdb_id=0000000000000004 name=D Four
            notice_fighters: line=6 fighter_source_id=205 statsdb_id=0000000000000005 name=E Five
            notice_fighters: line=7 fighter_source_id=206 statsdb_id=0000000000000006 name=F Six
            notice_fighters: line=8 fighter_source_id=207 name=G Nobody
            notice_fighters: line=9 fighter_source_id=208 name=H Nobody
            notice_fighters: line=10 fighter_source_id=209 statsdb_id=0000000000000007 name=W One
            notice_fighters: line=11 fighter_source_id=210 statsdb_id=0000000000000008 name=W Two
            notice_replacements: line=2 bout_source_id=21 fighter_source_id=202 notice_days=9
            notice_replacements: line=3 bout_source_id=21 fighter_source_id=201 notice_days=4
            notice_replacements: line=4 bout_source_id=25 fighter_source_id=207 notice_days=30
            notice_missed_weights: line=2 bout_source_id=24 fighter_source_id=205 weight_lbs=158.5
            notice_missed_weights: line=3 bout_source_id=25 fighter_source_id=208 weight_lbs=140.0
            bouts.csv: 7 in, 7 out, 0 set aside
            fighters.csv: 10 in, 10 out, 0 set aside
            late_replacements.csv: 3 in, 3 out, 0 set aside
            missed_weights.csv: 2 in, 2 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "met-twice"));
    }

    #[test]
    fn figures_that_are_none_are_set_aside() {
        expect![[r#"
            notice_bouts: line=2 bout_source_id=21 event_source_id=5 bout_order=1 first_source_id=202 second_source_id=201
            notice_bouts: line=3 bout_source_id=22 event_source_id=5 bout_order=2 first_source_id=203 second_source_id=204
            notice_bouts: line=4 bout_source_id=23 event_source_id=6 bout_order=1 first_source_id=201 second_source_id=202
            notice_bouts: line=5 bout_source_id=24 event_source_id=6 bout_order=2 first_source_id=205 second_source_id=206
            notice_bouts: line=6 bout_source_id=25 event_source_id=7 bout_order=1 first_source_id=207 second_source_id=208
            notice_bouts: line=7 bout_source_id=26 event_source_id=6 bout_order=3 first_source_id=201 second_source_id=999
            notice_bouts: line=8 bout_source_id=27 event_source_id=5 bout_order=3 first_source_id=209 second_source_id=210
            notice_bouts: line=9 bout_source_id=28 event_source_id=6 bout_order=3 first_source_id=203 second_source_id=206
            notice_fighters: line=2 fighter_source_id=201 statsdb_id=0000000000000001 sherdog_id=11 name=A One height_in=72.0 reach_in=76.5 stance=Orthodox nationality=Samplonia
            notice_fighters: line=3 fighter_source_id=202 statsdb_id=0000000000000002 sherdog_id=12 name=B Two height_in=71.0 stance=Switches (Equal Both) nationality=Samplonia
            notice_fighters: line=4 fighter_source_id=203 statsdb_id=0000000000000003 name=C Three
            notice_fighters: line=5 fighter_source_id=204 statsdb_id=0000000000000004 name=D Four
            notice_fighters: line=6 fighter_source_id=205 statsdb_id=0000000000000005 name=E Five
            notice_fighters: line=7 fighter_source_id=206 statsdb_id=0000000000000005 name=F Six
            notice_fighters: line=8 fighter_source_id=207 name=G Nobody
            notice_fighters: line=9 fighter_source_id=208 name=H Nobody
            notice_fighters: line=10 fighter_source_id=209 statsdb_id=0000000000000007 name=W One
            notice_fighters: line=11 fighter_source_id=210 statsdb_id=0000000000000008 name=W Two
            notice_replacements: line=2 bout_source_id=21 fighter_source_id=203 notice_days=9
            notice_replacements: line=3 bout_source_id=99 fighter_source_id=201 notice_days=4
            notice_replacements: line=5 bout_source_id=23 fighter_source_id=201 notice_days=7
            quarantine unreadable_value late_replacements.csv:4: `notice_time_days` is `soon`
            quarantine duplicate late_replacements.csv:6: duplicate id `23/201`: line 5 has different values
            quarantine missing_value missed_weights.csv:2: `weight_lbs` has no value
            bouts.csv: 8 in, 8 out, 0 set aside
            fighters.csv: 10 in, 10 out, 0 set aside
            late_replacements.csv: 5 in, 3 out, 2 set aside
            missed_weights.csv: 1 in, 0 out, 1 set aside
        "#]].assert_eq(&shown(SOURCE, "rows-that-contradict"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_damage_loses_a_row(files in damaged(SOURCE, "met-twice")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}

//! Judges' scores of every round, deductions and weights on the scales: bouts of all promotions, by ids of the
//! source's own.

mod files;

use bytes::Bytes;

use crate::{IngestError, IngestedCapture, layout};

/// Name of the source in captures, ids and contracts.
pub const SOURCE: &str = "scorecards";

/// Reads the six files.
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
    fn rounds_totals_votes_and_deductions_are_kept_as_written() {
        expect![[r#"
            judging_events: line=2 event_source_id=1 event=SFL 1: One vs Two promotion=SFL event_date=2020-02-01 venue=Sample Hall location=Exampleville, Samplonia
            judging_events: line=3 event_source_id=2 event=OTH 9 promotion=OTH event_date=2019-05-05 location=Elsewhere, Samplonia
            judging_bouts: line=2 bout_source_id=11 event_source_id=1 bout_order=1 first_source_id=102 second_source_id=101 first_weight_lbs=155.5 second_weight_lbs=46.0 first_fighting_out_of=Exampleville, SA decision_type=Unanimous Decision
            judging_bouts: line=3 bout_source_id=12 event_source_id=1 bout_order=2 first_source_id=103 second_source_id=104 decision_type=Unanimous Decision
            judging_bouts: line=4 bout_source_id=13 event_source_id=2 bout_order=1 first_source_id=105 second_source_id=106 first_weight_lbs=170.0 second_weight_lbs=170.0 decision_type=Split Decision
            judging_fighters: line=2 fighter_source_id=101 name=A One date_of_birth=1990-01-01 height_in=72.0 reach_in=76.5
            judging_fighters: line=3 fighter_source_id=102 name=B Two nicknames=The Sample; Sampler date_of_birth=1991-01-01 birth_location=Exampleville, SA height_in=71.0
            judging_fighters: line=4 fighter_source_id=103 name=C Three date_of_birth=1992-01-01
            judging_fighters: line=5 fighter_source_id=104 name=D Four date_of_birth=1993-01-01
            judging_fighters: line=6 fighter_source_id=105 name=E Five
            judging_fighters: line=7 fighter_source_id=106 name=F Six
            judging_judges: line=2 judge_source_id=1 name=Jo First
            judging_judges: line=3 judge_source_id=2 name=Jo Second
            judging_judges: line=4 judge_source_id=3 name=Jo Third
            judging_scores: line=2 bout_source_id=11 part=round round=1 judge_order=1 judge_source_id=1 first_points=9 second_points=10
            judging_scores: line=3 bout_source_id=11 part=round round=2 judge_order=1 judge_source_id=1 first_points=8 second_points=10
            judging_scores: line=4 bout_source_id=11 part=round round=3 judge_order=1 judge_source_id=1 first_points=10 second_points=9
            judging_scores: line=5 bout_source_id=11 part=total judge_order=1 judge_source_id=1 first_points=27 second_points=29
            judging_scores: line=6 bout_source_id=11 part=round round=1 judge_order=2
            judging_scores: line=7 bout_source_id=11 part=round round=2 judge_order=2
            judging_scores: line=8 bout_source_id=11 part=round round=3 judge_order=2
            judging_scores: line=9 bout_source_id=11 part=total judge_order=2 first_points=28 second_points=29
            judging_scores: line=10 bout_source_id=11 part=round round=1 judge_order=3 judge_source_id=3 first_points=10 second_points=9
            judging_scores: line=11 bout_source_id=11 part=round round=2 judge_order=3 judge_source_id=3 first_points=10 second_points=9
            judging_scores: line=12 bout_source_id=11 part=round round=3 judge_order=3 judge_source_id=3 first_points=10 second_points=9
            judging_scores: line=13 bout_source_id=11 part=total judge_order=3 judge_source_id=3 first_points=29 second_points=28
            judging_scores: line=14 bout_source_id=12 part=round round=1 judge_order=1 judge_source_id=1 first_points=1
            judging_scores: line=15 bout_source_id=12 part=total judge_order=1 judge_source_id=1 first_points=1 second_points=0
            judging_scores: line=16 bout_source_id=13 part=round round=1 judge_order=1 judge_source_id=2 first_points=10 second_points=9
            judging_scores: line=17 bout_source_id=13 part=extra judge_order=1 judge_source_id=2 first_points=10 second_points=9
            judging_scores: line=18 bout_source_id=13 part=total judge_order=1 judge_source_id=2 first_points=10 second_points=9
            judging_deductions: line=2 bout_source_id=11 fighter_source_id=102 round=2 points=1 reason=Low blow
            judging_deductions: line=3 bout_source_id=11 fighter_source_id=102 round=2 points=1 reason=Holding the fence
            judging_deductions: line=4 bout_source_id=13 fighter_source_id=105 round=1 points=2
            events.csv: 2 in, 2 out, 0 set aside
            bouts.csv: 3 in, 3 out, 0 set aside
            fighters.csv: 6 in, 6 out, 0 set aside
            judges.csv: 3 in, 3 out, 0 set aside
            judge_scores.csv: 17 in, 17 out, 0 set aside
            deductions.csv: 3 in, 3 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "judged-every-way"));
    }

    #[test]
    fn rows_that_say_two_things_or_nothing_readable_are_set_aside() {
        expect![[r#"
            judging_events: line=2 event_source_id=1 event=SFL 1: One vs Two promotion=SFL event_date=2020-02-01 venue=Sample Hall location=Exampleville, Samplonia
            judging_events: line=3 event_source_id=2 event=OTH 9 promotion=OTH event_date=2019-05-05 location=Elsewhere, Samplonia
            judging_bouts: line=4 bout_source_id=13 event_source_id=7 bout_order=1 first_source_id=105 second_source_id=106 first_weight_lbs=170.0 second_weight_lbs=170.0 decision_type=Split Decision
            judging_bouts: line=5 bout_source_id=14 event_source_id=1 bout_order=3 first_source_id=105 second_source_id=999 first_weight_lbs=170.0 second_weight_lbs=170.0 decision_type=Split Decision
            judging_bouts: line=6 bout_source_id=15 event_source_id=1 bout_order=4 first_source_id=101 second_source_id=102 first_weight_lbs=155.0 second_weight_lbs=155.0 decision_type=Split Decision
            judging_fighters: line=2 fighter_source_id=101 name=A One date_of_birth=1990-01-01 height_in=72.0 reach_in=76.5
            judging_fighters: line=3 fighter_source_id=102 name=B Two nicknames=The Sample; Sampler date_of_birth=1991-01-01 birth_location=Exampleville, SA height_in=71.0
            judging_fighters: line=4 fighter_source_id=103 name=C Three date_of_birth=1992-01-01
            judging_fighters: line=5 fighter_source_id=104 name=D Four date_of_birth=1993-01-01
            judging_fighters: line=6 fighter_source_id=105 name=E Five
            judging_fighters: line=7 fighter_source_id=106 name=F Six
            judging_judges: line=2 judge_source_id=1 name=Jo First
            judging_judges: line=3 judge_source_id=2 name=Jo Second
            judging_judges: line=4 judge_source_id=3 name=Jo Third
            judging_scores: line=2 bout_source_id=15 part=round round=1 judge_order=1 judge_source_id=1 first_points=9 second_points=10
            judging_scores: line=7 bout_source_id=15 part=round round=2 judge_order=1 judge_source_id=77 first_points=9 second_points=10
            judging_scores: line=8 bout_source_id=99 part=round round=1 judge_order=1 judge_source_id=1 first_points=9 second_points=10
            judging_deductions: line=2 bout_source_id=15 fighter_source_id=105 round=2 points=1 reason=Low blow
            judging_deductions: line=3 bout_source_id=99 fighter_source_id=101 round=2 points=1 reason=Low blow
            quarantine unreadable_value bouts.csv:2: `fighter_2_weight_lbs` is `heavy`
            quarantine missing_value bouts.csv:3: `decision_type` has no value
            quarantine duplicate bouts.csv:7: duplicate id `15`: line 6 has different values
            quarantine duplicate judge_scores.csv:3: duplicate id `15/1/1`: line 2 has different values
            note duplicate judge_scores.csv:4: the same row as line 2
            quarantine unreadable_value judge_scores.csv:5: `round` is `0`
            quarantine unreadable_value judge_scores.csv:6: `fighter_1_score` is `9.5`
            quarantine unreadable_value deductions.csv:4: `points_deducted` is `x`
            events.csv: 2 in, 2 out, 0 set aside
            bouts.csv: 6 in, 3 out, 3 set aside
            fighters.csv: 6 in, 6 out, 0 set aside
            judges.csv: 3 in, 3 out, 0 set aside
            judge_scores.csv: 7 in, 3 out, 4 set aside
            deductions.csv: 3 in, 2 out, 1 set aside
        "#]].assert_eq(&shown(SOURCE, "rows-that-contradict"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_damage_loses_a_row(files in damaged(SOURCE, "judged-every-way")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}

//! Tests of the sources that are read by their contracts alone.

use std::collections::BTreeSet;

use expect_test::expect;
use fdna_schemas::{ColumnRule, SourceContract, SourceFile};
use proptest::prelude::*;

use super::contract_of;
use crate::fact_columns::FactColumn;
use crate::testing::{check_nothing_is_lost, damaged, shown};

/// Whether the contract says what becomes of the columns of a file.
fn is_declared(file: &&SourceFile) -> bool {
    file.columns.iter().any(|column| column.parse.is_some())
}

#[test]
fn a_contract_fills_every_column_that_its_table_needs() {
    let files = SourceContract::all().flat_map(|contract| &contract.files).filter(is_declared);
    let mut n_files = 0;
    for file in files {
        let (table, mut filled) = (contract_of(&file.table).unwrap(), BTreeSet::from(["row_digest"]));
        for column in file.columns.iter().filter(|column| column.rule != ColumnRule::Ignored) {
            assert!(FactColumn::of_source(column, table).is_some(), "{}: {}", file.name, column.fact_name());
            assert!(filled.insert(column.fact_name()), "{}: {} twice", file.name, column.fact_name());
        }
        let needed = table.columns.iter().filter(|own| own.null_means.is_none()).map(|own| &*own.name);
        let unfilled = needed.filter(|name| !["file", "line"].contains(name) && !filled.contains(name));
        assert_eq!(unfilled.collect::<Vec<_>>(), [""; 0], "{}", file.name);
        let is_filled = |name: &String| filled.contains(name.as_str());
        assert!(file.key.iter().all(is_filled), "{}: {:?}", file.name, file.key);
        n_files += 1;
    }
    assert_eq!(n_files, 22);
}

#[test]
fn a_vacant_title_is_nobody_and_ranks_may_be_shared() {
    expect![[r#"
        ranking_rows: line=2 snapshot_date=2020-01-06 division=Pound-for-Pound fighter=A One rank=1
        ranking_rows: line=3 snapshot_date=2020-01-06 division=Pound-for-Pound fighter=W One rank=2
        ranking_rows: line=4 snapshot_date=2020-01-06 division=Lightweight rank=0
        ranking_rows: line=5 snapshot_date=2020-01-06 division=Lightweight fighter=A One rank=1
        ranking_rows: line=6 snapshot_date=2020-01-06 division=Lightweight fighter=B Two rank=2
        ranking_rows: line=7 snapshot_date=2020-01-06 division=Lightweight fighter=C Three rank=2
        ranking_rows: line=8 snapshot_date=2020-01-06 division=Lightweight fighter=D Four rank=4
        ranking_rows: line=9 snapshot_date=2020-02-03 division=Men's Pound-for-Pound fighter=A One rank=1
        ranking_rows: line=10 snapshot_date=2020-02-03 division=Women's Pound-for-Pound fighter=W One rank=1
        ranking_rows: line=11 snapshot_date=2020-02-03 division=Lightweight fighter=A One rank=0
        ranking_rows: line=12 snapshot_date=2020-02-03 division=Lightweight fighter=C Three rank=1
        ranking_rows: line=13 snapshot_date=2020-02-03 division=Lightweight fighter=B Two rank=2
        ranking_rows: line=14 snapshot_date=2020-02-03 division=Lightweight fighter=E Five rank=3
        ranking_rows: line=15 snapshot_date=2020-02-03 division=Lightweight fighter=D Four rank=4
        rankings.csv: 14 in, 14 out, 0 set aside
    "#]]
    .assert_eq(&shown("rankings", "vacant-title-and-shared-ranks"));
}

#[test]
fn rows_without_a_day_a_division_or_a_rank_are_set_aside() {
    expect![[r#"
        ranking_rows: line=2 snapshot_date=2020-01-06 division=Lightweight fighter=A One rank=0
        ranking_rows: line=3 snapshot_date=2020-01-06 division=Lightweight fighter=B Two rank=1
        ranking_rows: line=5 snapshot_date=2020-01-06 division=Lightweight fighter=B Two rank=2
        ranking_rows: line=6 snapshot_date=2020-01-06 division=Lightweight fighter=C Three rank=2
        ranking_rows: line=7 snapshot_date=2020-01-06 division=Lightweight fighter=D Four rank=4
        ranking_rows: line=8 snapshot_date=2020-01-06 division=Cruiserweight fighter=D Four rank=1
        ranking_rows: line=12 snapshot_date=2020-01-13 division=Lightweight fighter=A One rank=0
        ranking_rows: line=13 snapshot_date=2020-01-13 division=Lightweight fighter=B Two rank=1
        ranking_rows: line=14 snapshot_date=2020-01-13 division=Lightweight fighter=E Five rank=2
        note duplicate rankings.csv:4: the same row as line 3
        quarantine missing_value rankings.csv:9: `weightclass` has no value
        quarantine unreadable_value rankings.csv:10: `date` is `20-01-06`
        quarantine unreadable_value rankings.csv:11: `rank` is `first`
        rankings.csv: 13 in, 9 out, 4 set aside
    "#]]
    .assert_eq(&shown("rankings", "rows-that-contradict"));
}

#[test]
fn a_file_may_state_the_page_that_publishes_the_rankings() {
    expect![[r#"
        ranking_rows: line=2 snapshot_date=2020-01-06 division=Lightweight fighter=A One rank=0 source_url=https://league.example/rankings
        ranking_rows: line=3 snapshot_date=2020-01-06 division=Lightweight fighter=B Two rank=1 source_url=https://league.example/rankings
        ranking_rows: line=4 snapshot_date=2020-01-13 division=Lightweight fighter=A One rank=0
        quarantine unreadable_value rankings.csv:5: `source_url` is `league/rankings`
        rankings.csv: 4 in, 3 out, 1 set aside
    "#]]
    .assert_eq(&shown("rankings", "page-stated"));
}

#[test]
fn several_files_feed_one_table() {
    expect![[r#"
        ranking_rows: line=2 snapshot_date=2020-01-06 division=Lightweight fighter=A One rank=0
        ranking_rows: line=3 snapshot_date=2020-01-06 division=Lightweight fighter=B Two rank=1
        ranking_rows: line=4 snapshot_date=2020-01-13 division=Lightweight fighter=A One rank=0
        ranking_rows: line=5 snapshot_date=2020-01-13 division=Lightweight fighter=B Two rank=1
        ranking_rows: line=2 snapshot_date=2020-01-13 division=Lightweight fighter=B Two rank=0
        ranking_rows: line=3 snapshot_date=2020-01-13 division=Lightweight fighter=A One rank=1
        ranking_rows: line=4 snapshot_date=2020-02-03 division=Lightweight fighter=B Two rank=0
        ranking_rows: line=5 snapshot_date=2020-01-06 division=Lightweight fighter=A One rank=0
        ranking_rows: line=6 snapshot_date=2020-01-06 division=Lightweight fighter=B Two rank=1
        2020-01.csv: 4 in, 4 out, 0 set aside
        2020-02.csv: 5 in, 5 out, 0 set aside
    "#]]
    .assert_eq(&shown("rankings", "one-list-in-two-files"));
}

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
    "#]].assert_eq(&shown("late-notice", "met-twice"));
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
    "#]].assert_eq(&shown("late-notice", "rows-that-contradict"));
}

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
    "#]].assert_eq(&shown("scorecards", "judged-every-way"));
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
    "#]].assert_eq(&shown("scorecards", "rows-that-contradict"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_damage_loses_a_row_of_rankings(files in damaged("rankings", "one-list-in-two-files")) {
        check_nothing_is_lost("rankings", &files)?;
    }

    #[test]
    fn no_damage_loses_a_row_of_late_notice(files in damaged("late-notice", "met-twice")) {
        check_nothing_is_lost("late-notice", &files)?;
    }

    #[test]
    fn no_damage_loses_a_row_of_scorecards(files in damaged("scorecards", "judged-every-way")) {
        check_nothing_is_lost("scorecards", &files)?;
    }
}

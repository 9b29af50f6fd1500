//! Records and career numbers that the statistics source states of a fighter, as public scrapes keep them: a JSON
//! list, or a CSV table without records. Both have names alone, no ids.

mod stated;

use std::collections::HashSet;

use bytes::Bytes;
use fdna_model::{Finding, FindingKind, Severity};
use fdna_schemas::tables::{CareerRowsRow, ContractRow as _};
use fdna_schemas::{SourceContract, batches_to_one};
use serde_json::Value;

use self::stated::StatedCareer;
use crate::csv_reader::CsvReader;
use crate::layout::{FileLines, FileRows, contract, read_file};
use crate::record_files::{
    self, JsonObject, KnownFields, LocatedRow, LocatedRows, document, unreadable_file,
};
use crate::row::{RowError, SeenIds, of_file};
use crate::{IngestError, IngestedCapture};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "career";

/// Reads every file of the capture.
///
/// # Errors
/// A facts table cannot be built. A document of another shape is a fatal finding.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    let contract = contract(SOURCE)?;
    let (mut ingested, mut listed, mut batches) = (IngestedCapture::default(), Vec::new(), Vec::new());
    for file in &contract.files {
        let mut named: Vec<_> = files.iter().filter(|(name, _)| file.is_named(name)).collect();
        named.sort_by_key(|(name, _)| name);
        for (name, bytes) in named {
            if name.ends_with(".json") {
                listed.extend(of_document(contract, name, bytes, &mut ingested));
            } else {
                let csv = CsvReader::new(name, bytes, &contract.never_used);
                let file = fdna_schemas::SourceFile { name: name.clone(), ..file.clone() };
                let read = read_file(contract, &file, csv, &mut of_rows(name), &mut SeenIds::default())?;
                ingested.findings.extend(read.findings);
                ingested.counts.push(read.count);
                batches.push(read.batch);
            }
        }
    }
    if ingested.counts.is_empty() && ingested.findings.is_empty() {
        let reason = "no `*.json` or `*.csv` is in the capture".to_owned();
        let missing = |file| of_file(file, FindingKind::MissingFile, Severity::Fatal, reason);
        ingested.findings.extend(contract.files.first().map(missing));
    }
    let (name, of_documents) = record_files::table_of(CareerRowsRow::TABLE, &listed, stated::push)?;
    batches.push(of_documents);
    let whole = record_files::table(&name, |table| batches_to_one(table, &batches))?;
    ingested.tables = vec![whole];
    Ok(ingested)
}

/// The fighters of a JSON list.
fn of_document(
    contract: &SourceContract,
    name: &str,
    bytes: &Bytes,
    ingested: &mut IngestedCapture,
) -> Vec<LocatedRow<StatedCareer>> {
    let list = match document(bytes, &contract.never_used) {
        Ok(Value::Array(list)) => list,
        Ok(_) => {
            ingested.findings.push(unreadable_file(name, "it is no list of fighters"));
            return Vec::new();
        }
        Err(reason) => {
            ingested.findings.push(unreadable_file(name, reason));
            return Vec::new();
        }
    };
    let (on, mut seen) = (stated::day_in(name), HashSet::new());
    let mut records = LocatedRows::new(name, &mut ingested.findings);
    let take = |fighter: &Value| {
        let text = fighter.to_string();
        let again = || RowError::note(FindingKind::Duplicate, "the same record stands before");
        let read = StatedCareer::of_object(on, JsonObject(fighter));
        let read = read.and_then(|stated| seen.insert(text.clone()).then_some(stated).ok_or_else(again));
        records.take(&text, read)
    };
    let kept = list.iter().filter_map(take).collect();
    ingested.counts.push(records.finish());
    ingested.findings.extend(unknown_fields(contract, name, &list));
    kept
}

/// One note a file about fields that the contract does not name.
fn unknown_fields(contract: &SourceContract, name: &str, list: &[Value]) -> Option<Finding> {
    let known = KnownFields::of(contract, CareerRowsRow::TABLE);
    let unknown = list.iter().find_map(|fighter| known.unknown(JsonObject(fighter)))?;
    let file = contract.files.iter().find(|file| file.is_named(name))?;
    let reason = format!("fields are not in the contract, such as {unknown}");
    let finding = of_file(file, FindingKind::UnknownColumn, Severity::Note, reason);
    Some(Finding { file: name.to_owned(), ..finding })
}

/// Reads the fighters of the CSV table of this name.
fn of_rows(file: &str) -> impl FnMut(&str, &FileLines<'_>) -> FileRows {
    let on = stated::day_in(file);
    move |_, lines| {
        let (rows, refused) = lines.read(|row, seen, at| {
            let stated = StatedCareer::of_row(on, row)?;
            seen.check(at.digest, at)?;
            Ok(stated)
        });
        Ok((lines.table_of(&rows, stated::push)?, refused))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

    #[test]
    fn both_forms_give_the_same_numbers_and_a_block_of_zeros_states_nothing() {
        expect![[r#"
            career_rows: line=2 stated_on=2020-01-06 name=A One date_of_birth=1990-02-01 slpm=3.29 str_acc=0.38 sapm=4.0 str_def=0.57 td_avg=0.0 td_acc=1.0 td_def=0.77 sub_avg=0.5
            career_rows: line=3 stated_on=2020-01-06 name=Two
            career_rows: line=1 stated_on=2020-01-06 name=A One date_of_birth=1990-02-01 record_w=12 record_l=3 record_d=0 record_nc=1 slpm=3.29 str_acc=0.38 sapm=4.0 str_def=0.57 td_avg=0.0 td_acc=1.0 td_def=0.77 sub_avg=0.5
            career_rows: line=2 stated_on=2020-01-06 name=Two record_w=0 record_l=1 record_d=0 record_nc=0
            career_rows: line=3 stated_on=2020-01-06 name=Namesake Three date_of_birth=1991-05-01 record_w=5 record_l=0 record_d=0 record_nc=0
            career_rows: line=4 stated_on=2020-01-06 name=Namesake Three date_of_birth=1985-05-01 record_w=9 record_l=4 record_d=1 record_nc=0
            note unknown_column fighters_2020-01-06.json:0: fields are not in the contract, such as {"mood":"stern"}
            fighters_2020-01-06.json: 4 in, 4 out, 0 set aside
            details_2020-01-06.csv: 2 in, 2 out, 0 set aside
        "#]].assert_eq(&shown(SOURCE, "both-forms"));
    }

    #[test]
    fn rows_that_cannot_be_used_say_why() {
        expect![[r#"
            career_rows: line=7 name=F Six slpm=3.29 str_acc=0.38 sapm=4.0 str_def=0.57 td_avg=0.0 td_acc=1.0 td_def=0.77 sub_avg=0.5
            career_rows: line=7 name=F Six record_w=1 record_l=2 record_d=0
            quarantine missing_value fighters.json:1: `name` has no value
            quarantine missing_value fighters.json:2: `record.draws` has no value
            quarantine unreadable_value fighters.json:3: `record.wins` is `-1`
            quarantine missing_value fighters.json:4: `careerStats.strAcc` has no value
            quarantine unreadable_value fighters.json:5: `careerStats.strAcc` is `38`
            quarantine unreadable_value fighters.json:6: `dateOfBirth` is `"soon"`
            note duplicate fighters.json:8: the same record stands before
            quarantine unreadable_value fighters.json:9: the record is no object
            quarantine missing_value details.csv:2: `fighter_name` has no value
            quarantine unreadable_value details.csv:3: `Str_Acc` is `138%`
            quarantine unreadable_value details.csv:4: `Str_Acc` is `0.38`
            quarantine missing_value details.csv:5: `SLpM` has no value
            quarantine unreadable_value details.csv:6: `DOB` is `Feb 30, 1990`
            note duplicate details.csv:8: the same row as line 7
            fighters.json: 9 in, 1 out, 8 set aside
            details.csv: 7 in, 1 out, 6 set aside
        "#]].assert_eq(&shown(SOURCE, "rows-that-cannot-be-used"));
    }

    #[test]
    fn a_capture_of_another_shape_is_refused_whole() {
        let refused = |name: &str, text: &'static str| {
            let files = [(name.to_owned(), Bytes::from_static(text.as_bytes()))];
            let findings = ingest(&files).unwrap().findings;
            assert_eq!(findings[0].severity, Severity::Fatal);
            findings[0].reason.clone()
        };
        assert_eq!(refused("a.json", "{}"), "it is no list of fighters");
        assert!(refused("a.json", "[").starts_with("it is no JSON"));
        assert_eq!(refused("a.csv", "fighter_name\nA One\n"), "column `Height` is missing");
        assert_eq!(refused("a.txt", "A One"), "no `*.json` or `*.csv` is in the capture");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_damage_loses_a_row(files in damaged(SOURCE, "both-forms")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}

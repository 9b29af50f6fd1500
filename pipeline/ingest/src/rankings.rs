//! Official rankings: who stood where in which division on which day, in any number of CSV files of one form.

use bytes::Bytes;
use fdna_schemas::ColumnError;
use fdna_schemas::tables::{ContractRow as _, RankingRowsRow};

use crate::layout::{FileLines, ReadFn, RowSink};
use crate::row::{CsvRow, RowError};
use crate::{IngestError, IngestedCapture, address, layout, parse};

/// Name of the source in captures and contracts.
pub const SOURCE: &str = "rankings";

/// Reads every CSV file of the capture.
///
/// # Errors
/// A facts table cannot be built.
pub fn ingest(files: &[(String, Bytes)]) -> Result<IngestedCapture, IngestError> {
    layout::ingest(SOURCE, files, read)
}

fn read(name: &str, lines: &FileLines<'_>) -> ReadFn {
    match name {
        RankingRowsRow::TABLE => lines.table(place),
        other => Err(ColumnError::Missing { table: other.to_owned(), column: String::new() }),
    }
}

/// The order of the rows is the order of the list; ranks may be shared, so that no two of them make a key.
fn place(row: &CsvRow<'_>, to: &mut RowSink<'_>) -> Result<(), RowError> {
    let snapshot_date = row.read("date", parse::iso_date)?;
    let division = parse::one_space(row.required("weightclass")?);
    let rank = row.read("rank", parse::whole)?;
    let source_url = row.read_optional("source_url", |text| address::web(text).map(|_| text.to_owned()))?;
    to.check(to.at.digest)?;
    to.push(&RankingRowsRow {
        file: to.at.file,
        line: to.at.line,
        row_digest: to.at.digest,
        snapshot_date,
        division: &division,
        fighter: row.optional("fighter").map(parse::one_space).as_deref(),
        rank,
        source_url: source_url.as_deref(),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_nothing_is_lost, damaged, shown};
    use expect_test::expect;
    use proptest::prelude::*;

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
        "#]].assert_eq(&shown(SOURCE, "vacant-title-and-shared-ranks"));
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
        .assert_eq(&shown(SOURCE, "rows-that-contradict"));
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
        .assert_eq(&shown(SOURCE, "page-stated"));
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
        .assert_eq(&shown(SOURCE, "one-list-in-two-files"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_damage_loses_a_row(files in damaged(SOURCE, "one-list-in-two-files")) {
            check_nothing_is_lost(SOURCE, &files)?;
        }
    }
}

//! Small files made by hand, each named by what it forces.

use std::fmt::Write as _;

use expect_test::expect;

use crate::hostile::{files_of, repository};

#[test]
fn every_hostile_file_is_read_set_aside_or_refused_by_name() {
    let mut told = String::new();
    let folder = repository().join("tests/fixtures/hostile");
    let mut sources: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.sort();
    for folder in sources {
        let source = folder.file_name().unwrap().to_string_lossy().into_owned();
        for (name, bytes) in files_of(&folder) {
            let ingested = fdna_ingest::ingest(&source, &[(name.clone(), bytes.into())]).unwrap();
            let (rows, aside) =
                ingested.counts.iter().fold((0, 0), |(a, b), c| (a + c.rows_out, b + c.set_aside));
            let _ = writeln!(told, "{source}/{name}: {rows} rows, {aside} aside");
            for finding in ingested.findings.iter().filter(|f| f.severity.name() != "note" && f.file == name)
            {
                let _ = writeln!(
                    told,
                    "    {} line {}: {}",
                    finding.severity.name(),
                    finding.line,
                    finding.reason
                );
            }
        }
    }
    expect![[r#"
        articles/a-nul-in-the-text.md: 0 rows, 1 aside
            fatal line 0: a NUL stands on line 6, byte 52: the file is damaged, or no text
        articles/carriage-returns-alone.md: 1 rows, 0 aside
        cards/beginnings-behind-what-looks-like-an-end.ics: 0 rows, 0 aside
            fatal line 0: its components are nested more than 8 deep
        cards/carriage-returns-alone.ics: 2 rows, 0 aside
        cards/cut-behind-an-entry.ics: 0 rows, 0 aside
            fatal line 0: `BEGIN:VCALENDAR` has no end: the file was cut
        cards/ends-and-beginnings-on-one-line.ics: 0 rows, 0 aside
            fatal line 0: `END:ABEGIN:A` of line 3 ends no component: it is no calendar
        cards/ends-within-quotes-over-lines.ics: 0 rows, 0 aside
            fatal line 0: line 2 is no content line of a calendar
        cards/line-feeds-and-one-carriage-return-behind.ics: 3 rows, 0 aside
        cards/texts-that-speak-of-beginnings.ics: 10 rows, 10 aside
            quarantine line 7: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 14: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 21: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 28: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 35: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 42: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 49: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 56: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 63: it is no bout and no part of a card: `Doors BEGIN: 18:00`
            quarantine line 70: it is no bout and no part of a card: `Doors BEGIN: 18:00`
        feed/cut-within-a-list.json: 0 rows, 0 aside
            fatal line 0: it is no JSON: EOF while parsing a list at line 1 column 49
        feed/nested-without-end.json: 0 rows, 0 aside
            fatal line 0: it is no JSON: recursion limit exceeded at line 1 column 128
        feed/utf-16-with-a-mark.json: 0 rows, 0 aside
        rankings/a-nul-within-a-row.csv: 0 rows, 1 aside
            fatal line 0: a NUL stands on line 3, byte 84: the file is damaged, or no text
        rankings/a-quote-of-the-header-that-never-closes.csv: 0 rows, 1 aside
            fatal line 0: a quote of the header never closes
            fatal line 0: column `date` is missing
            fatal line 0: column `weightclass` is missing
            fatal line 0: column `fighter` is missing
            fatal line 0: column `rank` is missing
        rankings/a-quote-that-never-closes.csv: 3 rows, 1 aside
            quarantine line 3: a quote opens here that never closes
        rankings/carriage-returns-alone.csv: 3 rows, 0 aside
        rankings/line-ends-of-all-kinds.csv: 3 rows, 0 aside
        rankings/one-row-ends-in-a-carriage-return.csv: 3 rows, 0 aside
        rankings/utf-16-cut-within-a-unit.csv: 0 rows, 1 aside
            fatal line 0: it is no text in UTF-16LE, as it begins or says
        rankings/utf-16-with-a-mark.csv: 3 rows, 0 aside
        rankings/utf-16-without-a-mark.csv: 3 rows, 0 aside
        rankings/zeros-behind-the-last-row.csv: 0 rows, 1 aside
            fatal line 0: a NUL stands on line 5, byte 125: the file is damaged, or no text
        statsdb-html/event-e0000000000000e1.html: 0 rows, 1 aside
            quarantine line 1: the page ends before `</html>`: it was cut
        videos/another-encoding-declared-within-the-feed.xml: 1 rows, 0 aside
        wire/another-encoding-declared-behind-the-feed.xml: 1 rows, 0 aside
        wire/another-encoding-declared-within-the-feed.xml: 1 rows, 0 aside
        wire/cut-behind-an-item.xml: 0 rows, 1 aside
            fatal line 0: 2 elements have no end: the file was cut
        wire/cut-within-an-item.xml: 0 rows, 1 aside
            fatal line 0: 4 elements have no end: the file was cut
        wire/latin-1-declared-utf-8.xml: 0 rows, 1 aside
            fatal line 0: no feed can be read: cannot decode input using UTF-8: invalid utf-8 sequence of 1 bytes from index 1
        wire/nested-deeper-than-any-feed.xml: 0 rows, 1 aside
            fatal line 0: its elements are nested more than 128 deep
        wire/utf-16-declared-utf-16.xml: 1 rows, 0 aside
        wire/utf-16-declared-utf-8.xml: 1 rows, 0 aside
        wire/utf-8-declared-nonsense.xml: 1 rows, 0 aside
        wire/utf-8-declared-utf-16.xml: 1 rows, 0 aside
        wire/windows-1252-as-declared.xml: 1 rows, 0 aside
    "#]].assert_eq(&told);
}

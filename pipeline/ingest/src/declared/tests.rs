//! The reader on contracts made here: formats, refusals, and that nothing is lost whatever a file holds.

mod workbooks;

use std::io::Write as _;

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::csv_reader::CHUNK_ROWS;
use crate::limits::{MAX_LONG_RECORDS, MAX_RECORD_LINES};
use crate::mutate::broken;
use crate::testing::text;

/// Reads a file by a contract of one file.
fn read(file: &str, name: &str, bytes: &[u8]) -> IngestedCapture {
    let contract = format!(
        "source = 'x-test'\nsport = 'x'\nlicence = 'A'\nmeaning = ''\nnull_tokens = ['', 'NA']\n[[file]]\n{file}\n\
         table = 'rows'\nmerge = 'latest'\nkey = ['id']\nmeaning = ''"
    );
    let source: CatalogSource = toml::from_str(&contract).unwrap();
    let table: &'static Table = Box::leak(Box::new(source.facts_tables().remove("rows").unwrap()));
    ingest_as(&source, &[(name.to_owned(), Bytes::copy_from_slice(bytes))], |_| Ok(table)).unwrap()
}

const CSV: &str = "name = 'games_*.csv'\nformat = 'csv'\ncolumns = [
    { name = 'id', rule = 'required' },
    { name = '@file', as = 'season', rule = 'required' },
    { name = 'Min', as = 'secs', type = 'int32', rule = 'nullable', parse = 'minutes', max = 7200 },
    { name = 'day', type = 'date', rule = 'optional', parse = 'date_dmy' },
    { name = 'model', rule = 'ignored' },
]";

const CSV_ROWS: &str = "id,Min,day,model,new\n1,34:10,02/10/2024,x,\n2,NA,,,\n,1:00,,,\n3,200:00,,,\n1,34:10,02/10/2024,x,\n\
                        2,1:00,,,\n4,x,,,\n5,1:00\n";

#[test]
fn a_row_is_taken_or_set_aside_with_its_line_and_reason() {
    expect![[r#"
        rows: line=2 id=1 season=2024 secs=2050 day=2024-10-02
        rows: line=3 id=2 season=2024
        rows: line=5 id=3 season=2024
        rows: line=8 id=4 season=2024
        quarantine missing_value games_2024.csv:4: `id` has no value
        note unreadable_value games_2024.csv:5: `Min` is `200:00`: out of the bounds that its contract sets
        note duplicate games_2024.csv:6: the same row as line 2
        quarantine duplicate games_2024.csv:7: duplicate id `2`: line 3 has different values
        note unreadable_value games_2024.csv:8: `Min` is `x`
        note unknown_column games_2024.csv:0: column `new` is not in the contract
        quarantine field_count games_2024.csv:9: 2 fields where the header has 5
        games_2024.csv: 8 in, 4 out, 4 set aside
    "#]]
    .assert_eq(&text(&read(CSV, "games_2024.csv", CSV_ROWS.as_bytes())));
}

#[test]
fn a_table_without_a_header_has_the_columns_of_its_contract() {
    let contract = "name = 'R*.txt'\nformat = 'csv'\nhas_header = false\ncolumns = [
        { name = '@file', as = 'year', rule = 'required' },
        { name = 'id', rule = 'required' },
        { name = 'hand', rule = 'nullable', values = ['L', 'R'] },
    ]";
    expect![[r#"
        rows: line=1 year=2019 id=a hand=L
        rows: line=2 year=2019 id=b
        rows: line=3 year=2019 id=c
        note unreadable_value R2019.txt:3: `hand` is `X`: none of L, R
        quarantine field_count R2019.txt:4: 1 fields where the header has 2
        R2019.txt: 4 in, 3 out, 1 set aside
    "#]]
    .assert_eq(&text(&read(contract, "R2019.txt", b"a,L\nb,\nc,X\nd\n")));
}

#[test]
fn files_of_several_forms_are_one_table_in_the_order_of_their_names() {
    let form = |end: &str| {
        format!(
            "[[file]]\nname = '*.{end}'\nformat = 'csv'\ntable = 'rows'\nmerge = 'replace'\nmeaning = ''\n\
             columns = [{{ name = 'id', rule = 'required' }}]\n"
        )
    };
    let head = "source = 'x-test'\nsport = 'x'\nlicence = 'A'\nmeaning = ''\nnull_tokens = []\n";
    let source: CatalogSource = toml::from_str(&format!("{head}{}{}", form("a"), form("b"))).unwrap();
    let table: &'static Table = Box::leak(Box::new(source.facts_tables().remove("rows").unwrap()));
    let files = ["2.a", "1.b"].map(|name| (name.to_owned(), Bytes::from(format!("id\n{name}\n"))));
    let read = ingest_as(&source, &files, |_| Ok(table)).unwrap();
    let said = text(&read);
    assert!(said.starts_with("rows: line=2 id=1.b\nrows: line=2 id=2.a\n"), "{said}");
}

#[test]
fn an_event_file_is_a_document_of_its_games() {
    let contract = "name = '*.EVA'\nformat = 'retrosheet'\nencoding = 'latin1'\nrecords = '$.games[*].plays[*]'\ncolumns = [
        { name = '$.games[*].id', as = 'id', rule = 'required' },
        { name = 'code', rule = 'required' },
        { name = 'event', rule = 'optional' },
    ]";
    let game = b"id,A\r\nstart,b,\"Jos\xe9\",0,1,2\r\nstart,p,\"P\",1,0,1\r\nplay,1,0,b,00,X,S7/L\r\n";
    expect![[r#"
        rows: line=1 id=A code=S7/L event=single
        2019A.EVA: 1 in, 1 out, 0 set aside
    "#]]
    .assert_eq(&text(&read(contract, "2019A.EVA", game)));
    let stray = read(contract, "2019A.EVA", b"play,1,0,b,00,X,S7/L\n");
    assert_eq!(stray.findings[0].reason, "line 1 stands before any game");
    let games = "name = '*.EVA'\nformat = 'retrosheet'\nrecords = '$.games[*]'\ncolumns = [
        { name = 'id', rule = 'required' },
        { name = 'info.date', as = 'day', type = 'date', rule = 'required', parse = 'date_ymd' },
        { name = 'info.attendance', as = 'attendance', type = 'int32', rule = 'nullable', parse = 'grouped' },
    ]";
    let lines = b"id,A\ninfo,date,2022/10/01\ninfo,attendance,\"6,000\"\nid,B\ninfo,date,2022/10/01\ninfo,attendance,many\n\
                  id,C\ninfo,date,10/01\nid,A\ninfo,date,2022/10/02\n";
    expect![[r#"
        rows: line=1 id=A day=2022-10-01 attendance=6000
        rows: line=2 id=B day=2022-10-01
        note unreadable_value 2022A.EVA:4: `info.attendance` is `many`
        quarantine unreadable_value 2022A.EVA:7: `info.date` is `10/01`
        quarantine duplicate 2022A.EVA:9: duplicate id `A`: line 1 has different values
        2022A.EVA: 4 in, 2 out, 2 set aside
    "#]]
    .assert_eq(&text(&read(games, "2022A.EVA", lines)));
}

#[test]
fn a_compressed_file_is_looked_through_and_one_that_is_cut_or_grows_too_far_is_refused() {
    let packed = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let whole = packed(CSV_ROWS.as_bytes());
    assert_eq!(read(CSV, "games_2024.csv.gz", &whole).counts[0].rows_out, 4);
    for (bytes, why) in [
        (whole[..whole.len() - 9].to_vec(), "cannot be decompressed"),
        (b"no gzip".to_vec(), "cannot be decompressed"),
        (packed(&vec![b'a'; 100 << 20]), "grows beyond"),
    ] {
        let refused = read(CSV, "games_2024.csv.gz", &bytes);
        assert_eq!(refused.findings[0].severity, Severity::Fatal);
        assert!(refused.findings[0].reason.contains(why), "{}", refused.findings[0].reason);
    }
}

#[test]
fn several_forms_of_one_name_read_one_file_each_its_own_records() {
    let form = |records: &str, table: &str| {
        format!(
            "[[file]]\nname = '*.json'\nformat = 'json'\nrecords = '{records}'\ntable = '{table}'\nmerge = 'replace'\n\
             meaning = ''\ncolumns = [{{ name = 'id', rule = 'required' }}]\n"
        )
    };
    let contract = format!(
        "source = 'x-test'\nsport = 'x'\nlicence = 'A'\nmeaning = ''\nnull_tokens = []\n{}{}",
        form("$.goals[*]", "goals"),
        form("$.cards[*]", "cards")
    );
    let source: CatalogSource = toml::from_str(&contract).unwrap();
    let tables: &'static _ = Box::leak(Box::new(source.facts_tables()));
    let bytes = Bytes::from_static(br#"{"goals": [{"id": "g"}], "cards": [{"id": "c"}, {}]}"#);
    let read = ingest_as(&source, &[("a.json".to_owned(), bytes)], |name| Ok(&tables[name])).unwrap();
    expect![[r#"
        goals: line=1 id=g
        cards: line=1 id=c
        quarantine missing_value a.json:0: `cards[1]`: `id` has no value
        a.json: 1 in, 1 out, 0 set aside
        a.json: 2 in, 1 out, 1 set aside
    "#]]
    .assert_eq(&text(&read));
}

const JSON: &str = "name = '*.json'\nformat = 'json'\nrecords = '$.days[*].games[*]'\ncolumns = [
    { name = '@key', as = 'id', rule = 'required' },
    { name = '$.days[*].date', as = 'day', type = 'date', rule = 'required' },
    { name = 'home.goals', as = 'goals', type = 'int32', rule = 'nullable', min = 0 },
    { name = 'start', type = 'date', rule = 'nullable', parse = 'day_in:America/New_York' },
]";

const JSON_TEXT: &str = r#"{"days": [
    {"date": "2024-10-04", "games": {"g1": {"home": {"goals": 3}, "start": "2024-10-05T01:00:00Z"}, "g2": {"home": null}}},
    {"date": "4/10/24", "games": {"g3": {}}},
    {"games": {"g4": {"home": {"goals": -1}}}}
]}"#;

#[test]
fn records_stand_at_a_path_and_take_from_what_holds_them() {
    expect![[r#"
        rows: line=1 id=g1 day=2024-10-04 goals=3 start=2024-10-04
        rows: line=2 id=g2 day=2024-10-04
        quarantine unreadable_value a.json:0: `days[1].games.g3`: `$.days[*].date` is `4/10/24`
        quarantine missing_value a.json:0: `days[2].games.g4`: `$.days[*].date` has no value
        a.json: 4 in, 2 out, 2 set aside
    "#]]
    .assert_eq(&text(&read(JSON, "a.json", JSON_TEXT.as_bytes())));
}

const SCORES: &str = "name = '*.json'\nformat = 'json'\nrecords = '$.matches[*]'\ncolumns = [
    { name = 'id', rule = 'required' },
    { name = 'score.ft[0]', or = ['score[0]'], as = 'home', type = 'int32', rule = 'nullable', max = 40 },
    { name = 'score.ft[1]', or = ['score[1]'], as = 'away', type = 'int32', rule = 'nullable', max = 40 },
    { name = 'score.ht[0]', as = 'home_ht', type = 'int32', rule = 'nullable' },
    { name = 'round', rule = 'nullable' },
    { name = 'goals', type = 'json', rule = 'nullable' },
]";

const SCORES_TEXT: &str = r#"{"matches": [
    {"id": 1, "score": {"ft": [2, 1], "ht": [1, 0]}, "round": "1", "goals": [{"minute": 3}]},
    {"id": 2, "score": [0, 0]},
    {"id": 3, "score": null, "round": null},
    {"id": 4},
    {"id": 5, "score": "0-0"},
    {"id": 6, "score": {"ft": {"home": 0, "away": 0}}},
    {"id": 7, "score": {"ft": [99, 1]}},
    {"id": 8, "score": {"ft": [0, 0]}, "round": {"number": 2}},
    {"id": 9, "score": {"ft": [[0], 0]}},
    {"id": 4}, {"id": 4, "round": "2"},
    "no match"
]}"#;

#[test]
fn a_value_of_another_shape_is_read_where_the_contract_says_how_and_is_never_taken_for_none() {
    expect![[r#"
        rows: line=1 id=1 home=2 away=1 home_ht=1 round=1 goals=[{"minute":3}]
        rows: line=2 id=2 home=0 away=0
        rows: line=3 id=3
        rows: line=4 id=4
        rows: line=7 id=7 away=1
        quarantine unreadable_value a.json:0: `matches[4]`: `score` is no object and no list, which its contract does not know there: `"0-0"`
        quarantine unreadable_value a.json:0: `matches[5]`: `score.ft` is an object, which its contract does not know there: `{"away":0,"home":0}`
        note unreadable_value a.json:0: `matches[6]`: `score.ft[0]` is `99`: out of the bounds that its contract sets
        quarantine unreadable_value a.json:0: `matches[7]`: `round` is an object, which its contract does not know there: `{"number":2}`
        quarantine unreadable_value a.json:0: `matches[8]`: `score.ft[0]` is a list, which its contract does not know there: `[0]`
        note duplicate a.json:0: `matches[9]`: the same row as `matches[3]`
        quarantine duplicate a.json:0: `matches[10]`: duplicate id `4`: `matches[3]` has different values
        quarantine unreadable_value a.json:0: `matches[11]`: it is no object and no list, which its contract does not know there: `"no match"`
        a.json: 12 in, 5 out, 7 set aside
    "#]].assert_eq(&text(&read(SCORES, "a.json", SCORES_TEXT.as_bytes())));
    expect![[r#"
        fatal unreadable_value a.json:0: `$.matches` is no object and no list, where `$.matches[*]` leads on
        a.json: 1 in, 0 out, 1 set aside
    "#]]
    .assert_eq(&text(&read(SCORES, "a.json", br#"{"matches": "none today"}"#)));
    expect![[r#"
        fatal unreadable_value a.json:0: `$` is a list, where `$.matches[*]` leads on
        a.json: 1 in, 0 out, 1 set aside
    "#]]
    .assert_eq(&text(&read(SCORES, "a.json", br#"[{"matches": []}]"#)));
    assert_eq!(read(SCORES, "a.json", br#"{"matches": null}"#).counts[0].rows_in, 0);
}

#[test]
fn lines_of_json_and_result_sets_are_read() {
    let columns =
        "columns = [{ name = 'id', rule = 'required' }, { name = 'n', type = 'int32', rule = 'optional' }]";
    let lines = format!("name = 'a.jsonl'\nformat = 'jsonl'\n{columns}");
    let of_document = columns.replace("]", ", { name = '$.of.season', as = 'season', rule = 'nullable' }]");
    let sets = format!("name = 'a.json'\nformat = 'result_sets'\nrecords = '$.resultSets[*]'\n{of_document}");
    expect![[r#"
        rows: line=1 id=1 n=2
        rows: line=4 id=2
        quarantine unreadable_value a.jsonl:3: it is no JSON: EOF while parsing an object at line 1 column 7
        a.jsonl: 3 in, 2 out, 1 set aside
    "#]]
    .assert_eq(&text(&read(&lines, "a.jsonl", b"{\"id\":1,\"n\":2}\n\n{\"id\":3\n{\"id\":2}")));
    let document = br#"{"of": {"season": "2024"}, "resultSets": [{"headers": ["id", "n"], "rowSet": [["a", 1], ["b"], ["c", null], ["d", [1]]]}]}"#;
    expect![[r#"
        rows: line=1 id=a n=1 season=2024
        rows: line=3 id=c season=2024
        quarantine unreadable_value a.json:0: `resultSets[0].rowSet[3]`: `n` is a list: `[1]`
        quarantine field_count a.json:0: `resultSets[0].rowSet[1]`: it has not the columns of the header
        a.json: 4 in, 2 out, 2 set aside
    "#]]
    .assert_eq(&text(&read(&sets, "a.json", document)));
}

const HTML: &str = "name = 'shifts_*.htm'\nformat = 'html'\nrecords = 'tr:has(> td.shift)'\ncolumns = [
    { name = '@file', as = 'game', rule = 'required' },
    { name = '$ h1', as = 'played_on', type = 'date', rule = 'required', parse = 'date_en' },
    { name = '^ td.player', as = 'player', rule = 'required' },
    { name = 'td:nth-child(1)', as = 'id', rule = 'required' },
    { name = 'td:nth-child(2)', as = 'starts', type = 'int32', rule = 'required', parse = 'first_clock' },
]";

const HTML_TEXT: &str = "<html><h1>Tuesday, December 17, 2024</h1><table>
    <tr><td class=shift>1<td>0:28 / 19:32
    <tr><td class=player>4 GOSTISBEHERE,&nbsp; SHAYNE</tr>
    <tr><td class=shift>2<td>2:02 / 17:58</tr><tr><td>all<td>0:40</tr><tr><td class=shift>3<td>soon</tr>
    <tr><td class=player><b>5</b> CHATFIELD<tr><td class=shift>4<td>20:00</table></html>";

#[test]
fn records_of_a_page_stand_under_their_heading() {
    expect![[r#"
        rows: line=2 game=h1 played_on=2024-12-17 player=4 GOSTISBEHERE, SHAYNE id=2 starts=122
        rows: line=4 game=h1 played_on=2024-12-17 player=5 CHATFIELD id=4 starts=1200
        quarantine missing_value shifts_h1.htm:1: `^ td.player` has no value
        quarantine unreadable_value shifts_h1.htm:3: `td:nth-child(2)` is `soon`
        shifts_h1.htm: 4 in, 2 out, 2 set aside
    "#]]
    .assert_eq(&text(&read(HTML, "shifts_h1.htm", HTML_TEXT.as_bytes())));
    for (page, why) in [
        ("<html><table><tr><td>1</table></html>", "the page has no `tr:has(> td.shift)`"),
        (&HTML_TEXT[..HTML_TEXT.len() - 7], "it was cut"),
    ] {
        let refused = read(HTML, "shifts_h1.htm", page.as_bytes());
        assert_eq!(refused.findings[0].severity, Severity::Fatal);
        assert!(refused.findings[0].reason.contains(why), "{}", refused.findings[0].reason);
    }
}

#[test]
fn a_stated_encoding_is_undone_and_broken_text_is_set_aside() {
    let columns = "columns = [{ name = 'id', rule = 'required' }, { name = 'n', rule = 'nullable' }]";
    let latin = format!("name = 'a.csv'\nformat = 'csv'\nencoding = 'latin1'\n{columns}");
    let utf_8 = format!("name = 'a.csv'\nformat = 'csv'\n{columns}");
    let bytes = b"id,n\n1,Ozil\n2,\xd6zil\n";
    expect![[r#"
        rows: line=2 id=1 n=Ozil
        rows: line=3 id=2 n=Özil
        a.csv: 2 in, 2 out, 0 set aside
    "#]]
    .assert_eq(&text(&read(&latin, "a.csv", bytes)));
    let broken = read(&utf_8, "a.csv", bytes);
    check_nothing_is_lost(&broken);
    assert_eq!((broken.counts[0].rows_out, broken.counts[0].set_aside), (1, 1), "{}", text(&broken));
}

#[test]
fn a_document_with_a_key_twice_is_refused() {
    let twice = br#"{"days": [{"date": "2024-10-04", "date": "2024-10-05", "games": {}}]}"#;
    expect![[r#"
        fatal unreadable_value a.json:0: it is no JSON: the key `date` is there twice at line 1 column 53
        a.json: 1 in, 0 out, 1 set aside
    "#]]
    .assert_eq(&text(&read(JSON, "a.json", twice)));
}

#[test]
fn columns_of_parquet_are_read_whatever_their_types() {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, Int64Array, StringArray};

    let columns: [(&str, ArrayRef); 3] = [
        ("id", Arc::new(Int64Array::from(vec![1, 2]))),
        ("n", Arc::new(Float64Array::from(vec![Some(3.0), None]))),
        ("new", Arc::new(StringArray::from(vec!["x", "y"]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let contract = "name = 'a.parquet'\nformat = 'parquet'\ncolumns = [
        { name = 'id', rule = 'required' }, { name = 'n', type = 'int32', rule = 'nullable' }]";
    expect![[r#"
        rows: line=1 id=1 n=3
        rows: line=2 id=2
        note unknown_column a.parquet:0: column `new` is not in the contract
        a.parquet: 2 in, 2 out, 0 set aside
    "#]]
    .assert_eq(&text(&read(contract, "a.parquet", &bytes)));
    let cut = read(contract, "a.parquet", &bytes[..bytes.len() - 5]);
    assert_eq!(cut.findings[0].severity, Severity::Fatal);
}

#[test]
fn a_text_of_a_dictionary_in_very_many_rows_is_refused_before_it_fills_the_memory() {
    use std::sync::Arc;

    use arrow::array::{DictionaryArray, Int32Array, StringArray};
    use arrow::datatypes::Int32Type;

    let long = "x".repeat(1 << 19);
    let texts = Arc::new(StringArray::from(vec![long.as_str(), "short"]));
    let file = |keys: Vec<i32>| {
        let column = DictionaryArray::<Int32Type>::new(Int32Array::from(keys), texts.clone());
        let batch = RecordBatch::try_from_iter([("id", Arc::new(column) as _)]).unwrap();
        let mut bytes = Vec::new();
        let in_dictionary = parquet::file::properties::WriterProperties::builder();
        let in_dictionary = in_dictionary.set_dictionary_page_size_limit(1 << 22).build();
        let writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), Some(in_dictionary));
        let mut writer = writer.unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        assert!(bytes.len() < 2 << 20);
        bytes
    };
    let contract = "name = 'a.parquet'\nformat = 'parquet'\ncolumns = [{ name = 'id', rule = 'required' }]";
    assert_eq!(read(contract, "a.parquet", &file(vec![0, 1])).counts[0].rows_out, 2);
    let bomb = read(contract, "a.parquet", &file(vec![0; 600]));
    assert!(bomb.findings[0].reason.contains("bytes in its cells, more than"), "{}", bomb.findings[0].reason);
}

#[test]
fn a_capture_without_a_declared_file_is_refused_and_other_files_are_told() {
    let ingested = read(CSV, "notes.txt", b"x");
    expect![[r#"
        fatal missing_file games_*.csv:0: `games_*.csv` is not in the capture
        note unknown_column notes.txt:0: `notes.txt` is kept and not read: the contract of x-test has no such file
    "#]]
    .assert_eq(&text(&ingested));
}

fn check_nothing_is_lost(ingested: &IngestedCapture) {
    for count in &ingested.counts {
        assert_eq!(count.rows_in, count.rows_out + count.set_aside, "{}", count.file);
    }
    let set_aside: usize = ingested.counts.iter().map(|count| count.set_aside).sum();
    // A record of a document has a place in it and no line.
    let is_told =
        |f: &&Finding| f.line > 0 || f.severity != Severity::Note || f.kind == FindingKind::Duplicate;
    let told = ingested.findings.iter().filter(is_told).count();
    assert!(told >= set_aside, "{told} findings for {set_aside} rows");
}

const CSV_CASES: &[&[u8]] = &[CSV_ROWS.as_bytes()];
const JSON_CASES: &[&[u8]] = &[JSON_TEXT.as_bytes(), SCORES_TEXT.as_bytes()];
const HTML_CASES: &[&[u8]] = &[HTML_TEXT.as_bytes()];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_damage_loses_a_row(csv in broken(CSV_CASES), json in broken(JSON_CASES), html in broken(HTML_CASES)) {
        check_nothing_is_lost(&read(CSV, "games_2024.csv", &csv));
        check_nothing_is_lost(&read(CSV, "games_2024.csv.gz", &csv));
        check_nothing_is_lost(&read(JSON, "a.json", &json));
        check_nothing_is_lost(&read(SCORES, "a.json", &json));
        check_nothing_is_lost(&read(HTML, "shifts_h1.htm", &html));
    }
}

const TITLED: &str = "header = 'ID'\nskips_empty_rows = true\ncolumns = [
    { name = 'ID', as = 'id', rule = 'required' },
    { name = 'SALE PRICE', as = 'price', type = 'int64', rule = 'required', parse = 'amount', min = 0 },
    { name = 'SALE DATE', as = 'day', type = 'date', rule = 'required' },
]";

#[test]
fn a_table_begins_behind_its_titles_and_rows_without_a_value_are_none() {
    let contract = format!("name = 'deeds.csv'\nformat = 'csv'\n{TITLED}");
    let file = "\u{feff}All deeds,,\n\"to \n2019\",,\n\"ID\n\", SALE  PRICE ,\"SALE\nDATE\"\n1,\" $1,199,000 \",2019-01-02\n\
                ,,\n2, $-   ,2019-01-03\n3,x,2019-01-04\n, ,\n";
    expect![[r#"
        rows: line=7 id=1 price=1199000 day=2019-01-02
        rows: line=9 id=2 price=0 day=2019-01-03
        quarantine unreadable_value deeds.csv:10: `SALE PRICE` is `x`
        deeds.csv: 3 in, 2 out, 1 set aside
    "#]]
    .assert_eq(&text(&read(&contract, "deeds.csv", file.as_bytes())));
    let without = text(&read(&contract, "deeds.csv", b"All deeds\n1,2,3\n"));
    assert!(without.contains("no line of it begins with `ID`"), "{without}");
}

#[test]
fn rows_far_behind_the_titles_have_their_lines_and_none_is_left_of_a_file_that_is_refused_there() {
    let contract = format!("name = 'deeds.csv'\nformat = 'csv'\n{TITLED}");
    let row = |n: usize| format!("{n},$1,2019-01-02,,\n");
    let titles = "All deeds,,,,\nID,SALE PRICE,SALE DATE,,\n,,,,\n,,,,\n";
    let file: String = (1..=CHUNK_ROWS).map(row).fold(titles.to_owned(), |file, row| file + &row);
    let behind = read(&contract, "deeds.csv", format!("{file}8,x,,,\n,,,,note\n").as_bytes());
    expect![[r#"
        quarantine unreadable_value deeds.csv:4101: `SALE PRICE` is `x`
        quarantine missing_value deeds.csv:4102: `ID` has no value
        note unknown_column deeds.csv:0: column `` is not in the contract
        note unknown_column deeds.csv:0: column `` is not in the contract
        deeds.csv: 4098 in, 4096 out, 2 set aside
    "#]]
    .assert_eq(&text(&IngestedCapture { tables: Vec::new(), ..behind }));
    let open = format!("1,\"x\n{}3,z\"\n", row(2).repeat(MAX_RECORD_LINES));
    let refused = read(&contract, "deeds.csv", (file + &open.repeat(MAX_LONG_RECORDS + 1)).as_bytes());
    expect![[r#"
        fatal unreadable_value deeds.csv:0: it has 17 quotes that never close, more than 16
        deeds.csv: 1 in, 0 out, 1 set aside
    "#]]
    .assert_eq(&text(&refused));
}

#[test]
fn lines_may_end_with_carriage_returns_alone() {
    let contract = "name = 'list.csv'\nformat = 'csv'\nends_in_returns = true\ncolumns = [
        { name = 'id', rule = 'required' },
        { name = 'n', type = 'int32', rule = 'nullable' },
    ]";
    expect![[r#"
        rows: line=2 id=a n=1
        rows: line=3 id=b
        rows: line=4 id=c
        note unreadable_value list.csv:3: `n` is `x`
        list.csv: 3 in, 3 out, 0 set aside
    "#]]
    .assert_eq(&text(&read(contract, "list.csv", b"id,n\ra,1\rb,x\rc,\r")));
}

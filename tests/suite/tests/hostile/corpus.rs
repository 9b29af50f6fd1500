//! Small files made by hand, each named by what it forces.

use std::fmt::Write as _;

use expect_test::expect;

use crate::{files_of, repository};

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
    expect![[r#""#]].assert_eq(&told);
}

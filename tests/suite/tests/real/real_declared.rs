//! Damaged copies of every declared file of the multi-sport catalog's real captures: nothing is lost, nothing panics.
//! That nothing of a whole one is lost is counted where all are taken in: `tests/contract/row_accounting.py`.

use std::collections::BTreeMap;

use bytes::Bytes;
use fdna_ingest::{FileCount, IngestedCapture, ingest};
use fdna_model::{Finding, Severity};
use fdna_schemas::{CatalogFile, CatalogSource, PROPERTIES};

type SourceFiles = Vec<(String, Bytes)>;

/// Every source with a folder, and its files; of properties those of all captures.
fn sources() -> Option<Vec<(&'static CatalogSource, SourceFiles)>> {
    let data = fdna_kit::real_data()?;
    let of_source = |source: &'static CatalogSource| {
        let is_property = source.sport == PROPERTIES;
        let root = if is_property { data.clone() } else { data.join("sports") };
        let folder =
            root.join(&source.sport).join(source.source.strip_prefix(&format!("{}-", source.sport))?);
        let paths = |folder: &std::path::Path| -> Option<Vec<std::path::PathBuf>> {
            Some(std::fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()).collect())
        };
        let mut all = paths(&folder)?;
        if is_property {
            all = all.iter().filter_map(|capture| paths(capture)).flatten().collect();
        }
        let mut files: SourceFiles = all
            .into_iter()
            .filter(|path| path.is_file())
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, std::fs::read(&path).unwrap().into())
            })
            .collect();
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Some((source, files))
    };
    Some(CatalogSource::all().filter_map(of_source).collect())
}

/// Copies of a file, each broken in its own way.
fn damaged(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (half, third) = (bytes.len() / 2, bytes.len() / 3);
    let with = |at: usize, change: &[u8]| [&bytes[..at], change, &bytes[at..]].concat();
    let without = |from: usize, until: usize| [&bytes[..from], &bytes[until..]].concat();
    let flipped = |at: usize| {
        let mut copy = bytes.to_vec();
        copy[at] ^= 0x15;
        copy
    };
    vec![
        ("empty", Vec::new()),
        ("cut in the middle", bytes[..half].to_vec()),
        ("cut before the end", bytes[..bytes.len() - 7.min(bytes.len())].to_vec()),
        ("without a part", without(third, half)),
        ("a part twice", [&bytes[..half], &bytes[third..]].concat()),
        ("the whole twice", bytes.repeat(2)),
        ("broken UTF-8", with(half, b"\xff\xfe\xc3")),
        ("a NUL", with(third, b"\0")),
        ("lone carriage returns", with(half, b"\r,\r\"")),
        ("a byte of the middle", flipped(half)),
        ("a byte of the head", flipped(bytes.len().min(20) - 1)),
        ("a byte near the end", flipped(bytes.len() - 1 - bytes.len().min(40) / 2)),
    ]
}

fn check(what: &str, ingested: &IngestedCapture) {
    let (mut rows_out, mut set_aside) = (0, 0);
    for FileCount { file, rows_in, rows_out: out, set_aside: aside } in &ingested.counts {
        assert_eq!(*rows_in, out + aside, "{what}: {file}");
        (rows_out, set_aside) = (rows_out + out, set_aside + aside);
    }
    let rows: usize = ingested.tables.iter().map(|(_, batch)| batch.num_rows()).sum();
    assert_eq!(rows, rows_out, "{what}");
    // A record of a document has its place at the front of the reason in place of a line.
    let is_of_a_row = |f: &&Finding| f.line > 0 || f.severity != Severity::Note || f.reason.starts_with('`');
    let told = ingested.findings.iter().filter(is_of_a_row).count();
    assert!(told >= set_aside, "{what}: {told} findings of {set_aside} rows");
}

/// Of every form of a source its smallest file that has something in it: all tables of a file are read of it at once.
fn smallest_files<'f>(source: &CatalogSource, files: &'f SourceFiles) -> BTreeMap<&'f str, &'f Bytes> {
    let smallest = |declared: &CatalogFile| {
        let of_form =
            files.iter().filter(|(name, bytes)| declared.star_of(name).is_some() && !bytes.is_empty());
        of_form.min_by_key(|(_, bytes)| bytes.len())
    };
    source.files.iter().filter_map(smallest).map(|(name, bytes)| (name.as_str(), bytes)).collect()
}

#[test]
fn no_damage_of_a_declared_file_loses_a_row() {
    let Some(sources) = sources() else { return };
    let mut copies = 0;
    for (source, files) in sources {
        for (name, bytes) in smallest_files(source, &files) {
            for (how, copy) in damaged(bytes) {
                let what = format!("{}: {name}, {how}", source.source);
                check(&what, &ingest(&source.source, &[(name.to_owned(), copy.into())]).unwrap());
                copies += 1;
            }
        }
    }
    assert!(copies > 300, "{copies} copies");
}

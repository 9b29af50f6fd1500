//! Detects captures that are filed under the wrong source, before they are imported: an imported capture is never
//! deleted.

use bytes::Bytes;
use csv::ReaderBuilder;
use fdna_schemas::{CatalogSource, ColumnRule, SourceContract, SourceFile};

use crate::declared;

/// Names of expected files that an error lists at most.
const NAMED: usize = 4;

/// Why these files are not a capture of this source: none of them has a name that the source has, or other sources'
/// columns are in those that do. What merely lacks files or columns is its source's still: ingest says what is wrong.
#[must_use]
pub fn misplaced(source: &str, files: &[(String, Bytes)]) -> Option<String> {
    if let Some(declared) = CatalogSource::get(source) {
        let is_any = files.iter().any(|(name, _)| declared::is_declared(declared, name));
        return (!is_any).then(|| no_capture(source, declared.files.iter().map(|file| &*file.name), files));
    }
    let contract = SourceContract::get(source)?;
    let others = || SourceContract::all().filter(|other| other.source != source && fits(other, files));
    let is_any_named = contract.files.iter().any(|file| files.iter().any(|(name, _)| file.is_named(name)));
    // Files of any name say nothing of whose they are.
    let is_of_any_name =
        |contract: &SourceContract| contract.files.iter().any(|file| file.name.starts_with('*'));
    let layouts: Vec<&str> = match is_any_named {
        true if fits(contract, files) => return None,
        true => others().filter(|other| !is_of_any_name(other)).map(|other| &*other.source).collect(),
        false => others().map(|other| &*other.source).collect(),
    };
    if layouts.is_empty() && is_any_named {
        return None;
    }
    let layout = match layouts[..] {
        [] => String::new(),
        _ => format!(": this is the layout of {}", layouts.join(" or ")),
    };
    Some(no_capture(source, contract.files.iter().map(|file| &*file.name), files) + &layout)
}

fn no_capture<'n>(source: &str, names: impl Iterator<Item = &'n str>, files: &[(String, Bytes)]) -> String {
    let there: Vec<&str> = files.iter().map(|(name, _)| &**name).take(NAMED).collect();
    let mut looked_for: Vec<&str> = names.collect();
    looked_for.dedup();
    looked_for.truncate(NAMED);
    format!("no capture of {source} (files such as {}), but {}", looked_for.join(", "), there.join(", "))
}

/// Whether a capture has a file of every name that a source gives, each with the columns that it must have.
fn fits(contract: &SourceContract, files: &[(String, Bytes)]) -> bool {
    contract
        .files
        .iter()
        .all(|file| files.iter().any(|(name, bytes)| file.is_named(name) && has_columns(file, name, bytes)))
}

/// Of a CSV file, by its header; of what else there is, its name alone is known here.
fn has_columns(file: &SourceFile, name: &str, bytes: &Bytes) -> bool {
    if !name.ends_with(".csv") {
        return true;
    }
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(&bytes[..]);
    let Ok(header) = reader.byte_headers() else { return false };
    let has = |column: &str| header.iter().any(|name| name.trim_ascii() == column.as_bytes());
    file.header().filter(|(_, rule)| *rule == ColumnRule::Required).all(|(column, _)| has(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[(&str, &str)]) -> Vec<(String, Bytes)> {
        names
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Bytes::copy_from_slice(text.as_bytes())))
            .collect()
    }

    /// The files of a source, each with its header alone.
    fn empty_capture(source: &str) -> Vec<(String, Bytes)> {
        let contract = SourceContract::get(source).unwrap();
        let header =
            |file: &SourceFile| file.header().map(|(column, _)| column).collect::<Vec<_>>().join(",");
        contract
            .files
            .iter()
            .map(|file| (file.name.replace('*', "a"), Bytes::from(header(file) + "\n")))
            .collect()
    }

    #[test]
    fn a_capture_of_its_own_source_is_never_misplaced() {
        for source in SourceContract::names() {
            assert_eq!(misplaced(source, &empty_capture(source)), None, "{source}");
        }
    }

    #[test]
    fn the_source_whose_layout_it_is_is_named() {
        for (given, layout) in [
            ("feed-tables", "feed-history"),
            ("statsdb", "cards"),
            ("scorecards", "late-notice"),
            ("statsdb-ids", "scorecards"),
            ("statsdb", "statsdb-ids"),
            ("rankings", "cards"),
            ("rankings", "statsdb"),
        ] {
            let why = misplaced(given, &empty_capture(layout)).unwrap_or_default();
            assert!(why.contains(&format!("this is the layout of {layout}")), "{given}: {why}");
        }
    }

    #[test]
    fn what_lacks_files_or_columns_is_its_sources_still() {
        let whole = empty_capture("statsdb");
        assert_eq!(misplaced("statsdb", &whole[1..]), None);
        let changed = files(&[("ufc_event_details.csv", "WHEN,WHERE\n"), ("notes.txt", "")]);
        assert_eq!(misplaced("statsdb", &changed), None);
        let why = misplaced("statsdb", &files(&[("notes.txt", "")])).unwrap();
        assert!(why.contains("ufc_event_details.csv") && why.ends_with("but notes.txt"), "{why}");
    }
}

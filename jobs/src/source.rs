//! Sources given on the command line: `--source statsdb=<folder>`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use fdna_lake::NewCapture;
use fdna_schemas::SourceContract;

use crate::exit::{ExitCode, coded};
use crate::sample;

/// Where a capture comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Folder(PathBuf),
    /// The sample compiled into the binary.
    Sample,
}

/// A capture to take in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) origin: Origin,
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, _)) if !name.is_empty() && SourceContract::get(name).is_none() => {
                let names: Vec<&str> = SourceContract::names().collect();
                Err(format!("there is no source `{name}`; there is {}", names.join(", ")))
            }
            Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
                Ok(Self { name: name.to_owned(), origin: Origin::Folder(folder.into()) })
            }
            _ => Err("a source is NAME=FOLDER, such as statsdb=captures/2025-11-02".to_owned()),
        }
    }
}

impl Source {
    /// The sources of the sample compiled into the binary.
    pub(crate) fn samples() -> impl Iterator<Item = Self> {
        sample::sources().map(|name| Self { name: name.to_owned(), origin: Origin::Sample })
    }

    pub(crate) fn describe(&self) -> String {
        match &self.origin {
            Origin::Folder(folder) => format!("{} from {}", self.name, folder.display()),
            Origin::Sample => format!("{} from the embedded synthetic sample", self.name),
        }
    }

    /// Reads the files. The time of capture is `captured_at`, or the date or instant that the folder's name
    /// begins with, or `now`.
    pub(crate) fn read(
        &self,
        captured_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> anyhow::Result<NewCapture> {
        let (files, named, synthetic) = match &self.origin {
            Origin::Folder(folder) => (read_folder(folder)?, instant_in_name(folder), is_synthetic(folder)),
            Origin::Sample => (sample::files(&self.name), sample::captured_at(&self.name), true),
        };
        let captured_at = captured_at.or(named).unwrap_or(now);
        Ok(NewCapture { source: self.name.clone(), captured_at, synthetic, files })
    }
}

fn read_folder(folder: &Path) -> anyhow::Result<Vec<(String, Bytes)>> {
    let unavailable = |e: std::io::Error| {
        coded(ExitCode::Unavailable, format!("read source folder `{}`: {e}", folder.display()))
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unavailable)? {
        let path = entry.map_err(unavailable)?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_file() && !name.starts_with('.') {
            let bytes =
                std::fs::read(&path).map_err(unavailable).with_context(|| format!("take in `{name}`"))?;
            files.push((name, Bytes::from(bytes)));
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    if files.is_empty() {
        return Err(coded(
            ExitCode::Unavailable,
            format!("find files in source folder `{}`", folder.display()),
        ));
    }
    Ok(files)
}

/// A folder made by `fightdna synth` says so.
fn is_synthetic(folder: &Path) -> bool {
    folder.join(sample::MARKER).is_file()
}

/// `2024-12-15…` or `20241215T103000Z…` at the beginning of the folder's name.
fn instant_in_name(folder: &Path) -> Option<DateTime<Utc>> {
    let name = std::path::absolute(folder).ok()?.file_name()?.to_string_lossy().into_owned();
    let date = name.get(..10).and_then(|text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok());
    let instant = name.get(..16).and_then(|t| NaiveDateTime::parse_from_str(t, "%Y%m%dT%H%M%SZ").ok());
    instant.or_else(|| date.and_then(|d| d.and_hms_opt(0, 0, 0))).map(|t| t.and_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_named_by_date_or_instant_says_when_it_was_captured() {
        let at = |name: &str| instant_in_name(Path::new(name)).map(|t| t.to_rfc3339());
        assert_eq!(at("x/2024-12-15").as_deref(), Some("2024-12-15T00:00:00+00:00"));
        assert_eq!(at("x/20241215T103000Z-abc/").as_deref(), Some("2024-12-15T10:30:00+00:00"));
        assert_eq!(at("x/latest"), None);
        assert_eq!(at("x/2024-13-45"), None);
    }

    #[test]
    fn a_source_is_a_name_and_a_folder() {
        assert!("statsdb=/tmp/x".parse::<Source>().is_ok());
        for bad in ["statsdb", "=x", "statsdb=", "foo=x"] {
            assert!(bad.parse::<Source>().is_err(), "{bad}");
        }
        assert!("foo=x".parse::<Source>().unwrap_err().contains("statsdb"));
    }
}

//! Sources given on the command line: `--source statsdb=<folder>` for one capture, `--captures statsdb=<folder>`
//! for a folder of captures.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use fdna_lake::NewCapture;
use fdna_schemas::{CatalogSource, SourceContract};

use super::dated_name::{instant_in_name, name_of};
use super::received::{self, ReceivedCaptures};
use super::sample;
use crate::exit::{ExitCode, error_with_code};

/// Origin of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaptureOrigin {
    Folder(PathBuf),
    /// The sample compiled into the binary.
    Sample,
}

/// A capture to take in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFolder {
    pub name: String,
    pub origin: CaptureOrigin,
}

impl FromStr for SourceFolder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, folder) = name_and_folder(text)?;
        Ok(Self { name, origin: CaptureOrigin::Folder(folder) })
    }
}

fn name_and_folder(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), folder.into()))
        }
        _ => Err("a source is NAME=FOLDER, such as statsdb=captures/2025-11-02".to_owned()),
    }
}

/// Refuses a source that there is not. Not while the command line is read, which says where the catalog's sources are.
///
/// # Errors
/// The first name that no contract has.
pub fn check_known<'n>(mut names: impl Iterator<Item = &'n str>) -> anyhow::Result<()> {
    let is_known = |name: &str| SourceContract::get(name).is_some() || CatalogSource::get(name).is_some();
    let Some(unknown) = names.find(|name| !is_known(name)) else { return Ok(()) };
    Err(error_with_code(
        ExitCode::Usage,
        unknown_source(unknown, SourceContract::names().chain(CatalogSource::names())),
    ))
}

/// Error for an unknown source name, with the three nearest of `names`.
pub fn unknown_source<'n>(unknown: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut near: Vec<(f64, &str)> = names.map(|name| (strsim::jaro_winkler(unknown, name), name)).collect();
    near.sort_by(|(a, a_name), (b, b_name)| b.total_cmp(a).then(a_name.cmp(b_name)));
    let nearest: Vec<String> = near.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
    format!("no source `{unknown}`; the nearest are {}", nearest.join(", "))
}

/// A folder of captures of one source: every entry whose name begins with a date or an instant, or ends with a date, is
/// one, a file or a folder of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureFolder {
    pub name: String,
    folder: PathBuf,
}

impl FromStr for CaptureFolder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, folder) = name_and_folder(text)?;
        Ok(Self { name, folder })
    }
}

/// A capture of a folder.
pub struct DatedEntry {
    pub at: DateTime<Utc>,
    pub path: PathBuf,
}

/// Entries of a folder of captures.
pub struct FolderEntries {
    /// By time, then name.
    pub dated: Vec<DatedEntry>,
    /// Entries without a time in their names.
    pub others: Vec<PathBuf>,
}

impl CaptureFolder {
    pub fn new(name: &str, folder: PathBuf) -> Self {
        Self { name: name.to_owned(), folder }
    }

    pub fn describe(&self) -> String {
        format!("{} from {}", self.name, self.folder.display())
    }

    pub fn list_entries(&self) -> anyhow::Result<FolderEntries> {
        let mut entries = FolderEntries { dated: Vec::new(), others: Vec::new() };
        for path in received::list_entries(&self.folder)? {
            match instant_in_name(&path) {
                Some(at) => entries.dated.push(DatedEntry { at, path }),
                None => entries.others.push(path),
            }
        }
        entries.dated.sort_by(|a, b| (a.at, &a.path).cmp(&(b.at, &b.path)));
        if entries.dated.is_empty() {
            let folder = self.folder.display();
            let message = format!("no captures in `{folder}`: no name in it begins or ends with a date");
            return Err(error_with_code(ExitCode::Unavailable, message));
        }
        Ok(entries)
    }

    /// # Errors
    /// The entry cannot be read or kept, or its date is none of a capture.
    pub fn read_entry(&self, entry: &DatedEntry, now: DateTime<Utc>) -> anyhow::Result<FoundCaptures> {
        let path = &entry.path;
        check_date(entry.at, now, path)?;
        let synthetic = is_synthetic(path) || is_synthetic(&self.folder);
        FoundCaptures::new(&self.name, entry.at, synthetic, received::read_received(path)?)
    }
}

/// A capture that was read, and what of its folder was not.
pub struct FoundCaptures {
    pub capture: NewCapture,
    pub left_alone: Vec<String>,
}

impl FoundCaptures {
    fn new(
        source: &str,
        at: DateTime<Utc>,
        synthetic: bool,
        received: ReceivedCaptures,
    ) -> anyhow::Result<Self> {
        let ReceivedCaptures { files, left_alone } = received;
        let capture = NewCapture { source: source.to_owned(), captured_at: at, synthetic, files };
        // Names that the lake cannot keep are told here, where they cost this capture alone.
        capture.content_digest()?;
        Ok(Self { capture, left_alone })
    }
}

/// Day of the first event: nothing was captured before.
const FIRST_EVENT: Option<NaiveDate> = NaiveDate::from_ymd_opt(1993, 11, 12);

/// A capture that seems to come from the future would be the newest for ever.
fn check_date(at: DateTime<Utc>, now: DateTime<Utc>, path: &Path) -> anyhow::Result<()> {
    let refuse = |why: String| {
        let hint = "if it is right, give it with --source and --captured-at";
        Err(error_with_code(
            ExitCode::BadData,
            format!("the date of {:?} cannot be right: {why}; {hint}", name_of(path)),
        ))
    };
    if FIRST_EVENT.is_some_and(|first| at.date_naive() < first) {
        return refuse("the sport began on 1993-11-12".to_owned());
    }
    if at > now + TimeDelta::days(1) {
        return refuse(format!("it is in the future, now is {}", now.format("%Y-%m-%dT%H:%MZ")));
    }
    Ok(())
}

impl SourceFolder {
    /// The sources of the sample compiled into the binary.
    pub fn samples() -> impl Iterator<Item = Self> {
        sample::sample_sources().map(|name| Self { name: name.to_owned(), origin: CaptureOrigin::Sample })
    }

    pub fn describe(&self) -> String {
        match &self.origin {
            CaptureOrigin::Folder(folder) => format!("{} from {}", self.name, folder.display()),
            CaptureOrigin::Sample => format!("{} from the embedded synthetic sample", self.name),
        }
    }

    /// Reads the files.
    ///
    /// # Errors
    /// The files cannot be read or kept, nothing says when they were captured, or a date that does is none of a
    /// capture.
    pub fn read_captures(
        &self,
        captured_at: CapturedAt,
        now: DateTime<Utc>,
    ) -> anyhow::Result<FoundCaptures> {
        let (received, named, synthetic) = match &self.origin {
            CaptureOrigin::Folder(folder) => {
                let synthetic = is_synthetic(folder);
                let received = received::read_folder(folder)?;
                let of_sample = || sample::captured_at(&self.name).filter(|_| synthetic);
                let named =
                    instant_in_name(folder).or_else(|| instant_in_names(&received)).or_else(of_sample);
                if let (Some(at), false) = (named, matches!(captured_at, CapturedAt::At(_))) {
                    check_date(at, now, folder)?;
                }
                (received, named, synthetic)
            }
            CaptureOrigin::Sample => {
                let files = sample::sample_files(&self.name);
                (ReceivedCaptures { files, left_alone: Vec::new() }, sample::captured_at(&self.name), true)
            }
        };
        let at = match captured_at {
            CapturedAt::At(at) => Some(at),
            CapturedAt::Now => named.or(Some(now)),
            CapturedAt::InName => named,
        };
        let at = at.ok_or_else(|| self.undated_error())?;
        FoundCaptures::new(&self.name, at, synthetic, received)
    }

    /// Taken as captured now, old files would be the newest for ever: events of theirs would seem to come, or to be past.
    fn undated_error(&self) -> anyhow::Error {
        let what = self.describe();
        error_with_code(
            ExitCode::Usage,
            format!(
                "unknown when {what} was captured: neither its name nor those of its files have a date; give \
                 --captured-at 2025-01-31 (or an instant such as 2025-01-31T18:00:00Z), or --captured-at now"
            ),
        )
    }
}

/// When a source's files were captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CapturedAt {
    /// As the name of the folder says, or the names of its files.
    #[default]
    InName,
    /// Then, whatever names say.
    At(DateTime<Utc>),
    /// Now, where no name says otherwise.
    Now,
}

/// The newest of the dates in the names of files, where every file has one.
fn instant_in_names(received: &ReceivedCaptures) -> Option<DateTime<Utc>> {
    let dates = received.files.iter().map(|(name, _)| instant_in_name(Path::new(name)));
    dates.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// A folder made by `fightdna synth` says so.
fn is_synthetic(folder: &Path) -> bool {
    folder.join(sample::MARKER).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_nothing_dates_is_refused_unless_it_is_said_to_be_of_now() {
        let folder = tempfile::tempdir().unwrap();
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let source = SourceFolder {
            name: "rankings".to_owned(),
            origin: CaptureOrigin::Folder(folder.path().to_owned()),
        };
        let at = |how| source.read_captures(how, now).map(|found| found.capture.captured_at);
        let write = |name: &str| {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            std::io::Write::write_all(&mut &file, b"x").unwrap();
        };
        write("list.csv");
        let refused = at(CapturedAt::InName).unwrap_err().to_string();
        assert!(refused.contains("--captured-at now"), "{refused}");
        assert_eq!(at(CapturedAt::Now).unwrap(), now);
        std::fs::remove_file(folder.path().join("list.csv")).unwrap();
        write("list_2026-03-18.csv");
        for how in [CapturedAt::InName, CapturedAt::Now] {
            assert_eq!(at(how).unwrap().to_rfc3339(), "2026-03-18T00:00:00+00:00");
        }
        let said = "2026-03-20T00:00:00Z".parse().unwrap();
        assert_eq!(at(CapturedAt::At(said)).unwrap(), said);
    }

    #[test]
    fn a_date_before_the_sport_or_after_tomorrow_is_not_believed() {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let check = |name: &str| check_date(instant_in_name(Path::new(name)).unwrap(), now, Path::new(name));
        for good in ["1993-11-12", "2026-11-22", "2026-11-23T120000Z"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in ["-001-01-01", "0000-01-01", "1993-11-11", "2026-11-24", "2062-11-02", "9999-12-31"] {
            assert!(
                check(bad)
                    .unwrap_err()
                    .to_string()
                    .contains(&format!("the date of \"{bad}\" cannot be right"))
            );
        }
    }

    #[test]
    fn a_source_is_a_name_and_a_folder() {
        assert!("statsdb=/tmp/x".parse::<SourceFolder>().is_ok());
        for bad in ["statsdb", "=x", "statsdb="] {
            assert!(bad.parse::<SourceFolder>().is_err(), "{bad}");
        }
        assert!(check_known(["statsdb", "nhl-boxes"].into_iter()).is_ok());
        let unknown = check_known(["statsdb", "statdsb"].into_iter()).unwrap_err().to_string();
        assert!(unknown.starts_with("no source `statdsb`; the nearest are `statsdb`, "), "{unknown}");
    }
}

//! Files where they were received: looked at before they are opened, and read up to a bound. What is no regular file
//! (a pipe waits for ever, a device never ends) is never read.

use std::fs::{File, FileType, Metadata};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use fdna_ingest::{max_file_bytes, too_large};

use crate::exit::{ExitCode, error_with_code};
use crate::import::dated_name::instant_in_name;
use crate::report::count_with_noun;

/// Files found in one place.
pub(crate) struct ReceivedCaptures {
    /// By name.
    pub(crate) files: Vec<(String, Bytes)>,
    /// Entries of a folder that are no files: folders within it, pipes, devices.
    pub(crate) left_alone: Vec<String>,
}

/// Reads a file, or every file of a folder but hidden ones.
///
/// # Errors
/// A file cannot be read, is no regular file, has a name that is no text, or is larger than any capture.
pub(crate) fn read_received(path: &Path) -> anyhow::Result<ReceivedCaptures> {
    let found = std::fs::metadata(path).map_err(|error| unavailable_error(path, &error))?;
    if found.is_dir() {
        return read_folder(path);
    }
    let file = (name_of(path)?, read_file(path)?);
    Ok(ReceivedCaptures { files: vec![file], left_alone: Vec::new() })
}

/// As [`read_received`], of a folder.
pub(crate) fn read_folder(folder: &Path) -> anyhow::Result<ReceivedCaptures> {
    let (mut paths, mut left_alone) = (Vec::new(), Vec::new());
    for path in list_entries(folder)? {
        let found = std::fs::metadata(&path).map_err(|error| unavailable_error(&path, &error))?;
        match found.is_file() {
            true => paths.push((name_of(&path)?, found.len(), path)),
            false => left_alone.push(format!("{path:?}, {}", file_kind(found.file_type()))),
        }
    }
    if let Some(why) = too_large(paths.iter().map(|(name, size, _)| (&name[..], *size))) {
        return Err(error_with_code(
            ExitCode::BadData,
            format!("cannot import `{}`: {why}", folder.display()),
        ));
    }
    if paths.is_empty() {
        return Err(error_with_code(ExitCode::Unavailable, no_files(folder, left_alone.len())));
    }
    let files = paths.into_iter().map(|(name, _, path)| Ok((name, read_file(&path)?)));
    Ok(ReceivedCaptures { files: files.collect::<anyhow::Result<_>>()?, left_alone })
}

/// Refusal of a folder without files.
fn no_files(folder: &Path, others: usize) -> String {
    let place = folder.display();
    let dated = list_entries(folder)
        .unwrap_or_default()
        .iter()
        .filter(|path| instant_in_name(path).is_some())
        .count();
    match dated {
        0 => format!("no files in source folder `{place}`, which has {others} other entries"),
        _ => format!(
            "no files in source folder `{place}`, but {} named by date: use --captures NAME={place}",
            count_with_noun(dated, "subfolder")
        ),
    }
}

/// Every entry of a folder whose name begins with no dot, by name.
pub(crate) fn list_entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let failed = |error| {
        let message = format!("cannot read source folder `{}`: {error}", folder.display());
        error_with_code(ExitCode::Unavailable, message)
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().unwrap_or_default();
    let text = name.to_str().map(str::to_owned);
    text.ok_or_else(|| error_with_code(ExitCode::BadData, format!("the file name {path:?} is no UTF-8")))
}

/// Opened so that a pipe put in the file's place meanwhile is not waited for, and looked at again once it is open.
fn read_file(path: &Path) -> anyhow::Result<Bytes> {
    let is_regular = |found: &Metadata| match found.is_file() {
        true => Ok(()),
        false => {
            let message = format!("{path:?} is no regular file, but {}", file_kind(found.file_type()));
            Err(error_with_code(ExitCode::Unavailable, message))
        }
    };
    let failed = |error: std::io::Error| unavailable_error(path, &error);
    is_regular(&std::fs::metadata(path).map_err(failed)?)?;
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    is_regular(&found)?;
    let mut bytes = Vec::new();
    if found.len() <= max_file_bytes() {
        bytes.reserve(usize::try_from(found.len()).unwrap_or_default() + 1);
        file.take(max_file_bytes() + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if found.len().max(bytes.len() as u64) > max_file_bytes() {
        let message = format!("cannot import {path:?}: it has more than {} bytes", max_file_bytes());
        return Err(error_with_code(ExitCode::BadData, message));
    }
    Ok(bytes.into())
}

fn unavailable_error(path: &Path, error: &std::io::Error) -> anyhow::Error {
    error_with_code(ExitCode::Unavailable, format!("cannot read source folder or file {path:?}: {error}"))
}

fn file_kind(file_type: FileType) -> &'static str {
    match () {
        () if file_type.is_dir() => "a folder",
        () if file_type.is_fifo() => "a pipe",
        () if file_type.is_socket() => "a socket",
        () if file_type.is_char_device() || file_type.is_block_device() => "a device",
        () => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_files_beyond_the_bound_are_refused_unread_and_by_name() {
        let device = read_received(Path::new("/dev/zero")).err().unwrap().to_string();
        assert_eq!(device, "\"/dev/zero\" is no regular file, but a device");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("2024-01-01.csv");
        File::create(&path).unwrap().set_len(3 << 30).unwrap();
        for place in [&path, folder.path()] {
            let refused = read_received(place).err().unwrap().to_string();
            assert!(refused.contains("2024-01-01.csv") && refused.contains("bytes"), "{refused}");
        }
    }
}

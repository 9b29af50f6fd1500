//! Bounds of what is read. They stand before any parser sees a byte, and each is far above what a source has ever
//! sent: a capture beyond one is damaged, or made to exhaust us. An operator whose history is larger raises those of
//! tables, all in proportion.

use std::sync::OnceLock;

use bytes::Bytes;
use fdna_model::FindingKind;

use crate::row::RowError;

/// Files of one capture.
pub(crate) const MAX_FILES: usize = 20_000;
/// MiB of one file, unless an operator says otherwise.
pub const DEFAULT_FILE_MIB: u64 = 128;

/// Bytes of a file that is read as one document: JSON, feeds, calendars.
pub(crate) const MAX_DOCUMENT_BYTES: usize = 32 << 20;
/// Bytes of a page or an article.
pub(crate) const MAX_PAGE_BYTES: usize = 4 << 20;
/// Columns of a table.
pub(crate) const MAX_COLUMNS: usize = 256;
/// Bytes and lines of one record of a table: a quote that never closes makes one record of all that follows.
pub(crate) const MAX_RECORD_BYTES: usize = 1 << 20;
pub(crate) const MAX_RECORD_LINES: usize = 500;
/// Records of a table that may go beyond these: to read on behind each costs another look at all that follows.
pub(crate) const MAX_LONG_RECORDS: usize = 16;
/// Values of a JSON document, counted by what separates them.
pub(crate) const MAX_VALUES: usize = 2_000_000;
/// Tags of a feed or a page.
pub(crate) const MAX_TAGS: usize = 200_000;
/// Elements within one another in a feed; JSON's reader has a bound of its own, 128.
pub(crate) const MAX_ELEMENT_DEPTH: usize = 128;
/// Components within one another in a calendar.
pub(crate) const MAX_COMPONENT_DEPTH: usize = 8;

static FILE_MIB: OnceLock<u64> = OnceLock::new();

/// Lets this process read files of so many MiB, and in proportion larger captures, more lines and more cells. Once, before
/// anything is read: a later call changes nothing.
pub fn set_max_file_mib(mib: u64) {
    let _ = FILE_MIB.set(mib);
}

fn file_mib() -> u64 {
    FILE_MIB.get().copied().unwrap_or(DEFAULT_FILE_MIB)
}

/// Bytes of one file, whatever its format.
#[must_use]
pub fn max_file_bytes() -> u64 {
    file_mib() << 20
}

/// Bytes of all files of one capture.
pub(crate) fn max_capture_bytes() -> u64 {
    max_file_bytes() * 4
}

/// Lines of a table or a calendar: 2,000,000 in 128 MiB.
pub(crate) fn max_lines() -> usize {
    usize::try_from(file_mib() * 2_000_000 / DEFAULT_FILE_MIB).unwrap_or(usize::MAX)
}

/// Rows times columns of a table.
pub(crate) fn max_cells() -> usize {
    max_lines().saturating_mul(8)
}

/// Bytes of all cells of a table whose cells share texts: a file of few bytes may repeat a long one in each.
pub(crate) fn max_cell_bytes() -> usize {
    usize::try_from(max_file_bytes() * 2).unwrap_or(usize::MAX)
}

/// How many bytes a packed file may become for each of its own.
const MAX_RATIO: usize = 200;

/// Bytes that a packed file may become, at most these.
pub(crate) fn max_unpacked(packed: usize, most: usize) -> usize {
    // Small files may well shrink to nearly nothing.
    most.min(packed.saturating_mul(MAX_RATIO).max(1 << 20))
}

/// What a file says it is by the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextFormat {
    Table,
    Json,
    Feed,
    Calendar,
    Page,
    Article,
}

impl TextFormat {
    /// `None` for a file that no source reads.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name.rsplit_once('.')?.1 {
            "csv" => Self::Table,
            "json" => Self::Json,
            "xml" => Self::Feed,
            "ics" => Self::Calendar,
            "html" => Self::Page,
            "md" => Self::Article,
            _ => return None,
        })
    }

    fn max_bytes(self) -> usize {
        match self {
            Self::Table => usize::try_from(max_file_bytes()).unwrap_or(usize::MAX),
            Self::Json | Self::Feed | Self::Calendar => MAX_DOCUMENT_BYTES,
            Self::Page | Self::Article => MAX_PAGE_BYTES,
        }
    }
}

/// Why a capture of so many files and bytes is not even opened: the reason, or `None` where it may be.
///
/// `sizes` are the files by name, in bytes.
#[must_use]
pub fn too_large<'f>(sizes: impl IntoIterator<Item = (&'f str, u64)>) -> Option<String> {
    let (mut files, mut bytes) = (0_usize, 0_u64);
    for (name, size) in sizes {
        if size > max_file_bytes() {
            let most = max_file_bytes();
            return Some(format!("`{name}` has {size} bytes, more than {most} (FIGHTDNA_READ_FILE_MIB)"));
        }
        files += 1;
        bytes += size;
        if files > MAX_FILES {
            return Some(format!("it has more than {MAX_FILES} files, from `{name}` on"));
        }
        if bytes > max_capture_bytes() {
            let most = max_capture_bytes();
            return Some(format!("its files have more than {most} bytes up to `{name}`"));
        }
    }
    None
}

/// Refuses a file of more bytes than its format may have.
pub(crate) fn check_bytes(format: TextFormat, bytes: &Bytes) -> Result<(), RowError> {
    check("bytes", bytes.len(), format.max_bytes())
}

/// Refuses a text of more lines, values or tags than a parser is to be given.
pub(crate) fn check_parts(format: TextFormat, text: &[u8]) -> Result<(), RowError> {
    match format {
        TextFormat::Table | TextFormat::Calendar => check("lines", count(text, b'\n'), max_lines()),
        TextFormat::Json => {
            let parts = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{' | b':'));
            check("values", parts.count(), MAX_VALUES)
        }
        TextFormat::Feed | TextFormat::Page => check("tags", count(text, b'<'), MAX_TAGS),
        TextFormat::Article => Ok(()),
    }
}

fn count(text: &[u8], byte: u8) -> usize {
    memchr::memchr_iter(byte, text).count()
}

pub(crate) fn check(what: &str, got: usize, allowed: usize) -> Result<(), RowError> {
    if got <= allowed {
        return Ok(());
    }
    Err(RowError::new(FindingKind::UnreadableValue, format!("it has {got} {what}, more than {allowed}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_bounded_in_bytes_of_a_file_files_and_bytes_in_all() {
        assert_eq!(too_large([("a", max_file_bytes())]), None);
        assert!(too_large([("a", max_file_bytes() + 1)]).unwrap().starts_with("`a` has 134217729 bytes"));
        let five = ["a", "b", "c", "d", "e"].map(|name| (name, max_file_bytes()));
        assert_eq!(too_large(five[..4].iter().copied()), None);
        assert!(too_large(five).unwrap().ends_with("up to `e`"));
        assert_eq!(too_large(vec![("a", 1); MAX_FILES]), None);
        assert!(too_large(vec![("a", 1); MAX_FILES + 1]).is_some());
    }
}

//! The first sheet of a workbook as rows of texts.

use std::io::Cursor;

use bytes::Bytes;
use calamine::{Data, DataRef, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError};
use zip::ZipArchive;
use zip::result::ZipError;

use super::file_records::unreadable;
use crate::limits::{self, MAX_COLUMNS};
use crate::row::RowError;

/// A row that has a value.
pub(super) struct SheetRow {
    /// 1 first, as a spreadsheet numbers it.
    pub(super) number: i32,
    pub(super) cells: Vec<Option<String>>,
}

/// The rows of the first sheet that is shown, from top to bottom. Cells are read one after the other, never as the area that
/// the file says it has: two cells may lie far apart.
pub(super) fn rows(bytes: &Bytes) -> Result<Vec<SheetRow>, RowError> {
    check_unpacked(bytes)?;
    let failed = |error: XlsxError| unreadable(format!("it is no workbook: {error}"));
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(failed)?;
    let sheets = workbook.sheets_metadata().iter();
    let mut shown = sheets.filter(|s| s.typ == SheetType::WorkSheet && s.visible == SheetVisible::Visible);
    let name = shown.next().map(|sheet| sheet.name.clone());
    let name = name.ok_or_else(|| unreadable("it is a workbook without a sheet"))?;
    let mut reader = workbook.worksheet_cells_reader(&name).map_err(failed)?;
    let mut rows: Vec<SheetRow> = Vec::new();
    let (mut cells_read, mut bytes_read) = (0, 0_usize);
    while let Some(cell) = reader.next_cell().map_err(failed)? {
        cells_read += 1;
        limits::check("cells", cells_read, limits::max_cells())?;
        let (row, column) = cell.get_position();
        let Some(text) = text(cell.get_value()) else { continue };
        bytes_read = bytes_read.saturating_add(text.len());
        limits::check("bytes in its cells", bytes_read, limits::max_cell_bytes())?;
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        limits::check("columns", column.saturating_add(1), MAX_COLUMNS)?;
        let number = i32::try_from(row).unwrap_or(i32::MAX).saturating_add(1);
        if rows.last().is_some_and(|last| last.number > number) {
            return Err(unreadable(format!("its row {number} stands behind a later one")));
        }
        if rows.last().is_none_or(|last| last.number < number) {
            rows.push(SheetRow { number, cells: Vec::new() });
        }
        if let Some(last) = rows.last_mut() {
            if last.cells.len() <= column {
                last.cells.resize(column + 1, None);
            }
            last.cells[column] = Some(text);
        }
    }
    Ok(rows)
}

/// Refuses a workbook that becomes too large when it is unpacked, by what it says of its members: of one that is longer than
/// that, the reader takes no more.
fn check_unpacked(bytes: &Bytes) -> Result<(), RowError> {
    let most = usize::try_from(limits::max_file_bytes()).unwrap_or(usize::MAX);
    let allowed = limits::max_unpacked(bytes.len(), most);
    let failed = |error: ZipError| unreadable(format!("it is no workbook: {error}"));
    let mut members = ZipArchive::new(Cursor::new(bytes)).map_err(failed)?;
    let mut unpacked = 0_u64;
    for at in 0..members.len() {
        unpacked = unpacked.saturating_add(members.by_index_raw(at).map_err(failed)?.size());
    }
    if unpacked > allowed as u64 {
        return Err(unreadable(format!("it grows beyond {allowed} bytes when it is unpacked")));
    }
    Ok(())
}

/// What a cell shows; `None` for an empty one.
fn text(value: &DataRef<'_>) -> Option<String> {
    let text = match value {
        DataRef::Empty => return None,
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Float(number) => number.to_string(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Bool(is) => is.to_string(),
        DataRef::DateTime(at) => at.as_datetime().map(day_or_instant)?,
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        // As the sheet shows it, so that it is refused where a number is expected.
        other => Data::from(other.clone()).to_string(),
    };
    (!text.trim().is_empty()).then_some(text)
}

/// `2018-03-19`, or with its time where that is not midnight.
fn day_or_instant(at: chrono::NaiveDateTime) -> String {
    let is_day = at.time() == chrono::NaiveTime::MIN;
    at.format(if is_day { "%Y-%m-%d" } else { "%Y-%m-%dT%H:%M:%S" }).to_string()
}

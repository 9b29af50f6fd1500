//! The one step between the bytes of a file and any parser: its size is checked, its encoding found and undone, what
//! is no text refused, and line ends that only some parsers take for such made the usual one.
//!
//! Line numbers stay those of the file: a line end becomes a line end, never two or none. A file that needs nothing
//! of it is passed on as it is, without a copy.

use std::borrow::Cow;

use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use fdna_model::FindingKind;

use crate::limits::{self, TextFormat};
use crate::row::RowError;

/// The text of a file in UTF-8, without a byte order mark. Single bytes that are no UTF-8 are left where they are:
/// a reader sets aside the row that has them.
pub(crate) fn decode(format: TextFormat, bytes: &Bytes) -> Result<Bytes, RowError> {
    limits::check_bytes(format, bytes)?;
    let text = in_utf8(format, bytes)?;
    if let Some(at) = memchr::memchr(0, &text) {
        let line = 1 + memchr::memchr_iter(b'\n', &text[..at]).count();
        let reason = format!("a NUL stands on line {line}, byte {at}: the file is damaged, or no text");
        return Err(RowError::new(FindingKind::UnreadableValue, reason));
    }
    let text = with_line_ends(format, text);
    limits::check_parts(format, &text)?;
    Ok(match text {
        Cow::Borrowed(text) => bytes.slice_ref(text),
        Cow::Owned(text) => text.into(),
    })
}

/// A text in UTF-8 that is in an encoding of this name, such as `latin1`.
pub(crate) fn from_encoding(name: &str, bytes: &Bytes) -> Result<Bytes, RowError> {
    let unknown = || RowError::new(FindingKind::NotUtf8, format!("there is no encoding `{name}`"));
    let encoding = Encoding::for_label(name.as_bytes()).ok_or_else(unknown)?;
    Ok(match undo(encoding, bytes)? {
        Cow::Borrowed(text) => bytes.slice_ref(text),
        Cow::Owned(text) => text.into(),
    })
}

fn in_utf8(format: TextFormat, bytes: &[u8]) -> Result<Cow<'_, [u8]>, RowError> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return undo(encoding, &bytes[mark..]);
    }
    if let Some(encoding) = unmarked_utf_16(bytes) {
        return undo(encoding, bytes);
    }
    let declared = (format == TextFormat::Feed).then(|| declared(bytes)).flatten();
    match declared.and_then(Encoding::for_label) {
        // What declares UTF-16 and could be read so far is none.
        Some(encoding) if encoding != UTF_16LE && encoding != UTF_16BE => undo(encoding, bytes),
        _ => Ok(Cow::Borrowed(bytes)),
    }
}

fn undo<'b>(encoding: &'static Encoding, bytes: &'b [u8]) -> Result<Cow<'b, [u8]>, RowError> {
    if encoding == UTF_8 {
        return Ok(Cow::Borrowed(bytes));
    }
    match encoding.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(Cow::Borrowed(text)) => Ok(Cow::Borrowed(text.as_bytes())),
        Some(Cow::Owned(text)) => Ok(Cow::Owned(text.into_bytes())),
        None => Err(RowError::new(
            FindingKind::NotUtf8,
            format!("it is no text in {}, as it begins or says", encoding.name()),
        )),
    }
}

/// UTF-16 without a mark, told by the zeros beside letters of ASCII: no format begins with anything else.
fn unmarked_utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => Some(UTF_16LE),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// The encoding that the declaration of an XML document names.
fn declared(bytes: &[u8]) -> Option<&[u8]> {
    let start = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let declaration = &start[..memchr::memmem::find(start, b"?>")?];
    let value = &declaration[memchr::memmem::find(declaration, b"encoding")? + b"encoding".len()..];
    let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|quote| matches!(quote, b'"' | b'\''))?;
    Some(&value[1..1 + memchr::memchr(quote, &value[1..])?])
}

/// A carriage return by itself ends a row for a reader of tables, but is no line for whoever counts line feeds: all
/// rows of a file of such would stand on one line. Calendars have an end of their own, for every line.
fn with_line_ends(format: TextFormat, text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let is_lone = |at: usize| text.get(at + 1) != Some(&b'\n');
    let has_lone = || memchr::memchr_iter(b'\r', &text).any(is_lone);
    let is_mended = match format {
        TextFormat::Table | TextFormat::Calendar => has_lone(),
        // In a text it may stand for something else, unless nothing else ends a line.
        TextFormat::Article => memchr::memchr(b'\n', &text).is_none() && has_lone(),
        TextFormat::Json | TextFormat::Feed | TextFormat::Page => false,
    };
    if !is_mended {
        return text;
    }
    let lone: Vec<usize> = memchr::memchr_iter(b'\r', &text).filter(|at| is_lone(*at)).collect();
    let mut text = text.into_owned();
    lone.into_iter().for_each(|at| text[at] = b'\n');
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(format: TextFormat, bytes: &[u8]) -> Result<String, String> {
        let text = decode(format, &Bytes::copy_from_slice(bytes)).map_err(|refusal| refusal.reason)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf_16_is_read_with_and_without_a_mark_whatever_it_declares() {
        let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?><é/>";
        for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
            assert_eq!(read(TextFormat::Feed, &utf_16(text, unit)).as_deref(), Ok(text));
            let marked = utf_16(&format!("\u{feff}{text}"), unit);
            assert_eq!(read(TextFormat::Feed, &marked).as_deref(), Ok(text));
        }
        let half = &utf_16("\u{feff}a,b\n", u16::to_le_bytes)[..7];
        assert!(read(TextFormat::Table, half).unwrap_err().starts_with("it is no text in UTF-16LE"));
    }

    #[test]
    fn only_a_feed_says_its_encoding_and_one_that_cannot_be_is_not_believed() {
        let feed = |encoding: &str| [format!("<?xml encoding='{encoding}'?>").as_bytes(), b"\xe9"].concat();
        let text = |encoding: &str| read(TextFormat::Feed, &feed(encoding)).unwrap();
        assert!(text("windows-1252").ends_with('é'));
        assert!(text("ISO-8859-5").ends_with('щ'));
        for unbelievable in ["UTF-16", "utf-16be", "x-nonsense", ""] {
            assert!(text(unbelievable).ends_with('\u{fffd}'), "{unbelievable}");
        }
        assert_eq!(declared(b"<?xml version='1.0'?><a encoding='latin1'/>"), None);
        assert!(read(TextFormat::Table, &feed("windows-1252")).unwrap().ends_with('\u{fffd}'));
    }

    #[test]
    fn what_has_a_nul_is_refused_with_its_line() {
        let reason = read(TextFormat::Table, b"a,b\n1,\0\n").unwrap_err();
        assert_eq!(reason, "a NUL stands on line 2, byte 6: the file is damaged, or no text");
    }

    #[test]
    fn a_lone_carriage_return_ends_a_line_of_a_table_and_no_other_is_touched() {
        assert_eq!(read(TextFormat::Table, b"a\r1\r\n2\n3\r\r\n").as_deref(), Ok("a\n1\r\n2\n3\n\r\n"));
        assert_eq!(read(TextFormat::Article, b"---\rslug\r").as_deref(), Ok("---\nslug\n"));
        assert_eq!(read(TextFormat::Article, b"a\nb\rc").as_deref(), Ok("a\nb\rc"));
        assert_eq!(read(TextFormat::Json, b"[\r]").as_deref(), Ok("[\r]"));
    }

    #[test]
    fn a_text_that_needs_nothing_is_not_copied() {
        for bytes in ["a,b\r\n1,2\n", "\u{feff}a,b\n"].map(Bytes::from) {
            let text = decode(TextFormat::Table, &bytes).unwrap();
            assert_eq!(text.as_ptr_range().end, bytes.as_ptr_range().end);
        }
    }

    #[test]
    fn bounds_stand_before_any_parser() {
        let json = Bytes::from(vec![b','; limits::MAX_VALUES + 1]);
        assert!(decode(TextFormat::Json, &json).unwrap_err().reason.contains("values, more than 2000000"));
        let page = Bytes::from(vec![b' '; limits::MAX_PAGE_BYTES + 1]);
        assert!(decode(TextFormat::Page, &page).unwrap_err().reason.contains("bytes, more than"));
        let lines = Bytes::from(vec![b'\r'; limits::max_lines() + 1]);
        assert!(decode(TextFormat::Calendar, &lines).unwrap_err().reason.contains("lines, more than"));
        let tags = Bytes::from(vec![b'<'; limits::MAX_TAGS + 1]);
        assert!(decode(TextFormat::Feed, &tags).unwrap_err().reason.contains("tags, more than"));
    }

    proptest! {
        #[test]
        fn no_line_is_added_or_lost(text in "[a\r\n]{0,40}") {
            let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
            let decoded = read(TextFormat::Table, text.as_bytes()).unwrap();
            prop_assert_eq!(lines(&decoded), lines(&text));
            prop_assert_eq!(decoded.matches('\n').count(), lines(&text).matches('\n').count());
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            for format in [TextFormat::Table, TextFormat::Feed, TextFormat::Article, TextFormat::Calendar] {
                let _ = read(format, &bytes);
            }
        }
    }
}

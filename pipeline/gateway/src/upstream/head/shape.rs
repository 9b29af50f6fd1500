//! A head without the values of its headers. A host's next answer has the last one's, mostly: what a parser found in
//! it is not looked for again.

use std::mem::MaybeUninit;
use std::ops::Range;

use hyper::StatusCode;
use hyper::header::HeaderName;
use memchr::memchr;

use super::BadHead;
use crate::headers::{self, Part};

/// Headers of an answer, at most.
pub(super) const MAX_HEADERS: usize = 100;

const LINE_END: &[u8] = b"\r\n";

#[derive(Debug, Default)]
pub(super) struct Shape {
    /// The first line, with its end; nothing until there was a head, and after one that was none.
    line: Vec<u8>,
    pub(super) status: StatusCode,
    pub(super) is_http_10: bool,
    names: Vec<(HeaderName, Part)>,
    /// Where the last head's values stand.
    values: Vec<Range<usize>>,
}

impl Shape {
    /// Length of the head that this begins with, if it is one of the same line and names, written as most hosts write
    /// them. Anything else is for the parser to judge.
    pub(super) fn fits(&mut self, read: &[u8]) -> Option<usize> {
        if self.line.is_empty() {
            return None;
        }
        let mut rest = read.strip_prefix(&self.line[..])?;
        self.values.clear();
        for (name, _) in &self.names {
            let value = rest.strip_prefix(name.as_str().as_bytes())?.strip_prefix(b": ")?;
            let length = memchr(b'\r', value)?;
            if value[..length].trim_ascii().len() < length {
                return None;
            }
            let place = read.len() - value.len();
            self.values.push(place..place + length);
            rest = value[length..].strip_prefix(LINE_END)?;
        }
        let rest = rest.strip_prefix(LINE_END)?;
        Some(read.len() - rest.len())
    }

    /// Takes the shape of a whole head.
    pub(super) fn read(&mut self, head: &[u8]) -> Result<(), BadHead> {
        // Until it is known that it is one.
        self.line.clear();
        let mut fields = [const { MaybeUninit::uninit() }; MAX_HEADERS];
        let (mut answer, config) = (httparse::Response::new(&mut []), httparse::ParserConfig::default());
        let parsed = config.parse_response_with_uninit_headers(&mut answer, head, &mut fields)?;
        // The parser passes over empty lines before the first.
        let is_begun = head.starts_with(b"HTTP/");
        if parsed != httparse::Status::Complete(head.len()) || !is_begun || has_bare_line_feed(head) {
            return Err(BadHead::LineEnd);
        }
        self.status = StatusCode::from_u16(answer.code.unwrap_or_default())?;
        self.is_http_10 = answer.version == Some(0);
        self.values.clear();
        for (place, field) in answer.headers.iter().enumerate() {
            self.name(place, field.name)?;
            self.values.push(place_in(head, field.value));
        }
        self.names.truncate(answer.headers.len());
        self.line.extend(head.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default());
        Ok(())
    }

    /// Remembers a name, unless it is remembered already.
    fn name(&mut self, place: usize, text: &str) -> Result<(), BadHead> {
        if self.names.get(place).is_none_or(|(name, _)| name.as_str() != text) {
            let name = headers::shared(HeaderName::from_bytes(text.as_bytes())?);
            self.names.truncate(place);
            self.names.push((name.clone(), Part::of(&name)));
        }
        Ok(())
    }

    /// Names, what they say, and where the last head's values stand.
    pub(super) fn headers(&self) -> impl Iterator<Item = (&HeaderName, Part, Range<usize>)> {
        self.names.iter().zip(&self.values).map(|((name, part), value)| (name, *part, value.clone()))
    }
}

/// Where a part of these bytes stands in them.
fn place_in(head: &[u8], part: &[u8]) -> Range<usize> {
    let begin = if part.is_empty() { 0 } else { part.as_ptr().addr() - head.as_ptr().addr() };
    begin..begin + part.len()
}

/// The parser takes a bare LF for a line's end too.
fn has_bare_line_feed(head: &[u8]) -> bool {
    let mut line_ends = memchr::memchr_iter(b'\n', head);
    line_ends.any(|end| !head[..end].ends_with(b"\r"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use hyper::header::HeaderValue;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    const USUAL: &str = "HTTP/1.1 200 OK\r\netag: W/\"a\"\r\ncontent-length: 12\r\nx-empty: \r\n\r\n";

    fn shape(head: &str) -> Shape {
        let mut shape = Shape::default();
        shape.read(head.as_bytes()).unwrap();
        shape
    }

    fn values<'a>(shape: &Shape, head: &'a [u8]) -> Vec<(String, &'a [u8])> {
        shape.headers().map(|(name, _, value)| (name.to_string(), &head[value])).collect()
    }

    #[test]
    fn what_follows_a_head_of_the_same_shape_is_not_its() {
        let mut shape = shape(USUAL);
        let next = USUAL.replace("W/\"a\"", "\"other\"").replace("12", "");
        let read = format!("{next}HTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(shape.fits(read.as_bytes()), Some(next.len()));
        let headers = values(&shape, read.as_bytes());
        let expected = [("etag", "\"other\""), ("content-length", ""), ("x-empty", "")];
        assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.as_bytes())));
    }

    #[test]
    fn what_is_written_in_another_way_is_left_to_the_parser() {
        for (from, to) in [
            ("200", "201"),
            ("OK", "ok"),
            ("1.1", "1.0"),
            ("etag", "ETag"),
            ("etag", "vary"),
            ("etag: ", "etag:"),
            ("etag: ", "etag:  "),
            ("etag: ", "etag : "),
            ("\"a\"\r\n", "\"a\" \r\n"),
            ("\"a\"\r\n", "\"a\"\n"),
            ("\"a\"\r\n", "\"a\r\"\r\n"),
            ("\"a\"\r\n", "\"a\"\r\n b\r\n"),
            ("x-empty: \r\n", ""),
            ("x-empty: \r\n", "x-empty: \r\nx-more: \r\n"),
            ("\r\n\r\n", "\r\n\r"),
            ("\r\n\r\n", "\r\n\n"),
        ] {
            let other = USUAL.replace(from, to);
            assert_eq!(shape(USUAL).fits(other.as_bytes()), None, "{other}");
        }
        assert_eq!(Shape::default().fits(USUAL.as_bytes()), None);
    }

    #[test]
    fn a_head_that_is_none_leaves_no_shape() {
        for wrong in ["HTTP/1.1 200 OK\r\netag: a\r\nx a: b\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "\n\r\n"] {
            let mut shape = shape(USUAL);
            assert!(shape.read(wrong.as_bytes()).is_err());
            assert_eq!(shape.fits(USUAL.as_bytes()), None, "{wrong}");
        }
    }

    /// A first line, names of headers, and two lists of values for them.
    fn answers() -> impl Strategy<Value = (&'static str, Vec<(&'static str, String, String)>)> {
        let line =
            prop::sample::select(vec!["HTTP/1.1 200 OK\r\n", "HTTP/1.0 304 \r\n", "\r\nHTTP/1.1 200 OK\r\n"]);
        let name = prop::sample::select(vec!["etag", "vary", "x-a", "content-length"]);
        let value = || prop_oneof![4 => "[a-c]{0,4}", 1 => "[ab ]{0,3}", 1 => Just("a\tb\u{7f}é".to_owned())];
        (line, prop::collection::vec((name, value(), value()), 0..4))
    }

    /// A byte of a head that becomes another.
    fn change() -> impl Strategy<Value = (prop::sample::Index, u8)> {
        (any::<prop::sample::Index>(), prop::sample::select(b"\r\n: aA\x00\x7f".to_vec()))
    }

    #[test]
    fn what_fits_is_what_the_parser_finds() {
        let (fitted, mut runner) = (Cell::new(0), TestRunner::new(ProptestConfig::with_cases(4000)));
        let changes = prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(change(), 1..3)];
        let checked = runner.run(&(answers(), changes, "[a\r\n]{0,3}"), |((line, fields), changes, more)| {
            let of = |value: fn(&(&str, String, String)) -> String| {
                let fields = fields.iter().map(|field| format!("{}: {}\r\n", field.0, value(field)));
                format!("{line}{}\r\n", fields.collect::<String>())
            };
            let (mut shape, mut anew) = <(Shape, Shape)>::default();
            let is_head = shape.read(of(|field| field.1.clone()).as_bytes()).is_ok();
            let mut read = (of(|field| field.2.clone()) + &more).into_bytes();
            for (place, byte) in changes {
                let place = place.index(read.len());
                read[place] = byte;
            }
            let Some(length) = shape.fits(&read) else { return Ok(()) };
            prop_assert!(is_head);
            let found = values(&shape, &read);
            // What no header may hold is refused behind either.
            if found.iter().all(|(_, value)| HeaderValue::from_bytes(value).is_ok()) {
                prop_assert!(anew.read(&read[..length]).is_ok());
                prop_assert_eq!(&found, &values(&anew, &read));
                prop_assert_eq!((shape.status, shape.is_http_10), (anew.status, anew.is_http_10));
                fitted.set(fitted.get() + 1);
            }
            Ok(())
        });
        checked.unwrap();
        assert!(fitted.get() > 500, "{fitted:?}");
    }
}

//! Parts of a representation (RFC 9110, 14): which of its bytes are asked for, and how several parts are one body.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::Range;

use bytes::Bytes;
use http_range_header::{
    RangeInvalid, RangeUnsatisfiableError, SyntacticallyCorrectRange, parse_range_header_with_max_ranges,
};
use hyper::header::{HeaderMap, HeaderValue, RANGE};
use uuid::Uuid;

/// Ranges that one request may ask for: each costs a read and a header of its own.
pub const MAX_RANGES: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// Ranges of the header `Range`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedRanges {
    /// Everything: there is no such header, or it is of another unit, which RFC 9110 has a server ignore.
    Everything,
    /// These bytes, of which there is at least one. No two ranges overlap or touch; they are in the order in which they were
    /// asked for.
    Parts(Vec<Range<u64>>),
    /// No byte that there is, or what cannot be read as ranges.
    Unsatisfiable,
}

impl RequestedRanges {
    /// The requested ranges of a body of this length.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap, length: u64) -> Self {
        let mut values = headers.get_all(RANGE).iter();
        let Some(value) = values.next() else { return Self::Everything };
        if values.next().is_some() {
            return Self::Unsatisfiable;
        }
        match parse_range_header_with_max_ranges(value.to_str().unwrap_or_default(), MAX_RANGES) {
            Ok(ranges) => {
                let ranges = ranges.into_ranges().into_iter().map(|range| cut_to(length, range));
                let parts = merge_ranges(&ranges.filter(|range| !range.is_empty()).collect::<Vec<_>>());
                if parts.is_empty() { Self::Unsatisfiable } else { Self::Parts(parts) }
            }
            Err(RangeUnsatisfiableError::Invalid(RangeInvalid::DoesNotStartWithToken)) => Self::Everything,
            Err(_) => Self::Unsatisfiable,
        }
    }
}

/// Empty where it is beyond the end.
fn cut_to(length: u64, range: SyntacticallyCorrectRange) -> Range<u64> {
    match range {
        SyntacticallyCorrectRange::FromLast(suffix) => length.saturating_sub(suffix)..length,
        SyntacticallyCorrectRange::FromStart(first) => first.min(length)..length,
        SyntacticallyCorrectRange::Indexed(first, last) => {
            first.min(length)..last.saturating_add(1).min(length)
        }
    }
}

/// Ranges that overlap or touch become one, which stands where the first of them was asked for.
fn merge_ranges(ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in sorted {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    let place = |part: &Range<u64>| ranges.iter().position(|range| part.contains(&range.start));
    merged.sort_by_key(place);
    merged
}

/// `Content-Range` of a part.
#[must_use]
pub fn content_range(part: &Range<u64>, length: u64) -> String {
    format!("bytes {}-{}/{length}", part.start, part.end.saturating_sub(1))
}

/// `Content-Range` where no part can be given.
#[must_use]
pub fn no_content_range(length: u64) -> HeaderValue {
    // Digits are always a valid value.
    HeaderValue::try_from(format!("bytes */{length}")).unwrap_or(HeaderValue::from_static("bytes */*"))
}

/// A piece of a body of which parts come from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodySegment {
    Text(Bytes),
    /// Bytes of the file.
    File(Range<u64>),
}

impl BodySegment {
    /// Length in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::File(range) => range.end - range.start,
        }
    }
}

/// Several parts as one body, `multipart/byteranges`, and its content type. The boundary is random, so that no file can have
/// been made to hold it.
#[must_use]
pub fn multipart_body(
    parts: &[Range<u64>],
    length: u64,
    content_type: &str,
    boundary: Uuid,
) -> (VecDeque<BodySegment>, String) {
    let boundary = boundary.simple();
    let mut segments = VecDeque::with_capacity(2 * parts.len() + 1);
    let mut text = String::new();
    for part in parts {
        let content_range = content_range(part, length);
        let _ = write!(
            text,
            "--{boundary}\r\nContent-Type: {content_type}\r\nContent-Range: {content_range}\r\n\r\n"
        );
        segments.push_back(BodySegment::Text(std::mem::take(&mut text).into()));
        segments.push_back(BodySegment::File(part.clone()));
        text.push_str("\r\n");
    }
    let _ = write!(text, "--{boundary}--\r\n");
    segments.push_back(BodySegment::Text(text.into()));
    (segments, format!("multipart/byteranges; boundary={boundary}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn asked(value: &str, length: u64) -> RequestedRanges {
        let mut headers = HeaderMap::new();
        headers.insert(RANGE, value.parse().unwrap());
        RequestedRanges::from_headers(&headers, length)
    }

    fn parts(parts: &[Range<u64>]) -> RequestedRanges {
        RequestedRanges::Parts(parts.to_vec())
    }

    #[test]
    fn a_range_is_cut_to_the_length() {
        for (value, part) in [
            ("bytes=0-0", 0..1),
            ("bytes=0-99", 0..100),
            ("BYTES=0-", 0..100),
            ("bytes=99-", 99..100),
            ("bytes=99-99", 99..100),
            ("bytes=-1", 99..100),
            ("bytes=-100", 0..100),
            ("bytes=-1000", 0..100),
            ("bytes=10-1000", 10..100),
            ("bytes=0010-19", 10..20),
            ("bytes=5-99999999999999999999", 5..100),
        ] {
            assert_eq!(asked(value, 100), parts(&[part]), "{value}");
        }
    }

    #[test]
    fn what_is_beyond_the_end_or_is_no_range_is_not_satisfiable() {
        for value in [
            "bytes=100-",
            "bytes=100-200",
            "bytes=-0",
            "bytes=",
            "bytes=,",
            "bytes=-",
            "bytes=5-4",
            "bytes=a-b",
            "bytes=+1-2",
            "bytes=1",
            "bytes=1--2",
            "bytes=0-1,x",
            "bytes=99999999999999999999-",
        ] {
            assert_eq!(asked(value, 100), RequestedRanges::Unsatisfiable, "{value}");
        }
        assert_eq!(asked("bytes=0-", 0), RequestedRanges::Unsatisfiable);
        assert_eq!(asked("bytes=-5", 0), RequestedRanges::Unsatisfiable);
    }

    #[test]
    fn another_unit_or_no_header_is_everything_and_two_headers_are_nothing() {
        assert_eq!(asked("rows=0-1", 100), RequestedRanges::Everything);
        assert_eq!(asked("", 100), RequestedRanges::Everything);
        let mut headers = HeaderMap::new();
        assert_eq!(RequestedRanges::from_headers(&headers, 100), RequestedRanges::Everything);
        headers.append(RANGE, HeaderValue::from_static("bytes=0-1"));
        headers.append(RANGE, HeaderValue::from_static("bytes=5-6"));
        assert_eq!(RequestedRanges::from_headers(&headers, 100), RequestedRanges::Unsatisfiable);
    }

    #[test]
    fn ranges_that_overlap_or_touch_are_one_and_stand_where_they_were_asked_for() {
        assert_eq!(asked("bytes=0-0, 10-19,", 100), parts(&[0..1, 10..20]));
        assert_eq!(asked("bytes=50-59,0-9,55-69,200-", 100), parts(&[50..70, 0..10]));
        for (value, part) in [("bytes=0-4,5-9", 0..10), ("bytes=90-,0-99", 0..100)] {
            assert_eq!(asked(value, 100), parts(&[part]));
        }
    }

    #[test]
    fn so_many_ranges_are_read_and_no_more() {
        let list = |count: usize| {
            let ranges: Vec<String> = (0..count).map(|n| format!("{0}-{0}", 2 * n)).collect();
            asked(&format!("bytes={}", ranges.join(",")), 1000)
        };
        let most = MAX_RANGES.get();
        assert!(matches!(list(most), RequestedRanges::Parts(parts) if parts.len() == most));
        assert_eq!(list(most + 1), RequestedRanges::Unsatisfiable);
    }

    #[test]
    fn parts_are_one_body_of_a_length_that_is_known() {
        let (segments, content_type) = multipart_body(&[0..1, 10..20], 100, "text/plain", Uuid::nil());
        let boundary = Uuid::nil().simple().to_string();
        assert_eq!(content_type, format!("multipart/byteranges; boundary={boundary}"));
        let shown: String = segments
            .iter()
            .map(|segment| match segment {
                BodySegment::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                BodySegment::File(range) => format!("{range:?}"),
            })
            .collect();
        assert_eq!(
            shown,
            format!(
                "--{boundary}\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-0/100\r\n\r\n0..1\r\n\
                 --{boundary}\r\nContent-Type: text/plain\r\nContent-Range: bytes 10-19/100\r\n\r\n10..20\r\n\
                 --{boundary}--\r\n"
            )
        );
    }

    proptest! {
        #[test]
        fn no_header_makes_anything_but_bytes_that_there_are(value in "(bytes=)?[0-9a, -]{0,40}", length in 0_u64..200) {
            if let RequestedRanges::Parts(parts) = asked(&value, length) {
                prop_assert!(!parts.is_empty());
                prop_assert!(parts.iter().all(|part| part.start < part.end && part.end <= length));
                let apart = |a: &Range<u64>, b: &Range<u64>| a.end < b.start || b.end < a.start;
                let pairs = || parts.iter().enumerate().flat_map(|(n, a)| parts[n + 1..].iter().map(move |b| (a, b)));
                prop_assert!(pairs().all(|(a, b)| apart(a, b)));
            }
        }

        #[test]
        fn every_byte_that_is_asked_for_is_in_one_part_and_no_other_byte(
            ranges in prop::collection::vec((0_u64..120, 0_u64..40), 1..MAX_RANGES.get())
        ) {
            let list: Vec<String> = ranges.iter().map(|(first, more)| format!("{first}-{}", first + more)).collect();
            let parts = match asked(&format!("bytes={}", list.join(", ")), 100) {
                RequestedRanges::Parts(parts) => parts,
                _ => Vec::new(),
            };
            for byte in 0..100_u64 {
                let is_asked = ranges.iter().any(|(first, more)| (*first..=first + more).contains(&byte));
                let count = parts.iter().filter(|part| part.contains(&byte)).count();
                prop_assert_eq!(count, usize::from(is_asked));
            }
        }
    }
}

//! The head of a canonical host's answer. What could be read in two ways is refused: of two readings the client would
//! get one and the next request on the line the other.

mod shape;

use std::sync::LazyLock;

use bytes::{Bytes, BytesMut};
use hyper::header::HeaderValue;
use hyper::{Method, StatusCode};
use memchr::memmem::Finder;

use self::shape::Shape;
use super::framing::Framing;
use crate::headers::{self, Back, Part};

/// Bytes of a head, at most.
const MAX_BYTES: usize = 64 * 1024;

/// The end of a head, with what stands before it: `\n\r` stands nowhere else in one, so that it is found at once.
const END: &[u8] = b"\n\r\n";
static END_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(END));

/// What an answer says before its body.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: StatusCode,
    pub(super) back: Back,
    pub(super) framing: Framing,
    /// Nothing is answered on this line after it.
    pub(super) is_last: bool,
}

/// Why bytes are no answer's head.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadHead {
    #[error("more than {MAX_BYTES} bytes")]
    TooLong,
    #[error(transparent)]
    Malformed(#[from] httparse::Error),
    #[error("lines that do not end in CR LF")]
    LineEnd,
    #[error("a status that is none")]
    Status(#[from] hyper::http::status::InvalidStatusCode),
    #[error("a header's name that is none")]
    Name(#[from] hyper::http::header::InvalidHeaderName),
    #[error("a header's value that is none")]
    Value(#[from] hyper::http::header::InvalidHeaderValue),
    #[error("a body whose end can be told in two ways, or in none")]
    Framing,
}

/// Finds heads in bytes as they come.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// Bytes without the end of a head.
    searched: usize,
    /// Of the last head.
    shape: Shape,
}

impl Heads {
    /// The first head of what was read, if it is whole, which is taken out of it.
    pub(super) fn take(&mut self, read: &mut BytesMut, method: &Method) -> Result<Option<Head>, BadHead> {
        let length = match self.shape.fits(read) {
            Some(length) => length,
            None => {
                let Some(length) = self.end(read)? else { return Ok(None) };
                self.shape.read(&read[..length])?;
                length
            }
        };
        self.searched = 0;
        let head = read.split_to(length).freeze();
        Head::of(&self.shape, &head, method).map(Some)
    }

    /// Where the first head ends, if it does.
    fn end(&mut self, read: &[u8]) -> Result<Option<usize>, BadHead> {
        let from = self.searched.saturating_sub(END.len() - 1);
        let place = END_FINDER.find(&read[from..]);
        if place.is_none() {
            self.searched = read.len();
            if read.len() >= MAX_BYTES {
                return Err(BadHead::TooLong);
            }
        }
        Ok(place.map(|place| from + place + END.len()))
    }
}

impl Head {
    /// Of a whole head of this shape. The headers' values share its bytes.
    fn of(shape: &Shape, bytes: &Bytes, method: &Method) -> Result<Self, BadHead> {
        let (status, is_http_10) = (shape.status, shape.is_http_10);
        let (mut back, mut said) = (Back::new(), Said::default());
        for (name, part, place) in shape.headers() {
            let value = match headers::usual(&bytes[place.clone()]) {
                Some(value) => value,
                None => HeaderValue::from_maybe_shared(bytes.slice(place))?,
            };
            said.hear(part, &value)?;
            back.pass(part, name, value);
        }
        let is_bodiless = *method == Method::HEAD
            || status.is_informational()
            || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
        let framing = match said.framing {
            Some(Framing::Chunked(_)) if is_http_10 => return Err(BadHead::Framing),
            _ if is_bodiless => Framing::Length(0),
            said => said.unwrap_or(Framing::UntilClose),
        };
        let is_last = is_http_10 || framing == Framing::UntilClose || said.is_last;
        Ok(Self { status, back, framing, is_last })
    }

    /// Another head follows, which is that of the answer.
    pub(super) fn is_interim(&self) -> bool {
        self.status.is_informational() && self.status != StatusCode::SWITCHING_PROTOCOLS
    }
}

/// What headers say of the connection. RFC 9112, 6.3, and stricter: one way to tell the length, said once.
#[derive(Default)]
struct Said {
    framing: Option<Framing>,
    is_last: bool,
}

impl Said {
    fn hear(&mut self, part: Part, value: &HeaderValue) -> Result<(), BadHead> {
        let framing = match part {
            Part::Length => Framing::Length(whole_number(value.as_bytes()).ok_or(BadHead::Framing)?),
            Part::Coding if value.as_bytes().eq_ignore_ascii_case(b"chunked") => Framing::chunked(),
            Part::Coding => return Err(BadHead::Framing),
            Part::Connection => {
                self.is_last |= says_close(value);
                return Ok(());
            }
            Part::RequestId | Part::Version | Part::Policy | Part::NotPassed | Part::Passed => return Ok(()),
        };
        match self.framing.replace(framing) {
            None => Ok(()),
            Some(_) => Err(BadHead::Framing),
        }
    }
}

/// Digits and nothing else.
fn whole_number(text: &[u8]) -> Option<u64> {
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    let number = text.iter().try_fold(0u64, |n, byte| n.checked_mul(10)?.checked_add(digit(byte)?))?;
    (!text.is_empty()).then_some(number)
}

fn says_close(value: &HeaderValue) -> bool {
    value
        .as_bytes()
        .split(|byte| *byte == b',')
        .any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close"))
}

#[cfg(test)]
mod tests {
    use super::shape::MAX_HEADERS;
    use super::*;
    use hyper::header::{HeaderMap, HeaderName};

    fn head_of(method: Method, text: &str) -> Result<Option<Head>, BadHead> {
        Heads::default().take(&mut BytesMut::from(text), &method)
    }

    fn head(text: &str) -> Head {
        head_of(Method::GET, text).unwrap().unwrap()
    }

    fn headers(head: Head) -> HeaderMap {
        head.back.onto(HeaderMap::new())
    }

    #[test]
    fn a_head_has_a_status_headers_and_how_long_the_body_is() {
        let text = "HTTP/1.1 200 OK\r\nETag: W/\"a\"\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 12\r\n\r\n";
        let head = head(text);
        assert_eq!((head.status, head.framing, head.is_last), (StatusCode::OK, Framing::Length(12), false));
        let headers = headers(head);
        assert_eq!(headers["etag"], "W/\"a\"");
        assert_eq!(headers.get_all("x-two").iter().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn what_follows_a_head_stays_and_a_head_that_comes_in_pieces_is_found() {
        let before = "HTTP/1.1 204 No Content\r\netag: ab\r\n\r\n";
        for text in ["a", "ab", "abc", "", " ab"].map(|value| before.replace("ab", value)) {
            for (cut, has_shape) in (0..text.len()).flat_map(|cut| [(cut, false), (cut, true)]) {
                let (mut heads, mut read) = (Heads::default(), BytesMut::new());
                if has_shape {
                    read.extend_from_slice(before.as_bytes());
                    heads.take(&mut read, &Method::GET).unwrap().unwrap();
                }
                for piece in [&text[..cut / 2], &text[cut / 2..cut]] {
                    read.extend_from_slice(piece.as_bytes());
                    assert!(heads.take(&mut read, &Method::GET).unwrap().is_none(), "{text} {cut}");
                }
                read.extend_from_slice(&text.as_bytes()[cut..]);
                read.extend_from_slice(b"HTTP/1.1 ");
                let head = heads.take(&mut read, &Method::GET).unwrap().unwrap();
                assert_eq!((head.status, &read[..]), (StatusCode::NO_CONTENT, &b"HTTP/1.1 "[..]), "{cut}");
                let value = text["HTTP/1.1 204 No Content\r\netag: ".len()..].trim();
                assert_eq!(headers(head)["etag"], value, "{cut}");
            }
        }
    }

    #[test]
    fn how_long_a_body_is_depends_on_the_question_and_not_on_the_last_head() {
        let (mut heads, length) = (Heads::default(), "content-length: 5\r\n");
        for (method, status, framing) in [
            (Method::GET, "200 OK", Framing::Length(5)),
            (Method::HEAD, "200 OK", Framing::Length(0)),
            (Method::GET, "200 OK", Framing::Length(5)),
            (Method::GET, "304 Not Modified", Framing::Length(0)),
            (Method::GET, "200 OK", Framing::Length(5)),
        ] {
            let text = format!("HTTP/1.1 {status}\r\n{length}\r\n");
            let head = heads.take(&mut BytesMut::from(text.as_str()), &method).unwrap().unwrap();
            assert_eq!((head.status.as_str(), head.framing), (&status[..3], framing), "{method} {status}");
        }
    }

    #[test]
    fn an_answer_without_a_first_line_is_none_whatever_came_before() {
        let (mut heads, status) = (Heads::default(), "HTTP/1.1 304 Not Modified\r\n\r\n");
        let mut take = |text: &str| heads.take(&mut BytesMut::from(text), &Method::GET);
        assert!(take(&format!("\r\n{status}")).is_err());
        assert!(take("\r\n\r\n").is_err());
        assert!(take(status).is_ok_and(|head| head.is_some()));
        assert!(take(&format!("\r\n{status}")).is_err());
        assert!(take("\r\n\r\n").is_err());
    }

    #[test]
    fn each_head_has_its_own_headers_whatever_the_last_one_had() {
        let mut heads = Heads::default();
        for names in
            [&["a", "b", "c"][..], &["a", "b", "c"], &["a", "c", "b"], &["a"], &["A", "b", "d", "a"], &[]]
        {
            let fields: String = names.iter().map(|name| format!("{name}: {name}\r\n")).collect();
            let text = format!("HTTP/1.1 200 OK\r\n{fields}\r\n");
            let head = heads.take(&mut BytesMut::from(text.as_str()), &Method::GET).unwrap().unwrap();
            let mut expected = HeaderMap::new();
            for name in names {
                expected.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), name.parse().unwrap());
            }
            assert_eq!(headers(head), expected);
        }
    }

    #[test]
    fn the_body_ends_as_the_standard_says() {
        let (length, chunked) = ("content-length: 5\r\n", "transfer-encoding: Chunked\r\n");
        for (method, status, headers, framing) in [
            (Method::GET, "200 OK", length, Framing::Length(5)),
            (Method::GET, "200 OK", chunked, Framing::chunked()),
            (Method::GET, "200 OK", "", Framing::UntilClose),
            (Method::HEAD, "200 OK", length, Framing::Length(0)),
            (Method::HEAD, "200 OK", chunked, Framing::Length(0)),
            (Method::HEAD, "200 OK", "", Framing::Length(0)),
            (Method::GET, "304 Not Modified", length, Framing::Length(0)),
            (Method::OPTIONS, "204 No Content", "", Framing::Length(0)),
            (Method::GET, "100 Continue", "", Framing::Length(0)),
        ] {
            let text = format!("HTTP/1.1 {status}\r\n{headers}\r\n");
            let head = head_of(method.clone(), &text).unwrap().unwrap();
            assert_eq!(head.framing, framing, "{method} {text}");
        }
    }

    #[test]
    fn a_line_is_done_after_an_answer_that_says_so_or_has_no_other_end() {
        for (text, is_last) in [
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: x, Close\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: x\r\nconnection: close\r\n\r\n", true),
            ("HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\n\r\n", true),
        ] {
            assert_eq!(head(text).is_last, is_last, "{text}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_refused() {
        for headers in [
            "content-length: 5\r\ntransfer-encoding: chunked\r\n",
            "content-length: 5\r\ncontent-length: 5\r\n",
            "content-length: 5, 5\r\n",
            "content-length: +5\r\n",
            "content-length: -0\r\n",
            "content-length:\r\n",
            "content-length: 99999999999999999999\r\n",
            "transfer-encoding: gzip, chunked\r\n",
            "transfer-encoding: xchunked\r\n",
            "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
            "x-a: a\r\n b\r\n",
            "x-a : a\r\n",
            "x a: a\r\n",
            ": a\r\n",
            "x-a: a\0b\r\n",
            "x-a: a\rb\r\n",
            "x-a: a\nb: c\n\nhidden: \r\n",
            "x-a: a\nb: c\r\n",
        ] {
            let text = format!("HTTP/1.1 200 OK\r\n{headers}\r\n");
            let refused = head_of(Method::GET, &text);
            assert!(refused.is_err(), "{text} {refused:?}");
        }
        for text in [
            "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "HTTP/2.0 200 OK\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n",
            "{\"ok\":true}\r\n\r\n",
            "\n\r\n\r\n",
            "\r\nHTTP/1.1 200 OK\r\n\r\n",
        ] {
            assert!(head_of(Method::GET, text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_head_without_end_is_refused() {
        let line = format!("x-a: {}\r\n", "a".repeat(1000));
        let text = format!("HTTP/1.1 200 OK\r\n{}", line.repeat(70));
        assert!(matches!(head_of(Method::GET, &text), Err(BadHead::TooLong)));
        let many: String = (0..=MAX_HEADERS).map(|n| format!("x-{n}: a\r\n")).collect();
        assert!(head_of(Method::GET, &format!("HTTP/1.1 200 OK\r\n{many}\r\n")).is_err());
    }
}

//! Where an answer's body ends: after a number of bytes, after its last chunk, or with the connection. RFC 9112, 6.

use bytes::{Buf as _, Bytes, BytesMut};

/// Bytes of a chunk's first line, or of all trailers, at most.
const MAX_LINE: usize = 4 * 1024;

/// Trailers of a body, at most.
const MAX_TRAILERS: usize = 16;

const LINE_END: &[u8] = b"\r\n";

/// How much of a body is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// This many bytes.
    Length(u64),
    Chunked(Chunk),
    /// What comes until the host closes the connection.
    UntilClose,
}

/// The next thing in a body that comes in chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chunk {
    Size,
    /// This many bytes of the chunk.
    Data(u64),
    /// The end of a chunk's line.
    DataEnd,
    /// What stands behind the last chunk. Nobody asked for trailers, so none are passed on.
    Trailers,
    Over,
}

/// What a body's bytes are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Piece(Bytes),
    /// More bytes are needed.
    More,
    End,
}

/// Why bytes are no chunks.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadChunk {
    #[error("a chunk without a size")]
    Size,
    #[error("a chunk that does not end where it says")]
    End,
    #[error("a line of a chunk that is too long")]
    TooLong,
    #[error("trailers that are none")]
    Trailers,
}

impl Framing {
    pub(super) fn chunked() -> Self {
        Self::Chunked(Chunk::Size)
    }

    /// Nothing more belongs to the body.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Self::Length(0) | Self::Chunked(Chunk::Over))
    }

    /// Bytes to come, where that is known.
    pub(super) fn left(self) -> Option<u64> {
        match self {
            Self::Length(left) => Some(left),
            Self::Chunked(Chunk::Over) => Some(0),
            Self::Chunked(_) | Self::UntilClose => None,
        }
    }

    /// Takes what is the body's out of what was read.
    pub(super) fn step(&mut self, read: &mut BytesMut) -> Result<Step, BadChunk> {
        match self {
            Self::Length(left) => Ok(data(left, read)),
            Self::UntilClose if read.is_empty() => Ok(Step::More),
            Self::UntilClose => Ok(Step::Piece(read.split().freeze())),
            Self::Chunked(chunk) => chunk.step(read),
        }
    }
}

impl Chunk {
    fn step(&mut self, read: &mut BytesMut) -> Result<Step, BadChunk> {
        loop {
            *self = match self {
                Self::Size => match size(read)? {
                    None => return Ok(Step::More),
                    Some(0) => Self::Trailers,
                    Some(size) => Self::Data(size),
                },
                Self::Data(left) => match data(left, read) {
                    Step::End => Self::DataEnd,
                    step => return Ok(step),
                },
                Self::DataEnd => match read.get(..LINE_END.len()) {
                    None if LINE_END.starts_with(read) => return Ok(Step::More),
                    Some(LINE_END) => {
                        read.advance(LINE_END.len());
                        Self::Size
                    }
                    _ => return Err(BadChunk::End),
                },
                Self::Trailers => match trailers(read)? {
                    None => return Ok(Step::More),
                    Some(()) => Self::Over,
                },
                Self::Over => return Ok(Step::End),
            };
        }
    }
}

/// Of a number of bytes that follow each other.
fn data(left: &mut u64, read: &mut BytesMut) -> Step {
    if *left == 0 {
        return Step::End;
    }
    let taken = usize::try_from(*left).map_or(read.len(), |left| left.min(read.len()));
    if taken == 0 {
        return Step::More;
    }
    *left -= taken as u64;
    Step::Piece(read.split_to(taken).freeze())
}

/// Of a chunk's first line, which is taken.
fn size(read: &mut BytesMut) -> Result<Option<u64>, BadChunk> {
    // The parser takes a line without a number for a zero.
    if read.first().is_some_and(|byte| !byte.is_ascii_hexdigit()) {
        return Err(BadChunk::Size);
    }
    let parsed = httparse::parse_chunk_size(read).map_err(|_| BadChunk::Size)?;
    line(read, parsed)
}

/// Takes them.
fn trailers(read: &mut BytesMut) -> Result<Option<()>, BadChunk> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_TRAILERS];
    let parsed = match httparse::parse_headers(read, &mut fields) {
        Ok(httparse::Status::Partial) => httparse::Status::Partial,
        Ok(httparse::Status::Complete((length, _))) if read[..length].ends_with(LINE_END) => {
            httparse::Status::Complete((length, ()))
        }
        _ => return Err(BadChunk::Trailers),
    };
    line(read, parsed)
}

/// What a line or several say, which are taken if they are whole.
fn line<T>(read: &mut BytesMut, parsed: httparse::Status<(usize, T)>) -> Result<Option<T>, BadChunk> {
    match parsed {
        httparse::Status::Complete((length, said)) if length <= MAX_LINE => {
            read.advance(length);
            Ok(Some(said))
        }
        httparse::Status::Partial if read.len() <= MAX_LINE => Ok(None),
        _ => Err(BadChunk::TooLong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A body, and what stands behind it.
    type Found = (Vec<u8>, Vec<u8>);

    /// Of bytes that come in these pieces; `None` where the body does not end in them.
    fn read(mut framing: Framing, pieces: &[&[u8]]) -> Result<Option<Found>, BadChunk> {
        let (mut body, mut buffer) = (Vec::new(), BytesMut::new());
        for (place, piece) in pieces.iter().enumerate() {
            buffer.extend_from_slice(piece);
            loop {
                match framing.step(&mut buffer)? {
                    Step::Piece(piece) => body.extend_from_slice(&piece),
                    Step::More => break,
                    Step::End => {
                        assert!(framing.is_over());
                        let rest = pieces[place + 1..].concat();
                        return Ok(Some((body, [&buffer[..], &rest].concat())));
                    }
                }
            }
        }
        Ok(None)
    }

    fn chunks(text: &str) -> Result<Option<Found>, BadChunk> {
        read(Framing::chunked(), &[text.as_bytes()])
    }

    #[test]
    fn bytes_of_a_length_end_there() {
        let found = read(Framing::Length(5), &[b"ab", b"cdefg"]).unwrap().unwrap();
        assert_eq!(found, (b"abcde".to_vec(), b"fg".to_vec()));
        assert_eq!(read(Framing::Length(5), &[b"abcd"]).unwrap(), None);
        assert_eq!(read(Framing::Length(0), &[b"a"]).unwrap().unwrap(), (vec![], b"a".to_vec()));
    }

    #[test]
    fn chunks_may_have_extensions_and_trailers_which_are_left_out() {
        for (text, body) in [
            ("0\r\n\r\n", ""),
            ("3\r\nabc\r\n0\r\n\r\n", "abc"),
            ("3;a=\"b\"\r\nabc\r\nA\r\n0123456789\r\n000\r\nx-sum: 1\r\n\r\n", "abc0123456789"),
        ] {
            let (found, rest) = chunks(&format!("{text}HTTP")).unwrap().unwrap();
            assert_eq!((found, rest), (body.into(), b"HTTP".to_vec()), "{text}");
        }
    }

    #[test]
    fn what_are_no_chunks_is_refused() {
        let long = format!("3;{}\r\nabc\r\n0\r\n\r\n", "a".repeat(5000));
        let trailing = format!("0\r\nx-a: {}\r\n\r\n", "a".repeat(5000));
        for text in [
            "\r\n",
            "x\r\n",
            "-3\r\nabc\r\n0\r\n\r\n",
            "0x3\r\nabc\r\n0\r\n\r\n",
            " 3\r\nabc\r\n0\r\n\r\n",
            "3\nabc\n0\n\n",
            "3\r\nabcd\r\n0\r\n\r\n",
            "3\r\nab\r\n0\r\n\r\n",
            "3\r\nabc\n0\r\n\r\n",
            "3\r\nabc0\r\n\r\n",
            "11111111111111111\r\n",
            "0\r\nno trailer\r\n\r\n",
            "0\r\n\n",
            "0\r\nx-a: b\r\n\n",
            &long,
            &trailing,
        ] {
            assert!(chunks(text).is_err(), "{text} {:?}", chunks(text));
        }
    }

    /// Cut at these places.
    fn pieces<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        places.windows(2).map(|two| &bytes[two[0]..two[1]]).collect()
    }

    proptest! {
        #[test]
        fn a_body_is_the_same_however_it_is_cut(
            parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..300), 0..6),
            rest in prop::collection::vec(any::<u8>(), 0..9),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let body = parts.concat();
            let mut chunked = Vec::new();
            for part in &parts {
                chunked.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
                chunked.extend_from_slice(part);
                chunked.extend_from_slice(b"\r\n");
            }
            chunked.extend_from_slice(b"0\r\n\r\n");
            for (framing, sent) in [
                (Framing::chunked(), chunked),
                (Framing::Length(body.len() as u64), body.clone()),
            ] {
                let sent = [sent, rest.clone()].concat();
                let found = read(framing, &pieces(&sent, &cuts)).unwrap();
                prop_assert_eq!(found, Some((body.clone(), rest.clone())));
            }
        }

        #[test]
        fn no_bytes_are_read_in_two_ways(
            bytes in prop::collection::vec(prop::sample::select(b"0123aF;= \r\r\n\n\r\nx:".to_vec()), 0..40),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let (whole, cut) =
                (read(Framing::chunked(), &[&bytes]), read(Framing::chunked(), &pieces(&bytes, &cuts)));
            match (whole, cut) {
                (Ok(whole), Ok(cut)) => prop_assert_eq!(whole, cut),
                (whole, cut) => prop_assert!(whole.is_err() && cut.is_err()),
            }
        }
    }
}

//! Content encodings: which one a client is sent, and bodies that are compressed once for all who are sent them.
//!
//! Answers to one question differ in their end, which holds the request's id. What stands before it is compressed,
//! flushed to a whole byte, and kept. The end follows uncompressed, in the blocks that each format has for that
//! (RFC 1951 section 3.2.4, RFC 7932 section 9.2, RFC 8878 section 3.1.1.2).

use std::cmp::Ordering;
use std::io::{self, Write as _};

use crc32fast::Hasher;
use hyper::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};

/// A body of fewer bytes is sent as it is.
const COMPRESSED_FROM: usize = 1024;

// Most answers are compressed while a client waits, and few of them are sent again. Of 17 KB of JSON, on one core: zstd 1
// makes 1.72 KB in 35 us, brotli 3 1.74 in 90 and 5 1.56 in 250, gzip 4 1.83 in 150 and 6 1.69 in 210. zstd beyond 1 gains
// nothing that is worth its time.
const ZSTD_LEVEL: i32 = 1;
const BROTLI_QUALITY: u32 = 3;
const GZIP_LEVEL: u32 = 4;

/// 256 KiB, as the logarithm that brotli takes: more than all but the longest lists. Its tables are cleared for each body.
const BROTLI_WINDOW: u32 = 18;

/// Bytes of an uncompressed block, at most: what deflate's length field can say.
const BLOCK: usize = 0xffff;

/// The header of a gzip member without name or time, from an unknown system.
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Content encoding of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Identity,
    Gzip,
    Brotli,
    Zstd,
}

impl Encoding {
    /// All, by [`Self::index`]. Of two that a client likes equally it is sent the later, which costs less to make.
    pub const ALL: [Self; 4] = [Self::Identity, Self::Gzip, Self::Brotli, Self::Zstd];

    /// The one that a client likes best by its `Accept-Encoding`. One that refuses everything is sent the body as
    /// it is, as RFC 9110 allows.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
        let items: Vec<(&str, f32)> = lists.flat_map(|list| list.split(',')).map(parse_item).collect();
        let weight = |name: &str| {
            items.iter().find(|(item, _)| item.eq_ignore_ascii_case(name)).map(|(_, weight)| *weight)
        };
        let weighed = Self::ALL.map(|encoding| {
            let weight = match encoding {
                // It need not be named; whoever names another wants that rather.
                Self::Identity => weight("identity").unwrap_or(f32::MIN_POSITIVE),
                _ => weight(encoding.name()).or_else(|| weight("*")).unwrap_or(0.0),
            };
            (encoding, weight)
        });
        let order = |a: &(Self, f32), b: &(Self, f32)| a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal);
        let best = weighed.into_iter().filter(|(_, weight)| *weight > 0.0).max_by(order);
        best.map_or(Self::Identity, |(encoding, _)| encoding)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Brotli => "br",
        }
    }

    /// For `Content-Encoding`, which names no identity.
    pub fn header(self) -> Option<HeaderValue> {
        (self != Self::Identity).then(|| HeaderValue::from_static(self.name()))
    }

    /// Its place among all.
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|one| *one == self).unwrap_or_default()
    }
}

/// One of a list with its weight; one whose weight cannot be read is refused.
fn parse_item(text: &str) -> (&str, f32) {
    let (name, parameter) = text.split_once(';').unwrap_or((text, "q=1"));
    let weight = parameter.trim().strip_prefix(['q', 'Q']).and_then(|rest| rest.trim().strip_prefix('='));
    let weight = weight.and_then(|weight| weight.trim().parse().ok());
    (name.trim(), weight.filter(|weight| (0.0..=1.0).contains(weight)).unwrap_or(0.0))
}

/// The part of a body that all answers to a question share, compressed.
#[derive(Debug)]
pub struct Opening {
    encoding: Encoding,
    bytes: Box<[u8]>,
    /// Of what is compressed, and how long that is: what gzip ends with.
    checksum: Hasher,
    len: usize,
}

impl Opening {
    /// Compresses what is worth it, for a client that accepts this encoding.
    ///
    /// # Errors
    /// The compressor refuses its settings or is out of memory.
    pub fn new(accepted: Encoding, text: &[u8]) -> io::Result<Self> {
        let encoding = if text.len() < COMPRESSED_FROM { Encoding::Identity } else { accepted };
        let mut checksum = Hasher::new();
        let bytes = match encoding {
            Encoding::Identity => text.to_vec(),
            Encoding::Gzip => {
                checksum.update(text);
                deflate_open(text)?
            }
            Encoding::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
                encoder.write_all(text)?;
                encoder.flush()?;
                std::mem::take(encoder.get_mut())
            }
            Encoding::Brotli => {
                let mut encoder =
                    brotli::CompressorWriter::new(Vec::new(), 4096, BROTLI_QUALITY, BROTLI_WINDOW);
                encoder.write_all(text)?;
                encoder.flush()?;
                std::mem::take(encoder.get_mut())
            }
        };
        Ok(Self { encoding, bytes: bytes.into(), checksum, len: text.len() })
    }

    /// The encoding of the body.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Bytes that keeping it takes.
    pub fn memory_size(&self) -> usize {
        self.bytes.len()
    }

    /// The whole body with this end.
    pub fn append_end(&self, end: &[u8]) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.bytes.len() + end.len() + 32);
        body.extend_from_slice(&self.bytes);
        let blocks = end.chunks(BLOCK);
        match self.encoding {
            Encoding::Identity => body.extend_from_slice(end),
            Encoding::Gzip => {
                for block in blocks {
                    // Not the last, stored, to the next byte; the length, and its complement.
                    let [low, high] = low_bytes(block.len());
                    body.extend_from_slice(&[0, low, high, !low, !high]);
                    body.extend_from_slice(block);
                }
                let mut checksum = self.checksum.clone();
                checksum.update(end);
                // The last block, of fixed codes and empty.
                body.extend_from_slice(&[3, 0]);
                body.extend_from_slice(&checksum.finalize().to_le_bytes());
                body.extend_from_slice(&low_bytes::<4>(self.len + end.len()));
            }
            Encoding::Zstd => {
                for block in blocks {
                    // Not the last, raw; the size.
                    body.extend_from_slice(&low_bytes::<3>(block.len() << 3));
                    body.extend_from_slice(block);
                }
                // The last block, raw and empty.
                body.extend_from_slice(&[1, 0, 0]);
            }
            Encoding::Brotli => {
                for block in blocks {
                    // Not the last, a length of four nibbles, less one; uncompressed.
                    body.extend_from_slice(&low_bytes::<3>((block.len() - 1) << 3 | 1 << 19));
                    body.extend_from_slice(block);
                }
                // The last, and empty.
                body.push(3);
            }
        }
        body
    }
}

/// A gzip header and a text in blocks none of which is the last, up to a whole byte.
fn deflate_open(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = GZIP_HEADER.to_vec();
    let mut compressor = flate2::Compress::new(flate2::Compression::new(GZIP_LEVEL), false);
    let mut rest = text;
    // The flush is done when room is left. `flate2`'s own writer goes on without asking for it again, so that with some of its
    // compressors a text whose end meets the end of a buffer is not brought to a whole byte.
    while !rest.is_empty() || bytes.len() == bytes.capacity() || bytes.len() == GZIP_HEADER.len() {
        bytes.reserve(rest.len() / 2 + 64);
        let before = compressor.total_in();
        compressor.compress_vec(rest, &mut bytes, flate2::FlushCompress::Sync)?;
        let taken = usize::try_from(compressor.total_in() - before).unwrap_or(rest.len());
        rest = &rest[taken..];
    }
    Ok(bytes)
}

/// The lowest bytes of a number, the lowest first.
fn low_bytes<const N: usize>(number: usize) -> [u8; N] {
    std::array::from_fn(|place| number.to_le_bytes()[place])
}

#[cfg(test)]
mod tests;

use std::io::Read as _;

use super::*;

fn accepted(value: &str) -> Encoding {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT_ENCODING, value.parse().unwrap());
    Encoding::accepted(&headers)
}

#[test]
fn a_client_is_sent_what_it_likes_best() {
    for (value, encoding) in [
        ("gzip, deflate, br, zstd", Encoding::Zstd),
        ("gzip, deflate, br", Encoding::Brotli),
        ("gzip, deflate", Encoding::Gzip),
        ("GZIP ; q=1.0, br;q=0.5", Encoding::Gzip),
        ("zstd;q=.9,br;q=.8", Encoding::Zstd),
        ("*", Encoding::Zstd),
        ("zstd;q=0, *", Encoding::Brotli),
        ("*;q=0, gzip", Encoding::Gzip),
        ("identity", Encoding::Identity),
        ("identity;q=1, gzip;q=0.5", Encoding::Identity),
        ("gzip;q=0.5", Encoding::Gzip),
        ("identity;q=0", Encoding::Identity),
        ("br;q=0, gzip;q=2, zstd;q=nan, deflate", Encoding::Identity),
        ("", Encoding::Identity),
    ] {
        assert_eq!(accepted(value), encoding, "{value}");
    }
    assert_eq!(Encoding::accepted(&HeaderMap::new()), Encoding::Identity);
    let mut lists = HeaderMap::new();
    lists.append(ACCEPT_ENCODING, "deflate".parse().unwrap());
    lists.append(ACCEPT_ENCODING, "gzip".parse().unwrap());
    assert_eq!(Encoding::accepted(&lists), Encoding::Gzip);
}

fn decoded(encoding: Encoding, body: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match encoding {
        Encoding::Identity => text.extend_from_slice(body),
        Encoding::Gzip => {
            let mut decoder = flate2::bufread::GzDecoder::new(body);
            decoder.read_to_end(&mut text).unwrap();
            assert!(decoder.into_inner().is_empty(), "bytes after the end");
        }
        Encoding::Zstd => text = zstd::decode_all(body).unwrap(),
        Encoding::Brotli => {
            let read = brotli::Decompressor::new(body, 4096).read_to_end(&mut text).unwrap();
            assert_eq!(read, text.len());
        }
    }
    text
}

/// Texts whose compressed ends meet the ends of buffers of every size, too.
#[test]
fn a_text_of_any_length_is_brought_to_a_whole_byte() {
    let noise = |n: u32| n.wrapping_mul(2_654_435_761).rotate_left(n % 32).to_string().into_bytes();
    let text: Vec<u8> = (0_u32..40_000).flat_map(noise).collect();
    for len in (COMPRESSED_FROM..text.len()).step_by(1009) {
        let kept = Opening::new(Encoding::Gzip, &text[..len]).unwrap();
        let body = kept.append_end(b"the end");
        assert!(decoded(Encoding::Gzip, &body) == [&text[..len], b"the end"].concat(), "{len}");
    }
}

#[test]
fn every_encoding_of_a_body_decodes_to_it_whatever_its_end() {
    let opening: Vec<u8> = (0_u32..9000).flat_map(|n| (n * n).to_string().into_bytes()).collect();
    let long_end: Vec<u8> = (0..2 * BLOCK + 7).map(|n| low_bytes::<1>(n)[0]).collect();
    for encoding in Encoding::ALL {
        for opening in [&opening[..0], &opening[..COMPRESSED_FROM], &opening] {
            let kept = Opening::new(encoding, opening).unwrap();
            assert_eq!(kept.encoding() == encoding, encoding == Encoding::Identity || !opening.is_empty());
            for end in [&long_end[..0], &long_end[..1], &long_end[..200], &long_end[..BLOCK], &long_end] {
                let body = kept.append_end(end);
                assert!(decoded(kept.encoding(), &body) == [opening, end].concat(), "{encoding:?}");
            }
        }
        assert_eq!(Encoding::ALL[encoding.index()], encoding);
    }
}

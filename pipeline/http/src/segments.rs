//! An answer's bytes in two pieces: what many answers share, and what is one's own.

use std::io::IoSlice;

use bytes::{Buf, Bytes};

/// Two pieces that are sent as one, without being copied together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segments {
    first: Bytes,
    rest: Bytes,
}

impl Segments {
    /// These, one after the other.
    #[must_use]
    pub fn new(first: Bytes, rest: Bytes) -> Self {
        Self { first, rest }
    }

    /// Bytes of both.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len() + self.rest.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Both in one, which copies them where there are two.
    #[must_use]
    pub fn whole(self) -> Bytes {
        match (self.first.is_empty(), self.rest.is_empty()) {
            (_, true) => self.first,
            (true, false) => self.rest,
            (false, false) => [self.first, self.rest].concat().into(),
        }
    }

    /// Takes so many bytes, or all if there are fewer, off the front, without copying them.
    pub(crate) fn split_to(&mut self, n: usize) -> Self {
        let first = self.first.split_to(n.min(self.first.len()));
        let rest = self.rest.split_to((n - first.len()).min(self.rest.len()));
        Self { first, rest }
    }
}

impl From<Bytes> for Segments {
    fn from(bytes: Bytes) -> Self {
        Self { first: bytes, rest: Bytes::new() }
    }
}

impl Buf for Segments {
    fn remaining(&self) -> usize {
        self.len()
    }

    fn chunk(&self) -> &[u8] {
        if self.first.is_empty() { &self.rest } else { &self.first }
    }

    fn chunks_vectored<'a>(&'a self, slices: &mut [IoSlice<'a>]) -> usize {
        let pieces = [&self.first, &self.rest].into_iter().filter(|piece| !piece.is_empty());
        let mut filled = 0;
        for (slice, piece) in slices.iter_mut().zip(pieces) {
            *slice = IoSlice::new(piece);
            filled += 1;
        }
        filled
    }

    fn advance(&mut self, n: usize) {
        let of_first = n.min(self.first.len());
        self.first.advance(of_first);
        self.rest.advance(n - of_first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pieces_read_as_one_however_they_are_taken() {
        let (first, rest) = (Bytes::from_static(b"shared"), Bytes::from_static(b"own"));
        let whole = Segments::new(first, rest);
        for n in 0..=9 {
            let (mut read, mut left) = (whole.clone(), whole.clone());
            read.advance(n);
            let mut taken = left.split_to(n);
            assert_eq!((taken.remaining(), read.remaining()), (n, 9 - n));
            assert_eq!(left.clone().whole(), left.clone().copy_to_bytes(9 - n));
            let bytes = [taken.copy_to_bytes(n), left.copy_to_bytes(9 - n)].concat();
            assert_eq!(bytes, b"sharedown");
            assert_eq!(read.copy_to_bytes(9 - n), bytes[n..]);
        }
        assert_eq!(whole.clone().split_to(20), whole);
    }

    #[test]
    fn empty_pieces_are_no_slices() {
        let bytes = |text: &'static str| Bytes::from_static(text.as_bytes());
        for (first, rest, expected) in [("", "", 0), ("a", "", 1), ("", "b", 1), ("a", "b", 2)] {
            let segments = Segments::new(bytes(first), bytes(rest));
            let mut slices = [IoSlice::new(&[]); 4];
            assert_eq!(segments.chunks_vectored(&mut slices), expected, "{first:?} {rest:?}");
            assert_eq!(segments.has_remaining(), expected > 0);
        }
    }
}

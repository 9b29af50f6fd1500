//! A [`CaptureMerger`] as bytes and back.
//!
//! Numbers are little-endian, lists begin with their length, texts stand once in a table in front. Read with
//! care: of bytes that are no state nothing is made.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate};
use uuid::Uuid;

use super::CaptureMerger;
use fdna_rows::TableCount;
use fdna_rows::{CellValue, Real, TableRow};

/// Raised when what is written changes.
const FORMAT: u64 = 1;

impl CaptureMerger {
    /// Where the merging stands.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = CheckpointWriter::default();
        self.put(&mut out);
        out.finish()
    }

    /// What [`Self::to_bytes`] wrote; `None` if these bytes are something else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = CheckpointReader::new(bytes)?;
        let merging = Self::take(&mut from)?;
        from.is_at_end().then_some(merging)
    }
}

/// Something that can be written and read again.
pub(crate) trait Checkpointed: Sized {
    fn put(&self, out: &mut CheckpointWriter);
    fn take(from: &mut CheckpointReader<'_>) -> Option<Self>;
}

/// Bytes in the making.
#[derive(Default)]
pub(crate) struct CheckpointWriter {
    bytes: Vec<u8>,
    texts: Vec<u8>,
    places: HashMap<Arc<str>, u64>,
}

impl CheckpointWriter {
    /// Small numbers are short.
    pub(crate) fn number(&mut self, n: u64) {
        number(&mut self.bytes, n);
    }

    pub(crate) fn text(&mut self, text: &str) {
        let next = self.places.len() as u64;
        let place = match self.places.get(text) {
            Some(place) => *place,
            None => {
                number(&mut self.texts, text.len() as u64);
                self.texts.extend_from_slice(text.as_bytes());
                self.places.insert(text.into(), next);
                next
            }
        };
        self.number(place);
    }

    fn finish(self) -> Vec<u8> {
        let mut whole = Vec::with_capacity(self.bytes.len() + self.texts.len() + 32);
        number(&mut whole, FORMAT);
        number(&mut whole, self.places.len() as u64);
        whole.extend(self.texts);
        whole.extend(self.bytes);
        whole
    }
}

fn number(out: &mut Vec<u8>, mut n: u64) {
    loop {
        let [low, ..] = (n & 0x7f).to_le_bytes();
        n >>= 7;
        out.push(if n == 0 { low } else { low | 0x80 });
        if n == 0 {
            return;
        }
    }
}

/// Bytes that are being read.
pub(crate) struct CheckpointReader<'a> {
    bytes: &'a [u8],
    texts: Vec<Arc<str>>,
}

impl<'a> CheckpointReader<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let mut from = Self { bytes, texts: Vec::new() };
        if from.number()? != FORMAT {
            return None;
        }
        for _ in 0..from.number()? {
            let length = usize::try_from(from.number()?).ok()?;
            let text = std::str::from_utf8(from.some(length)?).ok()?;
            from.texts.push(text.into());
        }
        Some(from)
    }

    fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    fn some(&mut self, length: usize) -> Option<&'a [u8]> {
        let (some, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(some)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.some(1)?.first()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    }

    pub(crate) fn text(&mut self) -> Option<Arc<str>> {
        let place = usize::try_from(self.number()?).ok()?;
        self.texts.get(place).cloned()
    }
}

impl Checkpointed for u64 {
    fn put(&self, out: &mut CheckpointWriter) {
        out.number(*self);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        from.number()
    }
}

impl Checkpointed for usize {
    fn put(&self, out: &mut CheckpointWriter) {
        out.number(*self as u64);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Self::try_from(from.number()?).ok()
    }
}

impl Checkpointed for i64 {
    fn put(&self, out: &mut CheckpointWriter) {
        // The sign goes to the end, so that small numbers of either sign are short.
        out.number(self.cast_unsigned() << 1 ^ (self >> 63).cast_unsigned());
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let n = from.number()?;
        Some((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
    }
}

impl Checkpointed for i32 {
    fn put(&self, out: &mut CheckpointWriter) {
        i64::from(*self).put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Self::try_from(i64::take(from)?).ok()
    }
}

impl Checkpointed for bool {
    fn put(&self, out: &mut CheckpointWriter) {
        out.number(u64::from(*self));
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(from.number()? == 1)
    }
}

impl Checkpointed for String {
    fn put(&self, out: &mut CheckpointWriter) {
        out.text(self);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(from.text()?.as_ref().to_owned())
    }
}

impl Checkpointed for NaiveDate {
    fn put(&self, out: &mut CheckpointWriter) {
        use chrono::Datelike as _;
        self.num_days_from_ce().put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Self::from_num_days_from_ce_opt(i32::take(from)?)
    }
}

impl Checkpointed for DateTime<chrono::Utc> {
    fn put(&self, out: &mut CheckpointWriter) {
        self.timestamp().put(out);
        i64::from(self.timestamp_subsec_nanos()).put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let (seconds, nanos) = (i64::take(from)?, i64::take(from)?);
        Self::from_timestamp(seconds, u32::try_from(nanos).ok()?)
    }
}

impl<T: Checkpointed> Checkpointed for Option<T> {
    fn put(&self, out: &mut CheckpointWriter) {
        self.is_some().put(out);
        if let Some(it) = self {
            it.put(out);
        }
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(if bool::take(from)? { Some(T::take(from)?) } else { None })
    }
}

impl<T: Checkpointed> Checkpointed for Vec<T> {
    fn put(&self, out: &mut CheckpointWriter) {
        self.len().put(out);
        self.iter().for_each(|it| it.put(out));
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let length = usize::take(from)?;
        // Never longer than what is there to be read.
        let mut all = Self::with_capacity(length.min(from.bytes.len()));
        for _ in 0..length {
            all.push(T::take(from)?);
        }
        Some(all)
    }
}

impl<A: Checkpointed, B: Checkpointed> Checkpointed for (A, B) {
    fn put(&self, out: &mut CheckpointWriter) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<K: Checkpointed + Ord, V: Checkpointed> Checkpointed for BTreeMap<K, V> {
    fn put(&self, out: &mut CheckpointWriter) {
        self.len().put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(Vec::<(K, V)>::take(from)?.into_iter().collect())
    }
}

impl Checkpointed for CellValue {
    fn put(&self, out: &mut CheckpointWriter) {
        match self {
            Self::Null => out.number(0),
            Self::Text(text) => {
                out.number(1);
                out.text(text);
            }
            Self::Int(n) => {
                out.number(2);
                n.put(out);
            }
            Self::Long(n) => {
                out.number(3);
                n.put(out);
            }
            Self::Real(n) => {
                out.number(4);
                out.bytes.extend(n.0.to_bits().to_le_bytes());
            }
            Self::Bool(b) => {
                out.number(5);
                b.put(out);
            }
            Self::Date(d) => {
                out.number(6);
                d.put(out);
            }
            Self::Instant(t) => {
                out.number(7);
                t.put(out);
            }
            Self::Id(id) => {
                out.number(8);
                out.bytes.extend(id.as_bytes());
            }
        }
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(match from.number()? {
            0 => Self::Null,
            1 => Self::Text(from.text()?),
            2 => Self::Int(i32::take(from)?),
            3 => Self::Long(i64::take(from)?),
            4 => Self::Real(Real(f64::from_bits(u64::from_le_bytes(from.some(8)?.try_into().ok()?)))),
            5 => Self::Bool(bool::take(from)?),
            6 => Self::Date(NaiveDate::take(from)?),
            7 => Self::Instant(DateTime::take(from)?),
            8 => Self::Id(Uuid::from_bytes(from.some(16)?.try_into().ok()?)),
            _ => return None,
        })
    }
}

impl Checkpointed for TableCount {
    fn put(&self, out: &mut CheckpointWriter) {
        self.capture.put(out);
        self.table.put(out);
        [self.rows_in, self.rows_out, self.set_aside].iter().for_each(|n| n.put(out));
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        let (capture, table) = (String::take(from)?, String::take(from)?);
        let (rows_in, rows_out, set_aside) = (usize::take(from)?, usize::take(from)?, usize::take(from)?);
        Some(Self { capture, table, rows_in, rows_out, set_aside })
    }
}

impl Checkpointed for CaptureMerger {
    fn put(&self, out: &mut CheckpointWriter) {
        self.merged.put(out);
        self.previous.put(out);
        self.counts.put(out);
        self.set_aside.put(out);
        self.found.put(out);
    }

    fn take(from: &mut CheckpointReader<'_>) -> Option<Self> {
        Some(Self {
            merged: Checkpointed::take(from)?,
            previous: Checkpointed::take(from)?,
            counts: Checkpointed::take(from)?,
            set_aside: BTreeMap::<String, Vec<TableRow>>::take(from)?,
            found: BTreeMap::<String, Vec<TableRow>>::take(from)?,
        })
    }
}

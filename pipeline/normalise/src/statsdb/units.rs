//! A capture of the six-file layout taken apart by event: what its rows say, as one number, so that the same event
//! of the next capture is known again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use arrow::array::{Array, AsArray as _, RecordBatch};
use arrow::datatypes::{DataType, Date32Type, Int32Type};
use fdna_rows::CaptureFacts;
use fdna_schemas::tables::{
    ContractRow as _, StatsdbEventsReader, StatsdbEventsRow, StatsdbResultsReader, StatsdbResultsRow,
    StatsdbRoundStatsReader, StatsdbRoundStatsRow,
};

use super::bouts::RESULTS_FILE;
use super::capture_facts::{PAGES, SOURCE, StatsdbFacts};
use crate::error::NormaliseError;

/// A capture's facts, and for the six-file layout its events. To prepare captures needs nothing of each other.
pub struct PreparedUnit {
    pub(crate) facts: CaptureFacts,
    pub(crate) units: BTreeMap<String, EventUnit>,
}

/// The rows that name one event.
#[derive(Default)]
pub(crate) struct EventUnit {
    /// Of everything that they say but their lines; of results, where they stand from each other as well.
    pub(crate) digest: u64,
    pub(crate) results: Vec<u32>,
    pub(crate) rounds: Vec<u32>,
}

impl PreparedUnit {
    /// # Errors
    /// A facts table is missing or does not follow its contract.
    pub fn new(facts: CaptureFacts) -> Result<Self, NormaliseError> {
        let units = if [SOURCE, PAGES].contains(&facts.source.as_str()) {
            split_units(&StatsdbFacts { capture: &facts })?
        } else {
            BTreeMap::new()
        };
        Ok(Self { facts, units })
    }
}

fn split_units(facts: &StatsdbFacts<'_>) -> Result<BTreeMap<String, EventUnit>, NormaliseError> {
    let mut units: HashMap<&str, EventUnit> = HashMap::new();
    let events: StatsdbEventsReader<'_> = facts.read_table()?;
    let results: StatsdbResultsReader<'_> = facts.read_table()?;
    let rounds: StatsdbRoundStatsReader<'_> = facts.read_table()?;
    for (kind, table, events, lines) in [
        (0, StatsdbEventsRow::TABLE, events.event()?, events.line()?),
        (1, StatsdbResultsRow::TABLE, results.event()?, results.line()?),
        (2, StatsdbRoundStatsRow::TABLE, rounds.event()?, rounds.line()?),
    ] {
        let digests = row_digests(facts.capture.table_batch(table)?);
        let refused = if kind == 1 { facts.refused_lines(RESULTS_FILE)? } else { BTreeSet::new() };
        let mut first: HashMap<&str, i32> = HashMap::new();
        for (row, event) in (0..).zip(&events) {
            let at = usize::try_from(row).unwrap_or(usize::MAX);
            let unit = units.entry(event).or_default();
            unit.digest = mix_digest(mix_digest(unit.digest, kind), digests[at]);
            match kind {
                1 => {
                    let from = *first.entry(event).or_insert(lines[at]);
                    unit.digest = mix_digest(unit.digest, to_bits(lines[at] - from));
                    unit.results.push(row);
                }
                2 => unit.rounds.push(row),
                _ => {}
            }
        }
        // Refused rows keep their places on a card, and one behind it leaves them open.
        for (event, from) in first {
            let unit = units.entry(event).or_default();
            let last = unit.results.last().and_then(|row| lines.get(usize::try_from(*row).ok()?));
            for line in refused.range(from..=last.map_or(from, |last| (*last).max(from)) + 1) {
                unit.digest = mix_digest(mix_digest(unit.digest, 3), to_bits(line - from));
            }
        }
    }
    Ok(units.into_iter().map(|(event, unit)| (event.to_owned(), unit)).collect())
}

fn to_bits(n: i32) -> u64 {
    u64::from(n.cast_unsigned())
}

/// Mixes a number into the digest. For a fixed number, different digests stay different.
fn mix_digest(digest: u64, value: u64) -> u64 {
    let mixed = (digest.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// Stands for null: no text is this long, and numbers have 32 bits.
const NULL: u64 = u64::MAX;

pub(super) fn mix_number(digest: u64, n: Option<i32>) -> u64 {
    mix_digest(digest, n.map_or(NULL, to_bits))
}

pub(super) fn mix_text(digest: u64, text: Option<&str>) -> u64 {
    let Some(text) = text else { return mix_digest(digest, NULL) };
    let eight = |part: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(bytes)
    };
    let digest = mix_digest(digest, text.len() as u64);
    text.as_bytes().chunks(8).fold(digest, |digest, part| mix_digest(digest, eight(part)))
}

/// Position columns of a row, which are no part of its content.
const PLACE: [&str; 3] =
    [StatsdbResultsRow::FILE.name, StatsdbResultsRow::LINE.name, StatsdbResultsRow::ROW_DIGEST.name];

/// Digest of each row, column by column.
fn row_digests(batch: &RecordBatch) -> Vec<u64> {
    let mut digests = vec![0; batch.num_rows()];
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        if !PLACE.contains(&field.name().as_str()) {
            add_column(&mut digests, column.as_ref());
        }
    }
    digests
}

fn add_column(digests: &mut [u64], column: &dyn Array) {
    let rows = digests.iter_mut().enumerate();
    let valid = |row: usize| column.is_valid(row);
    match column.data_type() {
        DataType::Utf8 => {
            let texts = column.as_string::<i32>();
            rows.for_each(|(i, digest)| *digest = mix_text(*digest, valid(i).then(|| texts.value(i))));
        }
        DataType::Int32 => {
            let numbers = column.as_primitive::<Int32Type>();
            rows.for_each(|(i, digest)| *digest = mix_number(*digest, valid(i).then(|| numbers.value(i))));
        }
        DataType::Date32 => {
            let days = column.as_primitive::<Date32Type>();
            rows.for_each(|(i, digest)| *digest = mix_number(*digest, valid(i).then(|| days.value(i))));
        }
        _ => rows.for_each(|(i, digest)| {
            let text = arrow::util::display::array_value_to_string(column, i).ok();
            *digest = mix_text(*digest, text.as_deref().filter(|_| valid(i)));
        }),
    }
}

/// These rows of a table, in this order.
pub(super) fn take_rows(batch: &RecordBatch, rows: Vec<u32>) -> Result<RecordBatch, NormaliseError> {
    Ok(arrow::compute::take_record_batch(batch, &arrow::array::UInt32Array::from(rows))?)
}

//! Memory-compact columns: nulls are packed behind a bitmap, repeated strings are dictionary-encoded.

use std::collections::HashMap;

use arrow::array::{Array, AsArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{ArrowNativeType, ArrowPrimitiveType, DataType, Float64Type, Int32Type, Int64Type};
use fdna_api::Quantity;
use fdna_schemas::ColumnError;
use serde::{Deserialize, Serialize};

use super::DatasetError;
use super::columns::column;

/// Numbers that may be null. Half of the published ones are: only the others are kept, behind a bit for each row.
#[derive(Debug)]
pub(crate) struct NullPacked<T> {
    /// `None` where every row has a number.
    known: Option<ValidityBitmap>,
    numbers: Box<[T]>,
}

/// Which rows have a number, and how many before each 64 of them.
#[derive(Debug)]
struct ValidityBitmap {
    bits: Box<[u64]>,
    before: Box<[u32]>,
}

impl ValidityBitmap {
    fn of(nulls: &NullBuffer) -> Self {
        let chunks = nulls.inner().bit_chunks();
        let bits: Box<[u64]> = chunks.iter_padded().collect();
        let before = bits.iter().scan(0_u32, |n, chunk| {
            let before = *n;
            *n += chunk.count_ones();
            Some(before)
        });
        Self { before: before.collect(), bits }
    }

    /// The first row without a number.
    fn first_without(&self) -> usize {
        let chunk = self.bits.iter().position(|bits| *bits != u64::MAX).unwrap_or_default();
        64 * chunk + self.bits[chunk].trailing_ones() as usize
    }

    /// Where the number of a row is kept.
    fn place(&self, row: usize) -> Option<usize> {
        let (chunk, bit) = (row / 64, row % 64);
        let bits = self.bits[chunk];
        let lower = bits & !(u64::MAX << bit);
        (bits >> bit & 1 == 1).then(|| self.before[chunk] as usize + lower.count_ones() as usize)
    }
}

impl<T: ArrowNativeType> NullPacked<T> {
    fn of<P: ArrowPrimitiveType<Native = T>>(array: &arrow::array::PrimitiveArray<P>) -> Self {
        match array.nulls().filter(|nulls| nulls.null_count() > 0) {
            None => Self { known: None, numbers: array.values().to_vec().into() },
            Some(nulls) => {
                let numbers = nulls.valid_indices().map(|row| array.values()[row]).collect();
                Self { known: Some(ValidityBitmap::of(nulls)), numbers }
            }
        }
    }

    /// The numbers, if every row has one.
    pub(crate) fn of_every_row(self, table: &str, name: &str) -> Result<Box<[T]>, ColumnError> {
        match self.known {
            None => Ok(self.numbers),
            Some(known) => Err(null(table, name, known.first_without())),
        }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn get(&self, row: usize) -> Option<T> {
        let place = self.known.as_ref().map_or(Some(row), |known| known.place(row))?;
        Some(self.numbers[place])
    }
}

impl NullPacked<f64> {
    pub(crate) fn floats(batch: &RecordBatch, table: &str, name: &str) -> Result<Self, DatasetError> {
        Ok(Self::of(&column::<Float64Array>(batch, table, name)?))
    }
}

impl NullPacked<i32> {
    pub(crate) fn counts(batch: &RecordBatch, table: &str, name: &str) -> Result<Self, DatasetError> {
        Ok(Self::of(&column::<Int32Array>(batch, table, name)?))
    }
}

/// Sums: whole numbers, or weighted ones.
#[derive(Debug)]
pub(crate) enum SumColumn {
    Small(NullPacked<i32>),
    Whole(NullPacked<i64>),
    Weighted(NullPacked<f64>),
}

impl SumColumn {
    pub(crate) fn read(batch: &RecordBatch, table: &str, name: &str) -> Result<Self, DatasetError> {
        let missing = || ColumnError::Missing { table: table.to_owned(), column: name.to_owned() };
        let array = batch.column_by_name(name).ok_or_else(missing)?;
        match array.data_type() {
            DataType::Int64 => Ok(Self::whole(array.as_primitive::<Int64Type>())),
            DataType::Float64 => Ok(Self::Weighted(NullPacked::of(array.as_primitive::<Float64Type>()))),
            other => Err(wrong_type(table, name, &other.to_string()).into()),
        }
    }

    /// A career's sums hardly ever need 64 bits.
    fn whole(sums: &Int64Array) -> Self {
        let small = sums.try_unary::<_, Int32Type, _>(|sum| {
            i32::try_from(sum).map_err(|error| arrow::error::ArrowError::CastError(error.to_string()))
        });
        small.map_or_else(|_| Self::Whole(NullPacked::of(sums)), |small| Self::Small(NullPacked::of(&small)))
    }

    pub(crate) fn get(&self, row: usize) -> Option<StoredSum> {
        match self {
            Self::Small(sums) => sums.get(row).map(|sum| StoredSum::Whole(i64::from(sum))),
            Self::Whole(sums) => sums.get(row).map(StoredSum::Whole),
            Self::Weighted(sums) => sums.get(row).map(StoredSum::Weighted),
        }
    }
}

/// A sum of such a column.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum StoredSum {
    Whole(i64),
    Weighted(f64),
}

impl From<StoredSum> for Quantity {
    fn from(sum: StoredSum) -> Self {
        match sum {
            StoredSum::Whole(sum) => Self::Whole(sum),
            StoredSum::Weighted(sum) => Self::Weighted(sum),
        }
    }
}

/// A column of few words without nulls.
#[derive(Debug)]
pub(crate) struct DictionaryColumn {
    words: Box<[Box<str>]>,
    codes: Box<[u8]>,
}

impl DictionaryColumn {
    pub(crate) fn read(batch: &RecordBatch, table: &str, name: &str) -> Result<Self, DatasetError> {
        let array = batch.column_by_name(name);
        let coded = array.and_then(|array| array.as_dictionary_opt::<Int32Type>());
        let words = match coded {
            Some(coded) => coded.downcast_dict::<StringArray>().map(|typed| {
                Self::of((table, name), (0..typed.len()).map(|row| coded.key(row)), |key| {
                    typed.values().value(key)
                })
            }),
            None => None,
        };
        words.unwrap_or_else(|| Self::of_texts(table, name, &column(batch, table, name)?))
    }

    fn of_texts(table: &str, name: &str, texts: &StringArray) -> Result<Self, DatasetError> {
        let rows = (0..texts.len()).map(|row| texts.is_valid(row).then_some(row));
        Self::of((table, name), rows, |row| texts.value(row))
    }

    /// `keys` tell of each row which text it has: rows with the same key have the same.
    fn of<'a>(
        (table, name): (&str, &str),
        keys: impl Iterator<Item = Option<usize>>,
        text: impl Fn(usize) -> &'a str,
    ) -> Result<Self, DatasetError> {
        let mut by_word: HashMap<&str, u8> = HashMap::new();
        let mut by_key: Vec<Option<u8>> = Vec::new();
        let (mut words, mut codes) = (Vec::new(), Vec::new());
        for (row, key) in keys.enumerate() {
            let key = key.ok_or_else(|| null(table, name, row))?;
            if by_key.len() <= key {
                by_key.resize(key + 1, None);
            }
            let code = match by_key[key] {
                Some(code) => code,
                None => *by_word.entry(text(key)).or_insert_with_key(|word| {
                    words.push(Box::from(*word));
                    // 256 words are told below.
                    u8::try_from(words.len() - 1).unwrap_or(u8::MAX)
                }),
            };
            by_key[key] = Some(code);
            codes.push(code);
        }
        if words.len() > 1 << u8::BITS {
            return Err(wrong_type(table, name, "a column of prose").into());
        }
        Ok(Self { words: words.into(), codes: codes.into() })
    }

    pub(crate) fn value(&self, row: usize) -> &str {
        &self.words[self.code(row)]
    }

    /// The words that there are, each once.
    pub(crate) fn words(&self) -> &[Box<str>] {
        &self.words
    }

    /// Which of the words a row has.
    pub(crate) fn code(&self, row: usize) -> usize {
        self.codes[row].as_usize()
    }
}

fn wrong_type(table: &str, name: &str, is: &str) -> ColumnError {
    ColumnError::Type {
        table: table.to_owned(),
        column: name.to_owned(),
        asked: "the contract's type",
        is: is.to_owned(),
    }
}

fn null(table: &str, name: &str, row: usize) -> ColumnError {
    ColumnError::Null { table: table.to_owned(), column: name.to_owned(), row }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::ArrayRef;
    use arrow::compute::cast;
    use proptest::prelude::*;

    use super::*;

    fn batch(name: &str, array: ArrayRef) -> RecordBatch {
        RecordBatch::try_from_iter([(name, array)]).unwrap()
    }

    proptest! {
        #[test]
        fn a_sparse_column_gives_what_the_array_holds(
            numbers in prop::collection::vec(prop::option::of(any::<i32>()), 0..300), from in 0_usize..70
        ) {
            let array = Int32Array::from(numbers);
            let array = array.slice(from.min(array.len()), array.len().saturating_sub(from));
            let sparse = NullPacked::of(&array);
            let given: Vec<Option<i32>> = (0..array.len()).map(|row| sparse.get(row)).collect();
            prop_assert_eq!(given, array.iter().collect::<Vec<_>>());
        }

        #[test]
        fn words_are_the_same_with_and_without_codes(texts in prop::collection::vec("[a-c]{0,2}", 0..200)) {
            let plain: ArrayRef = Arc::new(StringArray::from(texts.clone()));
            let codes = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            let coded = cast(&plain, &codes).unwrap();
            for array in [plain, coded] {
                let words = DictionaryColumn::read(&batch("w", array), "t", "w").unwrap();
                let given: Vec<&str> = (0..texts.len()).map(|row| words.value(row)).collect();
                prop_assert_eq!(&given, &texts);
            }
        }
    }

    #[test]
    fn sums_are_whole_however_large() {
        let of = |sums: Vec<i64>| {
            SumColumn::read(&batch("n", Arc::new(Int64Array::from(sums))), "t", "n").unwrap()
        };
        let (small, large) = (of(vec![7, -1]), of(vec![7, i64::from(i32::MAX) + 1]));
        assert!(matches!(small, SumColumn::Small(_)) && matches!(large, SumColumn::Whole(_)));
        assert_eq!(
            (small.get(0), large.get(1)),
            (Some(StoredSum::Whole(7)), Some(StoredSum::Whole(2_147_483_648)))
        );
    }

    #[test]
    fn a_column_of_many_words_or_with_a_null_is_refused() {
        let texts = |n: usize| (0..n).map(|i| Some(i.to_string())).collect::<StringArray>();
        let read = |array: StringArray| DictionaryColumn::read(&batch("w", Arc::new(array)), "t", "w");
        assert_eq!(read(texts(256)).unwrap().value(255), "255");
        assert!(read(texts(257)).is_err());
        assert!(read(StringArray::from(vec![Some("a"), None])).is_err());
    }
}

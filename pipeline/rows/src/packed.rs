//! Rows in little room: a row of round statistics takes a kilobyte as cells and a tenth of it packed.

use fdna_schemas::tables::ContractRow;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::layout::{CellValue, TableRow, row_cells};

/// The cells of a row, in the format of postcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedRow(Box<[u8]>);

impl PackedRow {
    /// # Panics
    /// Never: cells have no types that postcard refuses.
    #[must_use]
    pub fn new(cells: &[CellValue]) -> Self {
        Self(postcard::to_stdvec(cells).expect("cells can be written").into())
    }

    /// Of a row whose table is known when the program is compiled.
    pub fn from_row(row: &impl ContractRow) -> Self {
        Self::new(&row_cells(row))
    }

    /// Decodes the cells; none if the bytes are malformed.
    #[must_use]
    pub fn to_cells(&self) -> TableRow {
        postcard::from_bytes(&self.0).unwrap_or_default()
    }
}

impl Serialize for PackedRow {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for PackedRow {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(from).map(|bytes| Self(bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, NaiveDate};
    use uuid::Uuid;

    #[test]
    fn cells_of_every_type_come_back_and_other_bytes_are_no_cells() {
        let cells: TableRow = vec![
            CellValue::Null,
            "a".into(),
            i32::MIN.into(),
            i64::MAX.into(),
            (-0.5).into(),
            true.into(),
            NaiveDate::MIN.into(),
            DateTime::UNIX_EPOCH.into(),
            Uuid::from_u128(7).into(),
        ];
        let packed = PackedRow::new(&cells);
        assert_eq!(packed.to_cells(), cells);
        let bytes = postcard::to_stdvec(&packed).unwrap();
        assert_eq!(postcard::from_bytes::<PackedRow>(&bytes).unwrap(), packed);
        assert_eq!(PackedRow([9, 200].into()).to_cells(), TableRow::new());
    }
}

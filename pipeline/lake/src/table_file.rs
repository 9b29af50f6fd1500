//! The Parquet files that manifests name, checked against their digests: whole in memory, or open for those who read a
//! part of one.

use std::path::PathBuf;

use arrow::array::RecordBatch;
use bytes::Bytes;

use crate::error::LakeError;
use crate::keys::join_keys;
use crate::manifest::TableEntry;
use crate::parquet_io::decode_parquet;
use crate::verified_file::VerifiedFile;
use crate::{Lake, contract};

/// A Parquet file whose digest is the one in its manifest.
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Bytes,
}

impl TableFile {
    /// All rows, with all columns.
    pub(crate) fn decode(self) -> Result<RecordBatch, LakeError> {
        decode_parquet(self.bytes, None).map_err(|source| LakeError::Decode { path: self.path, source })
    }
}

impl Lake {
    /// The file of a table of `folder`, which has its tables in the subfolder `inside`.
    pub(crate) fn table_file(
        &self,
        folder: &str,
        inside: &str,
        table: &str,
        entry: Option<&TableEntry>,
    ) -> Result<TableFile, LakeError> {
        self.checked_file(folder, &format!("{inside}{table}.parquet"), table, entry)
    }

    /// The file `name` in `folder`, if it is what the entry of its table says.
    pub(crate) fn checked_file(
        &self,
        folder: &str,
        name: &str,
        table: &str,
        entry: Option<&TableEntry>,
    ) -> Result<TableFile, LakeError> {
        let entry = self.existing_entry(folder, table, entry)?;
        let key = join_keys(folder, name);
        Ok(TableFile { path: self.store.path(&key), bytes: self.read_checked(&key, &entry.sha256)? })
    }

    /// As [`Self::table_file`], open.
    pub(crate) fn open_table_file(
        &self,
        folder: &str,
        inside: &str,
        table: &str,
        entry: Option<&TableEntry>,
    ) -> Result<(PathBuf, VerifiedFile), LakeError> {
        let entry = self.existing_entry(folder, table, entry)?;
        let key = join_keys(folder, &format!("{inside}{table}.parquet"));
        Ok((self.store.path(&key), self.open_checked(&key, &entry.sha256)?))
    }

    /// Every row of these columns, in this order, of a table that was written under the contract of this build.
    pub(crate) fn table_columns(
        &self,
        folder: &str,
        inside: &str,
        table: &str,
        entry: Option<&TableEntry>,
        columns: &[&str],
    ) -> Result<RecordBatch, LakeError> {
        let contract = contract::find_contract(table)?;
        contract::check_version(contract, entry)?;
        let (path, file) = self.open_table_file(folder, inside, table, entry)?;
        let batch =
            decode_parquet(file, Some(columns)).map_err(|source| LakeError::Decode { path, source })?;
        contract::conform_columns(contract, columns, &batch)
            .map_err(|source| contract::contract_error(table, source))
    }

    fn existing_entry<'e>(
        &self,
        folder: &str,
        table: &str,
        entry: Option<&'e TableEntry>,
    ) -> Result<&'e TableEntry, LakeError> {
        entry.ok_or_else(|| LakeError::NoEntry { name: table.to_owned(), folder: self.store.path(folder) })
    }
}

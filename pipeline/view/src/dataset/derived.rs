//! Fight DNA, the index of names and what changed: most of what there is to read of a snapshot. Cards, fighters and results are
//! answered without it, so that a server that starts need not wait for it.

use std::ops::Deref;

use chrono::NaiveDate;
use fdna_compare::FighterPast;

use super::changes::ChangeHistory;
use super::dna::DnaTable;
use super::mentions::MentionRows;
use super::profiles::ProfileTable;
use super::search::SearchIndex;
use super::splits::SplitTable;
use super::{Dataset, DatasetError, SnapshotTables, pasts};

/// What comes after the rest.
#[derive(Debug)]
pub(crate) struct DerivedTables {
    pub(crate) dna: DnaTable,
    /// By row of the fighter.
    pub(crate) pasts: Vec<FighterPast>,
    /// The same: day of his last bout.
    pub(crate) last_fought: Box<[Option<NaiveDate>]>,
    pub(crate) splits: SplitTable,
    pub(crate) profiles: ProfileTable,
    pub(crate) search: SearchIndex,
    pub(crate) changes: ChangeHistory,
}

impl DerivedTables {
    pub(super) fn read(tables: &SnapshotTables, dataset: &Dataset) -> Result<Self, DatasetError> {
        let fighters = &dataset.fighters;
        let rows = MentionRows { events: &dataset.events, bouts: &dataset.bouts, fighters };
        let (dna, (search, (splits, profiles))) = rayon::join(
            || DnaTable::read(&tables.dna_versions, fighters),
            || {
                rayon::join(
                    || SearchIndex::build(tables, rows, &dataset.articles),
                    || {
                        rayon::join(
                            || SplitTable::read(&tables.splits, fighters),
                            || ProfileTable::read(tables, fighters),
                        )
                    },
                )
            },
        );
        let of_changes = [&tables.identities, &tables.aliases, &tables.corrections];
        let (changes, dna) = (ChangeHistory::read(of_changes)?, dna?);
        let pasts = pasts::read(&tables.ratings, dataset, &dna)?;
        let last_fought = pasts.iter().map(|past| past.fought.last().copied()).collect();
        Ok(Self { dna, pasts, last_fought, splits: splits?, profiles: profiles?, search: search?, changes })
    }

    /// Writes the files of records.
    ///
    /// # Errors
    /// A table cannot be read, or a record written. What was not written is answered as before.
    pub(super) fn pack(&self) -> Result<(), DatasetError> {
        self.dna.records.pack()?;
        self.splits.pack()?;
        self.profiles.pack()
    }
}

/// A snapshot with all its parts.
#[derive(Debug, Clone, Copy)]
pub struct CompleteDataset<'a> {
    dataset: &'a Dataset,
    pub(crate) derived: &'a DerivedTables,
}

impl<'a> CompleteDataset<'a> {
    pub(super) fn new(dataset: &'a Dataset, derived: &'a DerivedTables) -> Self {
        Self { dataset, derived }
    }

    /// What is answered without the parts that come later.
    pub(crate) fn dataset(self) -> &'a Dataset {
        self.dataset
    }
}

impl Deref for CompleteDataset<'_> {
    type Target = Dataset;

    fn deref(&self) -> &Dataset {
        self.dataset
    }
}

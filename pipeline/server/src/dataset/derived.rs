//! Fight DNA, the index of names and what changed: most of what there is to read of a snapshot. Cards, fighters and results are
//! answered without it, so that a server that starts need not wait for it.

use std::ops::Deref;

use fdna_compare::Past;

use super::changes::Changes;
use super::dna::DnaTable;
use super::mentions::Rows;
use super::profiles::Profiles;
use super::search::Search;
use super::splits::Splits;
use super::{Dataset, DatasetError, SnapshotTables, pasts};

/// What comes after the rest.
#[derive(Debug)]
pub(crate) struct Derived {
    pub(crate) dna: DnaTable,
    /// By row of the fighter.
    pub(crate) pasts: Vec<Past>,
    pub(crate) splits: Splits,
    pub(crate) profiles: Profiles,
    pub(crate) search: Search,
    pub(crate) changes: Changes,
}

impl Derived {
    pub(super) fn read(tables: &SnapshotTables, dataset: &Dataset) -> Result<Self, DatasetError> {
        let fighters = &dataset.fighters;
        let rows = Rows { events: &dataset.events, bouts: &dataset.bouts, fighters };
        let (dna, (search, (splits, profiles))) = rayon::join(
            || DnaTable::read(&*tables.dna_versions, fighters),
            || {
                rayon::join(
                    || Search::build(tables, rows, &dataset.articles),
                    || {
                        rayon::join(
                            || Splits::read(&tables.splits, fighters),
                            || Profiles::read(tables, fighters),
                        )
                    },
                )
            },
        );
        let (changes, dna) = (Changes::read(tables)?, dna?);
        let pasts = pasts::read(&tables.ratings, dataset, &dna)?;
        Ok(Self { dna, pasts, splits: splits?, profiles: profiles?, search: search?, changes })
    }
}

/// A snapshot with all its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole<'a> {
    dataset: &'a Dataset,
    pub(crate) derived: &'a Derived,
}

impl<'a> Whole<'a> {
    pub(super) fn new(dataset: &'a Dataset, derived: &'a Derived) -> Self {
        Self { dataset, derived }
    }

    /// What is answered without the parts that come later.
    pub(crate) fn dataset(self) -> &'a Dataset {
        self.dataset
    }
}

impl Deref for Whole<'_> {
    type Target = Dataset;

    fn deref(&self) -> &Dataset {
        self.dataset
    }
}

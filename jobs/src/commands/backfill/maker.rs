//! Panels made by this program, from the published versions.

use arrow::array::RecordBatch;
use chrono::NaiveDate;
use clap::ValueEnum;
use fdna_lake::PanelSet;
use fdna_panel::{PanelError, RatioVersions, SubjectVersions, VersionTable};

/// Which panels are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PanelKind {
    /// Value, raw value, weight and confidence of every metric, wide and long.
    Metrics,
    /// The sums that ratios are made of, as whole numbers, and the ratios themselves.
    Ratios,
}

impl From<PanelKind> for PanelSet {
    fn from(kind: PanelKind) -> Self {
        match kind {
            PanelKind::Metrics => Self::Metrics,
            PanelKind::Ratios => Self::Ratios,
        }
    }
}

/// All versions, ready to be asked for the panels of any date.
pub(super) enum PanelMaker {
    Metrics(Box<VersionTable>),
    Ratios(RatioVersions),
    Subjects(Box<SubjectVersions>),
}

impl PanelMaker {
    pub(super) fn first_day(&self) -> Option<NaiveDate> {
        match self {
            Self::Metrics(versions) => versions.first_day(),
            Self::Ratios(versions) => versions.first_day(),
            Self::Subjects(versions) => versions.first_day(),
        }
    }

    /// The tables of a date, in the order of [`PanelSet::tables`].
    pub(super) fn make_panel(&self, as_of: NaiveDate) -> Result<Vec<RecordBatch>, PanelError> {
        Ok(match self {
            Self::Metrics(versions) => {
                let panel = versions.panel_on(as_of)?;
                vec![panel.wide, panel.long]
            }
            Self::Ratios(versions) => vec![versions.panel_on(as_of)?],
            Self::Subjects(versions) => vec![versions.panel_on(as_of)?],
        })
    }
}

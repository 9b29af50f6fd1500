//! Panels made by this program, from the published versions.

use arrow::array::RecordBatch;
use chrono::{DateTime, NaiveDate, Utc};
use clap::ValueEnum;
use fdna_lake::PanelSet;
use fdna_panel::{PanelError, RatioVersions, SubjectVersions, VersionTable, add_known_until};
use fdna_schemas::tables::{ContractRow as _, PanelVintageLongRow, PanelVintageWideRow};

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
    /// Of a snapshot of what was known, and until when.
    Vintage(Box<VersionTable>, DateTime<Utc>),
    Ratios(RatioVersions),
    Subjects(Box<SubjectVersions>),
}

impl PanelMaker {
    pub(super) fn first_day(&self) -> Option<NaiveDate> {
        match self {
            Self::Metrics(versions) | Self::Vintage(versions, _) => versions.first_day(),
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
            Self::Vintage(versions, known_until) => {
                let panel = versions.panel_on(as_of)?;
                vec![
                    add_known_until(&panel.wide, PanelVintageWideRow::TABLE, *known_until)?,
                    add_known_until(&panel.long, PanelVintageLongRow::TABLE, *known_until)?,
                ]
            }
            Self::Ratios(versions) => vec![versions.panel_on(as_of)?],
            Self::Subjects(versions) => vec![versions.panel_on(as_of)?],
        })
    }
}

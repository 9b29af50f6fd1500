//! All versions of all fighters, and which of them hold on a date.

use std::ops::Range;

use arrow::array::{Int32Array, RecordBatch};
use chrono::NaiveDate;
use fdna_compare::{FighterPast, VersionDates, version_as_of};
use fdna_schemas::MetricDefinitions;
use fdna_schemas::tables::{ContractReader as _, DnaVersionsReader, DnaVersionsRow};

use crate::PanelError;
use crate::long::LongPanel;
use crate::shrunk::{PRIOR_MEAN, SHRUNK_VALUE, add_shrunk_values};
use crate::today::{DayHistory, DayMetrics};
use crate::wide::WidePanel;

/// The panel of one date: tables `panel_wide` and `panel_long`, but for the dictionaries as their contracts say.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricPanel {
    /// A row per fighter, in order of their ids.
    pub wide: RecordBatch,
    /// A row per fighter and metric, in order of the ids and of the metric definitions.
    pub long: RecordBatch,
}

/// Every version of every fighter, ready to be asked for any date.
#[derive(Debug)]
pub struct VersionTable {
    /// Rows of each fighter.
    fighters: Vec<Range<usize>>,
    /// Of each of them.
    pasts: Vec<FighterPast>,
    /// Of each row.
    dates: Vec<VersionDates>,
    wide: WidePanel,
    long: LongPanel,
}

impl VersionTable {
    /// The columns of `dna_versions` that panels need.
    #[must_use]
    pub fn required_columns() -> Vec<String> {
        let fixed = WidePanel::TAKEN.iter().map(|name| (*name).to_owned());
        let of_metrics = MetricDefinitions::get().metrics.iter().flat_map(|metric| {
            let stored = LongPanel::CELLS.iter().filter(|suffix| **suffix != SHRUNK_VALUE);
            let needed = stored.chain(&[PRIOR_MEAN]);
            needed.map(|suffix| MetricDefinitions::version_column(&metric.name, suffix))
        });
        fixed.chain(of_metrics).collect()
    }

    /// `versions` is the table `dna_versions`, at least [`Self::required_columns`] of it, in order of its key; `history` is of the same
    /// snapshot.
    ///
    /// # Errors
    /// A column is missing or not as its contract says, or the rows are out of order.
    pub fn new(versions: &RecordBatch, history: DayHistory<'_>) -> Result<Self, PanelError> {
        let reader = DnaVersionsReader::of(versions);
        let ids = reader.by_name().texts(DnaVersionsRow::FIGHTER_ID.name)?;
        let dates = reader.valid_from()?.into_iter().zip(reader.last_bout_date()?);
        let dates: Vec<_> =
            dates.map(|(valid_from, last_bout_date)| VersionDates { valid_from, last_bout_date }).collect();
        let with_shrunk = add_shrunk_values(versions)?;
        let (wide, long) = (WidePanel::new(&with_shrunk)?, LongPanel::new(&with_shrunk)?);
        let fighters = fighter_rows(&ids, &dates)?;
        let (mut known, eligible) = (history.fighter_pasts()?, reader.eligible_bouts()?);
        let past = |rows: &Range<usize>| {
            let mut past = known.remove(ids[rows.start]).unwrap_or_default();
            rows.clone().for_each(|row| past.make_eligible(dates[row].last_bout_date, eligible[row]));
            past
        };
        let pasts = fighters.iter().map(past).collect();
        Ok(Self { fighters, pasts, dates, wide, long })
    }

    /// First day on which any fighter has a version: before it, a panel has no row. `None` without versions.
    #[must_use]
    pub fn first_day(&self) -> Option<NaiveDate> {
        self.fighters.iter().map(|rows| self.dates[rows.start].valid_from).min()
    }

    /// The panel of a date.
    ///
    /// # Errors
    /// It is larger than Arrow can hold.
    pub fn panel_on(&self, as_of: NaiveDate) -> Result<MetricPanel, PanelError> {
        let (rows, pasts): (Vec<i32>, Vec<&FighterPast>) = self.as_of(as_of).unzip();
        let (rows, today) = (Int32Array::from(rows), DayMetrics::from_pasts(&pasts, as_of));
        let wide = self.wide.gather_rows(as_of, &rows, &self.dates, &today)?;
        Ok(MetricPanel { wide, long: self.long.gather_rows(as_of, &rows, &today)? })
    }

    /// The row and the past of each fighter who has a version on the day, in order of the fighters.
    fn as_of(&self, day: NaiveDate) -> impl Iterator<Item = (i32, &FighterPast)> {
        self.fighters.iter().zip(&self.pasts).filter_map(move |(rows, past)| {
            let chosen = version_as_of(&self.dates[rows.clone()], day).ok()?;
            Some((i32::try_from(rows.start + chosen.index).ok()?, past))
        })
    }
}

/// Rows of each fighter, whose versions must begin one after the other.
pub(crate) fn fighter_rows(ids: &[&str], dates: &[VersionDates]) -> Result<Vec<Range<usize>>, PanelError> {
    let mut fighters: Vec<Range<usize>> = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        let before = row.checked_sub(1).map(|before| (ids[before], dates[before].valid_from));
        match before {
            Some(before) if before >= (*id, dates[row].valid_from) => return Err(PanelError::Order { row }),
            Some((same, _)) if same == *id => {
                if let Some(rows) = fighters.last_mut() {
                    rows.end = row + 1;
                }
            }
            _ => fighters.push(row..row + 1),
        }
    }
    Ok(fighters)
}

//! The kernel of all ratio metrics: integer sums of named columns.

use fdna_schemas::{Metric, Term};

use crate::side::{SideRow, column};

/// The catalogue names a column that no bout has.
#[derive(Debug, thiserror::Error)]
#[error("find column `{column}` of metric `{metric}`")]
pub struct UnknownColumn {
    pub metric: String,
    pub column: String,
}

/// A metric with its columns found.
pub(crate) struct Kernel<'a> {
    pub(crate) metric: &'a Metric,
    numerator: Vec<(usize, i64)>,
    denominator: Vec<(usize, i64)>,
}

/// Numerator and denominator of one or more bouts, in column units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub(crate) y: i64,
    pub(crate) d: i64,
}

impl std::ops::AddAssign for Ratio {
    fn add_assign(&mut self, other: Self) {
        self.y += other.y;
        self.d += other.d;
    }
}

impl std::ops::Sub for Ratio {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { y: self.y - other.y, d: self.d - other.d }
    }
}

impl<'a> Kernel<'a> {
    pub(crate) fn compile(metric: &'a Metric) -> Result<Self, UnknownColumn> {
        let find = |term: &Term| {
            let place = column(&term.column)
                .ok_or_else(|| UnknownColumn { metric: metric.name.clone(), column: term.column.clone() })?;
            Ok((place, i64::from(term.sign)))
        };
        Ok(Self {
            metric,
            numerator: metric.numerator.iter().map(find).collect::<Result<_, _>>()?,
            denominator: metric.denominator.iter().map(find).collect::<Result<_, _>>()?,
        })
    }

    /// The bout's part; `None` if it does not carry all columns.
    pub(crate) fn of(&self, side: &SideRow) -> Option<Ratio> {
        let sum = |terms: &[(usize, i64)]| {
            terms.iter().map(|(place, sign)| side.get(*place).map(|value| sign * value)).sum()
        };
        let (y, d): (Option<i64>, Option<i64>) = (sum(&self.numerator), sum(&self.denominator));
        Some(Ratio { y: y?, d: d? })
    }
}

//! What the snapshot holds, and what of it is known.

use fdna_api::{Failure, MetaExtra};

use super::Asked;
use crate::Dataset;
use crate::respond::Answer;

/// Rows of tables, first and last date, round statistics by year.
pub(crate) fn counts(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    Ok(asked.answer(data.coverage.counts.to_vec(), MetaExtra::None {}))
}

/// Sources, years and fields.
pub(crate) fn coverage(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    Ok(asked.answer(data.coverage.coverage.to_vec(), MetaExtra::None {}))
}

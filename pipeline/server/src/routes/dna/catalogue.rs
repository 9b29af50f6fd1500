//! What the metrics are, and how well they predict.

use fdna_api::{Failure, MetaExtra};

use crate::Dataset;
use crate::respond::Answer;
use crate::routes::Asked;

/// The catalogue. Its validator is its own digest, so it stays the same from snapshot to snapshot.
pub(crate) fn dna_metrics(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let catalogue = &data.catalogue;
    let answer = asked.answer(catalogue.json.to_vec(), MetaExtra::Count { count: catalogue.metrics });
    Ok(Answer { digest: Some(catalogue.digest.clone()), ..answer })
}

/// The measurements of the snapshot.
pub(crate) fn dna_validity(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    Ok(asked.answer(data.validity.to_vec(), MetaExtra::None {}))
}

//! Stories of outlets.

use fdna_api::Failure;

use super::OperationRequest;
use super::page::{EntityFilter, list, page};
use crate::Dataset;
use crate::dataset::wire::StoryRow;
use crate::operations::OperationResponse;

/// Newest first.
pub(crate) fn wire(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let wanted = EntityFilter::of(data, request)?;
    let outlet = request.params.text("outlet").map(str::to_lowercase);
    let matches = |story: &&StoryRow| {
        wanted.is_met_by(&story.about) && outlet.as_ref().is_none_or(|outlet| story.is_told_by(outlet))
    };
    let matching: Vec<&[u8]> = data.wire.iter().filter(matches).map(|story| &*story.json).collect();
    let (rows, meta) = page(data, matching, request)?;
    Ok(request.answer(list(&rows), meta))
}

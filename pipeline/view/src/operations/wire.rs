//! Stories of outlets.

use fdna_api::operations::wire;
use fdna_api::{Failure, PreparedJson, WireStory};

use super::OperationRequest;
use super::page::{EntityFilter, page};
use crate::Dataset;
use crate::dataset::wire::StoryRow;
use crate::operations::OperationResponse;

/// Newest first.
pub(crate) fn wire(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let wanted = EntityFilter::of(data, request)?;
    let outlet = request.params.get(wire::OUTLET).map(str::to_lowercase);
    let matches = |story: &&StoryRow| {
        wanted.is_met_by(&story.about) && outlet.as_ref().is_none_or(|outlet| story.is_told_by(outlet))
    };
    let stories = data.wire.iter().filter(matches).map(|story| PreparedJson::new(&*story.json));
    let matching: Vec<PreparedJson<'_, WireStory<'_>>> = stories.collect();
    let (rows, meta) = page(data, matching, request)?;
    request.answer(&rows, meta)
}

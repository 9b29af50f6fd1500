//! Stories of outlets.

use fdna_api::Failure;

use super::Asked;
use super::page::{Wanted, list, page};
use crate::Dataset;
use crate::dataset::wire::StoryRow;
use crate::respond::Answer;

/// Newest first.
pub(crate) fn wire(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let wanted = Wanted::of(data, asked)?;
    let outlet = asked.params.text("outlet").map(str::to_lowercase);
    let matches = |story: &&StoryRow| {
        wanted.is_met_by(&story.about) && outlet.as_ref().is_none_or(|outlet| story.is_told_by(outlet))
    };
    let matching: Vec<&[u8]> = data.wire.iter().filter(matches).map(|story| &*story.json).collect();
    let (rows, meta) = page(data, matching, asked)?;
    Ok(asked.answer(list(&rows), meta))
}

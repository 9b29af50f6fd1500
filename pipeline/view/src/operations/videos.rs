//! Videos: of everything, of a fighter, of a bout, and of an event as a rail through its fight week.

use fdna_api::operations::parameters::VIDEO_TYPE;
use fdna_api::{
    EventVideos, Failure, MetaExtra, PreparedJson, VIDEO_LABELS, VIDEO_TYPES, Video, VideoGroup,
    VideoGroupHead,
};

use super::page::{EntityFilter, Page, page};
use super::{OperationRequest, bouts, events, fighters};
use crate::Dataset;
use crate::dataset::columns::instant;
use crate::dataset::videos::VideoRow;
use crate::operations::OperationResponse;

/// Newest first.
pub(crate) fn videos(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let (rows, meta) = page(data, matching(data, request, &EntityFilter::of(data, request)?), request)?;
    request.answer(&bodies(&rows), meta)
}

/// Newest first.
pub(crate) fn fighter_videos(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let fighter = Some(fighters::find(data, request)?);
    newest(data, request, &EntityFilter { fighter, ..EntityFilter::default() })
}

/// Newest first.
pub(crate) fn bout_videos(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let bout = Some(bouts::find_row(data, request)?);
    newest(data, request, &EntityFilter { bout, ..EntityFilter::default() })
}

/// Oldest first, and the same by type.
pub(crate) fn event_videos(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let event = events::find_row(data, request)?;
    let mut videos = matching(data, request, &EntityFilter { event: Some(event), ..EntityFilter::default() });
    videos.reverse();
    let page = Page::of(data, request, videos.len())?;
    let videos = page.take(videos);
    let answer =
        EventVideos { event: data.event_compact(event), videos: bodies(&videos), groups: groups(&videos) };
    let Page { count, total, limit, next_cursor, .. } = page;
    let meta = MetaExtra::Timeline { count, total, timeline_order: VIDEO_TYPES, limit, next_cursor };
    request.answer(&answer, meta)
}

fn newest(
    data: &Dataset,
    request: &OperationRequest,
    wanted: &EntityFilter,
) -> Result<OperationResponse, Failure> {
    let (rows, meta) = page(data, matching(data, request, wanted), request)?;
    request.answer(&bodies(&rows), meta)
}

fn matching<'a>(data: &'a Dataset, request: &OperationRequest, wanted: &EntityFilter) -> Vec<&'a VideoRow> {
    let video_type = request.params.get(VIDEO_TYPE);
    let is_of_type = |video: &&VideoRow| video_type.is_none_or(|word| video.video_type == word);
    data.videos.iter().filter(is_of_type).filter(|video| wanted.is_met_by(&video.about)).collect()
}

fn bodies<'a>(videos: &[&'a VideoRow]) -> Vec<PreparedJson<'a, Video<'a>>> {
    videos.iter().map(|video| PreparedJson::new(&*video.json)).collect()
}

/// One group for each type that occurs, in the order of a fight week.
fn groups<'a>(videos: &[&'a VideoRow]) -> Vec<VideoGroup<'a>> {
    let types = VIDEO_TYPES.iter().zip(VIDEO_LABELS);
    let group = |(video_type, label): (&&'static str, &'static str)| {
        let of_type: Vec<&VideoRow> =
            videos.iter().copied().filter(|v| v.video_type == *video_type).collect();
        (!of_type.is_empty())
            .then(|| VideoGroup { head: head(video_type, label, &of_type), videos: bodies(&of_type) })
    };
    types.filter_map(group).collect()
}

fn head(video_type: &'static str, label: &'static str, videos: &[&VideoRow]) -> VideoGroupHead {
    let published = || videos.iter().filter_map(|video| video.published_at);
    VideoGroupHead {
        video_type,
        label,
        count: videos.len(),
        first_published_at: published().min().map(instant),
        last_published_at: published().max().map(instant),
    }
}

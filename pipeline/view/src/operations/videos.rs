//! Videos of an event, as a rail through its fight week.

use fdna_api::{
    EventVideos, Failure, MetaExtra, PreparedJson, VIDEO_LABELS, VIDEO_TYPES, Video, VideoGroup,
    VideoGroupHead,
};

use super::entity_lookup::{EntityKind, entity_row};
use super::lists::VIDEOS;
use super::page::Page;
use super::{OperationRequest, OperationResponse};
use crate::Dataset;
use crate::dataset::columns::instant;
use crate::dataset::videos::VideoRow;

/// Oldest first, and the same by type.
pub(crate) fn event_videos(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let event = entity_row(data, EntityKind::Event, request.id())?;
    let rows = VIDEOS.matching_rows(data, request)?;
    let page = Page::of(data, request, rows.len())?;
    let videos = page.take(rows.into_iter().rev().map(|row| &data.videos[row]));
    let answer =
        EventVideos { event: data.event_compact(event), videos: bodies(&videos), groups: groups(&videos) };
    let Page { count, total, limit, next_cursor, .. } = page;
    let meta = MetaExtra::Timeline { count, total, timeline_order: VIDEO_TYPES, limit, next_cursor };
    request.answer(&answer, meta)
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

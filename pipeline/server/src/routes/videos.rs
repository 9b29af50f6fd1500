//! Videos: of everything, of a fighter, of a bout, and of an event as a rail through its fight week.

use fdna_api::{Failure, MetaExtra, VIDEO_LABELS, VIDEO_TYPES, VideoGroupHead};

use super::page::{Page, Wanted, list, page};
use super::{Asked, bouts, events, fighters, to_json};
use crate::Dataset;
use crate::dataset::columns::instant;
use crate::dataset::videos::VideoRow;
use crate::respond::Answer;
use crate::splice::Object;

/// Newest first.
pub(crate) fn videos(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let (rows, meta) = page(data, matching(data, asked, &Wanted::of(data, asked)?), asked)?;
    Ok(asked.answer(bodies(&rows), meta))
}

/// Newest first.
pub(crate) fn fighter_videos(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let fighter = Some(fighters::find(data, asked)?);
    newest(data, asked, &Wanted { fighter, ..Wanted::default() })
}

/// Newest first.
pub(crate) fn bout_videos(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let bout = Some(bouts::find_row(data, asked)?);
    newest(data, asked, &Wanted { bout, ..Wanted::default() })
}

/// Oldest first, and the same by type.
pub(crate) fn event_videos(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let event = events::find_row(data, asked)?;
    let mut videos = matching(data, asked, &Wanted { event: Some(event), ..Wanted::default() });
    videos.reverse();
    let page = Page::of(data, asked, videos.len())?;
    let videos = page.take(videos);
    let body = Object::new()
        .field("event", &data.events.rows[event].compact)
        .field("videos", &bodies(&videos))
        .field("groups", &groups(&videos)?);
    let Page { count, total, limit, next_cursor, .. } = page;
    let meta = MetaExtra::Timeline { count, total, timeline_order: VIDEO_TYPES, limit, next_cursor };
    Ok(asked.answer(body.finish(), meta))
}

fn newest(data: &Dataset, asked: &Asked, wanted: &Wanted) -> Result<Answer, Failure> {
    let (rows, meta) = page(data, matching(data, asked, wanted), asked)?;
    Ok(asked.answer(bodies(&rows), meta))
}

fn matching<'a>(data: &'a Dataset, asked: &Asked, wanted: &Wanted) -> Vec<&'a VideoRow> {
    let video_type = asked.params.given_word("type");
    let is_of_type = |video: &&VideoRow| video_type.is_none_or(|word| video.video_type == word);
    data.videos.iter().filter(is_of_type).filter(|video| wanted.is_met_by(&video.about)).collect()
}

fn bodies(videos: &[&VideoRow]) -> Vec<u8> {
    let rows: Vec<&[u8]> = videos.iter().map(|video| &*video.json).collect();
    list(&rows)
}

/// One group for each type that occurs, in the order of a fight week.
fn groups(videos: &[&VideoRow]) -> Result<Vec<u8>, Failure> {
    let mut groups = Vec::new();
    for (video_type, label) in VIDEO_TYPES.iter().zip(VIDEO_LABELS) {
        let of_type: Vec<&VideoRow> =
            videos.iter().copied().filter(|v| v.video_type == *video_type).collect();
        if !of_type.is_empty() {
            let head = to_json(&head(video_type, label, &of_type))?;
            groups.push(Object::of(&head).field("videos", &bodies(&of_type)).finish());
        }
    }
    Ok(list(&groups))
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

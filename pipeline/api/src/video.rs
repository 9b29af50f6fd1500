//! Videos on the wire: identifiers and official addresses; nothing is rehosted.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{About, EventCompact, PreparedJson, enums, formats};

/// A video.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Video<'a> {
    /// Id at the platform.
    pub id: &'a str,
    /// Official address.
    #[schemars(with = "formats::Address")]
    pub url: &'a str,
    pub title: &'a str,
    pub channel: &'a str,
    pub channel_id: Option<&'a str>,
    #[schemars(with = "enums::VideoType")]
    pub video_type: &'a str,
    /// The rule that gave the type.
    pub type_rule: &'a str,
    /// RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub published_at: Option<String>,
    /// The capture that first had it, RFC 3339 with offset.
    #[schemars(with = "Option<formats::Instant>")]
    pub first_seen_at: Option<String>,
    #[serde(flatten)]
    pub about: About,
}

/// `data` of an event's videos.
#[derive(Debug, JsonSchema, Serialize)]
pub struct EventVideos<'a> {
    pub event: PreparedJson<'a, EventCompact<'a>>,
    /// Oldest first.
    pub videos: Vec<PreparedJson<'a, Video<'a>>>,
    /// One for each type that occurs, in the order of `meta.timeline_order`.
    pub groups: Vec<VideoGroup<'a>>,
}

/// Videos of one type.
#[derive(Debug, JsonSchema, Serialize)]
pub struct VideoGroup<'a> {
    #[serde(flatten)]
    pub head: VideoGroupHead,
    /// Oldest first.
    pub videos: Vec<PreparedJson<'a, Video<'a>>>,
}

/// What a group says of its videos.
#[derive(Debug, JsonSchema, Serialize)]
pub struct VideoGroupHead {
    #[schemars(with = "enums::VideoType")]
    pub video_type: &'static str,
    pub label: &'static str,
    pub count: usize,
    /// RFC 3339 with offset; null where no time of publication is known.
    #[schemars(with = "Option<formats::Instant>")]
    pub first_published_at: Option<String>,
    #[schemars(with = "Option<formats::Instant>")]
    pub last_published_at: Option<String>,
}

#[cfg(test)]
mod tests {
    use crate::{VIDEO_LABELS, VIDEO_TYPES};

    #[test]
    fn every_type_has_a_label() {
        assert_eq!(VIDEO_TYPES.len(), VIDEO_LABELS.len());
    }
}

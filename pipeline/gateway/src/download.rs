//! Files of tables on their way to a client, whose bytes are counted as they leave.

use std::sync::Arc;

use axum_core::body::Body;
use http_body_util::BodyExt as _;

use crate::key_index::ApiKeyIdentity;
use crate::rate_limiter::UsageKey;
use crate::upstream::UpstreamBody;

/// The body of a file. What a client that goes away did not take is not counted.
pub(crate) fn count_bytes(body: UpstreamBody, identity: &ApiKeyIdentity, usage_key: UsageKey) -> Body {
    let tracker = Arc::clone(&identity.tracker);
    Body::new(body.inspect_frame(move |frame| {
        if let Some(data) = frame.data_ref() {
            tracker.with_limiter(|limiter| limiter.add_download(usage_key, data.len() as u64));
        }
    }))
}

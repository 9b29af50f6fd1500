//! An answer's body: the gateway's own words, or a canonical host's as they come.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum_core::body::Body as Own;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use crate::upstream::{AnswerBody, BodyError};

/// A body, without a box around the many that are passed on.
#[derive(Debug)]
pub(crate) enum Reply {
    Own(Own),
    Passed(AnswerBody),
}

/// Why a body ends before its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplyError {
    #[error(transparent)]
    Own(#[from] axum_core::Error),
    #[error(transparent)]
    Passed(#[from] BodyError),
}

impl Body for Reply {
    type Data = Bytes;
    type Error = ReplyError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ReplyError>>> {
        match self.get_mut() {
            Self::Own(body) => Pin::new(body).poll_frame(cx).map_err(ReplyError::from),
            Self::Passed(body) => Pin::new(body).poll_frame(cx).map_err(ReplyError::from),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Own(body) => body.is_end_stream(),
            Self::Passed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Own(body) => body.size_hint(),
            Self::Passed(body) => body.size_hint(),
        }
    }
}

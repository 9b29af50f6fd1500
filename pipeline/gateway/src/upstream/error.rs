//! Errors of an upstream that did not respond.

use hyper::StatusCode;
use hyper_util::client::legacy;

#[derive(Debug, thiserror::Error)]
pub(crate) enum UpstreamError {
    #[error("cannot connect to the upstream")]
    Connect(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("cannot send the request, or receive the response head")]
    Exchange(#[source] legacy::Error),
    #[error("cannot receive the response body")]
    Body(#[source] hyper::Error),
    #[error("cannot receive the response in time")]
    Timeout,
    #[error("cannot receive an HTTP response: the upstream switched protocols")]
    SwitchedProtocols,
    #[error("cannot receive a response whose length is unambiguous")]
    AmbiguousLength,
    #[error("the upstream refuses the gateway with {0}")]
    Rejected(StatusCode),
}

impl From<legacy::Error> for UpstreamError {
    fn from(error: legacy::Error) -> Self {
        if error.is_connect() { Self::Connect(error.into()) } else { Self::Exchange(error) }
    }
}

impl UpstreamError {
    /// Whether an established connection broke: a pooled one may have been closed by the upstream as it was used.
    pub(super) fn is_retryable(&self) -> bool {
        matches!(self, Self::Exchange(_) | Self::Body(_))
    }

    /// Whether this process may open no more files, which says nothing about the upstream.
    pub(super) fn is_out_of_files(&self) -> bool {
        let mut causes = std::iter::successors(std::error::Error::source(self), |cause| cause.source());
        causes.any(|cause| cause.downcast_ref().is_some_and(fdna_http::is_out_of_files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn running_out_of_files_is_not_blamed_on_the_upstream() {
        for (code, is_own) in [(23, true), (24, true), (111, false)] {
            let error = UpstreamError::Connect(io::Error::from_raw_os_error(code).into());
            assert_eq!(error.is_out_of_files(), is_own, "{code}");
            // As the connector wraps it.
            assert_eq!(UpstreamError::Connect(error.into()).is_out_of_files(), is_own, "{code}");
        }
        assert!(!UpstreamError::Timeout.is_out_of_files());
    }
}

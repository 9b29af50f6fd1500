//! What stands before the router: a question that was answered before needs none.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{ACCEPT_ENCODING, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, Method, Request, Response};
use fdna_api::{ErrorCode, Failure};
use fdna_http::{Segments, awaited_under, guard, under, without_body};
use futures_util::future::Either;
use http_body::{Frame, SizeHint};
use tower::{Service, ServiceExt as _};

use crate::client;
use crate::respond;
use crate::routes::again;
use crate::swap::Served;

/// The whole HTTP interface over what is served.
#[derive(Debug, Clone)]
pub struct Front(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    served: Arc<Served>,
    router: Router,
}

/// A body: of an answer that is kept, or as the router made it.
#[derive(Debug)]
pub struct Reply(Of);

#[derive(Debug)]
enum Of {
    Kept(Option<Segments>),
    Routed(Body),
}

impl Front {
    pub(crate) fn new(served: Arc<Served>, router: Router) -> Self {
        Self(Arc::new(Inner { served, router }))
    }

    /// The answer to a plain question that was asked before. Other methods, and answers that are to be compressed,
    /// are the router's.
    fn again<B>(&self, request: &Request<B>) -> Option<Response<Reply>> {
        let is_plain = request.method() == Method::GET && !request.headers().contains_key(ACCEPT_ENCODING);
        if !is_plain || guard::check(request).is_err() {
            return None;
        }
        let (slot, given) = again(&self.0.served, request.uri(), request.headers())?;
        let mut given = given.map(|body| Reply(Of::Kept(body)));
        given.extensions_mut().insert(slot);
        Some(given)
    }
}

impl Front {
    /// The answer to who has not the server's key. What is no request in normal form is told that, and balancers may
    /// ask whether the server lives.
    fn unauthorized<B>(&self, request: &Request<B>) -> Option<Response<Reply>> {
        let is_open = || matches!(request.uri().path(), "/healthz" | "/readyz");
        if self.0.served.admits(request.headers()) || is_open() || guard::check(request).is_err() {
            return None;
        }
        let why = "This server needs its key: send Authorization: Bearer <key>";
        let mut refused = respond::failure(&Failure::new(ErrorCode::Unauthorized, why), None);
        let realm = HeaderValue::from_static("Bearer realm=\"fightdna\"");
        refused.headers_mut().insert(WWW_AUTHENTICATE, realm);
        Some(without_body(request.method(), refused).map(|body| Reply(Of::Routed(body))))
    }
}

impl<B> Service<Request<B>> for Front
where
    B: HttpBody<Data = Bytes, Error: Into<axum::BoxError>> + Send + 'static,
{
    type Response = Response<Reply>;
    type Error = Infallible;
    type Future = Either<
        Ready<Result<Self::Response, Infallible>>,
        Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>,
    >;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let id = client::request_id(&request, &self.0.served);
        let preflight =
            || self.0.served.cors().preflight(&request).map(|told| told.map(|body| Reply(Of::Routed(body))));
        let at_once = || preflight().or_else(|| self.unauthorized(&request)).or_else(|| self.again(&request));
        if let Some(given) = under(id, at_once) {
            return Either::Left(ready(Ok(given)));
        }
        let routed = awaited_under(id, self.0.router.clone().oneshot(request));
        Either::Right(Box::pin(async move { Ok(routed.await?.map(|body| Reply(Of::Routed(body)))) }))
    }
}

impl HttpBody for Reply {
    type Data = Segments;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Segments>, axum::Error>>> {
        match &mut self.0 {
            Of::Kept(body) => Poll::Ready(body.take().map(|body| Ok(Frame::data(body)))),
            Of::Routed(body) => {
                let frame = Pin::new(body).poll_frame(cx);
                frame.map_ok(|frame| frame.map_data(Segments::from))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Of::Kept(body) => body.is_none(),
            Of::Routed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Of::Kept(body) => SizeHint::with_exact(body.as_ref().map_or(0, |body| body.len() as u64)),
            Of::Routed(body) => body.size_hint(),
        }
    }
}

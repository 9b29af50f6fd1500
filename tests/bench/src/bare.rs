//! The yardstick of serving: a bare axum handler that returns a body made before, of the sizes that are asked for.
//!
//! `bare PORT SIZE…` answers `/0` with so many bytes as the first size says, `/1` with the second, and so on.

use anyhow::Context as _;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Response};
use axum::routing::get;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>().context("read a number"));
    let port = u16::try_from(args.next().context("find the port")??)?;
    let sizes = args.collect::<Result<Vec<_>, _>>()?;
    let router = sizes.iter().enumerate().fold(Router::new(), |router, (place, size)| {
        let body = Bytes::from("x".repeat(*size));
        router.route(&format!("/{place}"), get(move || std::future::ready(answer(&body))))
    });
    axum::serve(TcpListener::bind(("127.0.0.1", port)).await?, router).await?;
    Ok(())
}

fn answer(body: &Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(body.clone()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

//! The admin pages: health, which anyone may see, and metrics and details, on a listener of their own.

use std::sync::Arc;

use axum_core::body::Body;
use fdna_api::{ErrorCode, Failure};
use fdna_http::{failure_response, guard, request_id, set_common_headers, without_body};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE};
use hyper::http::HeaderValue;
use hyper::{Method, Request, Response, StatusCode};
use prometheus_client::encoding::text;
use prometheus_client::registry::Registry;
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::upstream::HealthState;

/// Pages of the admin listener.
#[derive(Debug)]
pub(crate) struct Admin {
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) registry: Registry,
}

const JSON: &str = "application/json";

const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `/healthz` and `/readyz` without details, for a load balancer. `None` for anything else.
pub(crate) fn public_health<B>(gateway: &Gateway, request: &Request<B>) -> Option<Response<Body>> {
    let is_health = matches!(request.uri().path(), "/healthz" | "/readyz");
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_health || !is_read || guard::check_request(request).is_err() {
        return None;
    }
    Some(match request.uri().path() {
        "/healthz" => plain_response(StatusCode::OK, JSON, json!({"status": "ok"}).to_string()),
        _ => {
            let (status, name) = readiness_status(gateway);
            plain_response(status, JSON, json!({"status": name}).to_string())
        }
    })
}

/// Responds to requests on the admin listener.
pub(crate) fn respond_admin<B>(admin: &Admin, request: &Request<B>) -> Response<Body> {
    let gateway = &admin.gateway;
    let failure =
        |refused: &Failure| failure_response(&refused.clone().by(gateway.product.api()), request_id());
    let response = match (guard::check_request(request), request.uri().path()) {
        (Err(refused), _) => failure(&refused),
        (Ok(()), _) if !matches!(*request.method(), Method::GET | Method::HEAD) => {
            failure(&Failure::new(ErrorCode::MethodNotAllowed, "This interface is read-only: use GET"))
        }
        (Ok(()), "/metrics") => metrics_response(&admin.registry),
        (Ok(()), "/readyz") => {
            let (status, name) = readiness_status(gateway);
            plain_response(status, JSON, readiness_details(gateway, name).to_string())
        }
        (Ok(()), "/healthz") => plain_response(StatusCode::OK, JSON, json!({"status": "ok"}).to_string()),
        (Ok(()), _) => failure(&Failure::new(
            ErrorCode::NotFound,
            "No such route: /metrics, /healthz and /readyz are here",
        )),
    };
    without_body(request.method(), response)
}

fn metrics_response(registry: &Registry) -> Response<Body> {
    let mut written = String::new();
    match text::encode(&mut written, registry) {
        Ok(()) => plain_response(StatusCode::OK, METRICS, written),
        Err(std::fmt::Error) => {
            plain_response(StatusCode::INTERNAL_SERVER_ERROR, JSON, Value::Null.to_string())
        }
    }
}

/// Ready, if the store works and an upstream responds.
fn readiness_status(gateway: &Gateway) -> (StatusCode, &'static str) {
    let has_upstream = gateway.upstreams.health_states().any(|(_, state)| state <= HealthState::Unready);
    if has_upstream && gateway.accounting.store_problem().is_none() {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "unready")
    }
}

fn readiness_details(gateway: &Gateway, name: &str) -> Value {
    let hosts: Vec<Value> = gateway
        .upstreams
        .health_states()
        .map(|(host, state)| json!({"host": host, "state": state.name()}))
        .collect();
    json!({"status": name, "upstreams": hosts, "store_problem": gateway.accounting.store_problem()})
}

fn plain_response(status: StatusCode, kind: &'static str, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    set_common_headers(headers, request_id());
    response
}

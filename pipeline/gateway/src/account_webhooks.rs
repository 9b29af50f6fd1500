//! `GET /v1/account/webhooks`: the webhook endpoints of an account and how their deliveries go. The gateway's own operation,
//! free of charge.

use axum_core::body::Body;
use fdna_api::{AccountWebhook, AccountWebhooks, ApiInfo, ErrorCode, FailingWebhookMessage, Failure};
use hyper::{Method, Response};
use uuid::Uuid;

use crate::account_usage::{account_response, check_request, format_instant};
use crate::key::KeyProduct;
use crate::key_index::ApiKeyIdentity;
use crate::webhooks::{FailingMessage, StoreHandle, WebhookEndpoint};

pub(crate) async fn respond_webhooks(
    store: &StoreHandle,
    identity: &ApiKeyIdentity,
    method: &Method,
    query: Option<&str>,
    meta: (Uuid, &'static ApiInfo),
) -> Result<Response<Body>, Failure> {
    if let Some(response) = check_request(method, query)? {
        return Ok(response);
    }
    let unavailable = |_| {
        let message = "The webhooks of your account cannot be read at the moment; please retry";
        Failure::new(ErrorCode::AccountingNotAvailable, message)
    };
    let endpoints = store.call(|store| store.list_endpoints()).await.map_err(unavailable)?;
    let (account_id, product) = (identity.tracker.account_id, KeyProduct::of_key(&identity.shown));
    let own = endpoints.into_iter().filter(|of| of.account_id == account_id && of.product == product);
    let data = AccountWebhooks { account: &identity.account, endpoints: own.map(show_endpoint).collect() };
    account_response(data, meta)
}

fn show_endpoint(endpoint: WebhookEndpoint) -> AccountWebhook {
    let failing = |failing: FailingMessage| FailingWebhookMessage {
        message_id: failing.message_id,
        attempts: failing.attempts,
        next_attempt_at: failing.next_attempt_at.map(format_instant),
    };
    AccountWebhook {
        id: endpoint.id,
        state: endpoint.state(),
        url: endpoint.url,
        sport: endpoint.sport,
        disabled_reason: endpoint.disabled_reason,
        last_event_id: endpoint.last_event_id,
        delivered: u64::try_from(endpoint.delivered).unwrap_or_default(),
        last_delivered_at: endpoint.last_delivered_at.map(format_instant),
        last_attempt_at: endpoint.last_attempt_at.map(format_instant),
        last_result: endpoint.last_result,
        failing: endpoint.failing.map(failing),
        dead_letters: u64::try_from(endpoint.dead_letters).unwrap_or_default(),
    }
}

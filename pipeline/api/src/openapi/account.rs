//! The gateway's own operation, which no canonical host has.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{errors, headers};
use crate::{AccountUsage, ErrorCode as E};

/// What can go wrong with it; a canonical host, where it is no route, answers 404.
const CODES: &[E] = &[
    E::InvalidParameter,
    E::InvalidRequest,
    E::Unauthorized,
    E::NotFound,
    E::RateLimited,
    E::UriTooLong,
    E::HeadersTooLarge,
    E::Overloaded,
    E::AccountingNotAvailable,
];

/// The body of its success.
pub(super) fn answer(to: &mut SchemaGenerator) -> (String, Value) {
    let data = to.subschema_for::<AccountUsage<'_>>();
    let envelope = json!({
        "type": "object",
        "properties": {
            "ok": {"type": "boolean", "const": true},
            "data": data,
            "meta": {"$ref": "#/components/schemas/PlainMeta"},
        },
        "required": ["ok", "data", "meta"],
    });
    ("AccountUsageAnswer".to_owned(), envelope)
}

/// The operation.
pub(super) fn get() -> Value {
    let mut responses: Map<String, Value> = errors::by_status(CODES);
    responses.insert(
        "200".to_owned(),
        json!({
            "description": "What the account may ask, and has asked.",
            "headers": headers::of_gateway(),
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AccountUsageAnswer"}}},
        }),
    );
    json!({
        "operationId": "account_usage",
        "summary": "Get the usage of your account",
        "description": "At the gateway alone: limits of the key's account, and what all its keys have used of this \
            minute and month. It costs one request of the minute and none of the month.",
        "tags": ["Account"],
        "parameters": [],
        "responses": responses,
        "security": [{"bearer": []}, {"api_key": []}],
        "x-minimum-plan": "developer",
        "x-ground": "gateway",
    })
}

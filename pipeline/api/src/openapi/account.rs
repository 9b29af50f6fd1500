//! The gateway's own operations, which no canonical host has.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{errors, headers};
use crate::{AccountUsage, AccountWebhooks, ErrorCode as E};

/// What can go wrong with them; a canonical host, where they are no route, answers 404.
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

/// The bodies of their successes.
pub(super) fn answers(to: &mut SchemaGenerator) -> [(String, Value); 2] {
    [
        answer("AccountUsageAnswer", &to.subschema_for::<AccountUsage<'_>>()),
        answer("AccountWebhooksAnswer", &to.subschema_for::<AccountWebhooks<'_>>()),
    ]
}

fn answer(name: &str, data: &Schema) -> (String, Value) {
    let envelope = json!({
        "type": "object",
        "properties": {
            "ok": {"type": "boolean", "const": true},
            "data": data,
            "meta": {"$ref": "#/components/schemas/PlainMeta"},
        },
        "required": ["ok", "data", "meta"],
    });
    (name.to_owned(), envelope)
}

/// Limits and usage.
pub(super) fn usage() -> Value {
    operation(
        ["account_usage", "AccountUsageAnswer", "Get the usage of your account"],
        "What the account may ask, and has asked.",
        "At the gateway alone: limits of the key's account, and what all its keys have used of this \
            minute and month. It costs one request of the minute and none of the month.",
    )
}

/// Webhook endpoints.
pub(super) fn webhooks() -> Value {
    operation(
        ["account_webhooks", "AccountWebhooksAnswer", "Get the webhooks of your account"],
        "Where the account is sent changes, and how the last delivery went.",
        "At the gateway alone: the endpoints of the key's account for this API, without their secrets. It costs one \
            request of the minute and none of the month.",
    )
}

/// Its id, the schema of its answer and its summary, what a success has, and what it is.
fn operation([id, schema, summary]: [&str; 3], success: &str, about: &str) -> Value {
    let mut responses: Map<String, Value> = errors::by_status(CODES);
    responses.insert(
        "200".to_owned(),
        json!({
            "description": success,
            "headers": headers::of_gateway(),
            "content": {"application/json": {"schema": {"$ref": format!("#/components/schemas/{schema}")}}},
        }),
    );
    json!({
        "operationId": id,
        "summary": summary,
        "description": about,
        "tags": ["Account"],
        "parameters": [],
        "responses": responses,
        "security": [{"bearer": []}, {"api_key": []}],
        "x-minimum-plan": "developer",
        "x-ground": "gateway",
    })
}

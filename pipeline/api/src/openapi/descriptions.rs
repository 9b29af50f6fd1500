//! What the document says in words.

use serde_json::{Value, json};

use crate::{Operation, OperationId, Parameter};

/// The document as a whole.
pub(super) const ABOUT: &str = "Every operation is GET (HEAD and OPTIONS go with it) and read-only. A success is `{ok: true, data, meta}`, \
a failure `{ok: false, error, meta}`; both are `application/json`. The file of a table is sent as it is.

- **Nulls are statements.** A field of the contract is always present; what is not known is `null`, never a zero, an empty text or a guess. \
What a source does not give at all is 503 with a code `*_not_available`.
- **Parameters are checked.** An unknown or malformed query parameter is 400 and named, never ignored. Lists are comma-separated (`ids=a,b`) or repeated (`ids=a&ids=b`); any other parameter is given once.
- **Ids.** `{id}` takes our UUID, a statsdb id, a feed id, and of a fighter a `slug_id`; nothing else. An id that was merged away answers as what it became; one that is several entities' is 404, and `details.candidates` names them.
- **Times.** Dates are `YYYY-MM-DD`; instants are RFC 3339 in UTC with the offset `+00:00`, with as many decimals of a second as are known.
- **Lists** are pages of `limit` rows. `meta.total` counts all that match, `meta.next_cursor` (null on the last page) is the `cursor` of the next one, and `Link: <…>; rel=\"next\"` is its address. A cursor is of its own query and snapshot; who names `snapshot` from the first page on is not disturbed by a new one.
- **As of a date.** `as_of=D` is what was known before D began, wherever it stands: a bout, a snapshot of rankings or a row of the ledger on D is the future. What stood on D is asked by other names (`on`, `at`). With `snapshot=` an answer as of a date never changes.
- **Derived values are not official statistics.** Each carries its sample, provenance, confidence, date and definition version.
- **Plans.** `x-minimum-plan` of an operation, and `x-plan-of-parameters` of a parameter, name the plan that the gateway asks for; \
`meta.access_tier` says which one an answer needs. `x-origin` says where data come from: SOURCE_FACT, HOUSE_DERIVED, LICENSED, EDITORIAL, MEDIA or THIRD_PARTY_LINK. \
`x-ground` says what an answer is made from: the contract alone, a snapshot, the fight-week ledger, or the list of snapshots.
- **Errors.** `error.message` says what is wrong and what is allowed, `error.docs` where to read on, and `details.did_you_mean` what may have been meant. `x-error-codes` of a response lists the codes that can stand in it; `ErrorCode` lists them all. Any other method than GET, HEAD and OPTIONS is 405 `method_not_allowed` with `Allow`. A head of more than 16 KiB is 431 without a body.
- **Beside the operations** both hosts have `/docs` (this page), `/openapi.json` (this document), `/healthz` and `/readyz`, without a key; `/` leads to `/docs`.";

/// Feature groups.
pub(super) fn tags() -> Value {
    json!([
        {"name": "Core", "description": "Events, cards, fighters, bouts, results, rankings, search, counts."},
        {"name": "Fight DNA", "description": "Fighter intelligence, derived in house: not official statistics."},
        {"name": "Matchup DNA", "description": "Two fighters beside each other: no picks, no odds, no probability of winning."},
        {"name": "Fight Week", "description": "The fight-week ledger: what was known when."},
        {"name": "Media", "description": "Images with licence and attribution, which must be rendered; identifiers of official videos."},
        {"name": "Editorial", "description": "The newsroom's articles, and stories of outlets."},
        {"name": "Data", "description": "Snapshots and their tables, changes between them, and what they cover."},
        {"name": "Account", "description": "At the gateway: what an account may ask and has asked."},
    ])
}

/// An operation's description as Markdown.
pub(super) fn description(operation: &Operation) -> String {
    let plan =
        format!("Minimum plan: **{}**. Origin: **{}**.", operation.plan.name(), operation.origin.name());
    if operation.description.is_empty() { plan } else { format!("{}\n\n{plan}", operation.description) }
}

/// What a query parameter is and allows.
pub(super) fn query_parameter(operation: &Operation, parameter: &Parameter, allows: &str) -> String {
    let allows = match (operation.id, parameter.name) {
        (_, "snapshot") => "32 lower-case hex digits",
        (_, "cursor") => "24 lower-case hex digits",
        (OperationId::DnaQuery | OperationId::FighterDnaSeries, "metric") => {
            "the name of a metric of `/v1/mma/dna/metrics`"
        }
        _ => allows,
    };
    format!("{} Allowed: {allows}.", parameter.about)
}

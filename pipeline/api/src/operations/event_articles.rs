//! `GET /v1/mma/events/{id}/articles`

use super::parameters::{CURSOR, LIMIT};
use crate::operation::Response;
use crate::{Article, ErrorCode, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::EventArticles,
    name: "event_articles",
    path: "/v1/mma/events/{id}/articles",
    tag: "Editorial",
    summary: "List articles about an event",
    description: "Published ones, newest first.",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    parameters: &[LIMIT.within((1, 100), 12).declared(), CURSOR.declared()],
    example: "limit=12",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::ArticlesNotAvailable,
    response: Response::of::<Vec<Article<'_>>>("Page"),
    ..Operation::DEFAULT
};

//! `GET /v1/mma/fighters/{id}/articles`

use super::parameters::{CURSOR, LIMIT};
use crate::operation::Response;
use crate::{Article, ErrorCode, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::FighterArticles,
    name: "fighter_articles",
    path: "/v1/mma/fighters/{id}/articles",
    tag: "Editorial",
    summary: "List articles about a fighter",
    description: "Published ones, newest first.",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    parameters: &[LIMIT.within((1, 100), 12).declared(), CURSOR.declared()],
    example: "limit=12",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::ArticlesNotAvailable,
    response: Response::of::<Vec<Article<'_>>>("Page"),
    ..Operation::DEFAULT
};

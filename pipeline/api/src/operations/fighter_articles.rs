//! `GET /v1/mma/fighters/{id}/articles`

use super::parameters::{CURSOR, limit};
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
    parameters: &[limit(100, 12), CURSOR],
    example: "limit=12",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::ArticlesNotAvailable,
    response: Response::of::<Vec<Article<'_>>>("Page"),
    ..Operation::DEFAULT
};

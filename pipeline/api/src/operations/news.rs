//! `GET /v1/mma/news`

use super::parameters::{CURSOR, OFFSET, limit, parameter};
use crate::operation::Response;
use crate::{Article, ErrorCode, Operation, OperationId, Origin, ParameterKind as K, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::News,
    name: "news",
    path: "/v1/mma/news",
    tag: "Editorial",
    summary: "List articles",
    description: "Published ones, newest first.",
    parameters: &[
        parameter("tag", K::Text { max_chars: 100 }, "Articles with this tag."),
        limit(100, 20),
        OFFSET,
        CURSOR,
    ],
    example: "limit=20",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::NewsNotAvailable,
    response: Response::of::<Vec<Article<'_>>>("Page"),
    ..Operation::DEFAULT
};

//! `GET /v1/mma/news`

use super::parameters::{CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::param::{Param, Text};
use crate::{Article, ErrorCode, Operation, OperationId, Origin, Plan};

pub const TAG: Param<Text> = Param::text("tag", 100, "Articles with this tag.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::News,
    name: "news",
    path: "/v1/mma/news",
    tag: "Editorial",
    summary: "List articles",
    description: "Published ones, newest first.",
    parameters: &[
        TAG.declared(),
        LIMIT.within((1, 100), 20).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
    ],
    example: "limit=20",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::NewsNotAvailable,
    response: Response::of::<Vec<Article<'_>>>("Page"),
    ..Operation::DEFAULT
};

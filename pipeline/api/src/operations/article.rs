//! `GET /v1/mma/articles/{slug}`

use crate::operation::Response;
use crate::{ArticleDetail, ErrorCode, Operation, OperationId, Origin, Plan};

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Article,
    name: "article",
    path: "/v1/mma/articles/{slug}",
    tag: "Editorial",
    summary: "Get an article",
    description: "With its text, as Markdown.",
    path_parameter: "`slug` of the article.",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::ArticlesNotAvailable,
    response: Response::of::<ArticleDetail<'_>>("Plain"),
    ..Operation::DEFAULT
};

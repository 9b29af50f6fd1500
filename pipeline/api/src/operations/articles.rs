//! Articles: `GET /v1/mma/news`, `GET /v1/mma/articles/{slug}`, and `…/articles` of an event and of a fighter.

use super::parameters::{CURSOR, LIMIT, OFFSET};
use crate::operation::Response;
use crate::param::{Param, Text};
use crate::{Article, ArticleDetail, ErrorCode, Operation, OperationId, Origin, Plan};

pub const TAG: Param<Text> = Param::text("tag", 100, "Articles with this tag.");

const LIST: Operation = Operation {
    tag: "Editorial",
    description: "Published ones, newest first.",
    parameters: &[LIMIT.within((1, 100), 12).declared(), CURSOR.declared()],
    example: "limit=12",
    plan: Plan::Developer,
    origin: Origin::Editorial,
    unavailable: ErrorCode::ArticlesNotAvailable,
    response: Response::of::<Vec<Article<'_>>>("Page"),
    ..Operation::DEFAULT
};

pub(super) const NEWS: Operation = Operation {
    id: OperationId::News,
    name: "news",
    path: "/v1/mma/news",
    summary: "List articles",
    parameters: &[
        TAG.declared(),
        LIMIT.within((1, 100), 20).declared(),
        OFFSET.declared(),
        CURSOR.declared(),
    ],
    example: "limit=20",
    unavailable: ErrorCode::NewsNotAvailable,
    ..LIST
};

pub(super) const ARTICLE: Operation = Operation {
    id: OperationId::Article,
    name: "article",
    path: "/v1/mma/articles/{slug}",
    summary: "Get an article",
    description: "With its text, as Markdown.",
    path_parameter: "`slug` of the article.",
    parameters: &[],
    example: "",
    response: Response::of::<ArticleDetail<'_>>("Plain"),
    ..LIST
};

pub(super) const EVENT_ARTICLES: Operation = Operation {
    id: OperationId::EventArticles,
    name: "event_articles",
    path: "/v1/mma/events/{id}/articles",
    summary: "List articles about an event",
    path_parameter: "UUID, statsdb id or feed id of the event.",
    ..LIST
};

pub(super) const FIGHTER_ARTICLES: Operation = Operation {
    id: OperationId::FighterArticles,
    name: "fighter_articles",
    path: "/v1/mma/fighters/{id}/articles",
    summary: "List articles about a fighter",
    path_parameter: "UUID, statsdb id, feed id, or `slug_id` of the fighter.",
    ..LIST
};

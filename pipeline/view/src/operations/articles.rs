//! Articles of the newsroom: published ones only.

use fdna_api::Failure;

use super::page::{EntityFilter, list, page};
use super::{OperationRequest, events, fighters, named};
use crate::Dataset;
use crate::dataset::articles::ArticleRow;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// All articles, newest first.
pub(crate) fn news(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let tag = request.params.text("tag");
    let is_tagged = |article: &&ArticleRow| tag.is_none_or(|tag| article.tags.iter().any(|one| one == tag));
    let matching: Vec<_> = data.articles.published(request.now).filter(is_tagged).collect();
    let (rows, meta) = page(data, matching, request)?;
    Ok(request.answer(bodies(data, request, &rows), meta))
}

pub(crate) fn event_articles(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let event = Some(events::find_row(data, request)?);
    about(data, request, &EntityFilter { event, ..EntityFilter::default() })
}

pub(crate) fn fighter_articles(
    data: &Dataset,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let fighter = Some(fighters::find(data, request)?);
    about(data, request, &EntityFilter { fighter, ..EntityFilter::default() })
}

/// An article with its text.
pub(crate) fn article(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let unknown = || named::unknown("article", request.id());
    let article = data.articles.find(request.id(), request.now).ok_or_else(unknown)?;
    let body = body(data, request, article).field("body", &article.body);
    Ok(request.answer(body.finish(), fdna_api::MetaExtra::None {}))
}

fn about(
    data: &Dataset,
    request: &OperationRequest,
    wanted: &EntityFilter,
) -> Result<OperationResponse, Failure> {
    let published = data.articles.published(request.now);
    let matching: Vec<_> = published.filter(|article| wanted.is_met_by(&article.about)).collect();
    let (rows, meta) = page(data, matching, request)?;
    Ok(request.answer(bodies(data, request, &rows), meta))
}

fn bodies(data: &Dataset, request: &OperationRequest, articles: &[&ArticleRow]) -> Vec<u8> {
    let rows: Vec<Vec<u8>> = articles.iter().map(|article| body(data, request, article).finish()).collect();
    list(&rows)
}

/// An article without its text.
pub(crate) fn body(data: &Dataset, request: &OperationRequest, article: &ArticleRow) -> JsonObject {
    let hero = article.hero.and_then(|id| data.images.by_id(id, request.shown()));
    JsonObject::of(&article.json).field("hero", hero.unwrap_or(b"null"))
}

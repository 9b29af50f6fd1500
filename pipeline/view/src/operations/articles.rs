//! Articles of the newsroom: published ones only.

use fdna_api::operations::news;
use fdna_api::{Article, ArticleDetail, Failure, MetaExtra, PreparedJson};

use super::page::{EntityFilter, page};
use super::{OperationRequest, entity_lookup, events, fighters};
use crate::Dataset;
use crate::dataset::articles::ArticleRow;
use crate::operations::OperationResponse;

/// All articles, newest first.
pub(crate) fn news(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let tag = request.params.get(news::TAG);
    let is_tagged = |article: &&ArticleRow| tag.is_none_or(|tag| article.tags.iter().any(|one| one == tag));
    let matching: Vec<_> = data.articles.published(request.now).filter(is_tagged).collect();
    let (rows, meta) = page(data, matching, request)?;
    request.answer(&bodies(data, request, &rows), meta)
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
    let unknown = || entity_lookup::not_found("article", request.id());
    let article = data.articles.find(request.id(), request.now).ok_or_else(unknown)?;
    let detail =
        ArticleDetail { article: body(data, request, article), body: PreparedJson::new(&*article.body) };
    request.answer(&detail, MetaExtra::None {})
}

fn about(
    data: &Dataset,
    request: &OperationRequest,
    wanted: &EntityFilter,
) -> Result<OperationResponse, Failure> {
    let published = data.articles.published(request.now);
    let matching: Vec<_> = published.filter(|article| wanted.is_met_by(&article.about)).collect();
    let (rows, meta) = page(data, matching, request)?;
    request.answer(&bodies(data, request, &rows), meta)
}

fn bodies<'a>(
    data: &'a Dataset,
    request: &OperationRequest,
    articles: &[&'a ArticleRow],
) -> Vec<Article<'a>> {
    articles.iter().map(|article| body(data, request, article)).collect()
}

/// An article without its text.
pub(crate) fn body<'a>(
    data: &'a Dataset,
    request: &OperationRequest,
    article: &'a ArticleRow,
) -> Article<'a> {
    let hero = article.hero.and_then(|id| data.images.by_id(id, request.shown()));
    Article { facts: PreparedJson::new(&*article.json), hero }
}

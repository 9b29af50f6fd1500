//! Articles of the newsroom: published ones only.

use fdna_api::{Article, ArticleDetail, Failure, MetaExtra, PreparedJson};

use super::{OperationRequest, OperationResponse, entity_lookup};
use crate::Dataset;
use crate::dataset::articles::ArticleRow;
use crate::dataset::images::ImageVisibility;

/// An article with its text.
pub(crate) fn article(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let unknown = || entity_lookup::not_found("article", request.id());
    let article = data.articles.find(request.id(), request.now).ok_or_else(unknown)?;
    let detail = ArticleDetail {
        article: body(data, article, request.shown()),
        body: PreparedJson::new(&*article.body),
    };
    request.answer(&detail, MetaExtra::None {})
}

/// An article without its text.
pub(crate) fn body<'a>(data: &'a Dataset, article: &'a ArticleRow, shown: ImageVisibility) -> Article<'a> {
    let hero = article.hero.and_then(|id| data.images.by_id(id, shown));
    Article { facts: PreparedJson::new(&*article.json), hero }
}

//! Articles of the newsroom: published ones only.

use fdna_api::Failure;

use super::page::{Wanted, list, page};
use super::{Asked, events, fighters, named};
use crate::Dataset;
use crate::dataset::articles::ArticleRow;
use crate::respond::Answer;
use crate::splice::Object;

/// All articles, newest first.
pub(crate) fn news(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let tag = asked.params.text("tag");
    let is_tagged = |article: &&ArticleRow| tag.is_none_or(|tag| article.tags.iter().any(|one| one == tag));
    let matching: Vec<_> = data.articles.published(asked.now).filter(is_tagged).collect();
    let (rows, meta) = page(data, matching, asked)?;
    Ok(asked.answer(bodies(data, asked, &rows), meta))
}

pub(crate) fn event_articles(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let event = Some(events::find_row(data, asked)?);
    about(data, asked, &Wanted { event, ..Wanted::default() })
}

pub(crate) fn fighter_articles(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let fighter = Some(fighters::find(data, asked)?);
    about(data, asked, &Wanted { fighter, ..Wanted::default() })
}

/// An article with its text.
pub(crate) fn article(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let unknown = || named::unknown("article", asked.id());
    let article = data.articles.find(asked.id(), asked.now).ok_or_else(unknown)?;
    let body = body(data, asked, article).field("body", &article.body);
    Ok(asked.answer(body.finish(), fdna_api::MetaExtra::None {}))
}

fn about(data: &Dataset, asked: &Asked, wanted: &Wanted) -> Result<Answer, Failure> {
    let published = data.articles.published(asked.now);
    let matching: Vec<_> = published.filter(|article| wanted.is_met_by(&article.about)).collect();
    let (rows, meta) = page(data, matching, asked)?;
    Ok(asked.answer(bodies(data, asked, &rows), meta))
}

fn bodies(data: &Dataset, asked: &Asked, articles: &[&ArticleRow]) -> Vec<u8> {
    let rows: Vec<Vec<u8>> = articles.iter().map(|article| body(data, asked, article).finish()).collect();
    list(&rows)
}

/// An article without its text.
pub(crate) fn body(data: &Dataset, asked: &Asked, article: &ArticleRow) -> Object {
    let hero = article.hero.and_then(|id| data.images.by_id(id, asked.shown()));
    Object::of(&article.json).field("hero", hero.unwrap_or(b"null"))
}

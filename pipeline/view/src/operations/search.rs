//! Fighters, events, bouts and articles in one ranked list.

use std::collections::BTreeSet;

use fdna_api::operations::search;
use fdna_api::{Failure, FoundArticle, FoundBout, FoundEvent, FoundFighter, SearchHead, SearchResult};

use super::page::page;
use super::{OperationRequest, articles, results};
use crate::Dataset;
use crate::dataset::CompleteDataset;
use crate::dataset::search::{HitKind, SearchHit};
use crate::operations::OperationResponse;

/// The best first. An article is found from its publication on.
pub(crate) fn search(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let kinds: BTreeSet<&str> = request.params.get(search::KIND).iter().copied().collect();
    let mut hits = data.derived.search.find(request.params.get(search::Q));
    hits.retain(|hit| {
        let is_asked = kinds.is_empty() || kinds.contains(hit.kind.name());
        is_asked && (hit.kind != HitKind::Article || data.articles.at(hit.row, request.now).is_some())
    });
    let (hits, meta) = page(&data, hits, request)?;
    let items: Vec<SearchResult<'_>> = hits.iter().filter_map(|hit| item(&data, request, hit)).collect();
    request.answer(&items, meta)
}

/// As it stands in the lists of its kind. None of an article that is not published.
fn item<'a>(data: &'a Dataset, request: &OperationRequest, hit: &SearchHit) -> Option<SearchResult<'a>> {
    let (row, shown) = (hit.row, request.shown());
    let head = SearchHead {
        kind: hit.kind.name(),
        score: f64::from((hit.score * 10_000.0).round()) / 10_000.0,
        nearness: hit.nearness,
    };
    Some(match hit.kind {
        HitKind::Fighter => {
            SearchResult::Fighter(FoundFighter { head, record: data.fighter_compact(row, shown) })
        }
        HitKind::Event => SearchResult::Event(FoundEvent { head, record: data.event_compact(row) }),
        HitKind::Bout => {
            let record = results::with_parties(data, &data.bouts.rows[row], shown);
            SearchResult::Bout(Box::new(FoundBout { head, record }))
        }
        HitKind::Article => {
            let article = data.articles.at(row, request.now)?;
            SearchResult::Article(FoundArticle { head, record: articles::body(data, article, shown) })
        }
    })
}

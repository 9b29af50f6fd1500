//! Fighters, events, bouts and articles in one ranked list.

use std::collections::BTreeSet;

use fdna_api::{Failure, SearchHead};

use super::page::{list, page};
use super::{OperationRequest, articles, results, to_json};
use crate::Dataset;
use crate::dataset::CompleteDataset;
use crate::dataset::search::{HitKind, SearchHit};
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;

/// The best first. An article is found from its publication on.
pub(crate) fn search(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let kinds: BTreeSet<&str> = request.params.words("kind").iter().copied().collect();
    let mut hits = data.derived.search.find(request.params.text("q").unwrap_or_default());
    hits.retain(|hit| {
        let is_asked = kinds.is_empty() || kinds.contains(hit.kind.name());
        is_asked && (hit.kind != HitKind::Article || data.articles.at(hit.row, request.now).is_some())
    });
    let (hits, meta) = page(&data, hits, request)?;
    let items = hits.iter().map(|hit| item(&data, request, hit)).collect::<Result<Vec<_>, _>>()?;
    Ok(request.answer(list(&items), meta))
}

fn item(data: &Dataset, request: &OperationRequest, hit: &SearchHit) -> Result<Vec<u8>, Failure> {
    let head = SearchHead {
        kind: hit.kind.name(),
        score: f64::from((hit.score * 10_000.0).round()) / 10_000.0,
        nearness: hit.nearness,
    };
    Ok(JsonObject::of(&to_json(&head)?).field("record", &record(data, request, hit)).finish())
}

/// As it stands in the lists of its kind.
fn record(data: &Dataset, request: &OperationRequest, hit: &SearchHit) -> Vec<u8> {
    match hit.kind {
        HitKind::Fighter => data.fighter_compact(hit.row, request.shown()),
        HitKind::Event => data.events.rows[hit.row].compact.to_vec(),
        HitKind::Bout => results::with_parties(data, &data.bouts.rows[hit.row], request.shown()),
        HitKind::Article => match data.articles.at(hit.row, request.now) {
            Some(article) => articles::body(data, request, article).finish(),
            None => b"null".to_vec(),
        },
    }
}

//! Fighters, events, bouts and articles in one ranked list.

use std::collections::BTreeSet;

use fdna_api::{Failure, SearchHead};

use super::page::{list, page};
use super::{Asked, articles, results, to_json};
use crate::Dataset;
use crate::dataset::Whole;
use crate::dataset::search::{Hit, Kind};
use crate::respond::Answer;
use crate::splice::Object;

/// The best first. An article is found from its publication on.
pub(crate) fn search(data: Whole<'_>, asked: &Asked) -> Result<Answer, Failure> {
    let kinds: BTreeSet<&str> = asked.params.words("kind").iter().copied().collect();
    let mut hits = data.derived.search.find(asked.params.text("q").unwrap_or_default());
    hits.retain(|hit| {
        let is_asked = kinds.is_empty() || kinds.contains(hit.kind.name());
        is_asked && (hit.kind != Kind::Article || data.articles.at(hit.row, asked.now).is_some())
    });
    let (hits, meta) = page(&data, hits, asked)?;
    let items = hits.iter().map(|hit| item(&data, asked, hit)).collect::<Result<Vec<_>, _>>()?;
    Ok(asked.answer(list(&items), meta))
}

fn item(data: &Dataset, asked: &Asked, hit: &Hit) -> Result<Vec<u8>, Failure> {
    let head = SearchHead {
        kind: hit.kind.name(),
        score: f64::from((hit.score * 10_000.0).round()) / 10_000.0,
        nearness: hit.nearness,
    };
    Ok(Object::of(&to_json(&head)?).field("record", &record(data, asked, hit)).finish())
}

/// As it stands in the lists of its kind.
fn record(data: &Dataset, asked: &Asked, hit: &Hit) -> Vec<u8> {
    match hit.kind {
        Kind::Fighter => data.fighter_compact(hit.row, asked.shown()),
        Kind::Event => data.events.rows[hit.row].compact.to_vec(),
        Kind::Bout => results::with_parties(data, &data.bouts.rows[hit.row], asked.shown()),
        Kind::Article => match data.articles.at(hit.row, asked.now) {
            Some(article) => articles::body(data, asked, article).finish(),
            None => b"null".to_vec(),
        },
    }
}

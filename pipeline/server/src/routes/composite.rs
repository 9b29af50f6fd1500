//! A fighter with what was asked beside him. Includes add fields and never change the others.

use fdna_api::{Failure, MetaExtra};

use super::fighter_stats::stats;
use super::fighters::find;
use super::history::{Whose, history, next_bout};
use super::page::list;
use super::rankings::ranking;
use super::{Asked, to_json};
use crate::Dataset;
use crate::respond::Answer;

pub(crate) fn fighter(data: &Dataset, asked: &Asked) -> Result<Answer, Failure> {
    let row = find(data, asked)?;
    let include = asked.params.words("include");
    let mut body = data.fighter_detail(row, asked.shown());
    body = body.field("record_counted", &to_json(&data.counted_record(row, None))?);
    if include.contains(&"ranking") {
        body = body.field("ranking", &to_json(&ranking(data, row))?);
    }
    let whose = Whose { data, fighter: row, shown: asked.shown() };
    if include.contains(&"next") {
        body = body.field("next_bout", next_bout(whose).as_deref().unwrap_or(b"null"));
    }
    if include.contains(&"history") {
        let newest: Vec<_> = history(whose).take(asked.params.number("history_limit")).collect();
        body = body.field("history", &list(&newest));
    }
    if include.contains(&"stats") {
        body = body.field("stats", &to_json(&stats(data, row))?);
    }
    let mut applied = vec!["media"];
    applied.extend(include.iter().filter(|word| **word != "media"));
    Ok(asked.answer(body.finish(), MetaExtra::Composite { include: applied }))
}

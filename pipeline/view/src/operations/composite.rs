//! A fighter with what was asked beside him. Includes add fields and never change the others.

use fdna_api::{Failure, MetaExtra};

use super::fighter_stats::stats;
use super::fighters::find;
use super::history::{HistoryQuery, history, next_bout};
use super::page::list;
use super::rankings::ranking;
use super::{OperationRequest, to_json};
use crate::Dataset;
use crate::operations::OperationResponse;

pub(crate) fn fighter(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let row = find(data, request)?;
    let include = request.params.words("include");
    let mut body = data.fighter_detail(row, request.shown());
    body = body.field("record_counted", &to_json(&data.counted_record(row, None))?);
    if include.contains(&"ranking") {
        body = body.field("ranking", &to_json(&ranking(data, row))?);
    }
    let whose = HistoryQuery { data, fighter: row, shown: request.shown() };
    if include.contains(&"next") {
        body = body.field("next_bout", next_bout(whose).as_deref().unwrap_or(b"null"));
    }
    if include.contains(&"history") {
        let newest: Vec<_> = history(whose).take(request.params.number("history_limit")).collect();
        body = body.field("history", &list(&newest));
    }
    if include.contains(&"stats") {
        body = body.field("stats", &to_json(&stats(data, row))?);
    }
    let mut applied = vec!["media"];
    applied.extend(include.iter().filter(|word| **word != "media"));
    Ok(request.answer(body.finish(), MetaExtra::Composite { include: applied }))
}

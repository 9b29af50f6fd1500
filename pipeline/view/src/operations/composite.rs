//! A fighter with what was asked beside him. Includes add fields and never change the others.

use fdna_api::operations::fighter;
use fdna_api::operations::parameters::INCLUDE;
use fdna_api::{Failure, FighterComposite, FighterDetail, MetaExtra};

use super::OperationRequest;
use super::entity_lookup::fighter_row;
use super::fighter_stats::stats;
use super::history::{HistoryQuery, history, next_bout};
use super::rankings::ranking;
use crate::Dataset;
use crate::operations::OperationResponse;

pub(crate) fn fighter(data: &Dataset, request: &OperationRequest) -> Result<OperationResponse, Failure> {
    let row = fighter_row(data, request)?;
    let include = request.params.get(INCLUDE);
    let whose = HistoryQuery { data, fighter: row, shown: request.shown() };
    let asked = |word: &str| include.contains(&word);
    let detail = FighterDetail {
        fighter: data.fighter(row, whose.shown),
        slug_id: &data.fighters.rows[row].slug_id,
        images: data.images.all(row, whose.shown),
        record_stated: data.fighters.rows[row].career.record(None),
        by_promotion: data.records_by_promotion(row, None),
        record_counted: data.counted_record(row, None),
    };
    let composite = FighterComposite {
        detail,
        ranking: asked("ranking").then(|| ranking(data, row)),
        next_bout: asked("next").then(|| next_bout(whose)),
        history: asked("history")
            .then(|| history(whose).take(request.params.get(fighter::HISTORY_LIMIT)).collect()),
        stats: asked("stats").then(|| stats(data, row)),
    };
    let mut applied = vec!["media"];
    applied.extend(include.iter().filter(|word| **word != "media"));
    request.answer(&composite, MetaExtra::Composite { include: applied })
}

//! The kinds of bout that splits tell apart: by the opponent's stance, result, length, title and class.

use fdna_dna::SplitKey;
use fdna_model::{FactsAsOf, WeightClass};

use crate::columns::SideRow;

/// The kinds that a bout is of. One whose value is not known is of none of that dimension.
pub(crate) fn split_keys(side: &SideRow<'_>, facts: FactsAsOf<'_>) -> Vec<SplitKey> {
    let bout = side.bout;
    let result = match bout.winner {
        _ if !bout.has_result() => "no_contest",
        None => "draw",
        Some(winner) if winner == side.side => "win",
        Some(_) => "loss",
    };
    let key = |dimension, key: Option<String>| key.map(|key| SplitKey { dimension, key });
    let keys = [
        key("opponent_stance", facts.stance_of(side.opponent()).map(|s| s.name().to_owned())),
        key("result", Some(result.to_owned())),
        key("scheduled_rounds", bout.scheduled_rounds.map(|rounds| rounds.to_string())),
        key("title", Some(if bout.is_title { "title" } else { "no_title" }.to_owned())),
        key("weight_class", bout.class.map(WeightClass::name).map(str::to_owned)),
    ];
    keys.into_iter().flatten().collect()
}

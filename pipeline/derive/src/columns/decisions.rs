//! Columns of the judges' decisions.

use fdna_model::{BoutFact, Method, Side};

/// Decisions, and the points of the cards: own less the opponent's, and judges times rounds. A decision
/// without cards whose points are known does not carry the latter two; a bout that was none carries 0.
pub(super) fn decision_columns(bout: &BoutFact, side: Side) -> [(&'static str, Option<i32>); 4] {
    let decided = bout.method.is_decision() && bout.has_result();
    let close = matches!(bout.method, Method::DecisionSplit | Method::DecisionMajority);
    let cards = if decided { card_points(bout, side) } else { Some((0, 0)) };
    [
        ("decisions", Some(i32::from(decided))),
        ("split_or_majority", Some(i32::from(decided && close))),
        ("card_margin", cards.map(|(margin, _)| margin)),
        ("card_rounds", cards.map(|(_, rounds)| rounds)),
    ]
}

fn card_points(bout: &BoutFact, side: Side) -> Option<(i32, i32)> {
    let cards: Vec<[i32; 2]> = bout.cards.iter().copied().collect::<Option<_>>()?;
    let margin = |card: &[i32; 2]| card[side.index()] - card[side.other().index()];
    let judges = i32::try_from(cards.len()).ok().filter(|judges| *judges > 0)?;
    Some((cards.iter().map(margin).sum(), judges * bout.last_round))
}

//! Columns of pace: how fast the fighter begins, and how the pace lasts.

use fdna_model::{BoutFact, Count, Side};

/// Significant strikes attempted, and time, by round. Not reaching a round is no gap in the record: the bout
/// carries 0 of it. The `whole` columns are of bouts whose rounds 1 and 3 both lasted their length and are of
/// one length, so that neither a finish early in a round nor a first round of ten minutes passes for pace.
pub(super) fn pace_columns(bout: &BoutFact, side: Side) -> [(&'static str, Option<i32>); 10] {
    let round = |wanted: i32| bout.rounds.iter().find(|r| r.round == wanted);
    let attempted = |wanted: i32| round(wanted).map_or(0, |r| r.counts[side.index()][Count::SigAttempted]);
    let secs = |wanted: i32| round(wanted).map_or(Some(0), |r| r.secs);
    let both = bout.has_comparable_rounds();
    let whole = |wanted| Some(if both { attempted(wanted) } else { 0 });
    [
        ("r1_sig_attempted", Some(attempted(1))),
        ("r2_sig_attempted", Some(attempted(2))),
        ("r3_sig_attempted", Some(attempted(3))),
        ("r4_5_sig_attempted", Some(attempted(4) + attempted(5))),
        ("r1_secs", secs(1)),
        ("r2_secs", secs(2)),
        ("r3_secs", secs(3)),
        ("r4_5_secs", secs(4).zip(secs(5)).map(|(fourth, fifth)| fourth + fifth)),
        ("whole_r1_sig_attempted", whole(1)),
        ("whole_r3_sig_attempted", whole(3)),
    ]
}

//! Columns of results and methods.

use fdna_model::{BoutFact, Side};

/// No contests and overturned results count for none of it, a draw is a result.
pub(super) fn result_columns(bout: &BoutFact, side: Side) -> [(&'static str, Option<i32>); 10] {
    let won = bout.has_result() && bout.winner == Some(side);
    let lost = bout.has_result() && bout.winner == Some(side.other());
    let method = bout.method;
    let [ko, sub, finish] =
        [method.is_knockout(), method == fdna_model::Method::Submission, method.is_finish()];
    let flag = |is: bool| Some(i32::from(is));
    [
        ("bouts", Some(1)),
        ("results", flag(bout.has_result())),
        ("wins", flag(won)),
        ("ko_wins", flag(won && ko)),
        ("sub_wins", flag(won && sub)),
        ("finish_wins", flag(won && finish)),
        ("losses", flag(lost)),
        ("ko_losses", flag(lost && ko)),
        ("sub_losses", flag(lost && sub)),
        ("finished_losses", flag(lost && finish)),
    ]
}

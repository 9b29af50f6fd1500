//! Judges' cards, by bout: totals with their rounds.

use std::collections::{BTreeMap, HashMap};

use fdna_api::{RoundScore, Scorecard};
use fdna_schemas::TableReader;
use uuid::Uuid;

use super::{DatasetError, SnapshotTables};

/// Cards of each bout, in their order.
pub(crate) fn read(tables: &SnapshotTables) -> Result<HashMap<Uuid, Vec<Scorecard<'_>>>, DatasetError> {
    let table = TableReader::new("judge_cards", &tables.judge_cards);
    // A snapshot that was published before the cards were joined has totals alone.
    if table.rows() == 0 {
        return totals(tables);
    }
    let mut rounds = rounds(tables)?;
    let (bouts, orders) = (table.ids("bout_id")?, table.int32s("round_order")?);
    let judges = table.strings("judge")?;
    let (a, b) = (table.int32s("score_a")?, table.int32s("score_b")?);
    let mut cards: HashMap<Uuid, Vec<Scorecard<'_>>> = HashMap::new();
    // Rows are sorted by bout and card.
    for (i, bout) in bouts.into_iter().enumerate() {
        let rounds = orders[i].and_then(|order| rounds.remove(&(bout, order)));
        cards.entry(bout).or_default().push(Scorecard {
            judge: judges[i],
            score_a: a[i],
            score_b: b[i],
            rounds,
        });
    }
    Ok(cards)
}

/// By bout and the judge's place in the source, in the order of rounds.
fn rounds(tables: &SnapshotTables) -> Result<BTreeMap<(Uuid, i32), Vec<RoundScore>>, DatasetError> {
    let table = TableReader::new("round_scorecards", &tables.round_scorecards);
    let (orders, rounds) = (table.counts("judge_order")?, table.counts("round")?);
    let (a, b) = (table.int32s("score_a")?, table.int32s("score_b")?);
    let mut scores: BTreeMap<(Uuid, i32), Vec<RoundScore>> = BTreeMap::new();
    for (i, bout) in table.ids("bout_id")?.into_iter().enumerate() {
        let score = RoundScore { round: rounds[i], score_a: a[i], score_b: b[i] };
        scores.entry((bout, orders[i])).or_default().push(score);
    }
    scores.values_mut().for_each(|scores| scores.sort_by_key(|score| score.round));
    Ok(scores)
}

fn totals(tables: &SnapshotTables) -> Result<HashMap<Uuid, Vec<Scorecard<'_>>>, DatasetError> {
    let table = TableReader::new("scorecards", &tables.scorecards);
    let (judges, a, b) = (table.strings("judge")?, table.int32s("score_a")?, table.int32s("score_b")?);
    let mut cards: HashMap<Uuid, Vec<Scorecard<'_>>> = HashMap::new();
    for (i, bout) in table.ids("bout_id")?.into_iter().enumerate() {
        let card = Scorecard { judge: judges[i], score_a: a[i], score_b: b[i], rounds: None };
        cards.entry(bout).or_default().push(card);
    }
    Ok(cards)
}

//! Judges' cards, by bout: totals with their rounds.

use std::collections::{BTreeMap, HashMap};

use fdna_api::{RoundScore, Scorecard};
use fdna_schemas::tables::{
    ContractReader as _, JudgeCardsReader, JudgeCardsRow, RoundScorecardsReader, ScorecardsReader,
    ScorecardsRow,
};
use uuid::Uuid;

use super::{DatasetError, SnapshotTables};

/// Cards of each bout, in their order.
pub(crate) fn read(tables: &SnapshotTables) -> Result<HashMap<Uuid, Vec<Scorecard<'_>>>, DatasetError> {
    let table = JudgeCardsReader::of(&tables.judge_cards);
    // A snapshot that was published before the cards were joined has totals alone.
    if table.is_empty() {
        return totals(tables);
    }
    let mut rounds = rounds(tables)?;
    let mut cards: HashMap<Uuid, Vec<Scorecard<'_>>> = HashMap::new();
    // Rows are sorted by bout and card.
    for row in table.all_rows()? {
        let rounds = row.round_order.and_then(|order| rounds.remove(&(row.bout_id, order)));
        let JudgeCardsRow { judge, score_a, score_b, .. } = row;
        cards.entry(row.bout_id).or_default().push(Scorecard { judge, score_a, score_b, rounds });
    }
    Ok(cards)
}

/// By bout and the judge's place in the source, in the order of rounds.
fn rounds(tables: &SnapshotTables) -> Result<BTreeMap<(Uuid, i32), Vec<RoundScore>>, DatasetError> {
    let mut scores: BTreeMap<(Uuid, i32), Vec<RoundScore>> = BTreeMap::new();
    for row in RoundScorecardsReader::of(&tables.round_scorecards).all_rows()? {
        let score = RoundScore { round: row.round, score_a: row.score_a, score_b: row.score_b };
        scores.entry((row.bout_id, row.judge_order)).or_default().push(score);
    }
    scores.values_mut().for_each(|scores| scores.sort_by_key(|score| score.round));
    Ok(scores)
}

fn totals(tables: &SnapshotTables) -> Result<HashMap<Uuid, Vec<Scorecard<'_>>>, DatasetError> {
    let mut cards: HashMap<Uuid, Vec<Scorecard<'_>>> = HashMap::new();
    for row in ScorecardsReader::of(&tables.scorecards).all_rows()? {
        let ScorecardsRow { judge, score_a, score_b, .. } = row;
        cards.entry(row.bout_id).or_default().push(Scorecard { judge, score_a, score_b, rounds: None });
    }
    Ok(cards)
}

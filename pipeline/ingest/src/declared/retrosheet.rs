//! Event files of Retrosheet: line-ups, substitutions and every play of each game, without a score. A document of their
//! games with what each line states, and beside it what a walk through the plays finds: outs, bases, runs, lines of players.

mod event;
mod game_records;
mod walk;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use self::walk::WalkedGame;

#[derive(Serialize)]
struct GameDocument<'g> {
    id: &'g str,
    /// Of the file.
    line: usize,
    info: &'g BTreeMap<String, String>,
    /// 0 if the visitors bat first, as they do unless the file says otherwise.
    first_side: usize,
    is_whole: bool,
    #[serde(flatten)]
    walked: WalkedGame,
}

/// The games of a file, as the field `games`.
///
/// # Errors
/// Lines stand before the first game.
pub(super) fn document(text: &str) -> Result<Value, String> {
    let games = game_records::games(text)?;
    let games = games.iter().map(|game| {
        let walked = walk::walk(game);
        let is_whole = walked.partial_reason.is_none();
        let first_side = walk::first_side(game);
        serde_json::to_value(GameDocument {
            id: &game.id,
            line: game.line,
            info: &game.info,
            first_side,
            is_whole,
            walked,
        })
    });
    let games = games.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    Ok(json!({ "games": games }))
}

#[cfg(test)]
mod tests;

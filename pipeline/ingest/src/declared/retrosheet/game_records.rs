//! Lines of an event file as the records of its games.

use std::collections::BTreeMap;

/// A line of a game, as far as a walk of its plays needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GameRecord {
    Start(Appearance),
    Sub(Appearance),
    Play(PlayRecord),
    /// A runner whom the rules put on a base before an inning begins.
    PlacedRunner {
        player: String,
        base: u8,
    },
    Comment(String),
}

/// A player comes into the game, or changes his place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Appearance {
    pub(super) player: String,
    pub(super) name: String,
    /// 0 visitors, 1 home.
    pub(super) side: usize,
    /// 1 to 9; 0 a pitcher who does not bat.
    pub(super) slot: usize,
    /// 1 to 9 the fielders, 10 designated hitter, 11 pinch hitter, 12 pinch runner.
    pub(super) position: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayRecord {
    pub(super) line: usize,
    pub(super) inning: u8,
    /// The side at bat: 0 visitors, 1 home.
    pub(super) side: usize,
    pub(super) batter: String,
    /// Balls and strikes.
    pub(super) count: String,
    pub(super) pitches: String,
    pub(super) code: String,
}

/// One game of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GameRecords {
    pub(super) id: String,
    /// On which it begins.
    pub(super) line: usize,
    pub(super) info: BTreeMap<String, String>,
    pub(super) records: Vec<GameRecord>,
    /// Earned runs of each pitcher.
    pub(super) earned_runs: BTreeMap<String, u32>,
    /// The first line that cannot be read, and why.
    pub(super) damage: Option<String>,
}

/// Fields of a line. Commas between quotes are characters; a quote that does not close ends with its line.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

fn side(text: &str) -> Option<usize> {
    text.parse().ok().filter(|side| *side < 2)
}

/// The games of a file, in its order.
///
/// # Errors
/// Something stands before the first game.
pub(super) fn games(text: &str) -> Result<Vec<GameRecords>, String> {
    let mut games: Vec<GameRecords> = Vec::new();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (at, line) in lines {
        let fields = fields(line.trim());
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        if let ["id", id] = *fields {
            games.push(GameRecords { id: id.to_owned(), line: at + 1, ..GameRecords::default() });
            continue;
        }
        let game = games.last_mut().ok_or_else(|| format!("line {} stands before any game", at + 1))?;
        if game.add(at + 1, &fields).is_none() {
            game.damage.get_or_insert_with(|| format!("line {} cannot be read: {line}", at + 1));
        }
    }
    Ok(games)
}

impl GameRecords {
    /// `None` for a line that cannot be read.
    fn add(&mut self, line: usize, fields: &[&str]) -> Option<()> {
        match *fields {
            // How somebody bats or pitches for once says nothing of runs; a version is that of the format.
            ["version" | "badj" | "padj" | "ladj" | "presadj", ..] => {}
            ["info", name, value] => drop(self.info.insert(name.to_owned(), value.to_owned())),
            ["start", ref appearance @ ..] => {
                self.records.push(GameRecord::Start(Appearance::parse(appearance)?));
            }
            ["sub", ref appearance @ ..] => {
                self.records.push(GameRecord::Sub(Appearance::parse(appearance)?));
            }
            ["play", inning, side_, batter, count, pitches, code] => {
                self.records.push(GameRecord::Play(PlayRecord {
                    line,
                    inning: inning.parse().ok()?,
                    side: side(side_)?,
                    batter: batter.to_owned(),
                    count: count.to_owned(),
                    pitches: pitches.to_owned(),
                    code: code.to_owned(),
                }));
            }
            ["radj", player, base] => self.records.push(GameRecord::PlacedRunner {
                player: player.to_owned(),
                base: base.parse().ok().filter(|base| (1..=3).contains(base))?,
            }),
            ["data", "er", pitcher, runs] => {
                let runs = runs.parse().ok()?;
                if self.earned_runs.insert(pitcher.to_owned(), runs).is_some() {
                    return None;
                }
            }
            ["com", ref text @ ..] => self.records.push(GameRecord::Comment(text.join(","))),
            _ => return None,
        }
        Some(())
    }
}

impl Appearance {
    fn parse(fields: &[&str]) -> Option<Self> {
        let [player, name, side_, slot, position] = *fields else { return None };
        Some(Self {
            player: player.to_owned(),
            name: name.to_owned(),
            side: side(side_)?,
            slot: slot.parse().ok().filter(|slot| *slot < 10)?,
            position: position.parse().ok().filter(|position| (1..=12).contains(position))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_belong_to_the_game_above_and_one_that_cannot_be_read_is_told() {
        let text = "id,A1\r\nversion,2\r\ninfo,visteam,TEX\r\ninfo,save,\r\nstart,a,\"A, the B\",0,1,9\r\n\
                    play,1,0,a,12,CBX,63\r\ncom,\"one, two\"\r\ndata,er,p,2\r\nid,A2\r\nplay,1,2,a,12,CBX,63\r\n";
        let games = games(text).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].info["visteam"], "TEX");
        assert_eq!(games[0].earned_runs["p"], 2);
        let GameRecord::Start(start) = &games[0].records[0] else { panic!("{:?}", games[0].records) };
        assert_eq!((&*start.name, start.slot, start.position), ("A, the B", 1, 9));
        assert_eq!(games[0].records[2], GameRecord::Comment("one, two".to_owned()));
        assert_eq!(games[0].damage, None);
        assert_eq!(games[1].damage.as_deref(), Some("line 10 cannot be read: play,1,2,a,12,CBX,63"));
        assert!(super::games("play,1,0,a,12,CBX,63").is_err());
    }
}

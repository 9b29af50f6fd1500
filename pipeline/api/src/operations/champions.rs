//! `GET /v1/mma/champions`: who is champion of a class, who won its newest title bout, and whom the official rankings list: a
//! title that was given up or taken away is seen in rankings alone.

use super::parameters::AS_OF;
use crate::operation::Response;
use crate::param::{Choice, Param, Word};
use crate::{
    FighterCompact, Id, Operation, OperationId, Origin, PROMOTIONS, Plan, RankingSnapshot, WEIGHT_CLASSES,
    enums, formats,
};
use schemars::JsonSchema;
use serde::Serialize;

pub const WEIGHT_CLASS: Param<Word> = Param::word("weight_class", WEIGHT_CLASSES, "Titles of this class.");
pub const PROMOTION: Param<Choice> =
    Param::choice("promotion", PROMOTIONS, "UFC", "Titles of this promotion.");

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Champions,
    name: "champions",
    path: "/v1/mma/champions",
    tag: "Core",
    summary: "List champions",
    description: "Class by class: who is champion, who won the newest bout for the title, and whom the official rankings list, each with its source and day. Where bout and rankings differ, a title was given up or taken away without a bout, and the newer of both says who is champion. Interim titles are listed until their winner has fought for the undisputed one.",
    parameters: &[AS_OF.declared(), WEIGHT_CLASS.declared(), PROMOTION.declared()],
    example: "as_of=2024-01-01",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Champion<'_>>>("Champions"),
    ..Operation::DEFAULT
};

/// A title of a class.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Champion<'a> {
    #[schemars(with = "enums::WeightClass")]
    pub weight_class: &'a str,
    /// undisputed or interim.
    #[schemars(with = "enums::ClassTitleKind")]
    pub title_kind: &'a str,
    /// What bouts and rankings come to together.
    pub champion: TitleVerdict<'a>,
    /// The newest bout in which it got another holder; null where no title bout is held.
    pub last_change: Option<TitleChange<'a>>,
    /// Who won its newest title bout; null where none is held.
    pub title_won: Option<TitleWon<'a>>,
    /// Whom the rankings list as its champion; null for interim titles, which they do not tell from ranks, for other
    /// promotions than the UFC, and where no ranking of the class is so old.
    pub ranked: Option<RankedChampion<'a>>,
    /// Whether both name the same fighter; null where one of them is null or names nobody that we know, and where the
    /// rankings are not newer than the bout.
    pub sources_agree: Option<bool>,
}

/// Who holds a title on the day, if anybody does.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TitleVerdict<'a> {
    /// held; vacant: the rankings list the place without a champion; closed: the rankings have listed the class, and no longer
    /// do, the promotion has held no event for two years, or the winner of an interim title is the champion since.
    #[schemars(with = "enums::TitleStatus")]
    pub status: &'a str,
    /// Null unless held, and where the rankings name somebody who is tied to nobody.
    pub fighter: Option<FighterCompact<'a>>,
    /// Day of the last change: of the first title bout that he has won in a row, or of the first rankings that list him.
    #[schemars(with = "Option<formats::Date>")]
    pub since: Option<String>,
    /// title_bout, or ranking where the rankings are newer and name another.
    #[schemars(with = "Option<enums::TitleBasis>")]
    pub by: Option<&'a str>,
    /// Day of the first rankings that list nobody, or the class no longer; null where held, or not known.
    #[schemars(with = "Option<formats::Date>")]
    pub vacated_on: Option<String>,
    /// Whether the rankings are newer than the bout and agree with it, the bout is newer than the rankings, or the rankings name
    /// the winner of an interim title; and the newer of both is not more than 90 days before the day. Without rankings, nobody
    /// would know that a title was given up.
    pub is_certain: bool,
}

/// A bout in which a title got another holder.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TitleChange<'a> {
    #[schemars(with = "formats::Date")]
    pub date: String,
    pub bout_id: Id,
    pub event_id: Id,
    /// Who won it.
    pub to: FighterCompact<'a>,
    /// The champion who lost it in that bout; null where the title was vacant or new.
    pub from: Option<FighterCompact<'a>>,
}

/// The newest bout that was won for a title, and the run that it is part of.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TitleWon<'a> {
    #[serde(flatten)]
    pub facts: TitleBout<'a>,
    /// The winner.
    pub fighter: FighterCompact<'a>,
}

/// The same without the winner.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TitleBout<'a> {
    pub bout_id: Id,
    pub event_id: Id,
    /// `YYYY-MM-DD`.
    #[schemars(with = "formats::Date")]
    pub date: String,
    pub opponent_id: Id,
    pub opponent_name: &'a str,
    /// Bouts for this title that the winner has won in a row, this one included; draws and no contests between them do
    /// not count and do not end the run.
    pub won_in_a_row: usize,
    /// Date of the first of them.
    #[schemars(with = "formats::Date")]
    pub first_won_on: String,
    /// Of an interim title: the first bout for the undisputed title of the class after it, in which others fought.
    /// Whether the interim title outlived it, no bout says. Null where there was none.
    pub undisputed_bout_since: Option<Id>,
    /// The source that calls it a title bout.
    pub source: &'a str,
}

/// Who stands in the champion's place.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RankedChampion<'a> {
    #[serde(flatten)]
    pub snapshot: RankingSnapshot<'a>,
    /// The place is listed without a champion.
    pub is_vacant: bool,
    /// As the source writes the name; null where vacant.
    pub fighter_name: Option<&'a str>,
    /// Null where vacant, and where the name is tied to nobody or could be several.
    pub fighter: Option<FighterCompact<'a>>,
}

//! Judges' scores of every round, deductions and weights on the scales: a source of all promotions, tied by day,
//! names and fighters.
//!
//! Of a bout the newest capture that has it holds whole. Events on days on which we have none are not even claimed:
//! a promotion that no other source covers is no doubt about who is who.

mod capture;
mod judges;
mod panels;
mod totals;

use std::collections::{BTreeMap, HashMap};

use fdna_model::{Finding, FindingKind, Severity};
use fdna_rows::{CaptureFacts, RowsError, row_cells};
use fdna_schemas::tables::{
    ContractRow, DeductionsRow, JudgeCardsRow, ResultsReader, RoundScorecardsRow, ScorecardsReader,
    WeighInsRow,
};
use uuid::Uuid;

use self::capture::{CardPoints, JudgingBout, JudgingCapture};
use self::panels::JudgeCard;
use self::totals::CardTotals;
use super::claims::{BoutClaim, EventClaim, FighterClaim};
use super::decisions::DecisionEntry;
use super::registry::{EntityRegistry, LinkedBout};
use super::row_accounting::{LinkedBouts, RowAccounting, first_seen, link_claims, rename_bouts};
use crate::IdentityError;

/// Name of the source in captures, ids and contracts.
const SOURCE: &str = "scorecards";

/// Statements of the judging captures, linked to entities.
pub(super) struct JudgingSource<'a> {
    read: Vec<JudgingCapture<'a>>,
    ours: LinkedBouts,
}

impl<'a> JudgingSource<'a> {
    /// Reads what the captures tell, oldest first.
    pub(super) fn read_captures(captures: &[&'a CaptureFacts]) -> Result<Self, RowsError> {
        let read = captures.iter().map(|c| JudgingCapture::read_facts(c)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { read, ours: LinkedBouts::default() })
    }

    /// Links what these captures tell, which were read.
    pub(super) fn link_captures(&mut self, captures: &[&CaptureFacts], registry: &mut EntityRegistry) {
        self.ours = link_claims(registry, &event_claims(captures, &self.read, registry));
    }

    pub(super) fn rename_entities(&mut self, renamed: &HashMap<Uuid, Uuid>) {
        rename_bouts(&mut self.ours, renamed);
    }

    /// Rows of our tables; `scorecards` and `results` are the statistics source's, `decided` what people say of judges.
    pub(super) fn resolve_rows(
        mut self,
        scorecards: ScorecardsReader<'_>,
        results: ResultsReader<'_>,
        decided: &[DecisionEntry<String>],
    ) -> Result<RowAccounting, IdentityError> {
        let mut accounting = RowAccounting::default();
        let cards = CardTotals::read_scorecards(scorecards)?;
        let mut rows = JudgingRows::default();
        for (id, (capture, bout)) in newest_bouts(&self.read, &mut accounting) {
            let Some(linked) = self.ours.get(id) else { continue };
            let judged = JudgedBout { bout, linked };
            judged.add_rows(&mut rows);
            let doubts = judged.find_contradictions(&cards).into_iter();
            accounting.findings.extend(doubts.map(|finding| (capture.capture.to_owned(), finding)));
        }
        let (cards, odd) = panels::judge_card_rows(scorecards, &rows.scores, &rows.totals, results, decided)?;
        accounting.insert_rows(JudgeCardsRow::TABLE, cards);
        accounting.findings.extend(self.odd_panels(&odd));
        rows.into_tables(&mut accounting);
        for capture in &mut self.read {
            capture.set_strangers_aside(|bout| self.ours.contains_key(bout));
        }
        self.read.into_iter().for_each(|capture| capture.close_accounting(&mut accounting));
        Ok(accounting)
    }
}

impl JudgingSource<'_> {
    /// Bouts of the judging source that come to another number of judges than three.
    fn odd_panels(&self, odd: &BTreeMap<Uuid, usize>) -> Vec<(String, Finding)> {
        let Some(newest) = self.read.last() else { return Vec::new() };
        let bouts = newest.bouts.iter().filter_map(|(id, bout)| {
            let ours = self.ours.get(*id)?.bout;
            let judges = odd.get(&ours)?;
            let reason = format!("{judges} judges in all sources, where three judge a bout");
            Some((
                newest.capture.to_owned(),
                bout_finding(bout, FindingKind::Contradiction, Some(ours), reason),
            ))
        });
        bouts.collect()
    }
}

/// Claims of all captures together: an event has the name in the newest capture, and the bouts of all.
fn event_claims(
    captures: &[&CaptureFacts],
    read: &[JudgingCapture<'_>],
    registry: &EntityRegistry,
) -> Vec<EventClaim> {
    let mut claims: BTreeMap<&str, EventClaim> = BTreeMap::new();
    for (facts, capture) in captures.iter().zip(read) {
        for (id, event) in &capture.events {
            let claim = claims.entry(id).or_insert_with(|| EventClaim {
                source: SOURCE,
                source_id: (*id).to_owned(),
                names: Vec::new(),
                days: Vec::new(),
                bouts: Vec::new(),
                seen: first_seen(facts),
            });
            newest_first(&mut claim.names, event.name.to_owned());
            newest_first(&mut claim.days, event.day);
        }
        for (id, bout) in &capture.bouts {
            let Some(claim) = claims.get_mut(bout.event) else { continue };
            let fighters = bout.fighters.map(|fighter| capture.fighter_claim(fighter));
            match claim.bouts.iter_mut().find(|known| known.source_id == *id) {
                Some(known) => known.fighters = fighters,
                None => claim.bouts.push(BoutClaim {
                    source_id: (*id).to_owned(),
                    fighters,
                    // The source counts only the bouts that went to the judges.
                    order: None,
                    is_over: true,
                    classes: Vec::new(),
                    seen: first_seen(facts),
                }),
            }
        }
    }
    let is_near =
        |claim: &EventClaim| claim.days.iter().any(|day| registry.events_on(*day, 1).next().is_some());
    claims.into_values().filter(|claim| !claim.bouts.is_empty() && is_near(claim)).collect()
}

fn newest_first<T: PartialEq>(values: &mut Vec<T>, newest: T) {
    values.retain(|value| *value != newest);
    values.insert(0, newest);
}

impl JudgingCapture<'_> {
    fn fighter_claim(&self, id: &str) -> FighterClaim {
        let fighter = self.fighters.get(id);
        FighterClaim {
            source_id: id.to_owned(),
            has_id: true,
            name: fighter.map(|f| f.name.to_owned()).unwrap_or_default(),
            nickname: fighter.and_then(|f| f.nickname).map(str::to_owned),
            born: fighter.and_then(|f| f.born),
            statsdb_id: None,
        }
    }
}

type NewestBouts<'a> = BTreeMap<&'a str, (&'a JudgingCapture<'a>, &'a JudgingBout<'a>)>;

/// Every bout from the newest capture that has it; a difference from the capture before is noted.
fn newest_bouts<'a>(read: &'a [JudgingCapture<'a>], accounting: &mut RowAccounting) -> NewestBouts<'a> {
    let mut newest = NewestBouts::new();
    for capture in read {
        for (id, bout) in &capture.bouts {
            let old = newest.insert(id, (capture, bout));
            if let Some((before, _)) = old.filter(|(_, old)| !old.says_as(bout)) {
                let reason = format!("the scores of bout {id} differ from capture {}", before.capture);
                let finding = bout_finding(bout, FindingKind::Contradiction, None, reason);
                accounting.findings.push((capture.capture.to_owned(), finding));
            }
        }
    }
    newest
}

fn bout_finding(bout: &JudgingBout<'_>, kind: FindingKind, key: Option<Uuid>, reason: String) -> Finding {
    Finding {
        kind,
        severity: Severity::Note,
        file: bout.at.file.to_owned(),
        line: bout.at.line,
        key: key.map(|id| id.to_string()),
        reason,
        raw: None,
    }
}

/// A bout's judging, tied.
struct JudgedBout<'a> {
    bout: &'a JudgingBout<'a>,
    linked: &'a LinkedBout,
}

/// Rows of our tables.
#[derive(Default)]
struct JudgingRows<'a> {
    scores: Vec<RoundScorecardsRow<'a>>,
    /// Totals that the judging source states, of any judge.
    totals: Vec<(Uuid, JudgeCard<'a>)>,
    deductions: Vec<DeductionsRow<'a>>,
    weights: Vec<WeighInsRow<'a>>,
}

impl JudgingRows<'_> {
    fn into_tables(self, accounting: &mut RowAccounting) {
        insert_rows(accounting, &self.scores);
        insert_rows(accounting, &self.deductions);
        insert_rows(accounting, &self.weights);
    }
}

fn insert_rows<R: ContractRow>(accounting: &mut RowAccounting, rows: &[R]) {
    accounting.insert_rows(R::TABLE, rows.iter().map(row_cells).collect());
}

impl<'a> JudgedBout<'a> {
    /// Values of the first and the second fighter as those of a and b.
    fn by_side<T>(&self, [first, second]: [T; 2]) -> [T; 2] {
        if self.linked.fighters[0] <= self.linked.fighters[1] { [first, second] } else { [second, first] }
    }

    fn add_rows(&self, rows: &mut JudgingRows<'a>) {
        let (bout_id, source) = (self.linked.bout, SOURCE);
        for score in &self.bout.scores {
            let (judge_order, judge) = (score.order, score.judge);
            let CardPoints::Round(round) = score.of else {
                if let Some(points) = totals::stated_points(score.points) {
                    let total = Some(self.by_side(points));
                    rows.totals.push((bout_id, JudgeCard { order: judge_order, judge, total }));
                }
                continue;
            };
            let [score_a, score_b] =
                self.by_side(score.points.map(|p| p.filter(|p| ROUND_POINTS.contains(p))));
            rows.scores.push(RoundScorecardsRow {
                bout_id,
                judge_order,
                round,
                judge,
                score_a,
                score_b,
                source,
            });
        }
        let mut ordinals: BTreeMap<(i32, usize), i32> = BTreeMap::new();
        for deduction in &self.bout.deductions {
            let ordinal = ordinals.entry((deduction.round, deduction.side)).or_default();
            *ordinal += 1;
            rows.deductions.push(DeductionsRow {
                bout_id,
                round: deduction.round,
                fighter_id: self.linked.fighters[deduction.side],
                ordinal: *ordinal,
                points: deduction.points,
                reason: deduction.reason,
                source,
            });
        }
        for (fighter_id, weight) in self.linked.fighters.into_iter().zip(self.bout.weights) {
            let weight_lbs = weight.filter(|pounds| BODY_LBS.contains(pounds));
            if weight_lbs.is_some() {
                rows.weights.push(WeighInsRow { bout_id, fighter_id, source, weight_lbs, is_missed: None });
            }
        }
    }

    /// Contradictions within the source, or with the statistics source.
    fn find_contradictions(&self, cards: &CardTotals<'_>) -> Vec<Finding> {
        let mut reasons = totals::against_rounds(&self.bout.scores);
        let ours = totals::judge_totals(&self.bout.scores, |points| self.by_side(points));
        reasons.extend(cards.describe_difference(self.linked.bout, &ours));
        let is_odd = |pounds: &&f64| !BODY_LBS.contains(*pounds);
        let odd = self.bout.weights.iter().flatten().filter(is_odd);
        reasons.extend(odd.map(|pounds| format!("{pounds} lb is nobody's weight")));
        let key = Some(self.linked.bout);
        reasons
            .into_iter()
            .map(|reason| bout_finding(self.bout, FindingKind::Contradiction, key, reason))
            .collect()
    }
}

/// Points of a round: judges of the first years voted instead, which the source writes as 1.
const ROUND_POINTS: std::ops::RangeInclusive<i32> = 5..=10;

/// Weights of grown fighters: the source has some of 16 or 46 lb.
const BODY_LBS: std::ops::Range<f64> = 95.0..900.0;

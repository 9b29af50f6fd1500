//! Finish profile of a fighter, as of a date.

use fdna_api::operations::parameters::AS_OF;
use fdna_api::{
    DetailCount, Endings, FINISH_NOTES, Failure, FighterFinishProfile, FinishProfile, FinishTime,
    FinishedEndings, MetaExtra, MethodCount, MethodRoundCount, RoundCount,
};
use fdna_compare::profile;

use super::OperationRequest;
use super::derived::derived;
use super::dna::AskedVersion;
use super::entity_lookup::fighter_row;
use crate::dataset::CompleteDataset;
use crate::dataset::profiles::FinishTime as Quartiles;
use crate::operations::{OperationResponse, not_read};

pub(crate) fn fighter_finish_profile(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let version = AskedVersion::choose(data, fighter_row(&data, request)?, request.params.get(AS_OF))?;
    let stored = data.derived.profiles.of(version.fighter, version.stored.version).map_err(not_read)?;
    let all = stored.endings();
    let of = |result| profile::endings_of(&all, result);
    let finished = |result| finished(of(result), stored.finish_time(result));
    let profile = FinishProfile {
        version: derived(&version),
        notes: FINISH_NOTES,
        wins: finished("win"),
        losses: finished("loss"),
        draws: endings(&of("draw")),
        no_contests: endings(&of("no_contest")),
        overturned: endings(&of("overturned")),
    };
    let fighter = data.fighter_compact(version.fighter, request.shown());
    request.answer(&FighterFinishProfile { fighter, profile }, MetaExtra::None {})
}

fn finished<'a>(counted: profile::FinishEndings<'a>, time: Option<&Quartiles>) -> FinishedEndings<'a> {
    FinishedEndings {
        endings: endings(&counted),
        submissions: details(counted.submissions),
        knockouts: details(counted.knockouts),
        finish_time: FinishTime {
            n: time.map_or(0, |time| time.bouts),
            q1_secs: time.map(|time| time.q1_secs),
            median_secs: time.map(|time| time.median_secs),
            q3_secs: time.map(|time| time.q3_secs),
        },
    }
}

fn endings<'a>(counted: &profile::FinishEndings<'a>) -> Endings<'a> {
    let by_method = counted.by_method.iter().map(|&(method, bouts)| MethodCount { method, bouts });
    let by_round = counted.by_round.iter().map(|&(round, bouts)| RoundCount { round, bouts });
    let by_both = counted.by_method_and_round.iter();
    Endings {
        bouts: counted.bouts,
        by_method: by_method.collect(),
        by_round: by_round.collect(),
        by_method_and_round: by_both
            .map(|&(method, round, bouts)| MethodRoundCount { method, round, bouts })
            .collect(),
    }
}

fn details(counted: Vec<(Option<&str>, i32)>) -> Vec<DetailCount<'_>> {
    counted.into_iter().map(|(detail, bouts)| DetailCount { detail, bouts }).collect()
}

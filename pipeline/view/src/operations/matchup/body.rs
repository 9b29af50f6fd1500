//! Bodies of both.

use fdna_api::{MatchupPhysical, PhysicalPair};
use fdna_compare::matchup::{PhysicalDifference, PhysicalFacts, age_years, difference, stance_relation};
use fdna_model::Stance;

use crate::operations::dna::AskedVersion;

pub(super) fn physical<'a>(sides: [&'a AskedVersion<'_>; 2]) -> MatchupPhysical<'a> {
    let bodies = sides.map(body);
    let ages = [0, 1].map(|i| age_years(bodies[i].date_of_birth, sides[i].day));
    let years = difference(ages.map(|age| age.map(|(_, years)| years)));
    let stances = bodies.map(|body| body.stance);
    let relation = stance_relation(stances);
    MatchupPhysical {
        reach_in: pair(difference(bodies.map(|body| body.reach_in))),
        height_in: pair(difference(bodies.map(|body| body.height_in))),
        age_years: PhysicalPair {
            a: ages[0].map(|(completed, _)| completed),
            b: ages[1].map(|(completed, _)| completed),
            difference: years.difference,
            reason: years.reason,
        },
        stance: PhysicalPair {
            a: stances[0],
            b: stances[1],
            difference: relation.ok(),
            reason: relation.err(),
        },
    }
}

fn body(version: &AskedVersion<'_>) -> PhysicalFacts<'static> {
    let fighter = &version.data.fighters.rows[version.fighter];
    PhysicalFacts {
        reach_in: fighter.reach_in,
        height_in: fighter.height_in,
        date_of_birth: fighter.born,
        stance: fighter.stance.map(Stance::name),
    }
}

fn pair<T>(difference: PhysicalDifference<T>) -> PhysicalPair<T, T> {
    let PhysicalDifference { a, b, difference, reason } = difference;
    PhysicalPair { a, b, difference, reason }
}

//! Metrics of both, offence against defence, and what may be said.

use fdna_api::{
    Id, MatchupGate, MatchupInsight, MatchupMetric, MatchupPairing, MatchupValue, WithheldInsight,
};
use fdna_compare::matchup::{
    Comparison, Edge, FailedGate, PAIRINGS, Pairing, Side, compare, expected, insight,
};
use fdna_schemas::{Gate, ValidityClass};

use crate::dataset::dna::MetricColumns;
use crate::routes::dna::Version;

type Sides<'a, 'd> = [&'a Version<'d>; 2];

pub(super) fn metrics<'a>(sides: Sides<'a, '_>) -> Vec<MatchupMetric<'a>> {
    sides[0].data.derived.dna.metrics.iter().map(|columns| metric(sides, columns)).collect()
}

fn metric<'a>(sides: Sides<'a, '_>, columns: &'a MetricColumns) -> MatchupMetric<'a> {
    let metric = columns.metric;
    let comparison = comparison(sides, columns);
    let [a, b] = sides.map(|side| value(columns, side.stored.row));
    MatchupMetric {
        metric: &metric.name,
        family: &metric.family,
        unit: metric.unit.name(),
        direction: metric.direction.name(),
        a,
        b,
        gap: comparison.gap,
        gap_sd: comparison.gap_sd,
        z: comparison.z,
        edge: Edge::name(comparison.edge),
        edge_reason: comparison.failed.map(FailedGate::name),
        gate: metric.gate.map(wire),
    }
}

fn comparison(sides: Sides<'_, '_>, columns: &MetricColumns) -> Comparison {
    let [a, b] = sides.map(|side| columns.published(side.stored.row));
    let [class_a, class_b] = sides.map(Version::weight_class);
    compare(&a, &b).between(class_a, class_b)
}

fn value(columns: &MetricColumns, row: usize) -> MatchupValue<'_> {
    let published = columns.published(row);
    MatchupValue {
        status: columns.status.value(row),
        value: published.value,
        raw_value: published.raw_value,
        confidence: published.confidence.name(),
        weight: published.weight,
        bouts: columns.bouts[row],
    }
}

/// Each pair both ways: A's offence, then B's.
pub(super) fn pairings<'a>(sides: Sides<'a, '_>) -> Vec<MatchupPairing<'a>> {
    let both = |pairing: &'static Pairing| [Side::A, Side::B].map(|offence| (pairing, offence));
    PAIRINGS.iter().flat_map(both).filter_map(|(p, offence)| pairing(sides, p, offence)).collect()
}

/// `None` only for a pair that the catalogue does not know, which a test forbids.
fn pairing<'a>(
    sides: Sides<'a, '_>,
    pairing: &'static Pairing,
    offence_of: Side,
) -> Option<MatchupPairing<'a>> {
    let dna = &sides[0].data.derived.dna;
    let published = |name: &str, side: Side| Some(dna.metric(name)?.published(side.of(sides).stored.row));
    let offence = published(pairing.offence, offence_of)?;
    let defence = published(pairing.defence, offence_of.other())?;
    let expected = expected(pairing.method, &offence, &defence);
    Some(MatchupPairing {
        offence_of: offence_of.name(),
        offence_metric: pairing.offence,
        defence_metric: pairing.defence,
        unit: offence.metric.unit.name(),
        offence: offence.value,
        defence: defence.value,
        confidence: offence.confidence.min(defence.confidence).name(),
        class_mean: expected.ok().map(|expected| expected.class_mean),
        expected: expected.ok().map(|expected| expected.value),
        method: pairing.method.name(),
        reason: expected.err().map(|none| none.reason()),
    })
}

/// What passed every gate, and what did not.
pub(super) fn insights<'a>(sides: Sides<'a, '_>) -> (Vec<MatchupInsight<'a>>, Vec<WithheldInsight<'a>>) {
    let (mut said, mut withheld) = (Vec::new(), Vec::new());
    for columns in &sides[0].data.derived.dna.metrics {
        let [a, b] = sides.map(|side| columns.published(side.stored.row));
        let comparison = comparison(sides, columns);
        match insight(columns.metric, &comparison) {
            Some(Ok((side, phrase, gate))) => {
                let fighter = side.of(sides).fighter;
                let fighter = &side.of(sides).data.fighters.rows[fighter];
                said.push(MatchupInsight {
                    metric: &columns.metric.name,
                    side: side.name(),
                    fighter_id: Id(fighter.id),
                    text: format!("{} {phrase}", fighter.name),
                    z: comparison.z,
                    gate: wire(gate),
                });
            }
            Some(Err(failed)) => withheld.push(WithheldInsight {
                metric: &columns.metric.name,
                failed: failed.name(),
                z: comparison.z,
                gate: columns.metric.gate.map(wire),
                confidence_a: a.confidence.name(),
                confidence_b: b.confidence.name(),
                validity_class: columns.metric.validity_class.map(ValidityClass::name),
            }),
            None => {}
        }
    }
    (said, withheld)
}

fn wire(gate: Gate) -> MatchupGate {
    MatchupGate {
        min_z: gate.min_z,
        hold_share: gate.hold_share,
        n: gate.bouts,
        first_year: gate.first_year,
        last_year: gate.last_year,
    }
}

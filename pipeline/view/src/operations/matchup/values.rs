//! Metrics of both, offence against defence, and what may be said.

use fdna_api::{
    Failure, Id, MatchupGate, MatchupInsight, MatchupMetric, MatchupPairing, MatchupValue, WithheldInsight,
};
use fdna_compare::PublishedValue;
use fdna_compare::matchup::{
    FailedGate, MatchupSide, MetricComparison, MetricEdge, MetricPairing, NoExpectation, PAIRINGS, can_meet,
    compare_metric, expected_value, metric_insight,
};
use fdna_schemas::{Gate, Unit, ValidityClass};

use crate::dataset::dna::MetricRow;
use crate::operations::dna::AskedVersion;

type MatchupSides<'a, 'd> = [&'a AskedVersion<'d>; 2];

/// One metric of both.
type MetricRows<'r, 'a> = [&'r MetricRow<'a>; 2];

pub(super) fn metrics<'a>(sides: MatchupSides<'a, 'a>) -> Result<Vec<MatchupMetric<'a>>, Failure> {
    Ok(of_both(sides)?.map(|stored| metric(sides, stored)).collect())
}

/// The metrics of both, in the order of the metric definitions.
fn of_both<'a>(sides: MatchupSides<'a, 'a>) -> Result<impl Iterator<Item = MetricRows<'a, 'a>>, Failure> {
    let (a, b) = (sides[0].metrics()?, sides[1].metrics()?);
    Ok(a.iter().zip(b).map(|(a, b)| [a, b]))
}

fn metric<'a>(sides: MatchupSides<'a, '_>, stored: MetricRows<'_, 'a>) -> MatchupMetric<'a> {
    let metric = stored[0].metric;
    let comparison = comparison(sides, stored);
    let a = value(stored[0], sides[0]);
    let b = value(stored[1], sides[1]);
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
        edge: MetricEdge::name(comparison.edge),
        edge_reason: comparison.failed.map(FailedGate::name),
        gate: metric.gate.map(wire),
    }
}

fn comparison(sides: MatchupSides<'_, '_>, stored: MetricRows<'_, '_>) -> MetricComparison {
    let (a, b) = (published(stored[0], sides[0]), published(stored[1], sides[1]));
    let [class_a, class_b] = sides.map(AskedVersion::weight_class);
    compare_metric(&a, &b).between_classes(class_a, class_b)
}

/// What a side says on the asked day, as far as comparing needs it.
fn published(stored: &MetricRow<'_>, side: &AskedVersion<'_>) -> PublishedValue<'static> {
    side.reading(stored).published(stored)
}

fn value<'a>(stored: &MetricRow<'a>, side: &AskedVersion<'_>) -> MatchupValue<'a> {
    let reading = side.reading(stored);
    MatchupValue {
        status: reading.status,
        value: reading.value,
        raw_value: reading.raw_value,
        confidence: reading.confidence,
        weight: stored.numbers.weight,
        bouts: reading.bouts,
    }
}

/// Each pair both ways: A's offence, then B's.
pub(super) fn pairings<'a>(sides: MatchupSides<'a, '_>) -> Result<Vec<MatchupPairing<'a>>, Failure> {
    let metrics = [sides[0].metrics()?, sides[1].metrics()?];
    let both =
        |pairing: &'static MetricPairing| [MatchupSide::A, MatchupSide::B].map(|offence| (pairing, offence));
    let pairings = PAIRINGS.iter().flat_map(both);
    Ok(pairings.filter_map(|(pair, offence)| pairing(sides, metrics, pair, offence)).collect())
}

/// `None` only for a pair that the metric definitions do not know, which a test forbids.
fn pairing<'a>(
    sides: MatchupSides<'a, '_>,
    metrics: [&[MetricRow<'_>]; 2],
    pairing: &'static MetricPairing,
    offence_of: MatchupSide,
) -> Option<MatchupPairing<'a>> {
    let of = |name: &str, side: MatchupSide| {
        let stored = side.of(metrics).iter().find(|stored| stored.metric.name == name)?;
        Some(published(stored, side.of(sides)))
    };
    let offence = of(pairing.offence, offence_of)?;
    let defence = of(pairing.defence, offence_of.other())?;
    let [class_a, class_b] = sides.map(AskedVersion::weight_class);
    let expected = match can_meet(class_a, class_b) {
        true => expected_value(pairing.method, &offence, &defence),
        false => Err(NoExpectation::DifferentPopulations),
    };
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
pub(super) fn insights<'a>(
    sides: MatchupSides<'a, 'a>,
) -> Result<(Vec<MatchupInsight<'a>>, Vec<WithheldInsight<'a>>), Failure> {
    let (mut said, mut withheld) = (Vec::new(), Vec::new());
    for stored in of_both(sides)? {
        let metric = stored[0].metric;
        let (a, b) = (published(stored[0], sides[0]), published(stored[1], sides[1]));
        let comparison = comparison(sides, stored);
        match metric_insight(metric, &comparison) {
            Some(Ok((side, phrase, gate))) => {
                let [who, other] = [side, side.other()]
                    .map(|side| &side.of(sides).data.fighters.rows[side.of(sides).fighter]);
                let values = [side, side.other()].map(|side| side.of([&a, &b]).value.unwrap_or_default());
                let told =
                    ComparedValues { phrase, unit: metric.unit, values, comparison: &comparison, gate };
                said.push(MatchupInsight {
                    metric: &metric.name,
                    side: side.name(),
                    fighter_id: Id(who.id),
                    text: told.text([&who.name, &other.name]),
                    value_a: a.value,
                    value_b: b.value,
                    gap: comparison.gap,
                    unit: metric.unit.name(),
                    z: comparison.z,
                    gate: wire(gate),
                });
            }
            Some(Err(failed)) => withheld.push(WithheldInsight {
                metric: &metric.name,
                failed: failed.name(),
                z: comparison.z,
                gate: metric.gate.map(wire),
                confidence_a: a.confidence.name(),
                confidence_b: b.confidence.name(),
                validity_class: metric.validity_class.map(ValidityClass::name),
            }),
            None => {}
        }
    }
    Ok((said, withheld))
}

/// What an insight tells.
struct ComparedValues<'a> {
    /// `{}` stands for the value.
    phrase: &'a str,
    unit: Unit,
    /// The higher first.
    values: [f64; 2],
    comparison: &'a MetricComparison,
    gate: Gate,
}

impl ComparedValues<'_> {
    /// `names` as the values: whose is the higher, and the other.
    fn text(&self, names: [&str; 2]) -> String {
        let [high, low] = self.numbers();
        let does = self.phrase.replacen("{}", &high, 1);
        let gap = self.comparison.z.unwrap_or_default().abs();
        let Gate { hold_share, contests: bouts, .. } = self.gate;
        let held = 100.0 * hold_share;
        format!(
            "{} {does} to {}'s {low} (both shrunk; gap {gap:.1} sd; held in {held:.0} % of {bouts} past bouts)",
            names[0], names[1]
        )
    }

    /// With as few decimals as tell them apart.
    fn numbers(&self) -> [String; 2] {
        let write = |value: f64, decimals: usize| match self.unit {
            Unit::Share => format!("{:.*} %", decimals, 100.0 * value),
            _ => format!("{value:.*}", decimals + 1),
        };
        let of = |decimals| self.values.map(|value| write(value, decimals));
        (0..3).map(of).find(|[high, low]| high != low).unwrap_or_else(|| of(3))
    }
}

fn wire(gate: Gate) -> MatchupGate {
    MatchupGate {
        min_z: gate.min_z,
        hold_share: gate.hold_share,
        n: gate.contests,
        first_year: gate.first_year,
        last_year: gate.last_year,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(unit: Unit, values: [f64; 2]) -> String {
        let comparison = MetricComparison {
            gap: None,
            gap_sd: None,
            z: Some(-3.84),
            edge: MetricEdge::None,
            failed: None,
            higher: None,
        };
        let gate = Gate { min_z: 0.5, hold_share: 0.6723, contests: 177, first_year: 2017, last_year: 2024 };
        ComparedValues { phrase: "does {} a minute", unit, values, comparison: &comparison, gate }
            .text(["A One", "B Two"])
    }

    #[test]
    fn an_insight_has_both_values_its_size_and_how_the_gate_held() {
        let rest = "(both shrunk; gap 3.8 sd; held in 67 % of 177 past bouts)";
        assert_eq!(
            told(Unit::PerMin, [4.19, 1.23]),
            format!("A One does 4.2 a minute to B Two's 1.2 {rest}")
        );
        assert_eq!(
            told(Unit::Share, [0.434, 0.173]),
            format!("A One does 43 % a minute to B Two's 17 % {rest}")
        );
        assert_eq!(
            told(Unit::PerMin, [0.54, 0.51]),
            format!("A One does 0.54 a minute to B Two's 0.51 {rest}")
        );
    }
}

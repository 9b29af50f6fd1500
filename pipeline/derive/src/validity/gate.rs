//! How clear a difference between two fighters must be before it is worth stating.

use chrono::Datelike as _;
use fdna_schemas::{Confidence, Gate};

use super::{FITTED_TO, MEASURED_TO, ValiditySubject};

/// Lower edges of the bins of |z|.
const EDGES: [f64; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];
/// Share of bouts that makes a gate.
const HOLDS: f64 = 0.65;
/// Fewer bouts in a bin than this make none.
const MIN_BOUTS: i32 = 50;

/// Bouts whose difference lay in a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GateBin {
    /// Smallest |z| in it.
    pub from: f64,
    pub bouts: i32,
    /// Of those, bouts in which the fighter with the higher value also led.
    pub held: i32,
}

/// All bins, and the years of their bouts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GateMeasured {
    pub bins: [GateBin; EDGES.len()],
    pub years: Option<(i32, i32)>,
}

impl GateMeasured {
    /// The lowest bin from which on the higher value led in enough bouts, with what held above its edge.
    #[must_use]
    pub fn gate(&self) -> Option<Gate> {
        let holds =
            |bin: &GateBin| bin.bouts >= MIN_BOUTS && f64::from(bin.held) >= HOLDS * f64::from(bin.bouts);
        let lowest = self.bins.iter().position(holds)?;
        let above = &self.bins[lowest..];
        let (bouts, held): (i32, i32) =
            above.iter().fold((0, 0), |(bouts, held), bin| (bouts + bin.bouts, held + bin.held));
        let (first_year, last_year) = self.years?;
        let hold_share = f64::from(held) / f64::from(bouts);
        let bouts = u32::try_from(bouts).ok()?;
        Some(Gate { min_z: self.bins[lowest].from, hold_share, bouts, first_year, last_year })
    }
}

/// Bouts in which both fighters had a value of medium confidence or better before it. A bout in which
/// neither led does not hold.
pub(super) fn measure(subject: &ValiditySubject<'_>, variance: Option<f64>) -> GateMeasured {
    let mut measured = GateMeasured::default();
    measured.bins.iter_mut().zip(EDGES).for_each(|(bin, from)| bin.from = from);
    let Some(variance) = variance else { return measured };
    for side in (0..subject.league.sides.len()).step_by(2) {
        let date = subject.league.sides[side].bout.date;
        if date <= *FITTED_TO || date > *MEASURED_TO {
            continue;
        }
        let outcomes = subject.outcome(side).zip(subject.outcome(side + 1));
        let before = before(subject, side, variance).zip(before(subject, side + 1, variance));
        let (Some(((x_a, _), (x_b, _))), Some(((v_a, var_a), (v_b, var_b)))) = (outcomes, before) else {
            continue;
        };
        let z = (v_a - v_b) / (var_a + var_b).sqrt();
        let place = EDGES.iter().filter(|edge| z.abs() >= **edge).count();
        if let Some(bin) = place.checked_sub(1).map(|place| &mut measured.bins[place]) {
            bin.bouts += 1;
            bin.held += i32::from((x_a - x_b) * z > 0.0);
            measured.years =
                Some(measured.years.map_or((date.year(), date.year()), |(y, _)| (y, date.year())));
        }
    }
    measured
}

/// Value and posterior variance before the bout.
fn before(subject: &ValiditySubject<'_>, side: usize, variance: f64) -> Option<(f64, f64)> {
    let state = &subject.states[subject.league.before[side]?];
    let stated = state.value.filter(|_| state.confidence >= Confidence::Medium);
    stated.zip(state.shrinkage).map(|(value, s)| (value, variance * (1.0 - s.weight)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_is_the_lowest_bin_that_holds_with_all_bouts_above_its_edge() {
        let bins = [(0.0, 100, 50), (0.5, 100, 65), (1.0, 100, 70), (1.5, 40, 40), (2.0, 0, 0)];
        let bins = bins.map(|(from, bouts, held)| GateBin { from, bouts, held });
        let gate = GateMeasured { bins, years: Some((2017, 2024)) }.gate().unwrap();
        assert_eq!((gate.min_z, gate.bouts), (0.5, 240));
        assert!((gate.hold_share - 175.0 / 240.0).abs() < 1e-12);
        let few = bins.map(|bin| GateBin { bouts: bin.bouts / 10, held: bin.held / 10, ..bin });
        assert_eq!(GateMeasured { bins: few, years: Some((2017, 2024)) }.gate(), None);
    }
}

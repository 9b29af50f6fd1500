//! Gate for insights: the smallest difference between two subjects that is worth stating.

use chrono::Datelike as _;
use fdna_schemas::{Gate, GateSettings};
use serde::{Deserialize, Serialize};

use super::subject::{ValiditySubject, ValueBefore};

/// Contests whose difference lay in a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct GateBin {
    /// Smallest |z| in it.
    pub from: f64,
    pub contests: i32,
    /// Of those, contests in which the subject with the higher value also led.
    pub held: i32,
}

/// All bins, and the years of their contests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GateMeasured {
    pub bins: Vec<GateBin>,
    pub years: Option<(i32, i32)>,
}

impl GateMeasured {
    /// The lowest bin from which on the higher value led in enough contests, with what held above its edge.
    #[must_use]
    pub fn lowest_gate(&self, settings: &GateSettings) -> Option<Gate> {
        let holds = |bin: &GateBin| {
            bin.contests >= settings.min_contests
                && f64::from(bin.held) >= settings.hold_share * f64::from(bin.contests)
        };
        let lowest = self.bins.iter().position(holds)?;
        let above = &self.bins[lowest..];
        let (contests, held): (i32, i32) =
            above.iter().fold((0, 0), |(contests, held), bin| (contests + bin.contests, held + bin.held));
        let (first_year, last_year) = self.years?;
        let hold_share = f64::from(held) / f64::from(contests);
        let contests = u32::try_from(contests).ok()?;
        Some(Gate { min_z: self.bins[lowest].from, hold_share, contests, first_year, last_year })
    }
}

/// Contests before which both subjects had a value of medium confidence or better. One in which neither led does not
/// hold.
pub(super) fn measure_gate(
    subject: &ValiditySubject<'_>,
    before: &[Option<ValueBefore>],
    variance: Option<f64>,
) -> GateMeasured {
    let settings = subject.settings;
    let edges = &settings.gate.edges;
    let bin = |from: &f64| GateBin { from: *from, ..GateBin::default() };
    let mut measured = GateMeasured { bins: edges.iter().map(bin).collect(), years: None };
    let Some(variance) = variance else { return measured };
    for (place, row) in subject.timeline.rows.iter().enumerate() {
        let Some(opponent) = row.opponent.filter(|opponent| *opponent > place) else { continue };
        if row.date <= settings.fitted_to || row.date > settings.measured_to {
            continue;
        }
        let outcomes = subject.outcome_in(place).zip(subject.outcome_in(opponent));
        let [a, b] = [place, opponent].map(|row| before[row].filter(|before| before.is_compared));
        let (Some(((x_a, _), (x_b, _))), Some((a, b))) = (outcomes, a.zip(b)) else { continue };
        let posterior = |before: ValueBefore| variance * (1.0 - before.weight);
        let z = (a.shrunk - b.shrunk) / (posterior(a) + posterior(b)).sqrt();
        let place = edges.iter().filter(|edge| z.abs() >= **edge).count();
        if let Some(bin) = place.checked_sub(1).map(|place| &mut measured.bins[place]) {
            bin.contests += 1;
            bin.held += i32::from((x_a - x_b) * z > 0.0);
            let year = row.date.year();
            measured.years = Some(measured.years.map_or((year, year), |(first, _)| (first, year)));
        }
    }
    measured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_is_the_lowest_bin_that_holds_with_all_contests_above_its_edge() {
        let settings = &fdna_schemas::MetricDefinitions::get().settings.validity.gate;
        let bins = [(0.0, 100, 50), (0.5, 100, 65), (1.0, 100, 70), (1.5, 40, 40), (2.0, 0, 0)];
        let bins = bins.map(|(from, contests, held)| GateBin { from, contests, held });
        let gate =
            GateMeasured { bins: bins.to_vec(), years: Some((2017, 2024)) }.lowest_gate(settings).unwrap();
        assert_eq!((gate.min_z, gate.contests), (0.5, 240));
        assert!((gate.hold_share - 175.0 / 240.0).abs() < 1e-12);
        let few = bins.map(|bin| GateBin { contests: bin.contests / 10, held: bin.held / 10, ..bin });
        assert_eq!(
            GateMeasured { bins: few.to_vec(), years: Some((2017, 2024)) }.lowest_gate(settings),
            None
        );
    }
}

//! Ratios whose denominator is weighted by what the opponent lets others do: a minute against one who is
//! seldom hit counts for less than a minute.

use crate::league::League;
use crate::metric::MetricState;
use crate::prior::{Priors, Ratio};

/// The parts with their denominators weighted: by the opponent's shrunk value of `theirs` before the bout
/// over the mean of the bout's class at that date. 1 where the opponent has none yet, or the class has none.
pub(crate) fn weigh(
    league: &League<'_>,
    parts: Vec<Option<Ratio>>,
    priors: &Priors<'_>,
    theirs: &[MetricState],
) -> Vec<Option<Ratio>> {
    let mut window = None;
    let mut factor = |row: usize| -> Option<f64> {
        let (bout, version) = (league.sides[row].bout, league.before[row ^ 1]?);
        let window = match window {
            Some((date, window)) if date == bout.date => window,
            _ => window.insert((bout.date, league.window(bout.date))).1,
        };
        let mean = priors.at(window, bout.class)?.mean;
        let opponent = &theirs[version];
        let value = opponent.shrinkage.filter(|s| s.weight > 0.0)?.shrunk;
        (mean > 0.0).then(|| value / mean)
    };
    let weigh = |(row, part): (usize, Option<Ratio>)| {
        part.map(|part| Ratio { y: part.y, d: part.d * factor(row).unwrap_or(1.0) })
    };
    parts.into_iter().enumerate().map(weigh).collect()
}

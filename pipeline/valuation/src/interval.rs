//! Intervals from the errors of earlier quarters, by the weight of the comparables.

use crate::constants::Interval;
use crate::hedonic::median;

/// Residual of one value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ValueMiss {
    /// Weight of its comparables.
    pub(crate) weight: f64,
    /// Logarithm of the price less that of the value, before it is centred.
    pub(crate) residual: f64,
}

/// Centre and ends of intervals, on the log scale, by band.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Intervals {
    /// Offset added to every value.
    pub(crate) centre: f64,
    bands: Vec<(f64, f64)>,
}

impl Intervals {
    /// `None` if too few values are known to have missed by anything.
    pub(crate) fn fit_misses(misses: &[ValueMiss], rules: &Interval) -> Option<Self> {
        if misses.len() < rules.min_residuals {
            return None;
        }
        let middle = median(misses.iter().map(|miss| miss.residual).collect())?;
        let centre = middle * rules.centre_share;
        let tail = (1.0 - rules.level) / 2.0;
        let ends = |residuals: &mut Vec<f64>| {
            residuals.sort_unstable_by(f64::total_cmp);
            Some((quantile(residuals, tail)? - centre, quantile(residuals, 1.0 - tail)? - centre))
        };
        let all = ends(&mut misses.iter().map(|miss| miss.residual).collect())?;
        let of_band = |band: usize| {
            let mut own: Vec<f64> = misses
                .iter()
                .filter(|miss| band_of(miss.weight, rules) == band)
                .map(|miss| miss.residual)
                .collect();
            let Some((low, high)) = ends(&mut own) else { return all };
            #[expect(clippy::cast_precision_loss, reason = "a count of sales")]
            let n = own.len() as f64;
            let share = n / (n + rules.band_residuals);
            (all.0 + share * (low - all.0), all.1 + share * (high - all.1))
        };
        Some(Self { centre, bands: (0..=rules.bands.len()).map(of_band).collect() })
    }

    /// Ends about the value, wider by what a market drifts in so many years without a sale.
    pub(crate) fn interval_ends(&self, weight: f64, stale_years: f64, rules: &Interval) -> (f64, f64) {
        let (low, high) = self.bands.get(band_of(weight, rules)).copied().unwrap_or_default();
        let drift = rules.drift * 1.645 * stale_years.max(0.0).sqrt();
        (-low.min(0.0).hypot(drift), high.max(0.0).hypot(drift))
    }
}

fn band_of(weight: f64, rules: &Interval) -> usize {
    rules.bands.iter().take_while(|edge| weight > **edge).count()
}

/// Of sorted values, between the two that are nearest.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    #[expect(clippy::cast_precision_loss, reason = "a count of sales")]
    let at = last as f64 * share;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the length")]
    let below = at.floor() as usize;
    let (low, high) = (sorted.get(below)?, sorted.get((below + 1).min(last))?);
    Some(low + (high - low) * (at - at.floor()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ValuationConstants;

    #[test]
    fn an_interval_holds_its_share_and_widens_without_sales() {
        let rules = ValuationConstants::built_in().unwrap().interval;
        let misses: Vec<ValueMiss> = (0..1000)
            .map(|n| ValueMiss { weight: f64::from(n % 30), residual: f64::from(n) / 1000.0 - 0.5 })
            .collect();
        let intervals = Intervals::fit_misses(&misses, &rules).unwrap();
        let held = misses
            .iter()
            .filter(|miss| {
                let (low, high) = intervals.interval_ends(miss.weight, 0.0, &rules);
                let about = miss.residual - intervals.centre;
                low <= about && about <= high
            })
            .count();
        assert!((880..=920).contains(&held), "{held}");
        let (now, later) =
            (intervals.interval_ends(5.0, 0.0, &rules), intervals.interval_ends(5.0, 2.0, &rules));
        assert!(later.0 < now.0 && later.1 > now.1);
        assert!(Intervals::fit_misses(&misses[..10], &rules).is_none());
    }
}

//! How far prices are from values: the errors of earlier quarters, those of the like the most. Intervals, the forecast standard
//! deviation and the chance of a small error are read from one distribution.

use crate::constants::Interval;
use crate::facts::DwellingType;
use crate::hedonic::median;

/// Error of one value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ValueMiss {
    pub(crate) kind: DwellingType,
    /// Weight of its comparables.
    pub(crate) weight: f64,
    /// Logarithm of the value before it is centred.
    pub(crate) value: f64,
    /// Logarithm of the price less that.
    pub(crate) residual: f64,
}

/// Errors of values, on the log scale, by type of dwelling, level of the value and band of the weight of comparables: cheap dwellings
/// are off by twice as much as others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Intervals {
    /// Offsets that are added to values, each at the middle of a level, cheapest first; in a straight line from one to the next.
    centres: Vec<(f64, f64)>,
    /// Upper edges of the levels but the last.
    edges: Vec<f64>,
    /// Of each type, level and band.
    distributions: Vec<ErrorDistribution>,
}

/// What errors are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ErrorGroup {
    kind: DwellingType,
    level: usize,
    band: usize,
}

/// Errors in their order, with the share of all weight up to each.
#[derive(Debug, Clone, PartialEq)]
struct ErrorDistribution {
    errors: Vec<(f64, f64)>,
}

/// What is known of the error of a value before the price is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ForecastError {
    /// Ends of the interval about the value, on the log scale.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Half of the span that holds the middle 68.3 % of errors: one standard deviation of a normal one.
    pub(crate) deviation: f64,
    /// Chance that the value is within 5, 10 and 20 % of the price.
    pub(crate) within: [f64; 3],
}

/// Shares of the price by which a value may be off.
pub(crate) const NEAR: [f64; 3] = [0.05, 0.1, 0.2];

/// What a normal distribution has below one standard deviation under its mean.
pub(crate) const ONE_DEVIATION: f64 = 0.158_655_253_931_457_05;

impl Intervals {
    /// `None` if too few values are known to have missed by anything.
    pub(crate) fn fit_misses(misses: &[ValueMiss], rules: &Interval) -> Option<Self> {
        if misses.len() < rules.min_residuals {
            return None;
        }
        let middle = median(misses.iter().map(|miss| miss.residual).collect())?;
        let mut by_value = misses.to_vec();
        by_value.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
        let levels: Vec<&[ValueMiss]> = by_value.chunks(by_value.len().div_ceil(rules.levels)).collect();
        let edges = levels[1..].iter().map(|level| level[0].value).collect();
        let centres = levels.iter().map(|level| find_centre(level, middle, rules)).collect::<Option<_>>()?;
        let mut own = Self { centres, edges, distributions: Vec::new() };
        let error = |miss: &ValueMiss| {
            (own.group_of(miss.kind, miss.value, miss.weight, rules), miss.residual - own.centre(miss.value))
        };
        let mut errors: Vec<(ErrorGroup, f64)> = misses.iter().map(error).collect();
        errors.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        let bands = rules.bands.len() + 1;
        let groups = DwellingType::ALL.into_iter().flat_map(|kind| {
            (0..rules.levels * bands).map(move |at| ErrorGroup { kind, level: at / bands, band: at % bands })
        });
        own.distributions = groups.map(|group| ErrorDistribution::of_like(&errors, group, rules)).collect();
        Some(own)
    }

    fn group_of(&self, kind: DwellingType, value: f64, weight: f64, rules: &Interval) -> ErrorGroup {
        let level = self.edges.iter().take_while(|edge| value >= **edge).count();
        ErrorGroup { kind, level, band: band_of(weight, rules) }
    }

    /// Offset that is added to a value.
    pub(crate) fn centre(&self, value: f64) -> f64 {
        let above = self.centres.partition_point(|(at, _)| *at < value);
        match (above.checked_sub(1).and_then(|below| self.centres.get(below)), self.centres.get(above)) {
            (Some((low, of_low)), Some((high, of_high))) => {
                of_low + (of_high - of_low) * (value - low) / (high - low)
            }
            (Some((_, of_end)), None) | (None, Some((_, of_end))) => *of_end,
            (None, None) => 0.0,
        }
    }

    /// What is known of the error of a value, which is given before it is centred, whose comparables have so much weight; more than
    /// errors of earlier quarters by what a market drifts in so many years without a sale.
    pub(crate) fn forecast_error(
        &self,
        kind: DwellingType,
        value: f64,
        weight: f64,
        stale_years: f64,
        rules: &Interval,
    ) -> ForecastError {
        let ErrorGroup { kind, level, band } = self.group_of(kind, value, weight, rules);
        let kind = DwellingType::ALL.iter().position(|own| *own == kind).unwrap_or_default();
        let own = &self.distributions[(kind * rules.levels + level) * (rules.bands.len() + 1) + band];
        let tail = (1.0 - rules.level) / 2.0;
        let (low, high) = (own.quantile(tail).min(0.0), own.quantile(1.0 - tail).max(0.0));
        let drift = rules.drift * 1.645 * stale_years.max(0.0).sqrt();
        let wide = |end: f64| (end * rules.next_quarter).hypot(drift);
        let (wide_low, wide_high) = (-wide(low), wide(high));
        let widened = (wide_high - wide_low) / (high - low).max(f64::MIN_POSITIVE);
        let deviation = (own.quantile(1.0 - ONE_DEVIATION) - own.quantile(ONE_DEVIATION)) / 2.0 * widened;
        // A value is within a tenth of the price where the price is from 1 / 1.1 to 1 / 0.9 of the value.
        let within = NEAR.map(|near: f64| {
            own.share_below(-(1.0 - near).ln() / widened) - own.share_below(-(1.0 + near).ln() / widened)
        });
        ForecastError { low: wide_low, high: wide_high, deviation, within }
    }
}

/// The middle of the values of a level, and by how much prices were above them in the middle: drawn to what it is of all, and a share of
/// that.
fn find_centre(level: &[ValueMiss], middle: f64, rules: &Interval) -> Option<(f64, f64)> {
    let own = median(level.iter().map(|miss| miss.residual).collect())?;
    #[expect(clippy::cast_precision_loss, reason = "a count of sales")]
    let n = level.len() as f64;
    let drawn = middle + (own - middle) * n / (n + rules.band_residuals);
    Some((level[level.len() / 2].value, drawn * rules.centre_share))
}

impl ErrorDistribution {
    /// Errors of the same group count as they are; all of its level, of its type, and of the market, each as so many.
    fn of_like(sorted: &[(ErrorGroup, f64)], group: ErrorGroup, rules: &Interval) -> Self {
        let leaning = |is_of: &dyn Fn(&ErrorGroup) -> bool| {
            #[expect(clippy::cast_precision_loss, reason = "a count of sales")]
            let count = sorted.iter().filter(|(own, _)| is_of(own)).count() as f64;
            rules.band_residuals.min(count) / count.max(1.0)
        };
        let (of_all, of_kind) = (leaning(&|_| true), leaning(&|own| own.kind == group.kind));
        let of_level = leaning(&|own| own.level == group.level);
        let weight = |own: &ErrorGroup| {
            let kind = if own.kind == group.kind { of_kind } else { 0.0 };
            let level = if own.level == group.level { of_level } else { 0.0 };
            of_all * rules.market_share + kind + level + f64::from(u8::from(*own == group))
        };
        let total: f64 = sorted.iter().map(|(own, _)| weight(own)).sum();
        let mut below = 0.0;
        let error = |(own, error): &(ErrorGroup, f64)| {
            let weight = weight(own) / total;
            below += weight;
            (*error, below - weight / 2.0)
        };
        Self { errors: sorted.iter().map(error).collect() }
    }

    /// Between the two errors that are nearest.
    fn quantile(&self, share: f64) -> f64 {
        let at = self.errors.partition_point(|(_, below)| *below < share);
        let (Some(low), Some(high)) = (self.errors.get(at.saturating_sub(1)), self.errors.get(at)) else {
            return self.errors.last().map_or(0.0, |(error, _)| *error);
        };
        let span = high.1 - low.1;
        if span <= 0.0 { high.0 } else { low.0 + (high.0 - low.0) * (share - low.1) / span }
    }

    /// Share of errors below one.
    fn share_below(&self, error: f64) -> f64 {
        let at = self.errors.partition_point(|(own, _)| *own < error);
        let (Some(low), Some(high)) =
            (at.checked_sub(1).and_then(|at| self.errors.get(at)), self.errors.get(at))
        else {
            return if at == 0 { 0.0 } else { 1.0 };
        };
        let span = high.0 - low.0;
        if span <= 0.0 { high.1 } else { low.1 + (high.1 - low.1) * (error - low.0) / span }
    }
}

fn band_of(weight: f64, rules: &Interval) -> usize {
    rules.bands.iter().take_while(|edge| weight > **edge).count()
}

/// Of sorted values, between the two that are nearest.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
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

    fn misses() -> Vec<ValueMiss> {
        let miss = |n: u32| ValueMiss {
            kind: if n.is_multiple_of(4) { DwellingType::TwoFamily } else { DwellingType::OneFamily },
            weight: f64::from(n % 30),
            value: 12.0,
            residual: (f64::from(n) / 1000.0 - 0.5) * if n.is_multiple_of(4) { 2.0 } else { 1.0 },
        };
        (0..1000).map(miss).collect()
    }

    #[test]
    fn an_interval_holds_its_share_and_widens_without_sales() {
        let rules = ValuationConstants::built_in().unwrap().interval;
        let intervals = Intervals::fit_misses(&misses(), &rules).unwrap();
        let forecast = |miss: &ValueMiss, stale| {
            intervals.forecast_error(miss.kind, miss.value, miss.weight, stale, &rules)
        };
        let is_held = |miss: &&ValueMiss| {
            let (own, about) = (forecast(miss, 0.0), miss.residual - intervals.centre(miss.value));
            own.low <= about && about <= own.high
        };
        let held = misses().iter().filter(is_held).count();
        assert!((900..=970).contains(&held), "{held}");
        let [now, later] = [0.0, 2.0].map(|stale| forecast(&misses()[1], stale));
        assert!(later.low < now.low && later.high > now.high && later.deviation > now.deviation);
        assert!(later.within.iter().zip(now.within).all(|(later, now)| *later < now));
        assert!(Intervals::fit_misses(&misses()[..10], &rules).is_none());
    }

    #[test]
    fn the_chance_of_a_small_error_is_the_share_of_the_like_that_had_one() {
        let rules = ValuationConstants::built_in().unwrap().interval;
        let intervals = Intervals::fit_misses(&misses(), &rules).unwrap();
        for kind in [DwellingType::OneFamily, DwellingType::TwoFamily] {
            let own: Vec<ValueMiss> =
                misses().into_iter().filter(|miss| miss.kind == kind && miss.weight > 20.0).collect();
            let said = intervals.forecast_error(kind, 12.0, 25.0, 0.0, &rules);
            for (near, said) in NEAR.into_iter().zip(said.within) {
                let error =
                    |miss: &ValueMiss| ((intervals.centre(miss.value) - miss.residual).exp() - 1.0).abs();
                let near_enough =
                    own.iter().filter(|miss| error(miss) <= near).count() as f64 / own.len() as f64;
                assert!((said - near_enough).abs() < 0.06, "{kind:?} {near}: {said} for {near_enough}");
            }
            assert!(said.within[0] < said.within[1] && said.within[1] < said.within[2]);
        }
        let [one, two] = [DwellingType::OneFamily, DwellingType::TwoFamily]
            .map(|kind| intervals.forecast_error(kind, 12.0, 25.0, 0.0, &rules).deviation);
        assert!(two > 1.4 * one, "errors of two-family houses are twice as large: {one} {two}");
    }
}

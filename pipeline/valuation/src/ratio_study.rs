//! Ratios of values to prices as assessors judge them: level, uniformity, and whether dear and cheap dwellings are valued alike
//! (IAAO, Standard on Ratio Studies).

use crate::hedonic::median_of_middle;

/// Resamples behind an interval.
const RESAMPLES: usize = 1000;
/// Fewer sales than this have no statistics: an interval of so few says nothing.
const MIN_SALES: usize = 20;
/// Share of resamples below an interval, and above it.
const TAIL: f64 = 0.025;
/// Ratios further from the quartiles than so many interquartile ranges are outliers.
const OUTLIER_RANGES: f64 = 3.0;

/// A value, and the price that was paid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValuePricePair {
    /// US dollars.
    pub value: f64,
    /// US dollars.
    pub price: f64,
}

impl ValuePricePair {
    fn ratio(self) -> f64 {
        self.value / self.price
    }
}

/// A statistic with its 95 % interval by bootstrap over sales.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudyStatistic {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Statistics of a ratio study. Each says more than one ratio does, so none is made of fewer than twenty sales.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioStudy {
    pub sales: usize,
    pub median_ratio: StudyStatistic,
    /// Coefficient of dispersion, in per cent: the mean distance of ratios from their median, by the median.
    pub cod: StudyStatistic,
    /// Price-related differential: the mean ratio by the ratio of the sums. Above 1 dear dwellings are valued lower.
    pub prd: StudyStatistic,
    /// Price-related bias: by how much ratios change where the value doubles. Below 0 dear dwellings are valued lower.
    pub prb: StudyStatistic,
    /// Modified Kakwani index: the Gini coefficient of values by that of prices, both in order of prices. Below 1 dear dwellings
    /// are valued lower.
    pub mki: StudyStatistic,
    /// Ratios that are outliers by the interquartile range, and what is left without them.
    pub outliers: usize,
    pub trimmed: Option<TrimmedStudy>,
}

/// Statistics without outliers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrimmedStudy {
    pub cod: f64,
    pub prd: f64,
    pub prb: f64,
    pub mki: f64,
}

/// What one sample of sales comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SampleStatistics {
    median_ratio: f64,
    cod: f64,
    prd: f64,
    prb: f64,
    mki: f64,
}

impl RatioStudy {
    /// `None` of fewer than twenty sales. Equal sales in another order, equal statistics: the resamples are drawn of a fixed seed.
    #[must_use]
    pub fn measure_pairs(pairs: &[ValuePricePair]) -> Option<Self> {
        let mut sorted = pairs.to_vec();
        sorted.sort_by(|a, b| a.price.total_cmp(&b.price).then(a.value.total_cmp(&b.value)));
        if sorted.len() < MIN_SALES {
            return None;
        }
        let own = SampleStatistics::of_sorted(&sorted)?;
        let mut random = fastrand::Rng::with_seed(0);
        let mut counts = vec![0_u32; sorted.len()];
        let mut resamples = Vec::with_capacity(RESAMPLES);
        let mut drawn = Vec::with_capacity(sorted.len());
        for _ in 0..RESAMPLES {
            counts.fill(0);
            (0..sorted.len()).for_each(|_| counts[random.usize(..sorted.len())] += 1);
            drawn.clear();
            for (pair, count) in sorted.iter().zip(&counts) {
                (0..*count).for_each(|_| drawn.push(*pair));
            }
            resamples.extend(SampleStatistics::of_sorted(&drawn));
        }
        let interval = |of: fn(&SampleStatistics) -> f64| {
            let mut drawn: Vec<f64> = resamples.iter().map(of).collect();
            drawn.sort_unstable_by(f64::total_cmp);
            let end = |share| crate::interval::quantile(&drawn, share);
            Some(StudyStatistic { value: of(&own), low: end(TAIL)?, high: end(1.0 - TAIL)? })
        };
        let kept = without_outliers(&sorted);
        let trimmed = (kept.len() >= MIN_SALES).then(|| SampleStatistics::of_sorted(&kept)).flatten();
        Some(Self {
            sales: sorted.len(),
            median_ratio: interval(|own| own.median_ratio)?,
            cod: interval(|own| own.cod)?,
            prd: interval(|own| own.prd)?,
            prb: interval(|own| own.prb)?,
            mki: interval(|own| own.mki)?,
            outliers: sorted.len() - kept.len(),
            trimmed: trimmed.map(|own| TrimmedStudy {
                cod: own.cod,
                prd: own.prd,
                prb: own.prb,
                mki: own.mki,
            }),
        })
    }
}

impl SampleStatistics {
    /// Of pairs in order of their prices. `None` where all prices are one, so that nothing is dear or cheap.
    fn of_sorted(pairs: &[ValuePricePair]) -> Option<Self> {
        let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio()).collect();
        let median_ratio = median_of_middle(ratios.clone())?;
        #[expect(clippy::cast_precision_loss, reason = "a count of sales")]
        let n = pairs.len() as f64;
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / n;
        let distance = mean(&mut ratios.iter().map(|ratio| (ratio - median_ratio).abs()));
        let (values, prices): (f64, f64) =
            pairs.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.value, sums.1 + pair.price));
        let gini_of_prices = gini_coefficient(pairs, |pair| pair.price, n);
        if gini_of_prices <= 0.0 {
            return None;
        }
        Some(Self {
            median_ratio,
            cod: 100.0 * distance / median_ratio,
            prd: mean(&mut ratios.iter().copied()) / (values / prices),
            prb: price_related_bias(pairs, median_ratio, n)?,
            mki: gini_coefficient(pairs, |pair| pair.value, n) / gini_of_prices,
        })
    }
}

/// Slope of the ratios' distance from their median by the doublings of the mean of price and value, whose level is made up for.
fn price_related_bias(pairs: &[ValuePricePair], median_ratio: f64, n: f64) -> Option<f64> {
    let points = pairs.iter().map(|pair| {
        let doublings = (f64::midpoint(pair.value / median_ratio, pair.price)).log2();
        (doublings, (pair.ratio() - median_ratio) / median_ratio)
    });
    let points: Vec<(f64, f64)> = points.collect();
    let sums = points.iter().fold((0.0, 0.0), |sums, (x, y)| (sums.0 + x, sums.1 + y));
    let (mean_x, mean_y) = (sums.0 / n, sums.1 / n);
    let (mut squares, mut products) = (0.0, 0.0);
    for (x, y) in points {
        squares += (x - mean_x) * (x - mean_x);
        products += (x - mean_x) * (y - mean_y);
    }
    (squares > 0.0).then(|| products / squares)
}

/// Gini coefficient of an amount of pairs in order of their prices. Those of one price have one rank, the mean of theirs: whichever
/// stands first changes nothing.
fn gini_coefficient(pairs: &[ValuePricePair], amount: fn(&ValuePricePair) -> f64, n: f64) -> f64 {
    let (mut rank, mut ranked, mut sum) = (0.0, 0.0, 0.0);
    for equal in pairs.chunk_by(|a, b| a.price.total_cmp(&b.price).is_eq()) {
        #[expect(clippy::cast_precision_loss, reason = "a count of sales")]
        let count = equal.len() as f64;
        let own: f64 = equal.iter().map(amount).sum();
        ranked += (rank + (count + 1.0) / 2.0) * own;
        rank += count;
        sum += own;
    }
    (2.0 * ranked / sum - (n + 1.0)) / n
}

/// In the same order.
fn without_outliers(pairs: &[ValuePricePair]) -> Vec<ValuePricePair> {
    let mut ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio()).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let quartiles = [0.25, 0.75].map(|share| crate::interval::quantile(&ratios, share).unwrap_or_default());
    let reach = OUTLIER_RANGES * (quartiles[1] - quartiles[0]);
    let is_kept =
        |pair: &&ValuePricePair| (quartiles[0] - reach..=quartiles[1] + reach).contains(&pair.ratio());
    pairs.iter().filter(is_kept).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty invented sales; the figures are those of assesspy 2.0.2 for them, of its MKI with the mean value of equal prices.
    const PRICES: [f64; 20] = [
        100e3, 120e3, 135e3, 150e3, 150e3, 180e3, 210e3, 240e3, 260e3, 300e3, 310e3, 345e3, 380e3, 420e3,
        455e3, 500e3, 560e3, 610e3, 720e3, 950e3,
    ];
    const RATIOS: [f64; 20] = [
        1.31, 1.12, 0.95, 1.04, 1.2, 0.99, 1.08, 0.91, 1.02, 1.0, 1.05, 0.93, 0.97, 1.1, 0.88, 0.96, 1.01,
        0.85, 0.9, 0.83,
    ];

    fn pairs() -> Vec<ValuePricePair> {
        PRICES
            .iter()
            .zip(RATIOS)
            .map(|(price, ratio)| ValuePricePair { value: price * ratio, price: *price })
            .collect()
    }

    #[test]
    fn statistics_are_those_of_the_standard() {
        let study = RatioStudy::measure_pairs(&pairs()).unwrap();
        for (name, own, expected) in [
            ("median", study.median_ratio, 0.995),
            ("cod", study.cod, 8.844221105527641),
            ("prd", study.prd, 1.0491855742915157),
            ("prb", study.prb, -0.09130114044918751),
            ("mki", study.mki, 0.8838075947815496),
        ] {
            assert!((own.value - expected).abs() < 1e-9, "{name}: {} for {expected}", own.value);
            assert!(own.low <= own.value && own.value <= own.high, "{name}: {own:?}");
        }
        assert_eq!((study.sales, study.outliers), (20, 0));
    }

    #[test]
    fn neither_the_order_nor_the_level_of_values_changes_uniformity() {
        let study = RatioStudy::measure_pairs(&pairs()).unwrap();
        let mut turned = pairs();
        turned.reverse();
        assert_eq!(RatioStudy::measure_pairs(&turned), Some(study));
        let halved: Vec<_> =
            pairs().iter().map(|pair| ValuePricePair { value: pair.value / 2.0, ..*pair }).collect();
        let halved = RatioStudy::measure_pairs(&halved).unwrap();
        assert!((halved.median_ratio.value - study.median_ratio.value / 2.0).abs() < 1e-12);
        for (own, other) in [
            (study.cod, halved.cod),
            (study.prd, halved.prd),
            (study.prb, halved.prb),
            (study.mki, halved.mki),
        ] {
            assert!((own.value - other.value).abs() < 1e-9);
        }
    }

    #[test]
    fn an_outlier_is_trimmed_and_few_sales_or_one_price_have_no_statistics() {
        let mut with_outlier = pairs();
        with_outlier.push(ValuePricePair { value: 900e3, price: 90e3 });
        let study = RatioStudy::measure_pairs(&with_outlier).unwrap();
        let without = RatioStudy::measure_pairs(&pairs()).unwrap();
        assert_eq!(study.outliers, 1);
        assert!((study.trimmed.unwrap().cod - without.cod.value).abs() < 1e-9);
        assert!(study.cod.value > 2.0 * without.cod.value);
        assert_eq!(RatioStudy::measure_pairs(&pairs()[..19]), None);
        let one_price = vec![ValuePricePair { value: 1e5, price: 1e5 }; 30];
        assert_eq!(RatioStudy::measure_pairs(&one_price), None);
    }
}

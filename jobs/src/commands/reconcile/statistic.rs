//! The eight statistics, and how the source rounds them.
//!
//! Found by holding 3,229 careers against the published numbers: every value is first rounded half up to four
//! decimals. Rates are then rounded half up to two; shares are cut to whole percent; submission attempts are
//! rounded once more, from two decimals to one, as a binary fraction prints: 0.85 lies below its name and prints
//! 0.8, 2.45 above and prints 2.5, and 0.25 is exact and goes to the even 0.2.

/// A published statistic, in the published order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CareerStatistic {
    SlPm,
    StrAcc,
    SaPm,
    StrDef,
    TdAvg,
    TdAcc,
    TdDef,
    SubAvg,
}

pub(super) const ALL: [CareerStatistic; 8] = [
    CareerStatistic::SlPm,
    CareerStatistic::StrAcc,
    CareerStatistic::SaPm,
    CareerStatistic::StrDef,
    CareerStatistic::TdAvg,
    CareerStatistic::TdAcc,
    CareerStatistic::TdDef,
    CareerStatistic::SubAvg,
];

/// The eight values, each in units of its last published place.
pub(super) type CareerValues = [i64; ALL.len()];

impl CareerStatistic {
    /// As the source calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SlPm => "SLpM",
            Self::StrAcc => "Str. Acc.",
            Self::SaPm => "SApM",
            Self::StrDef => "Str. Def.",
            Self::TdAvg => "TD Avg.",
            Self::TdAcc => "TD Acc.",
            Self::TdDef => "TD Def.",
            Self::SubAvg => "Sub. Avg.",
        }
    }

    /// Decimals of the published number; a share is published in percent.
    pub(super) fn decimals(self) -> usize {
        match self {
            Self::SlPm | Self::SaPm | Self::TdAvg => 2,
            Self::StrAcc | Self::StrDef | Self::TdAcc | Self::TdDef => 0,
            Self::SubAvg => 1,
        }
    }

    pub(super) fn is_share(self) -> bool {
        matches!(self, Self::StrAcc | Self::StrDef | Self::TdAcc | Self::TdDef)
    }

    /// Units of the last place in 1; of a share, percent.
    pub(super) fn scale(self) -> i64 {
        if self.decimals() == 1 { 10 } else { 100 }
    }

    /// A value in units of the last place, as it is published.
    pub(super) fn format_units(self, units: i64) -> String {
        match self.decimals() {
            0 => format!("{units}%"),
            decimals => format!("{}.{:0decimals$}", units / self.scale(), units % self.scale()),
        }
    }

    /// The published number for `numerator / denominator`, in units of the last place; 0 without a
    /// denominator. Neither is negative, and rates have their minutes in them.
    pub(super) fn published_units(self, numerator: i64, denominator: i64) -> i64 {
        if denominator == 0 {
            return 0;
        }
        let four = half_up(numerator * 10_000, denominator);
        match self {
            _ if self.is_share() => four / 100,
            Self::SubAvg => one_decimal(half_up(four, 100)),
            _ => half_up(four, 100),
        }
    }
}

/// Whole part of `numerator / denominator`, a half and more counted up.
fn half_up(numerator: i64, denominator: i64) -> i64 {
    (2 * numerator + denominator) / (2 * denominator)
}

/// Hundredths to tenths, as the nearest binary fraction prints with one decimal.
fn one_decimal(hundredths: i64) -> i64 {
    match hundredths % 10 {
        5 => {
            let exact = i32::try_from(hundredths).map_or(0.0, |h| f64::from(h) / 100.0);
            format!("{exact:.1}").replace('.', "").parse().unwrap_or(hundredths / 10)
        }
        _ => half_up(hundredths, 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rates_are_rounded_half_up_by_way_of_four_decimals() {
        // 5447 s: 261 landed are 2.87497 a minute, 2.8750 and so 2.88.
        assert_eq!(CareerStatistic::SlPm.published_units(261 * 60, 5447), 288);
        assert_eq!(CareerStatistic::SlPm.published_units(1, 200), 1);
        assert_eq!(CareerStatistic::TdAvg.published_units(0, 0), 0);
    }

    #[test]
    fn shares_are_cut_by_way_of_four_decimals() {
        assert_eq!(CareerStatistic::StrDef.published_units(50_997, 100_000), 51);
        assert_eq!(CareerStatistic::StrDef.published_units(50_993, 100_000), 50);
        assert_eq!(CareerStatistic::TdAcc.published_units(2, 3), 66);
        assert_eq!(CareerStatistic::TdAcc.published_units(3, 3), 100);
    }

    #[test]
    fn submission_attempts_print_as_binary_fractions_do() {
        for (attempts, secs, tenths) in
            [(2, 736, 25), (2, 2114, 8), (1, 3600, 2), (5, 8232, 6), (1, 18198, 1), (2, 1752, 10)]
        {
            assert_eq!(
                CareerStatistic::SubAvg.published_units(attempts * 900, secs),
                tenths,
                "{attempts} in {secs}"
            );
        }
    }

    #[test]
    fn values_are_written_as_published() {
        assert_eq!(CareerStatistic::SlPm.format_units(305), "3.05");
        assert_eq!(CareerStatistic::SubAvg.format_units(7), "0.7");
        assert_eq!(CareerStatistic::TdDef.format_units(66), "66%");
    }

    proptest! {
        #[test]
        fn no_value_is_further_than_its_steps_allow(count in 0..5000_i64, of in 1..50_000_i64) {
            for statistic in ALL {
                let apart = (statistic.published_units(count, of) * of - count * statistic.scale()).abs();
                // Cut: less than a unit. Rounded twice: a half, and a half of a tenth of a unit.
                let most = if statistic.is_share() { 100 } else { 56 };
                prop_assert!(100 * apart <= most * of, "{statistic:?} {apart} of {of}");
            }
        }
    }
}

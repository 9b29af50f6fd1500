//! Stabilisation and the interval of the next season, of shooters whose true rates are known since they are made up.

use chrono::{Days, NaiveDate};
use fdna_dna::{
    DnaEngine, MetricValidity, MetricVersions, Observation, ObservationColumns, PoolId, SubjectId, Timeline,
};
use fdna_schemas::MetricDefinitions;

const SHOOTERS: u32 = 250;
const SEASONS: i32 = 5;
const GAMES: usize = 20;
const SHOTS: i32 = 10;
const MEAN: f64 = 0.4;

/// Shooters in games of ten shots, from 2018 on. True rates lie `MEAN` ± √between, and move by √drift from season to season.
struct Shooters {
    rows: Vec<(Observation, i32)>,
}

impl Shooters {
    fn new(between: f64, drift: f64) -> Self {
        let mut random = fastrand::Rng::with_seed(52);
        // The sum of twelve draws is as good as normal.
        let mut normal = |variance: f64| ((0..12).map(|_| random.f64()).sum::<f64>() - 6.0) * variance.sqrt();
        let mut rates: Vec<Vec<f64>> = Vec::new();
        for _ in 0..SHOOTERS {
            let mut rate = MEAN + normal(between);
            let season = |_| {
                let now = rate;
                rate += normal(drift);
                now.clamp(0.02, 0.98)
            };
            rates.push((0..SEASONS).map(season).collect());
        }
        let mut rows = Vec::new();
        for (year, season) in (2018..).zip(0..usize::try_from(SEASONS).unwrap()) {
            for game in 0..GAMES {
                let date = NaiveDate::from_ymd_opt(year, 3, 1).unwrap() + Days::new(7 * game as u64);
                for (subject, rates) in (0..).map(SubjectId).zip(&rates) {
                    let goals = (0..SHOTS).map(|_| i32::from(random.f64() < rates[season])).sum();
                    let pool = Some(PoolId(0));
                    rows.push((Observation { subject, opponent: None, date, pool, periods: 1 }, goals));
                }
            }
        }
        Self { rows }
    }

    fn derive(&self, definitions: &MetricDefinitions) -> MetricVersions {
        let rows = self.rows.iter().map(|(observation, _)| *observation).collect();
        let timeline = Timeline::new(rows, 1, &definitions.settings);
        let metric = definitions.metric("conversion").unwrap();
        DnaEngine::new(&timeline, self, definitions).derive_ratio(metric, &[]).unwrap()
    }

    fn validity(&self) -> MetricValidity {
        self.derive(&definitions(None)).validity.unwrap()
    }
}

impl ObservationColumns for Shooters {
    fn column(&self, name: &str) -> Option<Vec<Option<i32>>> {
        let goals = || self.rows.iter().map(|(_, goals)| Some(*goals)).collect();
        match name {
            "goals" => Some(goals()),
            "shots" => Some(vec![Some(SHOTS); self.rows.len()]),
            _ => None,
        }
    }
}

fn definitions(season_drift: Option<f64>) -> MetricDefinitions {
    let engine = include_str!("league/engine.toml");
    let families = [("attack", include_str!("league/attack.toml"))];
    let mut definitions = MetricDefinitions::parse(engine, &families).unwrap();
    definitions.settings.validity.fitted_to = NaiveDate::from_ymd_opt(2020, 12, 31).unwrap();
    definitions.settings.validity.season_month = Some(1);
    // A season, so that a value lags behind a rate that drifts by the same each year.
    definitions.settings.history_observations = Some(GAMES);
    for metric in &mut definitions.metrics {
        metric.season_drift = season_drift;
    }
    definitions
}

#[test]
fn half_is_the_shooters_own_where_noise_is_as_large_as_what_lies_between_them() {
    let between = 0.004;
    let stabilisation = Shooters::new(between, 0.0).validity().stabilisation.unwrap();
    let true_sample = (MEAN * (1.0 - MEAN) - between) / between;
    assert!((stabilisation.exposure / true_sample - 1.0).abs() < 0.15, "{stabilisation:?}, {true_sample}");
    assert!(
        stabilisation.low < true_sample && true_sample < stabilisation.high.unwrap(),
        "{stabilisation:?}"
    );
    assert!((stabilisation.observations * f64::from(SHOTS) / stabilisation.exposure - 1.0).abs() < 1e-12);
}

#[test]
fn shooters_who_do_not_differ_stabilise_nowhere_or_without_an_upper_end() {
    let stabilisation = Shooters::new(0.0, 0.0).validity().stabilisation;
    assert!(stabilisation.is_none_or(|s| s.high.is_none() && s.exposure > 1000.0), "{stabilisation:?}");
}

#[test]
fn the_band_of_the_season_holds_what_drifts_and_the_band_of_today_does_not() {
    let season = Shooters::new(0.004, 0.003).validity().season;
    let drift = season.drift.unwrap();
    assert!((0.0024..0.0038).contains(&drift), "{season:?}");
    assert!((0.87..0.93).contains(&season.coverage.unwrap()), "{season:?}");
    assert!(season.coverage_without_drift.unwrap() < 0.84, "{season:?}");
    // Both seasons after 2020, of everybody.
    assert_eq!(season.tests, 2 * SHOOTERS as usize);
    let still = Shooters::new(0.004, 0.0).validity().season;
    assert!(still.drift.unwrap() < 0.0003, "{still:?}");
    assert!((0.87..0.94).contains(&still.coverage.unwrap()), "{still:?}");
}

#[test]
fn the_interval_of_the_season_is_wider_by_the_drift_and_is_stated_where_the_value_is() {
    let definitions = definitions(Some(0.003));
    let metric = definitions.metric("conversion").unwrap();
    let derived = Shooters::new(0.004, 0.003).derive(&definitions);
    for state in &derived.states {
        assert_eq!(state.season_interval(metric).is_some(), state.value.is_some());
        let Some(((low, high), (now_low, now_high))) = state.season_interval(metric).zip(state.interval)
        else {
            continue;
        };
        assert!(low <= now_low && now_high <= high, "{state:?}");
        let variance = metric.variance.unwrap() * (1.0 - state.shrinkage.unwrap().weight) + 0.003;
        assert!(((high - low) / (2.0 * 1.645 * variance.sqrt()) - 1.0).abs() < 0.05, "{state:?}");
    }
    assert!(
        derived
            .states
            .iter()
            .all(|state| state.season_interval(&self::definitions(None).metrics[1]).is_none())
    );
}

#[test]
fn the_interval_of_the_season_is_never_narrower_even_near_the_end_of_the_range() {
    let definitions = definitions(Some(0.004));
    let metric = definitions.metric("conversion").unwrap();
    let mut derived = Shooters::new(0.0, 0.0).derive(&definitions);
    for state in &mut derived.states {
        // Almost all shots go in.
        let Some((low, high)) = state.interval else { continue };
        state.interval = Some((low.max(0.97), high.max(0.999)));
        let (season_low, season_high) = state.season_interval(metric).unwrap();
        assert!(season_low <= low.max(0.97) && high.max(0.999) <= season_high, "{state:?}");
    }
}

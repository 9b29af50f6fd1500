//! Prices explained: the logarithm of a price by the facts of the dwelling, a trend, its area, and its neighbourhood in it.
//! Sales far off what is explained weigh less (Huber), so that prices between relatives do not move it.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::constants::Fit;
use crate::facts::{DwellingType, Facts, Sale, years_since_2000};
use crate::linear::NormalEquations;

/// Facts as numbers, the first of them 1.
const WIDTH: usize = 20;

/// A fit on the sales before a day.
#[derive(Debug, Clone)]
pub(crate) struct HedonicFit {
    /// Sales on it or after it were not read.
    pub(crate) before: NaiveDate,
    /// Day of the newest sale read; the trend ends there.
    pub(crate) newest: NaiveDate,
    pub(crate) sales: usize,
    /// Robust deviation of residuals.
    pub(crate) deviation: f64,
    coefficients: Vec<f64>,
    /// Features of the mean dwelling sold, and the mean effects of places.
    mean_features: Vec<f64>,
    mean_places: PlaceEffects,
    turns: Vec<f64>,
    areas: BTreeMap<u32, f64>,
    neighborhoods: BTreeMap<(u32, u32), f64>,
}

/// Sums of weights and of weighted residuals.
#[derive(Debug, Clone, Copy, Default)]
struct ResidualMean {
    weight: f64,
    sum: f64,
}

impl ResidualMean {
    fn add_residual(&mut self, residual: f64, weight: f64) {
        self.weight += weight;
        self.sum += residual * weight;
    }

    /// Pulled to zero as if by so many sales of it.
    fn shrink_to_zero(self, prior: f64) -> f64 {
        self.sum / (self.weight + prior)
    }
}

/// What area and neighbourhood add to the logarithm of a price.
#[derive(Debug, Clone, Copy, Default)]
struct PlaceEffects {
    area: f64,
    neighborhood: f64,
}

/// Facts of a dwelling, and which of the features are made of each.
const FACTS: [(&str, &[usize]); 8] = [
    ("type", &[1, 2, 3]),
    ("floor_area", &[4, 5, 6, 18]),
    ("lot_area", &[7, 8, 9]),
    ("year_built", &[10, 11, 12, 13, 19]),
    ("beds", &[14]),
    ("baths", &[15]),
    ("stories", &[16]),
    ("stone_walls", &[17]),
];

/// Names of the facts of a dwelling that its value is made of; places come beside them.
pub fn fact_names() -> impl ExactSizeIterator<Item = &'static str> {
    FACTS.iter().map(|(name, _)| *name)
}

type Neighborhood = (u32, u32);

fn neighborhood_of(facts: &Facts) -> Option<Neighborhood> {
    facts.area.zip(facts.neighborhood)
}

impl HedonicFit {
    /// Fits the sales before a day, which are given in order of their days; `None` if they are too few to be a market.
    pub(crate) fn fit_sales(sales: &[Sale], before: NaiveDate, rules: &Fit) -> Option<Self> {
        let known = &sales[..sales.partition_point(|sale| sale.day < before)];
        let newest = known.last()?.day;
        let oldest = years_since_2000(newest) - rules.window_years;
        let known = &known[known.partition_point(|sale| years_since_2000(sale.day) < oldest)..];
        if known.len() < rules.min_sales {
            return None;
        }
        let until = years_since_2000(newest);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few dozen")]
        let n_turns = (rules.window_years / rules.trend_turn_years) as usize;
        #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
        let turns: Vec<f64> = (0..n_turns).map(|turn| turn as f64 * rules.trend_turn_years).collect();
        let features: Vec<Vec<f64>> =
            known.iter().map(|sale| feature_vector(&sale.facts, sale.day, until, &turns)).collect();
        let age = |sale: &Sale| until - years_since_2000(sale.day);
        let weights: Vec<f64> = known.iter().map(|sale| (-age(sale) * rules.decay_per_year).exp()).collect();
        let targets: Vec<f64> = known.iter().map(|sale| sale.price.ln()).collect();
        let mut ridge = vec![rules.ridge; WIDTH];
        ridge[0] = 1e-6;
        ridge.resize(WIDTH + turns.len(), rules.trend_ridge);
        let mut fit = Self {
            before,
            newest,
            sales: known.len(),
            deviation: 0.0,
            coefficients: Vec::new(),
            mean_features: Vec::new(),
            mean_places: PlaceEffects::default(),
            turns,
            areas: BTreeMap::new(),
            neighborhoods: BTreeMap::new(),
        };
        let mut robust = vec![1.0; known.len()];
        for _ in 0..rules.rounds {
            let mut equations = NormalEquations::new(&ridge);
            for (at, sale) in known.iter().enumerate() {
                let target = targets[at] - fit.place_effect(&sale.facts);
                equations.add_observation(&features[at], target, weights[at] * robust[at]);
            }
            fit.coefficients = equations.solve()?;
            let plain = targets.iter().zip(&features).map(|(y, x)| y - dot_product(x, &fit.coefficients));
            let plain: Vec<f64> = plain.collect();
            fit.fit_places(known, &plain, &weights, &robust, rules);
            let residuals: Vec<f64> =
                known.iter().zip(&plain).map(|(sale, plain)| plain - fit.place_effect(&sale.facts)).collect();
            fit.deviation = 1.4826 * median(residuals.iter().map(|residual| residual.abs()).collect())?;
            let reach = rules.huber * fit.deviation;
            robust = residuals.iter().map(|residual| (reach / residual.abs().max(1e-9)).min(1.0)).collect();
        }
        fit.find_means(known, &features, &weights);
        Some(fit)
    }

    fn find_means(&mut self, known: &[Sale], features: &[Vec<f64>], weights: &[f64]) {
        let total: f64 = weights.iter().sum();
        self.mean_features = vec![0.0; WIDTH];
        for ((sale, features), weight) in known.iter().zip(features).zip(weights) {
            let share = weight / total;
            self.mean_features.iter_mut().zip(features).for_each(|(mean, x)| *mean += share * x);
            let own = self.place_effects(&sale.facts);
            self.mean_places.area += share * own.area;
            self.mean_places.neighborhood += share * own.neighborhood;
        }
    }

    /// Effects of areas, then of neighbourhoods on what is left.
    fn fit_places(&mut self, known: &[Sale], plain: &[f64], weights: &[f64], robust: &[f64], rules: &Fit) {
        let mut areas: BTreeMap<u32, ResidualMean> = BTreeMap::new();
        for (at, sale) in known.iter().enumerate() {
            let Some(area) = sale.facts.area else { continue };
            let own = neighborhood_of(&sale.facts).and_then(|n| self.neighborhoods.get(&n));
            let weight = weights[at] * robust[at];
            areas.entry(area).or_default().add_residual(plain[at] - own.unwrap_or(&0.0), weight);
        }
        self.areas =
            areas.into_iter().map(|(area, mean)| (area, mean.shrink_to_zero(rules.area_sales))).collect();
        let mut neighborhoods: BTreeMap<Neighborhood, ResidualMean> = BTreeMap::new();
        for (at, sale) in known.iter().enumerate() {
            let Some(neighborhood) = neighborhood_of(&sale.facts) else { continue };
            let rest = plain[at] - self.areas.get(&neighborhood.0).unwrap_or(&0.0);
            neighborhoods.entry(neighborhood).or_default().add_residual(rest, weights[at] * robust[at]);
        }
        let shrunk =
            |(place, mean): (_, ResidualMean)| (place, mean.shrink_to_zero(rules.neighborhood_sales));
        self.neighborhoods = neighborhoods.into_iter().map(shrunk).collect();
    }

    fn place_effects(&self, facts: &Facts) -> PlaceEffects {
        let area = facts.area.and_then(|area| self.areas.get(&area)).copied();
        let neighborhood = neighborhood_of(facts).and_then(|place| self.neighborhoods.get(&place)).copied();
        PlaceEffects { area: area.unwrap_or_default(), neighborhood: neighborhood.unwrap_or_default() }
    }

    fn place_effect(&self, facts: &Facts) -> f64 {
        let own = self.place_effects(facts);
        own.area + own.neighborhood
    }

    /// The log price of the mean dwelling sold on a day, and what each fact of another adds to it: their sum is
    /// [`Self::explained_log_price`].
    pub(crate) fn explain_facts(&self, facts: &Facts, day: NaiveDate) -> (f64, Vec<(&'static str, f64)>) {
        let x = self.features(facts, day);
        let typical = dot_product(&self.mean_features, &self.coefficients[..WIDTH])
            + dot_product(&x[WIDTH..], &self.coefficients[WIDTH..])
            + self.mean_places.area
            + self.mean_places.neighborhood;
        let of_fact = |(name, features): &(&'static str, &[usize])| {
            let effect = |at: &usize| self.coefficients[*at] * (x[*at] - self.mean_features[*at]);
            (*name, features.iter().map(effect).sum::<f64>())
        };
        let own = self.place_effects(facts);
        let places = [
            ("area", own.area - self.mean_places.area),
            ("neighborhood", own.neighborhood - self.mean_places.neighborhood),
        ];
        (typical, FACTS.iter().map(of_fact).chain(places).collect())
    }

    /// The logarithm of the price that is explained on a day. Behind the newest sale the trend is flat.
    pub(crate) fn explained_log_price(&self, facts: &Facts, day: NaiveDate) -> f64 {
        dot_product(&self.features(facts, day), &self.coefficients) + self.place_effect(facts)
    }

    /// Features of a dwelling. What nobody says of a described one is as of the mean dwelling; a capture that does not state a fact
    /// tells something by that.
    fn features(&self, facts: &Facts, day: NaiveDate) -> Vec<f64> {
        let mut x = feature_vector(facts, day, years_since_2000(self.newest), &self.turns);
        if facts.property.is_none() {
            let [_, _, _, floor, lot, built, beds, baths, stories, walls] = facts.unknown_facts().0;
            let unknown = [floor, lot, built, beds, baths, stories, walls];
            for ((_, features), _) in FACTS[1..].iter().zip(unknown).filter(|(_, is_unknown)| *is_unknown) {
                features.iter().for_each(|at| x[*at] = self.mean_features[*at]);
            }
        }
        x
    }

    /// Whether sales of its area were read: a dwelling elsewhere is not explained.
    pub(crate) fn knows_area(&self, facts: &Facts) -> bool {
        facts.area.is_some_and(|area| self.areas.contains_key(&area))
    }
}

fn feature_vector(facts: &Facts, day: NaiveDate, until: f64, turns: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; WIDTH + turns.len()];
    let is = |kind| f64::from(u8::from(facts.kind == kind));
    let is_unknown = |value: Option<f64>| f64::from(u8::from(value.is_none()));
    let floor = facts.log_floor_area();
    let size = floor.map_or(0.0, |log| log - 7.4);
    let lot = facts.log_lot_area();
    let ground = lot.map_or(0.0, |log| log - 8.2);
    let built = facts.year_built();
    let age = built.map(|built| 2000.0 + years_since_2000(day) - built);
    let old = age.map_or(1.0, |age| (age / 50.0).clamp(0.0, 3.0));
    let condominium = is(DwellingType::Condominium);
    let values = [
        1.0,
        is(DwellingType::TwoFamily),
        is(DwellingType::ThreeFamily),
        condominium,
        size,
        size * size,
        is_unknown(floor),
        ground,
        ground * ground,
        is_unknown(lot),
        old,
        old * old,
        is_unknown(built),
        age.map_or(0.0, |age| f64::from(u8::from(age <= 2.0))),
        facts.beds.map_or(0.0, |beds| (beds - 3.0).clamp(-2.0, 4.0)),
        facts.baths.map_or(0.0, |baths| (baths - 1.5).clamp(-1.0, 3.0)),
        facts.stories.map_or(0.0, |stories| (stories - 1.3).clamp(-1.0, 2.0)),
        facts.has_stone_walls.map_or(0.0, |has| f64::from(u8::from(has))),
        condominium * size,
        condominium * old,
    ];
    x[..WIDTH].copy_from_slice(&values);
    let since = (until - years_since_2000(day)).max(0.0);
    x[WIDTH..].iter_mut().zip(turns).for_each(|(x, turn)| *x = (since - turn).max(0.0));
    x
}

fn dot_product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Of an even number the mean of the two in the middle.
pub(crate) fn median_of_middle(mut values: Vec<f64>) -> Option<f64> {
    let (at, is_even) = (values.len() / 2, values.len().is_multiple_of(2));
    if values.is_empty() {
        return None;
    }
    let (below, upper, _) = values.select_nth_unstable_by(at, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    Some(lower.map_or(*upper, |lower| f64::midpoint(lower, *upper)))
}

/// The lower of the two in the middle of an even number.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = (values.len() - 1) / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

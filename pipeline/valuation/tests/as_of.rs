//! A small town whose prices follow a known rule: values are held to it, and to the day that they are of.

use std::sync::Arc;

use chrono::{Days, NaiveDate};
use fdna_valuation::{Backtest, DwellingType, Facts, Market, NoValue, Sale, ValuationConstants};
use proptest::prelude::*;

const FIRST: &str = "2018-01-03";

fn day(offset: u64) -> NaiveDate {
    FIRST.parse::<NaiveDate>().unwrap() + Days::new(offset)
}

/// Noise of a number, the same each time: in [-1, 1].
fn noise(n: u64) -> f64 {
    let mixed = (n ^ (n >> 3))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn facts(n: u64) -> Facts {
    let area = (n % 4) as u32;
    Facts {
        property: Some(u32::try_from(n).unwrap()),
        kind: if n.is_multiple_of(5) { DwellingType::TwoFamily } else { DwellingType::OneFamily },
        area: Some(area),
        neighborhood: Some(area * 10 + (n % 3) as u32),
        block: Some((n % 40) as u32),
        street: Some((n % 60) as u32),
        floor_area: Some(1600.0 + 600.0 * noise(n * 7)),
        lot_area: Some(4000.0 + 1500.0 * noise(n * 11)),
        year_built: Some(1960 + (n % 50) as i32),
        beds: None,
        baths: None,
        stories: None,
        has_stone_walls: None,
        place: None,
    }
}

/// What the town pays: less a square foot for larger dwellings, more for land and in areas of higher number, 5 % more a year.
fn price(facts: &Facts, on: NaiveDate) -> f64 {
    let years = (on - day(0)).num_days() as f64 / 365.25;
    let area = 1.0 + 0.1 * f64::from(facts.area.unwrap());
    let (floor, lot) = (facts.floor_area.unwrap() / 1600.0, facts.lot_area.unwrap() / 4000.0);
    400_000.0 * floor.powf(0.5) * lot.powf(0.2) * area * 1.05_f64.powf(years)
}

fn town(sales: u64) -> Vec<Sale> {
    (0..sales)
        .map(|n| {
            let (facts, on) = (facts(n), day(n * 2000 / sales));
            Sale {
                day: on,
                price: price(&facts, on) * (0.08 * noise(n * 13)).exp(),
                facts,
                captured: on + Days::new(90),
            }
        })
        .collect()
}

fn market(sales: Vec<Sale>) -> Market {
    Market::new(Arc::new(ValuationConstants::built_in().unwrap()), 10_000.0, sales)
}

#[test]
fn values_follow_what_the_town_pays() {
    let market = market(town(3000));
    let on = day(2000);
    for n in (5000..5200).step_by(20) {
        let subject = facts(n);
        let valued = market.value_dwelling(&subject, on).unwrap();
        let expected = price(&subject, on);
        assert!((valued.value / expected - 1.0).abs() < 0.08, "{} for {expected}", valued.value);
        assert!(valued.interval.0 < expected && expected < valued.interval.1);
        assert!(valued.comparables.iter().all(|comparable| comparable.sale.day < on));
        assert!(valued.captured_later > 0, "sales of the last 90 days were captured later");
    }
    let slices = Backtest::value_sales(&[&market]).measure_slices(|_| "1");
    let all = slices.iter().find(|measured| measured.slice == "all").unwrap();
    assert!(all.median_error.unwrap() < 0.06 && all.median_error < all.comparable_median.0, "{all:?}");
    let held = all.interval_coverage.unwrap();
    assert!((0.85..=0.95).contains(&held), "{held}");
    let (said, was) = (all.stated_within.unwrap(), all.within.unwrap());
    assert!(said.iter().zip(was).all(|(said, was)| (said - was).abs() < 0.06), "{said:?} for {was:?}");
    let study = all.study.unwrap();
    assert!((0.97..1.03).contains(&study.median_ratio.value) && study.cod.value < 8.0, "{study:?}");
    assert!((0.98..1.03).contains(&study.prd.value), "{study:?}");
    let tenths: Vec<usize> =
        slices.iter().filter(|slice| slice.dimension() == "price_tenth").map(|slice| slice.valued).collect();
    assert_eq!((tenths.len(), tenths.iter().sum::<usize>()), (10, all.valued));
    let dimensions = ["all", "type", "quarter", "price_tenth", "area", "neighborhood"];
    assert!(slices.iter().all(|slice| dimensions.contains(&slice.dimension())));
}

#[test]
fn the_shares_of_facts_are_the_value_and_those_of_comparables_are_shares() {
    let market = market(town(3000));
    for n in 5000..5040 {
        let valued = market.value_dwelling(&facts(n), day(2000)).unwrap();
        let sum = valued.typical_value + valued.fact_shares.iter().map(|share| share.amount).sum::<f64>();
        assert!((sum - valued.value).abs() < 1e-6 * valued.value, "{sum} for {}", valued.value);
        let listed: f64 = valued.comparables.iter().map(|own| own.share).sum();
        assert!(listed > 0.0 && listed <= valued.weight + 1e-9, "{listed} of {}", valued.weight);
        assert!(valued.comparables.iter().all(|own| (0.0..=1.0).contains(&own.similarity)));
    }
    let [small, large] = [1100.0, 2400.0].map(|floor_area| {
        let valued =
            market.value_dwelling(&Facts { floor_area: Some(floor_area), ..facts(5001) }, day(2000)).unwrap();
        valued.fact_shares.iter().find(|share| share.fact == "floor_area").unwrap().amount
    });
    assert!(small < 0.0 && large > 0.0, "{small} {large}");
}

#[test]
fn where_there_is_no_value_the_reason_is_given() {
    let market = market(town(3000));
    let (subject, on) = (facts(5001), day(2000));
    assert_eq!(market.value_dwelling(&subject, day(20)), Err(NoValue::NoMarket));
    assert!(matches!(market.value_dwelling(&subject, day(2000 + 5 * 365)), Err(NoValue::Stale { .. })));
    assert_eq!(market.value_dwelling(&Facts { area: Some(99), ..subject }, on), Err(NoValue::UnknownArea));
    assert_eq!(
        market.value_dwelling(&Facts { year_built: Some(2030), ..subject }, on),
        Err(NoValue::NotBuilt { year: 2030 })
    );
    let castle = Facts { floor_area: Some(60_000.0), block: None, street: None, ..subject };
    assert!(matches!(market.value_dwelling(&castle, on), Err(NoValue::TooFewComparables { found: 0, .. })));
    let later = market.value_dwelling(&subject, day(2000 + 900)).unwrap();
    assert!(later.reasons.contains(&"stale_sales"));
    let sooner = market.value_dwelling(&subject, on).unwrap();
    let width = |v: &fdna_valuation::Valuation| (v.interval.1 - v.interval.0) / v.value;
    assert!(width(&later) > width(&sooner), "the interval widens while no sale is known");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_future_of_a_day_changes_no_value_of_it(n in 5000_u64..6000, offset in 900_u64..2000, nonsense in 1.0_f64..9e6) {
        let (subject, on) = (facts(n), day(offset));
        let all = town(2500);
        let cut = all.iter().filter(|sale| sale.day < on).copied().collect();
        let changed = all.iter().map(|sale| if sale.day < on { *sale } else { Sale { price: nonsense, ..*sale } }).collect();
        let value = market(all).value_dwelling(&subject, on);
        prop_assert_eq!(&market(cut).value_dwelling(&subject, on), &value);
        prop_assert_eq!(&market(changed).value_dwelling(&subject, on), &value);
    }

    #[test]
    fn no_facts_make_it_panic(floor in any::<f64>(), lot in any::<f64>(), year in any::<i32>(), beds in any::<f64>()) {
        let subject = Facts { floor_area: Some(floor), lot_area: Some(lot), year_built: Some(year), beds: Some(beds), ..facts(1) };
        let _ = market(town(1000)).value_dwelling(&subject, day(1990));
    }
}

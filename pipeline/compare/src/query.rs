//! Fighters by one metric: who matches, in which order, and a page of them.

use std::cmp::Ordering;

use fdna_schemas::{Confidence, Direction};

/// What a fighter's version says of the metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryCandidate<K> {
    /// His id: breaks ties.
    pub key: K,
    /// Shrunk value; `None` unless the status is ok.
    pub value: Option<f64>,
    pub raw_value: Option<f64>,
    pub percentile: Option<f64>,
    pub interval_low: Option<f64>,
    pub confidence: Confidence,
    /// Eligible bouts that carry the metric's columns.
    pub bouts: i32,
}

/// The number that bounds are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryColumn {
    Value,
    Raw,
    Percentile,
}

impl QueryColumn {
    /// On the wire, the first by default.
    pub const WORDS: [&'static str; 3] = ["value", "raw", "percentile"];

    /// The number of this name; `value` for any other word.
    #[must_use]
    pub fn from_name(word: &str) -> Self {
        match word {
            "raw" => Self::Raw,
            "percentile" => Self::Percentile,
            _ => Self::Value,
        }
    }

    fn value_of<K>(self, candidate: &QueryCandidate<K>) -> Option<f64> {
        match self {
            Self::Value => candidate.value,
            Self::Raw => candidate.raw_value,
            Self::Percentile => candidate.percentile,
        }
    }
}

/// The number that the order is by. By raw values the smallest samples lead, so that they are no default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortColumn {
    Value,
    Raw,
    Percentile,
    IntervalLow,
}

/// An order: by a number, ties by key. Candidates without the number come last either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortOrder {
    pub by: SortColumn,
    pub descending: bool,
}

impl SortOrder {
    /// On the wire; a minus puts the largest first.
    pub const WORDS: [&'static str; 8] =
        ["value", "-value", "raw", "-raw", "percentile", "-percentile", "interval_low", "-interval_low"];

    /// The order of this name.
    #[must_use]
    pub fn from_name(word: &str) -> Option<Self> {
        let (descending, name) = word.strip_prefix('-').map_or((false, word), |name| (true, name));
        let by = match name {
            "value" => SortColumn::Value,
            "raw" => SortColumn::Raw,
            "percentile" => SortColumn::Percentile,
            "interval_low" => SortColumn::IntervalLow,
            _ => return None,
        };
        Some(Self { by, descending })
    }

    /// The best value first; where neither end is better, the largest.
    #[must_use]
    pub fn best_first(direction: Direction) -> Self {
        Self { by: SortColumn::Value, descending: direction != Direction::Lower }
    }

    /// As on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.by, self.descending) {
            (SortColumn::Value, false) => "value",
            (SortColumn::Value, true) => "-value",
            (SortColumn::Raw, false) => "raw",
            (SortColumn::Raw, true) => "-raw",
            (SortColumn::Percentile, false) => "percentile",
            (SortColumn::Percentile, true) => "-percentile",
            (SortColumn::IntervalLow, false) => "interval_low",
            (SortColumn::IntervalLow, true) => "-interval_low",
        }
    }

    fn value_of<K>(self, candidate: &QueryCandidate<K>) -> Option<f64> {
        match self.by {
            SortColumn::Value => candidate.value,
            SortColumn::Raw => candidate.raw_value,
            SortColumn::Percentile => candidate.percentile,
            SortColumn::IntervalLow => candidate.interval_low,
        }
    }

    /// Of two with their numbers and keys.
    fn compare_matches<K: Ord>(self, a: &(Option<f64>, K), b: &(Option<f64>, K)) -> Ordering {
        let by_number = match (a.0, b.0) {
            (Some(a), Some(b)) if self.descending => b.total_cmp(&a),
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        by_number.then_with(|| a.1.cmp(&b.1))
    }
}

/// A query over the values of one metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricQuery {
    pub on: QueryColumn,
    /// Bounds, both included.
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub min_confidence: Confidence,
    pub min_bouts: i32,
    pub sort: SortOrder,
}

/// The fighters that are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FighterFilter<'a> {
    /// One of them; empty for every class and for fighters without one.
    pub weight_classes: &'a [&'a str],
    pub sex: Option<FighterSex>,
    pub stance: Option<&'a str>,
    pub is_active: Option<bool>,
}

impl FighterFilter<'_> {
    /// Whether a fighter is one of them. What is not asked about is not looked up.
    pub fn includes<'f>(
        &self,
        weight_class: impl FnOnce() -> Option<&'f str>,
        stance: impl FnOnce() -> Option<&'f str>,
        is_active: impl FnOnce() -> bool,
    ) -> bool {
        self.includes_class(weight_class)
            && self.stance.is_none_or(|wanted| stance() == Some(wanted))
            && self.is_active.is_none_or(|wanted| is_active() == wanted)
    }

    fn includes_class<'f>(&self, weight_class: impl FnOnce() -> Option<&'f str>) -> bool {
        if self.weight_classes.is_empty() && self.sex.is_none() {
            return true;
        }
        weight_class().is_some_and(|class| {
            (self.weight_classes.is_empty() || self.weight_classes.contains(&class))
                && self.sex.is_none_or(|sex| sex.includes_class(class))
        })
    }
}

/// Sex of a class. A fighter without a class is of neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FighterSex {
    Men,
    Women,
}

impl FighterSex {
    /// On the wire.
    pub const WORDS: [&'static str; 2] = ["men", "women"];

    /// The sex of this name.
    #[must_use]
    pub fn from_name(word: &str) -> Option<Self> {
        match word {
            "men" => Some(Self::Men),
            "women" => Some(Self::Women),
            _ => None,
        }
    }

    fn includes_class(self, class: &str) -> bool {
        class.starts_with("WOMENS_") == (self == Self::Women)
    }
}

/// Matching candidates, and the number of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryMatches<K> {
    /// Those that are wanted stand first, in order.
    pub keys: Vec<K>,
    /// All candidates.
    pub population: usize,
    /// Those of them whose sample is too small to be asked for bounds: no such number, confidence below
    /// the asked one, or fewer bouts than asked.
    pub excluded_insufficient: usize,
}

/// Finds the matching ones among the candidates, who are fighters of the asked kind, and puts the first `wanted` of them in
/// order.
pub fn find_matches<K: Ord + Copy>(
    candidates: impl IntoIterator<Item = QueryCandidate<K>>,
    query: &MetricQuery,
    wanted: usize,
) -> QueryMatches<K> {
    let (mut population, mut excluded_insufficient, mut found) = (0, 0, Vec::new());
    for candidate in candidates {
        population += 1;
        if !query.is_sufficient(&candidate) {
            excluded_insufficient += 1;
        } else if query.is_within(&candidate) {
            found.push((query.sort.value_of(&candidate), candidate.key));
        }
    }
    let compare = |a: &(Option<f64>, K), b: &(Option<f64>, K)| query.sort.compare_matches(a, b);
    if wanted < found.len() {
        found.select_nth_unstable_by(wanted, compare);
    }
    let first = found.len().min(wanted);
    found[..first].sort_unstable_by(compare);
    QueryMatches { keys: found.into_iter().map(|(_, key)| key).collect(), population, excluded_insufficient }
}

impl MetricQuery {
    /// Whether it reads the percentiles of its candidates.
    #[must_use]
    pub fn reads_percentile(&self) -> bool {
        self.on == QueryColumn::Percentile || self.sort.by == SortColumn::Percentile
    }

    /// Whether it reads their raw values.
    #[must_use]
    pub fn reads_raw(&self) -> bool {
        self.on == QueryColumn::Raw || self.sort.by == SortColumn::Raw
    }

    /// Whether it reads their intervals.
    #[must_use]
    pub fn reads_interval(&self) -> bool {
        self.sort.by == SortColumn::IntervalLow
    }

    fn is_sufficient<K>(&self, candidate: &QueryCandidate<K>) -> bool {
        self.on.value_of(candidate).is_some()
            && candidate.confidence >= self.min_confidence
            && candidate.bouts >= self.min_bouts
    }

    fn is_within<K>(&self, candidate: &QueryCandidate<K>) -> bool {
        let number = self.on.value_of(candidate);
        number.is_some_and(|n| self.min.is_none_or(|min| n >= min) && self.max.is_none_or(|max| n <= max))
    }
}

/// The keys from `start` on, at most `limit`, and where the next page begins; `None` after the last.
pub fn page_of<K>(keys: &[K], start: usize, limit: usize) -> (&[K], Option<usize>) {
    let start = start.min(keys.len());
    let end = start.saturating_add(limit).min(keys.len());
    (&keys[start..end], (end < keys.len()).then_some(end))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use expect_test::expect;
    use proptest::prelude::*;

    fn candidate(key: u32, value: Option<f64>) -> QueryCandidate<u32> {
        QueryCandidate {
            key,
            value,
            raw_value: value.map(|v| 2.0 * v),
            percentile: value.map(|v| 100.0 - v),
            interval_low: None,
            confidence: Confidence::Medium,
            bouts: 5,
        }
    }

    fn all() -> MetricQuery {
        MetricQuery {
            on: QueryColumn::Value,
            min: None,
            max: None,
            min_confidence: Confidence::Low,
            min_bouts: 0,
            sort: SortOrder { by: SortColumn::Value, descending: true },
        }
    }

    fn four() -> [QueryCandidate<u32>; 4] {
        [candidate(1, Some(3.0)), candidate(2, None), candidate(3, Some(5.0)), candidate(4, Some(3.0))]
    }

    #[test]
    fn bounds_are_included_null_never_matches_and_ties_go_by_key() {
        let of = |query: MetricQuery| format!("{:?}\n", find_matches(four(), &query, usize::MAX));
        let upwards = SortOrder { by: SortColumn::Value, descending: false };
        let seen = [
            of(all()),
            of(MetricQuery { sort: upwards, ..all() }),
            of(MetricQuery { min: Some(3.0), max: Some(3.0), ..all() }),
            of(MetricQuery { on: QueryColumn::Raw, min: Some(10.0), ..all() }),
            of(MetricQuery { on: QueryColumn::Percentile, min: Some(96.0), ..all() }),
            of(MetricQuery { min: Some(5.1), ..all() }),
        ]
        .concat();
        expect![[r#"
            QueryMatches { keys: [3, 1, 4], population: 4, excluded_insufficient: 1 }
            QueryMatches { keys: [1, 4, 3], population: 4, excluded_insufficient: 1 }
            QueryMatches { keys: [1, 4], population: 4, excluded_insufficient: 1 }
            QueryMatches { keys: [3], population: 4, excluded_insufficient: 1 }
            QueryMatches { keys: [1, 4], population: 4, excluded_insufficient: 1 }
            QueryMatches { keys: [], population: 4, excluded_insufficient: 1 }
        "#]]
        .assert_eq(&seen);
    }

    #[test]
    fn who_has_too_little_is_counted() {
        let [a, b, c, d] = four();
        let mixed = [a, b, QueryCandidate { confidence: Confidence::Low, bouts: 2, ..c }, d];
        let of = |query: MetricQuery| format!("{:?}\n", find_matches(mixed, &query, usize::MAX));
        let seen = [
            of(MetricQuery { min_confidence: Confidence::Medium, ..all() }),
            of(MetricQuery { min_bouts: 3, ..all() }),
        ]
        .concat();
        expect![[r#"
            QueryMatches { keys: [1, 4], population: 4, excluded_insufficient: 2 }
            QueryMatches { keys: [1, 4], population: 4, excluded_insufficient: 2 }
        "#]]
        .assert_eq(&seen);
    }

    #[test]
    fn a_filter_asks_for_class_sex_stance_and_activity() {
        let fighters = [
            (Some("FLYWEIGHT"), None, true),
            (None, Some("SWITCH"), true),
            (Some("WOMENS_FLYWEIGHT"), None, true),
            (Some("LIGHTWEIGHT"), Some("SWITCH"), false),
        ];
        let of = |filter: FighterFilter<'_>| {
            fighters.map(|(class, stance, is_active)| filter.includes(|| class, || stance, || is_active))
        };
        let none = FighterFilter::default();
        assert_eq!(of(none), [true; 4]);
        assert_eq!(
            of(FighterFilter { weight_classes: &["LIGHTWEIGHT"], ..none }),
            [false, false, false, true]
        );
        let classes = &["FLYWEIGHT", "WOMENS_FLYWEIGHT"];
        assert_eq!(of(FighterFilter { weight_classes: classes, ..none }), [true, false, true, false]);
        let men = Some(FighterSex::Men);
        assert_eq!(of(FighterFilter { sex: men, ..none }), [true, false, false, true]);
        assert_eq!(
            of(FighterFilter { weight_classes: classes, sex: men, ..none }),
            [true, false, false, false]
        );
        assert_eq!(of(FighterFilter { sex: Some(FighterSex::Women), ..none }), [false, false, true, false]);
        assert_eq!(of(FighterFilter { stance: Some("SWITCH"), ..none }), [false, true, false, true]);
        assert_eq!(of(FighterFilter { is_active: Some(false), ..none }), [false, false, false, true]);
    }

    #[test]
    fn words_name_what_they_say() {
        assert_eq!(
            SortOrder::WORDS.map(|word| SortOrder::from_name(word).map(SortOrder::name)),
            SortOrder::WORDS.map(Some)
        );
        assert_eq!((SortOrder::from_name("--value"), SortOrder::from_name("")), (None, None));
        assert_eq!(
            FighterSex::WORDS.map(FighterSex::from_name),
            [Some(FighterSex::Men), Some(FighterSex::Women)]
        );
        assert_eq!(
            QueryColumn::WORDS.map(QueryColumn::from_name),
            [QueryColumn::Value, QueryColumn::Raw, QueryColumn::Percentile]
        );
        let best = |direction| SortOrder::best_first(direction).name();
        assert_eq!(best(Direction::Higher), "-value");
        assert_eq!((best(Direction::Lower), best(Direction::Neutral)), ("value", "-value"));
    }

    /// Few values, so that many are equal.
    fn candidates() -> impl Strategy<Value = Vec<QueryCandidate<u32>>> {
        let number = || proptest::option::of((-2_i8..3).prop_map(f64::from));
        let one = (0_u32..60, number(), number(), number(), 0_usize..4, 0_i32..4);
        let one = one.prop_map(|(key, value, percentile, interval_low, level, bouts)| {
            let levels = [Confidence::Insufficient, Confidence::Low, Confidence::Medium, Confidence::High];
            let confidence = levels[level];
            QueryCandidate { percentile, interval_low, confidence, bouts, ..candidate(key, value) }
        });
        proptest::collection::vec(one, 0..60).prop_map(|mut list| {
            list.sort_by_key(|c| c.key);
            list.dedup_by_key(|c| c.key);
            list
        })
    }

    fn queries() -> impl Strategy<Value = MetricQuery> {
        let bound = || proptest::option::of((-2_i8..3).prop_map(f64::from));
        let words = (0..QueryColumn::WORDS.len(), 0..SortOrder::WORDS.len());
        (bound(), bound(), 0_i32..4, words).prop_map(|(min, max, min_bouts, (on, sort))| {
            let sort = SortOrder::from_name(SortOrder::WORDS[sort]).unwrap();
            MetricQuery {
                on: QueryColumn::from_name(QueryColumn::WORDS[on]),
                min,
                max,
                min_bouts,
                sort,
                ..all()
            }
        })
    }

    proptest! {
        #[test]
        fn pages_of_any_size_make_the_whole_list(keys in proptest::collection::vec(0_u32..99, 0..80), limit in 1_usize..30) {
            let (mut seen, mut at) = (Vec::new(), Some(0));
            while let Some(start) = at {
                let (part, next) = page_of(&keys, start, limit);
                prop_assert!(part.len() <= limit && (next.is_none() || part.len() == limit));
                seen.extend_from_slice(part);
                at = next;
            }
            prop_assert_eq!(seen, keys);
        }

        #[test]
        fn whoever_matches_is_found_once_and_in_an_order_that_input_order_does_not_change(
            list in candidates(), query in queries(), turn in 0_usize..60, wanted in 0_usize..70,
        ) {
            let found = find_matches(list.iter().copied(), &query, usize::MAX);
            let mut turned = list.clone();
            turned.rotate_left(turn % list.len().max(1));
            let first = find_matches(turned, &query, wanted);
            let n = found.keys.len().min(wanted);
            prop_assert_eq!(&found.keys[..n], &first.keys[..n]);
            prop_assert_eq!(found.keys.iter().collect::<BTreeSet<_>>(), first.keys.iter().collect::<BTreeSet<_>>());
            prop_assert_eq!((found.population, found.excluded_insufficient), (first.population, first.excluded_insufficient));
            let of = |key: &u32| list.iter().find(|c| c.key == *key).unwrap();
            let number = |key: &u32| (query.sort.value_of(of(key)), *key);
            for pair in found.keys.windows(2) {
                prop_assert_eq!(query.sort.compare_matches(&number(&pair[0]), &number(&pair[1])), Ordering::Less);
            }
            prop_assert!(found.keys.iter().all(|k| query.is_within(of(k))));
            prop_assert_eq!(found.population, list.len());
            let sufficient = list.iter().filter(|c| query.is_sufficient(c));
            prop_assert_eq!(found.excluded_insufficient, found.population - sufficient.clone().count());
            prop_assert_eq!(found.keys.len(), sufficient.filter(|c| query.is_within(c)).count());
        }
    }
}

//! Definitions of metrics.

use std::collections::BTreeSet;

use fdna_schemas::{Estimator, Kernel, MetricDefinitions, Term};

use crate::names_in;

#[test]
fn every_sum_counts_one_thing() {
    let definitions = MetricDefinitions::get();
    for terms in definitions.metrics.iter().flat_map(|metric| [&metric.numerator, &metric.denominator]) {
        let units: BTreeSet<_> = terms.chunks(1).map(|term| definitions.sum_unit(term)).collect();
        assert!(units.len() <= 1 && !units.contains(&None), "{terms:?}: {units:?}");
    }
}

#[test]
fn metric_names_are_unique_and_histories_begin_at_one() {
    let definitions = MetricDefinitions::get();
    let names: BTreeSet<_> = definitions.metrics.iter().map(|m| &m.name).collect();
    assert_eq!(names.len(), definitions.metrics.len());
    for metric in &definitions.metrics {
        assert_eq!(metric.history.first().map(|h| h.version), Some(1), "{}", metric.name);
        assert!(metric.denominator_per > 0.0 && metric.numerator_per > 0.0, "{}", metric.name);
    }
}

#[test]
fn there_are_81_metrics_in_16_families() {
    assert_eq!((MetricDefinitions::get().metrics.len(), MetricDefinitions::get().families.len()), (81, 16));
}

#[test]
fn what_is_shrunk_has_sums_a_prior_and_a_class_and_what_is_not_has_none() {
    for m in &MetricDefinitions::get().metrics {
        let has = (
            !m.numerator.is_empty(),
            !m.denominator.is_empty(),
            m.prior_observations.is_some(),
            m.validity_class.is_some(),
        );
        let shrunk = m.is_shrunk();
        let has_sums = shrunk || m.kernel == Kernel::History;
        assert_eq!(has, (has_sums, has_sums, shrunk, shrunk), "{}", m.name);
        assert_eq!((m.sources.is_empty(), m.variance.is_some()), (has_sums, shrunk), "{}", m.name);
        assert_eq!(m.range.is_some(), m.estimator == Estimator::Difference, "{}", m.name);
        assert_eq!(m.opponent_metric.is_some(), m.kernel == Kernel::Adjusted, "{}", m.name);
        assert!(m.prior_observations.is_none_or(|k| k > 0.0), "{}", m.name);
    }
}

#[test]
fn a_split_metric_is_a_ratio_of_whole_sums() {
    let split: Vec<_> = MetricDefinitions::get().metrics.iter().filter(|m| m.split).collect();
    assert!(split.len() > 15 && split.iter().all(|m| m.has_whole_sums()));
}

#[test]
fn metrics_of_a_group_share_prior_strength_and_denominator() {
    for a in MetricDefinitions::get().metrics.iter().filter(|m| m.group.is_some()) {
        for b in MetricDefinitions::get().metrics.iter().filter(|m| m.group == a.group) {
            assert_eq!(a.prior_observations, b.prior_observations, "{} {}", a.name, b.name);
            assert_eq!(a.denominator, b.denominator, "{} {}", a.name, b.name);
        }
    }
}

#[test]
fn a_term_is_a_column_with_an_optional_minus() {
    assert_eq!(Term::try_from("-o_td_landed".to_owned()).unwrap().to_string(), "-o_td_landed");
    assert!(Term::try_from("a+b".to_owned()).is_err());
    assert!(Term::try_from("-".to_owned()).is_err());
}

#[test]
fn every_family_of_metrics_is_compiled_in() {
    let mut on_disk = names_in("metrics/mma");
    on_disk.remove("engine");
    let families = MetricDefinitions::get().families.iter();
    assert_eq!(families.map(|family| family.name.clone()).collect::<BTreeSet<_>>(), on_disk);
}

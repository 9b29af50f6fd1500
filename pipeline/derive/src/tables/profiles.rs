//! Tables with a row per thing: splits, profiles, ratings, and the catalogue itself.

use arrow::array::RecordBatch;
use fdna_schemas::{Catalogue, ColumnError, Metric, TableWriter, Term};

use fdna_dna::SplitRow;
use fdna_model::FighterId;

use crate::{
    FinishRow, FinishTimes, MetricValidity, MetricVersions, PROFILE_COUNTS, RatingRow, RoundProfile,
    SplitSums,
};

type ProfileTables = Result<RecordBatch, ColumnError>;

/// What of splits is none of a metric's; `fighters` by row.
pub(super) fn split_columns<'t>(
    writer: TableWriter<'t>,
    fighters: &[FighterId],
    rows: &[SplitRow],
) -> TableWriter<'t> {
    let rows = || rows.iter();
    writer
        .uuids("fighter_id", fighters.iter().map(|f| Some(f.0)))
        .texts("dimension", rows().map(|r| r.key.dimension))
        .texts("split_key", rows().map(|r| &r.key.key))
        .int32s("version", rows().map(|r| Some(r.version)))
        .dates("valid_from", rows().map(|r| Some(r.valid_from)))
        .int32s("bouts", rows().map(|r| Some(r.observations)))
        .int32s("rounds", rows().map(|r| Some(r.periods)))
        .dates("last_bout_date", rows().map(|r| Some(r.last)))
}

/// The columns of one metric.
pub(super) fn split_sums<'t>(writer: TableWriter<'t>, sums: &SplitSums) -> TableWriter<'t> {
    let name = |suffix| Catalogue::version_column(&sums.metric, suffix);
    writer
        .int64s(&name("numerator"), sums.numerator.iter().copied().map(Some))
        .int64s(&name("denominator"), sums.denominator.iter().copied().map(Some))
        .int32s(&name("bouts"), sums.observations.iter().copied().map(Some))
}

pub(super) fn round_profiles(writer: TableWriter<'_>, profiles: &[RoundProfile]) -> ProfileTables {
    let rows = || profiles.iter();
    let mut writer = writer
        .uuids("fighter_id", rows().map(|r| Some(r.fighter.0)))
        .int32s("version", rows().map(|r| Some(r.version)))
        .texts("scope", rows().map(|r| r.scope.name()))
        .int32s("round", rows().map(|r| Some(r.round)))
        .int32s("bouts", rows().map(|r| Some(r.sums.bouts)))
        .int64s("secs", rows().map(|r| Some(r.sums.secs)))
        .int64s("control_known_secs", rows().map(|r| Some(r.sums.control_known_secs)));
    for (whose, prefix) in ["", "o_"].into_iter().enumerate() {
        let total = |r: &RoundProfile| r.sums.totals[whose];
        for (place, count) in PROFILE_COUNTS.into_iter().enumerate() {
            let name = format!("{prefix}{}", count.name());
            writer = writer.int64s(&name, rows().map(|r| Some(total(r).counts[place])));
        }
        writer = writer.int64s(&format!("{prefix}control_secs"), rows().map(|r| Some(total(r).control_secs)));
    }
    writer.finish()
}

pub(super) fn finish_profiles(writer: TableWriter<'_>, profiles: &[FinishRow]) -> ProfileTables {
    let rows = || profiles.iter();
    writer
        .uuids("fighter_id", rows().map(|r| Some(r.fighter.0)))
        .int32s("version", rows().map(|r| Some(r.version)))
        .texts("result", rows().map(|r| r.ending.result))
        .texts("method", rows().map(|r| r.ending.method))
        .int32s("round", rows().map(|r| Some(r.ending.round)))
        .texts("detail", rows().map(|r| &r.ending.detail))
        .int32s("bouts", rows().map(|r| Some(r.bouts)))
        .finish()
}

pub(super) fn finish_times(writer: TableWriter<'_>, times: &[FinishTimes]) -> ProfileTables {
    let rows = || times.iter();
    writer
        .uuids("fighter_id", rows().map(|r| Some(r.fighter.0)))
        .int32s("version", rows().map(|r| Some(r.version)))
        .texts("result", rows().map(|r| r.result))
        .int32s("bouts", rows().map(|r| Some(r.bouts)))
        .floats("q1_secs", rows().map(|r| Some(r.quartiles[0])))
        .floats("median_secs", rows().map(|r| Some(r.quartiles[1])))
        .floats("q3_secs", rows().map(|r| Some(r.quartiles[2])))
        .finish()
}

pub(super) fn ratings(writer: TableWriter<'_>, ratings: &[RatingRow]) -> ProfileTables {
    let rows = || ratings.iter();
    writer
        .uuids("fighter_id", rows().map(|r| Some(r.fighter.0)))
        .uuids("bout_id", rows().map(|r| Some(r.bout.0)))
        .dates("event_date", rows().map(|r| Some(r.date)))
        .uuids("opponent_id", rows().map(|r| Some(r.opponent.0)))
        .floats("rating_before", rows().map(|r| Some(r.before)))
        .floats("opponent_rating_before", rows().map(|r| Some(r.opponent_before)))
        .floats("k_factor", rows().map(|r| Some(r.k_factor)))
        .floats("score", rows().map(|r| Some(r.score)))
        .floats("delta", rows().map(|r| Some(r.delta)))
        .floats("rating_after", rows().map(|r| Some(r.after)))
        .finish()
}

/// Sorted by name, as its key is.
pub(super) fn metrics(writer: TableWriter<'_>, catalogue: &Catalogue) -> ProfileTables {
    let mut sorted: Vec<&Metric> = catalogue.metrics.iter().collect();
    sorted.sort_by_key(|m| &m.name);
    let rows = || sorted.iter();
    let terms = |terms: &[Term]| {
        let words: Vec<String> = terms.iter().map(ToString::to_string).collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    writer
        .texts("metric", rows().map(|m| &m.name))
        .texts("family", rows().map(|m| &m.family))
        .texts("meaning", rows().map(|m| &m.meaning))
        .texts("unit", rows().map(|m| m.unit.name()))
        .texts("direction", rows().map(|m| m.direction.name()))
        .texts("estimator", rows().map(|m| m.estimator.name()))
        .texts("kernel", rows().map(|m| m.kernel.name()))
        .strings("numerator", rows().map(|m| terms(&m.numerator)))
        .floats("numerator_per", rows().map(|m| Some(m.numerator_per)))
        .strings("denominator", rows().map(|m| terms(&m.denominator)))
        .floats("denominator_per", rows().map(|m| Some(m.denominator_per)))
        .texts("source_columns", rows().map(|m| m.source_columns().join(" ")))
        .int32s("min_sample", rows().map(|m| i32::try_from(m.min.value).ok()))
        .texts("min_unit", rows().map(|m| m.min.unit.name()))
        .floats("prior_bouts", rows().map(|m| m.prior_observations))
        .floats("variance", rows().map(|m| m.variance))
        .strings("validity_class", rows().map(|m| m.validity_class.map(|class| class.name())))
        .floats("gate_min_z", rows().map(|m| m.gate.map(|g| g.min_z)))
        .floats("gate_hold_share", rows().map(|m| m.gate.map(|g| g.hold_share)))
        .int32s("gate_bouts", rows().map(|m| m.gate.and_then(|g| i32::try_from(g.contests).ok())))
        .texts("introduced_in", rows().map(|m| &m.introduced_in))
        .strings("caveats", rows().map(|m| (!m.caveats.is_empty()).then(|| m.caveats.join("\n"))))
        .finish()
}

/// Sorted by name, as its key is.
pub(super) fn validity(
    writer: TableWriter<'_>,
    metrics: &[MetricVersions],
    catalogue: &Catalogue,
) -> ProfileTables {
    let unmeasured = MetricValidity::default();
    let measured = metrics.iter().map(|d| d.validity.as_ref().unwrap_or(&unmeasured));
    let mut sorted: Vec<(&Metric, &MetricValidity)> = catalogue.metrics.iter().zip(measured).collect();
    sorted.sort_by_key(|(m, _)| &m.name);
    let rows = || sorted.iter();
    let measured = || sorted.iter().map(|(_, v)| v);
    writer
        .texts("metric", rows().map(|(m, _)| &m.name))
        .strings("catalogue_class", rows().map(|(m, _)| m.validity_class.map(|class| class.name())))
        .strings(
            "measured_class",
            measured().map(|v| v.class(&catalogue.settings.validity).map(|class| class.name())),
        )
        .floats("out_of_time_r2", measured().map(|v| v.r2))
        .floats("out_of_time_r2_raw", measured().map(|v| v.r2_raw))
        .floats("reliability", measured().map(|v| v.reliability))
        .floats("interval_coverage", measured().map(|v| v.coverage))
        .int32s("test_bouts", measured().map(|v| i32::try_from(v.test_observations).ok()))
        .int32s("first_test_year", measured().map(|v| v.test_years.map(|(first, _)| first)))
        .int32s("last_test_year", measured().map(|v| v.test_years.map(|(_, last)| last)))
        .floats("fitted_variance", measured().map(|v| v.variance))
        .floats("catalogue_variance", rows().map(|(m, _)| m.variance))
        .dates("constants_fitted_to", rows().map(|_| Some(catalogue.settings.validity.fitted_to)))
        .finish()
}

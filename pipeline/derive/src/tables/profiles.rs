//! Tables with a row per thing: splits, profiles, ratings, and the metric definitions themselves.

use arrow::array::RecordBatch;
use fdna_dna::SplitRows;
use fdna_model::FighterId;
use fdna_schemas::tables::{
    ContractRow, FinishProfilesRow, FinishTimesRow, MetricsRow, RatingsRow, RoundProfilesRow, SplitsRow,
    ValidityRow,
};
use fdna_schemas::{Metric, MetricDefinitions, RowBuilder, TableWriter, Tables, Term};

use super::TablesError;
use crate::{
    FinishRow, FinishTimes, MetricValidity, MetricVersions, PROFILE_COUNTS, RatingRow, RoundProfile,
    RoundSums, SplitSums,
};

/// Columns of splits that belong to no metric; `fighters` by subject.
pub(super) fn split_columns<'t>(
    writer: TableWriter<'t>,
    fighters: &[FighterId],
    splits: &SplitRows,
) -> TableWriter<'t> {
    let rows = || splits.rows.iter();
    writer
        .uuids(SplitsRow::FIGHTER_ID.name, rows().map(|r| Some(fighters[r.subject.0 as usize].0)))
        .texts(SplitsRow::DIMENSION.name, rows().map(|r| splits.key_of(r).dimension))
        .texts(SplitsRow::SPLIT_KEY.name, rows().map(|r| &splits.key_of(r).key))
        .int32s(SplitsRow::VERSION.name, rows().map(|r| Some(r.version)))
        .dates(SplitsRow::VALID_FROM.name, rows().map(|r| Some(r.valid_from)))
        .int32s(SplitsRow::BOUTS.name, rows().map(|r| Some(r.observations)))
        .int32s(SplitsRow::ROUNDS.name, rows().map(|r| Some(r.periods)))
        .dates(SplitsRow::LAST_BOUT_DATE.name, rows().map(|r| Some(r.last)))
}

/// The columns of one metric.
pub(super) fn split_sums<'t>(writer: TableWriter<'t>, sums: &SplitSums) -> TableWriter<'t> {
    let name = |suffix| MetricDefinitions::version_column(&sums.metric, suffix);
    writer
        .int64s(&name("numerator"), sums.numerator.iter().copied().map(Some))
        .int64s(&name("denominator"), sums.denominator.iter().copied().map(Some))
        .int32s(&name("bouts"), sums.observations.iter().copied().map(Some))
}

/// Puts the columns of round profiles, one sum at a time: all of them at once take as much room as the profiles.
pub(super) fn round_profiles<E>(
    profiles: &[RoundProfile],
    writer: &TableWriter<'static>,
    mut put: impl FnMut(TableWriter<'static>) -> Result<(), E>,
) -> Result<(), E> {
    let rows = || profiles.iter();
    let keys = writer
        .new_of_table()
        .uuids(RoundProfilesRow::FIGHTER_ID.name, rows().map(|r| Some(r.fighter.0)))
        .int32s(RoundProfilesRow::VERSION.name, rows().map(|r| Some(r.version)))
        .texts(RoundProfilesRow::SCOPE.name, rows().map(|r| r.scope.name()))
        .int32s(RoundProfilesRow::ROUND.name, rows().map(|r| Some(r.round)));
    put(keys.int32s(RoundProfilesRow::BOUTS.name, rows().map(|r| Some(r.sums.bouts))))?;
    let mut put_sum = |name: &str, sum_of: &dyn Fn(&RoundSums) -> i32| {
        put(writer.new_of_table().int64s(name, rows().map(|r| Some(sum_of(&r.sums).into()))))
    };
    put_sum(RoundProfilesRow::SECS.name, &|sums| sums.secs)?;
    put_sum(RoundProfilesRow::CONTROL_KNOWN_SECS.name, &|sums| sums.control_known_secs)?;
    for (whose, prefix) in ["", "o_"].into_iter().enumerate() {
        for (place, count) in PROFILE_COUNTS.into_iter().enumerate() {
            put_sum(&format!("{prefix}{}", count.name()), &|sums| sums.totals[whose].counts[place])?;
        }
        put_sum(&format!("{prefix}control_secs"), &|sums| sums.totals[whose].control_secs)?;
    }
    Ok(())
}

pub(super) fn finish_profiles(profiles: &[FinishRow]) -> Result<RecordBatch, TablesError> {
    let mut table = rows_of::<FinishProfilesRow<'_>>()?;
    for row in profiles {
        table.push(&FinishProfilesRow {
            fighter_id: row.fighter.0,
            version: row.version,
            result: row.ending.result,
            method: row.ending.method,
            round: row.ending.round,
            detail: &row.ending.detail,
            bouts: row.bouts,
        });
    }
    Ok(table.finish()?)
}

pub(super) fn finish_times(times: &[FinishTimes]) -> Result<RecordBatch, TablesError> {
    let mut table = rows_of::<FinishTimesRow<'_>>()?;
    for row in times {
        let [q1_secs, median_secs, q3_secs] = row.quartiles;
        let (fighter_id, version, result, bouts) = (row.fighter.0, row.version, row.result, row.bouts);
        table.push(&FinishTimesRow { fighter_id, version, result, bouts, q1_secs, median_secs, q3_secs });
    }
    Ok(table.finish()?)
}

pub(super) fn rating_table(ratings: &[RatingRow]) -> Result<RecordBatch, TablesError> {
    let mut table = rows_of::<RatingsRow>()?;
    for row in ratings {
        table.push(&RatingsRow {
            fighter_id: row.fighter.0,
            bout_id: row.bout.0,
            event_date: row.date,
            opponent_id: row.opponent.0,
            rating_before: row.before,
            opponent_rating_before: row.opponent_before,
            k_factor: row.k_factor,
            score: row.score,
            delta: row.delta,
            rating_after: row.after,
        });
    }
    Ok(table.finish()?)
}

/// The metric definitions as the table `metrics`, sorted by name, as its key is.
///
/// # Errors
/// The contract of the table has another column.
pub fn metric_table(definitions: &MetricDefinitions) -> Result<RecordBatch, TablesError> {
    let mut sorted: Vec<&Metric> = definitions.metrics.iter().collect();
    sorted.sort_by_key(|m| &m.name);
    let joined = |words: Vec<String>, by: &str| (!words.is_empty()).then(|| words.join(by));
    let terms = |terms: &[Term]| joined(terms.iter().map(ToString::to_string).collect(), " ");
    let mut table = rows_of::<MetricsRow<'_>>()?;
    for metric in sorted {
        table.push(&MetricsRow {
            metric: &metric.name,
            family: &metric.family,
            meaning: &metric.meaning,
            unit: metric.unit.name(),
            direction: metric.direction.name(),
            estimator: metric.estimator.name(),
            kernel: metric.kernel.name(),
            numerator: terms(&metric.numerator).as_deref(),
            numerator_per: metric.numerator_per,
            denominator: terms(&metric.denominator).as_deref(),
            denominator_per: metric.denominator_per,
            source_columns: &metric.source_columns().join(" "),
            min_sample: count_as_i32(metric.min.value),
            min_unit: metric.min.unit.name(),
            prior_bouts: metric.prior_observations,
            variance: metric.variance,
            validity_class: metric.validity_class.map(|class| class.name()),
            gate_min_z: metric.gate.map(|gate| gate.min_z),
            gate_hold_share: metric.gate.map(|gate| gate.hold_share),
            gate_bouts: metric.gate.map(|gate| count_as_i32(gate.contests)),
            introduced_in: &metric.introduced_in,
            caveats: joined(metric.caveats.clone(), "\n").as_deref(),
        });
    }
    Ok(table.finish()?)
}

/// Sorted by name, as its key is.
pub(super) fn validity_table(
    metrics: &[MetricVersions],
    definitions: &MetricDefinitions,
) -> Result<RecordBatch, TablesError> {
    let unmeasured = MetricValidity::default();
    let measured = metrics.iter().map(|d| d.validity.as_ref().unwrap_or(&unmeasured));
    let mut sorted: Vec<(&Metric, &MetricValidity)> = definitions.metrics.iter().zip(measured).collect();
    sorted.sort_by_key(|(m, _)| &m.name);
    let settings = &definitions.settings.validity;
    let mut table = rows_of::<ValidityRow<'_>>()?;
    for (metric, measured) in sorted {
        table.push(&ValidityRow {
            metric: &metric.name,
            catalogue_class: metric.validity_class.map(|class| class.name()),
            measured_class: measured.validity_class(settings).map(|class| class.name()),
            out_of_time_r2: measured.r2,
            out_of_time_r2_raw: measured.r2_raw,
            reliability: measured.reliability,
            interval_coverage: measured.coverage,
            test_bouts: count_as_i32(measured.test_observations),
            first_test_year: measured.test_years.map(|(first, _)| first),
            last_test_year: measured.test_years.map(|(_, last)| last),
            fitted_variance: measured.variance,
            catalogue_variance: metric.variance,
            constants_fitted_to: settings.fitted_to,
            stabilises_at: measured.stabilisation.map(|s| s.exposure),
            stabilises_low: measured.stabilisation.map(|s| s.low),
            stabilises_high: measured.stabilisation.and_then(|s| s.high),
            stabilises_at_bouts: measured.stabilisation.map(|s| s.observations),
            next_year_drift: measured.season.drift,
            next_year_coverage: measured.season.coverage,
            next_year_coverage_without_drift: measured.season.coverage_without_drift,
            next_year_tests: count_as_i32(measured.season.tests),
        });
    }
    Ok(table.finish()?)
}

/// An empty table of these rows.
fn rows_of<R: ContractRow>() -> Result<RowBuilder, TablesError> {
    Ok(RowBuilder::new(Tables::get().table(R::TABLE)?))
}

/// A count that fits the tables' 32 bits.
fn count_as_i32<T: TryInto<i32>>(count: T) -> i32 {
    count.try_into().unwrap_or(i32::MAX)
}

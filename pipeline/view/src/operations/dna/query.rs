//! Fighters by one metric.

use chrono::{Months, NaiveDate};
use fdna_api::operations::dna_query;
use fdna_api::operations::parameters::{AS_OF, LIMIT, METRIC};
use fdna_api::{Failure, MetaExtra, QueryItem, QueryMatch, QueryMeta};
use fdna_compare::query::{
    FighterFilter, FighterSex, MetricQuery, QueryCandidate, QueryColumn, QueryMatches, SortOrder,
    find_matches, page_of,
};
use fdna_schemas::{Confidence, Metric, MetricDefinitions};
use uuid::Uuid;

use super::evidence::MetricEvidence;
use super::reading::{HistoryQuery, MetricReading, PercentilePools, of_the_day};
use super::version::AskedVersion;
use crate::Dataset;
use crate::dataset::CompleteDataset;
use crate::dataset::dna::{MetricColumns, MetricSample, VersionOfDay};
use crate::operations::OperationResponse;
use crate::operations::{OperationRequest, cursor, not_read};
use fdna_api::{must_be, no_such_name};

/// A fighter was active if he fought within so many calendar months.
const ACTIVE: Months = Months::new(36);

/// Id and row of a fighter: ids break ties.
type QueryCursor = (Uuid, usize);

pub(crate) fn dna_query(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let columns = data.derived.dna.columns(metric(request)?).map_err(not_read)?;
    let query = query(columns.metric, request)?;
    let classes = request.params.get(dna_query::WEIGHT_CLASS);
    let asked = fighter_filter(request, classes);
    let start = cursor::start(data.snapshot_id(), request)?.unwrap_or(0);
    let day = day(&data, request);
    let pools = PercentilePools::new(data, day.unwrap_or(NaiveDate::MIN));
    let (first, limit) = (start, request.params.get(LIMIT));
    let wanted = first.saturating_add(limit);
    let found = find_matches(candidates(data, &columns, day, &pools, asked, &query), &query, wanted);
    let (keys, next) = page_of(&found.keys, first, limit);
    let versions = keys.iter().map(|(_, fighter)| {
        let version = AskedVersion::choose(data, *fighter, request.params.get(AS_OF))?;
        Ok((MetricEvidence::of_metric(&version, columns.metric), version))
    });
    let versions: Vec<_> = versions.collect::<Result<_, Failure>>()?;
    let items = versions.iter().map(|(evidence, version)| QueryMatch {
        fighter: data.fighter_compact(version.fighter, request.shown()),
        item: QueryItem {
            version: version.stored.version,
            weight_class: version.weight_class(),
            metric: version.metric(&columns.row(version.stored.row), evidence, &pools, false),
        },
    });
    let items: Vec<QueryMatch<'_>> = items.collect();
    request.answer(&items, meta(&data, request, &query, &found, items.len(), next))
}

/// The metric that is asked for.
pub(super) fn metric(request: &OperationRequest) -> Result<&'static Metric, Failure> {
    let name = request.params.get(METRIC);
    MetricDefinitions::get().metric(name).ok_or_else(|| {
        let names: Vec<&str> =
            MetricDefinitions::get().metrics.iter().map(|metric| metric.name.as_str()).collect();
        no_such_name(METRIC.name(), name, &names, "/v1/mma/dna/metrics")
    })
}

fn query(metric: &Metric, request: &OperationRequest) -> Result<MetricQuery, Failure> {
    let params = &request.params;
    let (min, max) = (params.get(dna_query::MIN), params.get(dna_query::MAX));
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        return Err(must_be(dna_query::MAX.name(), "a number not below `min`"));
    }
    let sort = params.get(dna_query::SORT).and_then(SortOrder::from_name);
    Ok(MetricQuery {
        on: QueryColumn::from_name(params.get(dna_query::ON)),
        min,
        max,
        min_confidence: Confidence::of(params.get(dna_query::MIN_CONFIDENCE)),
        min_bouts: i32::try_from(params.get(dna_query::MIN_BOUTS)).unwrap_or(i32::MAX),
        sort: sort.unwrap_or(SortOrder::best_first(metric.direction)),
    })
}

fn fighter_filter<'a>(request: &'a OperationRequest, weight_classes: &'a [&'a str]) -> FighterFilter<'a> {
    let params = &request.params;
    FighterFilter {
        weight_classes,
        sex: params.get(dna_query::SEX).and_then(FighterSex::from_name),
        stance: params.get(dna_query::STANCE),
        is_active: match params.get(dna_query::ACTIVE) {
            "all" => None,
            word => Some(word == "true"),
        },
    }
}

/// The asked day, or the snapshot's newest; `None` where that has no facts.
fn day(data: &Dataset, request: &OperationRequest) -> Option<NaiveDate> {
    request.params.get(AS_OF).or_else(|| data.newest_day())
}

/// Every fighter with a version on the day who is of the asked kind, with the numbers that the query reads.
fn candidates<'a>(
    data: CompleteDataset<'a>,
    columns: &'a MetricColumns,
    as_of: Option<NaiveDate>,
    pools: &'a PercentilePools<'a>,
    asked: FighterFilter<'a>,
    query: &'a MetricQuery,
) -> impl Iterator<Item = QueryCandidate<QueryCursor>> {
    let since = as_of.and_then(|day| day.checked_sub_months(ACTIVE));
    data.derived.dna.of_day(as_of).filter_map(move |version| {
        let VersionOfDay { fighter, id, dates, row: stored } = version;
        let weight_class = || data.derived.dna.weight_class(stored);
        let stance = || data.fighters.rows[fighter].stance.map(fdna_model::Stance::name);
        let is_active = || {
            let is_since = |day: NaiveDate| since.is_some_and(|since| day >= since);
            // Of most who are not, the last bout of all says so.
            is_since(dates.last_bout_date)
                || data.derived.last_fought[fighter].is_some_and(is_since)
                    && since.is_some_and(|since| has_fought(data, fighter, since, as_of))
        };
        if !asked.includes(weight_class, stance, is_active) {
            return None;
        }
        let day = as_of.unwrap_or(dates.valid_from);
        let sample = columns.read_sample(stored, query.reads_raw());
        let sample = of_the_day(data, columns.metric, fighter, day).map_or(sample, |now| MetricSample {
            value: now.value,
            raw_value: now.raw_value,
            bouts: now.bouts.unwrap_or(sample.bouts),
            confidence: now.confidence,
        });
        let percentile = || {
            let whose = HistoryQuery { fighter, weight_class: weight_class(), day };
            let stored = columns.row(stored);
            pools.place(&stored, &MetricReading::of(data, &stored, whose), whose).ok()
        };
        let percentile = query.reads_percentile().then(percentile).flatten();
        Some(QueryCandidate {
            key: (id, fighter),
            value: sample.value,
            raw_value: sample.raw_value,
            percentile: percentile.map(|place| place.value),
            interval_low: query.reads_interval().then(|| columns.interval_low(stored)).flatten(),
            confidence: sample.confidence,
            bouts: sample.bouts,
        })
    })
}

/// Whether the fighter fought from a day on, before another. A bout on the asked day is the future.
fn has_fought(
    data: CompleteDataset<'_>,
    fighter: usize,
    since: NaiveDate,
    before: Option<NaiveDate>,
) -> bool {
    let fought = &data.derived.pasts[fighter].fought;
    let past = before.map_or(fought.len(), |before| fought.partition_point(|day| *day < before));
    past.checked_sub(1).is_some_and(|last| fought[last] >= since)
}

fn meta(
    data: &Dataset,
    request: &OperationRequest,
    query: &MetricQuery,
    found: &QueryMatches<QueryCursor>,
    count: usize,
    next: Option<usize>,
) -> MetaExtra {
    let params = &request.params;
    MetaExtra::Query(Box::new(QueryMeta {
        count,
        total: found.keys.len(),
        matched: found.keys.len(),
        population: found.population,
        excluded_insufficient: found.excluded_insufficient,
        snapshot_id: data.snapshot_id().to_owned(),
        metric: params.get(METRIC).to_owned(),
        on: params.get(dna_query::ON).to_owned(),
        sort: query.sort.name().to_owned(),
        min_confidence: query.min_confidence.name().to_owned(),
        as_of: day(data, request).map(|day| day.to_string()),
        limit: params.get(LIMIT),
        next_cursor: next.map(|place| cursor::next(data.snapshot_id(), request, place)),
    }))
}

//! Ties the schedule, judging and notice sources to the statistics source.
//!
//! Ids once given never change: the registry of published ids is an input. Where the current snapshot was made of an
//! output that differs in nothing else, that one is up to date, and a run that follows finds nothing new; any other is
//! made of the captures and of every id that was published, as far as it was by the time that is asked for.

use std::collections::BTreeMap;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_identity::{EntityResolution, HISTORY_TABLES};
use fdna_rows::TableSet;
use fdna_schemas::tables::{ContractReader as _, EventsReader};
use serde_json::json;

use super::definition::{StageName, StageState};
use super::normalise::{load_facts, row_counts};
use super::normalised::NormalisedOutputs;
use super::{graph, normalised};
use crate::context::{Context, PipelineJob as _, StageJob};
use crate::published_ids::IdRegistry;
use crate::report::JobReport;

pub(crate) struct LinkJob;

/// Of so many events without a bout each is told by a line.
const TOLD_EACH: usize = 5;

impl StageJob for LinkJob {
    const STAGE: StageName = StageName::Link;
    const UNCHANGED: &'static str = "nothing new to link";

    fn make(&self, ctx: &Context, state: &StageState) -> anyhow::Result<JobReport> {
        ctx.progress.show_message("link sources");
        let captures = graph::stage_captures(&ctx.lake, StageName::Link)?;
        let history = ctx.lake.stage_output(StageName::Normalise)?.context("no tables of normalise")?;
        let registry = IdRegistry::open_registry(&ctx.lake, ctx.lake.known_at())?;
        let set = NormalisedOutputs(vec![history.clone()]).read_tables(&ctx.lake, &HISTORY_TABLES)?;
        let decisions = ctx.lake.decisions().parse_decisions()?;
        let [same, different] = decisions.count_entries();
        let (captures, published) = rayon::join(|| load_facts(&ctx.lake, &captures), || registry.parse_ids());
        let (captures, published) = (captures?, published?);
        let linking = EntityResolution { history: &set, captures, published, decisions };
        let linked = fdna_identity::link_sources(linking).context("cannot link the sources")?;
        let mut tables = linked.tables;
        let moved = count_moved_days(&set, &tables)?;
        // What linking leaves as it was stays where it is.
        tables.retain(|(name, batch)| set.0.get(name).is_none_or(|before| before != batch));
        if linked.ids.is_any() {
            let names = history.tables.iter().map(|table| table.name.as_str());
            for name in names.filter(|name| !HISTORY_TABLES.contains(name)) {
                let before = ctx.lake.read_stage_table(&history, name)?;
                let renamed = linked.ids.remap_table(name, &before)?;
                tables.extend((renamed != before).then(|| (name.to_owned(), renamed)));
            }
        }
        let mut lines = vec![normalised::describe_counts(&tables)];
        if same + different > 0 {
            lines.push(format!("decisions followed: {same} same, {different} different"));
        }
        lines.extend(moved);
        lines.extend(linked.remarks.iter().take(TOLD_EACH).cloned());
        if let more @ 1.. = linked.remarks.len().saturating_sub(TOLD_EACH) {
            lines.push(format!("and {more} more, in `quarantine` as `no_bout`"));
        }
        let rows = row_counts(&linked.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        state.commit_output(&ctx.lake, &ctx.writer, &tables, json!({ "rows": rows }))?;
        Ok(JobReport { rows, ..JobReport::changed(self.name(), lines) })
    }
}

/// On how many events the day at the venue is another than that of the statistics source, by days. An earlier one would
/// let a result be known on its own day.
///
/// # Errors
/// A table is not what its contract says, or a day is earlier.
fn count_moved_days(history: &TableSet, linked: &[(String, RecordBatch)]) -> anyhow::Result<Option<String>> {
    let Some(events) = linked.iter().find(|(name, _)| name == EventsReader::TABLE) else { return Ok(None) };
    let linked = TableSet(BTreeMap::from([events.clone()]));
    let stated: EventsReader<'_> = history.read_table()?;
    let stated: BTreeMap<_, _> = stated.statsdb_id()?.into_iter().zip(stated.event_date()?).collect();
    let linked: EventsReader<'_> = linked.read_table()?;
    let mut moved = BTreeMap::<i64, usize>::new();
    for ((id, name), day) in linked.statsdb_id()?.into_iter().zip(linked.name()?).zip(linked.event_date()?) {
        let Some(source) = id.and_then(|_| stated.get(&id)) else { continue };
        let days = (day - *source).num_days();
        anyhow::ensure!(
            days >= 0,
            "the date of `{name}` is wrong: {day} is before {source}, the day of the statistics source"
        );
        if days > 0 {
            *moved.entry(days).or_default() += 1;
        }
    }
    let moved: Vec<String> = moved.iter().map(|(days, events)| format!("{events} by {days} d")).collect();
    Ok((!moved.is_empty())
        .then(|| format!("events later than the statistics source says: {}", moved.join(", "))))
}

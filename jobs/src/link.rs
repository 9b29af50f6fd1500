//! Ties the schedule, judging and notice sources to the statistics source.
//!
//! Ids once given never change: what the current snapshot has published is an input. So the output has two names:
//! the key of the captures, which says what it is about, and the fingerprint, which has what was published in it as
//! well. Where the current snapshot was made of an output with the same key, that one is up to date, and a run that
//! follows finds nothing new; any other is made of the captures and of what that snapshot has published.

use std::collections::BTreeMap;

use anyhow::Context as _;
use arrow::array::RecordBatch;
use fdna_lake::{Capture, Fingerprint, Lake, SnapshotManifest, Stage, StageOutput, TableEntry};
use fdna_normalise::{Decisions, Linking};
use fdna_schemas::SourceGroup;
use serde_json::json;

use crate::context::{Context, Job, Pending};
use crate::decisions::DecisionFiles;
use crate::ingest::{of_groups, outputs};
use crate::normalise::{add_captures, load, rows};
use crate::report::Report;
use crate::view::View;
use crate::{normalise, normalised, publish};

/// Raised when linking makes something else of the same facts.
const LOGIC: &str = "5";

pub(crate) struct Link {
    pub(crate) decisions: DecisionFiles,
}

const GROUPS: [SourceGroup; 3] = [SourceGroup::Schedule, SourceGroup::Judging, SourceGroup::Notice];

/// Where an output's notes say what it is about.
const KEY: &str = "captures_key";

fn inputs(lake: &View) -> anyhow::Result<Vec<(Capture, StageOutput)>> {
    Ok(of_groups(outputs(lake)?, &GROUPS))
}

/// What an output is about, whatever was published before.
fn captures_key(
    history: &StageOutput,
    captures: &[(Capture, StageOutput)],
    decisions: &DecisionFiles,
) -> Fingerprint {
    let builder = Fingerprint::builder("link")
        .text("logic", LOGIC)
        .text("contract", fdna_schemas::contracts_digest())
        .digest("history", history.content_digest());
    add_captures(decisions.add_to(builder), captures).build()
}

/// What the current snapshot has published.
struct Published(SnapshotManifest);

impl Published {
    /// A snapshot that is damaged has nothing to say: it is made anew.
    fn find(lake: &View) -> anyhow::Result<Option<Self>> {
        // What was known at a time does not rest on what has been published since.
        if lake.known_at().is_some() {
            return Ok(None);
        }
        match publish::current(lake) {
            Ok(current) => Ok(current.map(Self)),
            Err(error) if publish::is_damaged(&error) => {
                tracing::warn!(error = format!("{error:#}"), "ids are given without what was published");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn entry(&self, table: &str) -> Option<&TableEntry> {
        self.0.table(table)
    }

    /// The output that the snapshot was made of, if it is about the same.
    fn output(&self, lake: &Lake, key: &Fingerprint) -> anyhow::Result<Option<StageOutput>> {
        for input in self.0.inputs.iter().filter(|input| input.stage == Stage::Normalised) {
            let output = lake.stage(&input.stage, &input.fingerprint)?;
            if let Some(output) = output.filter(|output| output.notes[KEY] == json!(key.to_string())) {
                return Ok(Some(output));
            }
        }
        Ok(None)
    }

    /// A table of the snapshot; an older build may not have published it, or without some of its columns.
    fn table(&self, lake: &Lake, table: &str) -> anyhow::Result<Option<RecordBatch>> {
        self.entry(table).map(|_| Ok(lake.read_snapshot_table(&self.0, table)?)).transpose()
    }
}

/// The tables that a later run must keep to.
const PUBLISHED: [&str; 2] = ["identities", "aliases"];

fn fingerprint(key: &Fingerprint, published: Option<&Published>) -> Fingerprint {
    let mut builder = Fingerprint::builder("link").digest("captures", key);
    for name in PUBLISHED {
        if let Some(entry) = published.and_then(|published| published.entry(name)) {
            builder = builder.digest(name, &entry.sha256);
        }
    }
    builder.build()
}

/// The linked tables of all captures, where they have been made.
pub(crate) fn output(
    lake: &View,
    history: &StageOutput,
    decisions: &DecisionFiles,
) -> anyhow::Result<Option<StageOutput>> {
    let key = captures_key(history, &inputs(lake)?, decisions);
    let published = Published::find(lake)?;
    if let Some(published) = &published
        && let Some(output) = published.output(lake, &key)?
    {
        return Ok(Some(output));
    }
    Ok(lake.stage(&Stage::Normalised, &fingerprint(&key, published.as_ref()))?)
}

impl Job for Link {
    fn name(&self) -> &'static str {
        "link"
    }

    fn pending(&self, lake: &View, earlier: &[Pending]) -> anyhow::Result<Pending> {
        let what = "events, bouts and fighters of all sources";
        if let Some(follows) = Pending::behind(earlier, what) {
            return Ok(follows);
        }
        let history = normalise::output(lake)?.context("find the tables of the statistics source")?;
        Ok(Pending::of(output(lake, &history, &self.decisions)?.is_some(), what))
    }

    fn run(&self, ctx: &Context) -> anyhow::Result<Report> {
        let history = normalise::output(&ctx.lake)?.context("find the tables of the statistics source")?;
        if output(&ctx.lake, &history, &self.decisions)?.is_some() {
            return Ok(Report::unchanged(self.name(), "nothing new to link"));
        }
        ctx.progress.say("link sources");
        let captures = inputs(&ctx.lake)?;
        let key = captures_key(&history, &captures, &self.decisions);
        let published = Published::find(&ctx.lake)?;
        let fingerprint = fingerprint(&key, published.as_ref());
        let set = normalised::read(&ctx.lake, &[&history])?;
        let decisions = self.decisions.parse()?;
        let [same, different] = decisions.counts();
        let linked = link(ctx, &set, &captures, published.as_ref(), decisions)?;
        let unchanged: BTreeMap<&str, &RecordBatch> = set.0.iter().map(|(n, b)| (n.as_str(), b)).collect();
        let mut tables = linked.tables;
        // What linking leaves as it was stays where it is.
        tables.retain(|(name, batch)| unchanged.get(name.as_str()).is_none_or(|before| *before != batch));
        let mut lines = vec![normalised::counts(&tables)];
        if same + different > 0 {
            lines.push(format!("decisions followed: {same} same, {different} different"));
        }
        let rows = rows(&linked.counts);
        let tables: Vec<(&str, RecordBatch)> = tables.iter().map(|(n, b)| (n.as_str(), b.clone())).collect();
        let notes = json!({ "rows": rows, KEY: key.to_string() });
        ctx.writer.commit_stage(&Stage::Normalised, &fingerprint, &tables, notes)?;
        Ok(Report { rows, ..Report::changed(self.name(), lines) })
    }
}

fn link(
    ctx: &Context,
    history: &fdna_normalise::TableSet,
    captures: &[(Capture, StageOutput)],
    published: Option<&Published>,
    decisions: Decisions,
) -> anyhow::Result<fdna_normalise::Normalised> {
    let captures = load(&ctx.lake, captures)?;
    let mut tables = Vec::new();
    for name in PUBLISHED {
        tables.push(published.map(|p| p.table(&ctx.lake, name)).transpose()?.flatten());
    }
    let published = match &tables[..] {
        [Some(identities), aliases] => Some((identities, aliases.as_ref())),
        _ => None,
    };
    fdna_normalise::link(Linking { history, captures, published, decisions }).context("link the sources")
}

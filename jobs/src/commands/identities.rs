//! `fightdna identities`: what is linked by which rule, and what a person should decide.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use arrow::array::RecordBatch;
use chrono::{DateTime, Utc};
use clap::Subcommand;
use fdna_lake::{Lake, LogName, SnapshotId};
use fdna_run::current_snapshot::require_current;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::product::Product;
use fdna_run::published_ids;
use fdna_schemas::tables::{
    ContractReader as _, ContractRow as _, DoubtfulLinksReader, DoubtfulLinksRow, IdentitiesReader,
    IdentitiesRow,
};
use serde_json::{Value, json};

use crate::output::CommandReport;

/// A source whose names are tied by no decision.
const WITHOUT_IDS: &str = "career";

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct IdentitiesArgs {
    /// The links that were not made, each with the lines to paste into a file of decisions.
    #[arg(long)]
    doubtful: bool,
    /// All links of one fighter, bout or event, by our id or by a source's (`07f72a2a7591b409`): why they are one.
    #[arg(long, value_name = "ID", conflicts_with = "doubtful")]
    of: Option<String>,
    #[command(subcommand)]
    command: Option<IdentitiesCommand>,
}

#[derive(Subcommand)]
enum IdentitiesCommand {
    /// Begin the registry of published ids with those of a snapshot, where it is damaged, cut or gone, or lacks
    /// ids of it. The old one is
    /// set aside; ids that were published after that snapshot are given anew.
    Restore {
        /// The snapshot that was served last, of those that there are.
        #[arg(long, value_name = "ID")]
        from: SnapshotId,
        /// Why, for whoever reads the log later.
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// By whom; without, the user of the operating system.
        #[arg(long, value_name = "NAME", env = "USER", default_value = "unknown")]
        by: String,
    },
}

impl IdentitiesArgs {
    pub(crate) fn run(&self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let Some(IdentitiesCommand::Restore { from, reason, by }) = &self.command else {
            return self.report_identities(lake);
        };
        let manifest = lake.snapshot(from)?;
        let is_whole = lake.has_log(LogName::Identities) && lake.check_log(LogName::Identities).is_ok();
        let by = format!("{by}: {reason}");
        // An earlier build that was killed while it restored left a registry of no ids.
        if is_whole && published_ids::lacks_ids(lake, &manifest)? {
            let n = published_ids::record_ids(&lake.writer("fightdna identities", now)?, &by, &manifest)?;
            let lines =
                [format!("ids added that the registry lacked, of snapshot {}: {n} links", manifest.id)];
            return Ok(CommandReport::done(lines.join("\n") + "\n", &json!(lines)));
        }
        if is_whole {
            let message =
                "cannot restore the registry of ids: it is whole, and would lose what was published since";
            return Err(error_with_code(ExitCode::Usage, message));
        }
        let writer = lake.writer("fightdna identities", now)?;
        let lines = published_ids::restore_registry(&writer, &by, &manifest)?;
        Ok(CommandReport::done(lines.join("\n") + "\n", &json!(lines)))
    }

    fn report_identities(&self, lake: &Lake) -> anyhow::Result<CommandReport> {
        let snapshot = require_current(lake, Product::Mma)?;
        let read = |name| lake.read_snapshot_table(&snapshot, name).context("cannot read the links");
        let identities = read(IdentitiesRow::TABLE)?;
        if let Some(id) = &self.of {
            return list_links(id, &identities);
        }
        if !self.doubtful {
            return count_links(&identities);
        }
        doubtful_links(&read(DoubtfulLinksRow::TABLE)?, &identities)
    }
}

/// Links by kind, source and rule, with the lowest score.
fn count_links(table: &RecordBatch) -> anyhow::Result<CommandReport> {
    let mut counts: BTreeMap<(&str, &str, &str), (usize, f64)> = BTreeMap::new();
    let links = IdentitiesReader::of(table);
    let rules = links.source()?.into_iter().zip(links.rule()?).zip(links.score()?);
    for (kind, ((source, rule), score)) in links.kind()?.into_iter().zip(rules) {
        let (n, lowest) = counts.entry((kind, source, rule)).or_insert((0, 1.0));
        *n += 1;
        *lowest = lowest.min(score);
    }
    let mut text = format!("{:<8} {:<14} {:<20} {:>7} {:>7}\n", "kind", "source", "rule", "links", "score");
    let mut rows = Vec::new();
    for ((kind, source, rule), (n, lowest)) in counts {
        text += &format!("{kind:<8} {source:<14} {rule:<20} {n:>7} {lowest:>7.2}\n");
        rows.push(
            json!({ "kind": kind, "source": source, "rule": rule, "links": n, "lowest_score": lowest }),
        );
    }
    Ok(CommandReport::done(text, &Value::Array(rows)))
}

/// Links of each entity that has this id here or at a source.
fn list_links(id: &str, table: &RecordBatch) -> anyhow::Result<CommandReport> {
    let links = IdentitiesReader::of(table).all_rows()?;
    let is_named = |row: &&IdentitiesRow| row.source_id == id || row.entity_id.to_string() == id;
    let named: BTreeSet<_> = links.iter().filter(is_named).map(|row| (row.kind, row.entity_id)).collect();
    if named.is_empty() {
        let message = format!(
            "no fighter, bout or event has the id {id:?}, here or at a source; `fightdna sql` finds ids by name in the \
             table `identities`"
        );
        return Err(error_with_code(ExitCode::Usage, message));
    }
    let (mut text, mut rows) = (String::new(), Vec::new());
    for (kind, entity) in named {
        text += &format!("{kind} {entity}\n");
        for row in links.iter().filter(|row| (row.kind, row.entity_id) == (kind, entity)) {
            let IdentitiesRow { source, source_id, rule, score, first_seen_at: since, .. } = row;
            let since = since.format("%Y-%m-%d");
            let name = row.name.unwrap_or_default();
            text += &format!("  {source:<14} {rule:<20} {score:>5.2}  since {since}  {source_id}  {name}\n");
            rows.push(json!({
                "kind": kind, "entity_id": entity.to_string(), "source": source, "source_id": source_id, "name": row.name,
                "rule": rule, "score": score, "first_seen_at": row.first_seen_at,
            }));
        }
    }
    Ok(CommandReport::done(text, &Value::Array(rows)))
}

/// Names of an entity at its sources, the best known one: `statsdb:07f72a2a7591b409`.
fn source_names(identities: &RecordBatch) -> anyhow::Result<BTreeMap<String, String>> {
    let mut called: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let links = IdentitiesReader::of(identities);
    let ids = links.source()?.into_iter().zip(links.source_id()?);
    for (entity, (source, id)) in links.entity_id()?.into_iter().zip(ids) {
        let rank = ["statsdb", "feed"].iter().position(|known| *known == source).unwrap_or(2);
        let name = (rank, format!("{source}:{id}"));
        let best = called.entry(entity.to_string()).or_insert_with(|| name.clone());
        if name < *best {
            *best = name;
        }
    }
    Ok(called.into_iter().map(|(entity, (_, name))| (entity, name)).collect())
}

fn doubtful_links(table: &RecordBatch, identities: &RecordBatch) -> anyhow::Result<CommandReport> {
    let called = source_names(identities)?;
    let (mut text, mut rows) = (String::new(), Vec::new());
    for row in DoubtfulLinksReader::of(table).all_rows()? {
        let DoubtfulLinksRow { kind, source, source_id: id, name, candidate, rule, score, reason, .. } = row;
        let other = row.candidate_name.unwrap_or("nobody");
        text += &format!("# {kind} {name} of {source}: {other}? {reason} (rule {rule}, score {score:.2})\n");
        if source == WITHOUT_IDS {
            text += "# no decision ties it: the source has no ids\n\n";
        } else {
            text += &format!(
                "[[same]] # or [[different]]\nkind = {kind:?}\nsource = {source:?}\nsource_id = {id:?}\n\
                 as = {:?}\nreason = \"\"\nby = \"\"\non = \n\n",
                called.get(candidate).map_or("", String::as_str),
            );
        }
        rows.push(json!({
            "kind": kind, "source": source, "source_id": id, "name": name, "candidate": candidate,
            "as": called.get(candidate),
            "candidate_name": row.candidate_name, "rule": rule, "score": score, "reason": reason,
        }));
    }
    if text.is_empty() {
        text.push_str("nothing is in doubt\n");
    }
    Ok(CommandReport::done(text, &Value::Array(rows)))
}

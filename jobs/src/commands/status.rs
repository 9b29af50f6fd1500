//! `fightdna status`: how each source stands, what is published, how the last run ended.

mod attention;

use std::fmt::Write as _;

use chrono::{DateTime, Duration, Utc};
use fdna_lake::{Lake, LedgerHead, PRODUCT, SnapshotManifest, product_of};
use fdna_run::captures::completeness;
use fdna_run::captures::facts::WithFacts;
use fdna_run::captures::lake_view::LakeView;
use fdna_run::captures::notes::FactsNotes;
use fdna_run::current_snapshot::{NoCurrentSnapshot, current_manifest};
use fdna_run::decisions::DecisionFiles;
use fdna_run::exit::ExitCode;
use fdna_run::product::Product;
use fdna_run::quarantine::count_quarantined;
use fdna_run::report::count_with_noun;
use fdna_run::run_log;
use fdna_run::run_log::RunEnd;
use fdna_schemas::tables::{ContractReader as _, ImagesReader};
use fdna_schemas::{CatalogSource, SourceContract};
use serde::Serialize;

use crate::output::CommandReport;
use attention::{AttentionKind, AttentionReason, or_damaged};

/// The report of `status`; as JSON, the record itself.
#[derive(Serialize)]
pub(crate) struct LakeStatus {
    lake: String,
    /// Product of the lake; none before its first capture.
    product: Option<String>,
    /// Licences whose sources count; null for a product that takes every source.
    licences: Option<Vec<String>>,
    sources: Vec<SourceStatus>,
    /// Captures that cannot be used, and why.
    refused: Vec<String>,
    /// Captures that look cut and are not believed: why, and the command that believes them.
    held: Vec<String>,
    snapshot: Option<SnapshotStatus>,
    /// Message where no snapshot is current.
    #[serde(skip)]
    no_snapshot: String,
    /// How far the fight-week ledger goes; none before its first row.
    ledger: Option<LedgerHead>,
    last_run: Option<RunEnd>,
    /// Reasons to look; with `--check` they set the exit code.
    attention: Vec<AttentionReason>,
}

#[derive(Serialize)]
struct SourceStatus {
    source: &'static str,
    group: &'static str,
    /// All groups that it tells of.
    feeds: Vec<&'static str>,
    captures: usize,
    last_capture: Option<String>,
    last_captured_at: Option<DateTime<Utc>>,
    age_hours: Option<i64>,
    /// Rows that the newest capture became, and those of it that were set aside; null before it is ingested.
    rows: Option<u64>,
    set_aside: Option<u64>,
    /// Null for a source without a rhythm, or never captured.
    next_expected_at: Option<DateTime<Utc>>,
    state: SourceState,
    synthetic: bool,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum SourceState {
    Current,
    Overdue,
    NeverCaptured,
}

#[derive(Serialize)]
struct SnapshotStatus {
    id: String,
    current_since: Option<DateTime<Utc>>,
    facts_until: Option<String>,
    tables: Vec<TableStatus>,
    /// Rows of the newest capture that were set aside, by kind.
    set_aside: Vec<(String, usize)>,
    images_not_served: usize,
    doubtful_links: u64,
    others: Vec<String>,
}

#[derive(Serialize)]
struct TableStatus {
    name: String,
    rows: u64,
    bytes: u64,
}

/// Reads what there is to tell. What cannot be read is told as damaged, and hides nothing else.
pub(crate) fn read_status(lake: &Lake, now: DateTime<Utc>) -> LakeStatus {
    let mut attention = Vec::new();
    let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
    let captures = or_damaged(view.with_facts().map(Some), &mut attention);
    let status_of = |source| Some(SourceStatus::from_captures(source, captures.as_ref()?, now));
    let sources: Vec<_> = known_sources(lake).into_iter().filter_map(status_of).collect();
    let refused =
        captures.as_ref().map(|_| or_damaged(view.describe_refusals(), &mut attention)).unwrap_or_default();
    attention.extend(refused.iter().map(|refusal| AttentionReason::new(AttentionKind::Refused, refusal)));
    let judged =
        captures.as_ref().map(|_| or_damaged(view.judged_captures(), &mut attention)).unwrap_or_default();
    let held = &judged.held;
    let waiting = completeness::describe_held(held.iter().filter(|held| !held.is_superseded), lake);
    attention.extend(waiting.into_iter().map(|held| AttentionReason::new(AttentionKind::Held, held)));
    let overdue = sources.iter().filter(|source| source.state == SourceState::Overdue);
    attention
        .extend(overdue.map(|source| AttentionReason::new(AttentionKind::Overdue, source.to_line().trim())));
    let published = or_damaged(current_manifest(lake), &mut attention);
    let snapshot = published.map(|manifest| SnapshotStatus::from_manifest(lake, manifest, &mut attention));
    let ledger = or_damaged(lake.ledger_head().map_err(Into::into), &mut attention);
    let last_run = or_damaged(run_log::last_run(lake), &mut attention);
    attention.extend(last_run.as_ref().and_then(attention::of_last_run));
    add_damage(lake, &mut attention);
    let newest = captures.iter().flat_map(|captures| captures.iter()).max_by_key(|(c, _)| c.captured_at);
    let latest = or_damaged(run_log::latest_by_clock(lake), &mut attention);
    let log = lake.capture_log().ok();
    let mut status = LakeStatus {
        lake: lake.root().display().to_string(),
        product: log.as_ref().and_then(|log| Some(log.kind.as_ref()?.product.clone())),
        licences: log.and_then(|log| Some(log.licences.clone()?.into_iter().collect())),
        sources,
        refused,
        held: completeness::describe_held(held, lake),
        snapshot,
        no_snapshot: NoCurrentSnapshot::new(lake, Product::Mma).to_string(),
        ledger,
        last_run,
        attention,
    };
    status.add_clocks(newest.map(|(capture, _)| capture.captured_at), latest, now);
    status
}

/// Damage that nothing has met yet, captures that are gone, and a person's hold.
fn add_damage(lake: &Lake, attention: &mut Vec<AttentionReason>) {
    for error in lake.quick_check() {
        let reason = AttentionReason::from_damage(&error.into());
        if !attention.contains(&reason) {
            attention.push(reason);
        }
    }
    let missing = lake.missing_captures().unwrap_or_default();
    attention.extend(missing.iter().map(|missing| {
        let capture = &missing.capture;
        AttentionReason::new(
            AttentionKind::Damaged,
            format!("capture {} of {}: {}", capture.id, capture.source, missing.why),
        )
    }));
    if let Some(hold) = lake.publications().ok().and_then(|log| log.hold) {
        let what = format!("runs leave `current` where it is, by {}: {}", hold.by, hold.reason);
        attention.push(AttentionReason::new(AttentionKind::Held, what));
    }
}

/// A source that a lake may have captures of.
struct KnownSource {
    name: &'static str,
    group: &'static str,
    feeds: Vec<&'static str>,
    rhythm: Option<Duration>,
}

/// The sources of the product that the lake is for.
fn known_sources(lake: &Lake) -> Vec<KnownSource> {
    let kind = lake.capture_log().ok().and_then(|log| log.kind.clone());
    if let Some(kind) = kind.filter(|kind| kind.product != PRODUCT) {
        let to_known = |source: &'static CatalogSource| {
            let (name, group) = (source.source.as_str(), source.sport.as_str());
            KnownSource { name, group, feeds: vec![group], rhythm: None }
        };
        let own = CatalogSource::all().filter(|source| product_of(&source.source) == kind.product);
        return own.map(to_known).collect();
    }
    let to_known = |contract: &'static SourceContract| KnownSource {
        name: &contract.source,
        group: contract.group.name(),
        feeds: contract.feeds_by_name(),
        rhythm: contract.expected_every_hours.map(|hours| Duration::hours(hours.into())),
    };
    SourceContract::all().map(to_known).collect()
}

impl SourceStatus {
    fn from_captures(source: KnownSource, captures: &[WithFacts], now: DateTime<Utc>) -> Self {
        let KnownSource { name, group, feeds, rhythm } = source;
        let of_source = || captures.iter().filter(|(capture, _)| capture.source == name);
        let newest = of_source().next_back();
        let at = newest.map(|(capture, _)| capture.captured_at);
        let next = at.zip(rhythm).map(|(at, rhythm)| at + rhythm);
        let notes = newest.and_then(|(_, facts)| facts.as_ref()).map(FactsNotes::from_facts);
        Self {
            source: name,
            group,
            feeds,
            captures: of_source().count(),
            last_capture: newest.map(|(capture, _)| capture.id.clone()),
            last_captured_at: at,
            age_hours: at.map(|at| (now - at).num_hours()),
            rows: notes.as_ref().map(FactsNotes::n_rows),
            set_aside: notes.as_ref().map(FactsNotes::n_set_aside),
            next_expected_at: next,
            state: match (at, next) {
                (None, _) => SourceState::NeverCaptured,
                (_, Some(next)) if next < now => SourceState::Overdue,
                _ => SourceState::Current,
            },
            synthetic: newest.is_some_and(|(capture, _)| capture.synthetic),
        }
    }

    fn to_line(&self) -> String {
        let feeds = self.feeds.join(", ");
        let Some(at) = self.last_captured_at else {
            return format!("  {:<13} {feeds:<12} never captured", self.source);
        };
        let count = |n: Option<u64>| n.map_or("not ingested".to_owned(), |n| n.to_string());
        let next = match self.next_expected_at {
            Some(next) if self.state == SourceState::Overdue => {
                format!("OVERDUE since {}", format_minute(next))
            }
            Some(next) => format!("next expected {}", format_minute(next)),
            None => "no rhythm".to_owned(),
        };
        format!(
            "  {:<13} {feeds:<12} {}, newest {} ({} old): {} rows, {} set aside; {next}{}",
            self.source,
            count_with_noun(self.captures, "capture"),
            format_minute(at),
            format_age(self.age_hours.unwrap_or_default()),
            count(self.rows),
            count(self.set_aside),
            if self.synthetic { ", SYNTHETIC SAMPLE" } else { "" }
        )
    }
}

/// Hours, or days where they are many.
fn format_age(hours: i64) -> String {
    if hours.abs() <= 48 { format!("{hours} h") } else { format!("{} days", hours / 24) }
}

fn format_minute(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%MZ").to_string()
}

impl SnapshotStatus {
    fn from_manifest(lake: &Lake, manifest: SnapshotManifest, attention: &mut Vec<AttentionReason>) -> Self {
        let found = or_damaged(lake.readable_snapshots().map_err(Into::into), attention);
        attention.extend(found.problems.iter().map(|problem| {
            AttentionReason::new(
                AttentionKind::Damaged,
                format!("{}: {}", problem.path.display(), problem.what),
            )
        }));
        let others = found.readable.into_iter().filter(|m| m.id != manifest.id);
        let rows = |table: &str| manifest.tables.iter().find(|t| t.name == table).map_or(0, |t| t.rows);
        Self {
            id: manifest.id.to_string(),
            current_since: or_damaged(lake.current_moved_at().map_err(Into::into), attention),
            facts_until: manifest.facts_until.map(|day| day.to_string()),
            set_aside: or_damaged(count_quarantined(lake, &manifest), attention),
            images_not_served: or_damaged(not_served(lake, &manifest), attention),
            doubtful_links: rows("doubtful_links"),
            others: others.map(|m| m.id.to_string()).collect(),
            tables: manifest
                .tables
                .into_iter()
                .map(|t| TableStatus { name: t.name, rows: t.rows, bytes: t.bytes })
                .collect(),
        }
    }

    fn write_text(&self, is_mma: bool, out: &mut String) {
        let since =
            self.current_since.map(|t| format!(", current since {}", format_minute(t))).unwrap_or_default();
        let _ = writeln!(out, "snapshot {}{since}", self.id);
        if is_mma {
            let _ = writeln!(out, "facts until {}", self.facts_until.as_deref().unwrap_or("none"));
        }
        for table in &self.tables {
            let _ = writeln!(out, "  {:<16} {:>7} rows {:>9} bytes", table.name, table.rows, table.bytes);
        }
        // What a sport sets aside is of all captures that count.
        let scope = if is_mma { " in the newest capture" } else { "" };
        let _ = writeln!(out, "set aside{scope}, by kind:");
        for (kind, n) in &self.set_aside {
            let _ = writeln!(out, "  {kind:<26} {n:>5}");
        }
        if self.images_not_served > 0 {
            let _ = writeln!(out, "images without licence or credit, not served: {}", self.images_not_served);
        }
        if self.doubtful_links > 0 {
            let _ = writeln!(out, "doubtful links: {} (fightdna identities --doubtful)", self.doubtful_links);
        }
        let _ = match self.others.is_empty() {
            true => writeln!(out, "no other snapshot"),
            false => writeln!(out, "other snapshots, oldest first: {}", self.others.join(" ")),
        };
    }
}

/// Snapshots from before there were images have none.
fn not_served(lake: &Lake, manifest: &SnapshotManifest) -> anyhow::Result<usize> {
    if manifest.tables.iter().all(|table| table.name != ImagesReader::TABLE) {
        return Ok(0);
    }
    let images = lake.read_snapshot_table(manifest, ImagesReader::TABLE)?;
    Ok(ImagesReader::of(&images).is_served()?.into_iter().filter(|is_served| !is_served).count())
}

impl LakeStatus {
    /// Adds what is of a time that is still to come; `latest` is the run that began last by its clock.
    fn add_clocks(
        &mut self,
        newest_capture: Option<DateTime<Utc>>,
        latest: Option<(String, DateTime<Utc>)>,
        now: DateTime<Utc>,
    ) {
        let last_run = self.last_run.as_ref();
        let other = latest.filter(|(id, _)| last_run.is_none_or(|run| run.id != *id));
        let (other, other_at) = other.map(|(id, at)| (format!("run {id}"), at)).unzip();
        let found = [
            ("the newest capture", newest_capture),
            ("the last run", last_run.and_then(|run| run.started_at)),
            (other.as_deref().unwrap_or_default(), other_at),
            ("the current snapshot", self.snapshot.as_ref().and_then(|snapshot| snapshot.current_since)),
            ("the ledger's last growth", self.ledger.as_ref().map(|ledger| ledger.moved_at)),
        ];
        let reasons = found.into_iter().filter_map(|(what, at)| attention::of_clock(what, at, now));
        self.attention.extend(reasons);
    }

    /// The whole status; with `is_check` as text what someone should look at alone, and a code that says whether there is
    /// anything.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub(crate) fn to_report(&self, is_check: bool) -> anyhow::Result<CommandReport> {
        let (text, code) = if is_check { self.check_attention() } else { (self.to_text(), ExitCode::Done) };
        CommandReport::of_record(text, self, code)
    }

    /// As lines for a person.
    fn to_text(&self) -> String {
        let is_mma = self.product.as_deref().is_none_or(|product| product == PRODUCT);
        let mut out = format!("lake {}\n", self.lake);
        if let Some(licences) = &self.licences {
            let _ = writeln!(out, "licences whose sources count: {}", licences.join(", "));
        }
        out.push_str("sources:\n");
        for source in &self.sources {
            out += &source.to_line();
            out.push('\n');
        }
        for refusal in &self.refused {
            let _ = writeln!(out, "REFUSED capture {refusal}");
        }
        for held in &self.held {
            let _ = writeln!(out, "HELD {held}");
        }
        match &self.snapshot {
            Some(snapshot) => snapshot.write_text(is_mma, &mut out),
            None if self.is_damaged() => out.push_str("the current snapshot is not known\n"),
            None => {
                let _ = writeln!(out, "{}", self.no_snapshot);
            }
        }
        if let Some(ledger) = &self.ledger {
            let moved = format_minute(ledger.moved_at);
            let _ = writeln!(out, "ledger {} rows, grew last at {moved}, head {}", ledger.rows, ledger.head);
        }
        let _ = match &self.last_run {
            Some(run) => {
                let error = run.error.as_ref().map(|error| format!(": {error}")).unwrap_or_default();
                writeln!(out, "last run {}: {}{error}", run.id, run.outcome)
            }
            None if self.is_damaged() => writeln!(out, "the last run is not known"),
            None => writeln!(out, "no run yet"),
        };
        for damage in self.attention.iter().filter(|reason| reason.kind == AttentionKind::Damaged) {
            let _ = writeln!(out, "BROKEN {}", damage.what);
        }
        out
    }

    /// The reasons to look, a line each, and the code that says whether there are any.
    fn check_attention(&self) -> (String, ExitCode) {
        match self.attention.is_empty() {
            true => ("nothing needs attention\n".to_owned(), ExitCode::Done),
            false => {
                (self.attention.iter().map(|reason| reason.to_line() + "\n").collect(), ExitCode::Attention)
            }
        }
    }

    fn is_damaged(&self) -> bool {
        self.attention.iter().any(|reason| reason.kind == AttentionKind::Damaged)
    }
}

//! `fightdna captures`: which captures the lake has had, and a person's word about them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use fdna_lake::{Lake, LakeWriter, LoggedCapture};
use fdna_run::captures::lake_view::LakeView;
use fdna_run::decisions::DecisionFiles;
use fdna_run::exit::{ExitCode, error_with_code};
use fdna_run::import::source::{CapturedAt, SourceFolder};
use serde_json::{Value, json};

use super::args::decision::DecisionArgs;
use crate::output::CommandReport;

#[derive(Args)]
pub(crate) struct CapturesArgs {
    #[command(subcommand)]
    command: CapturesCommand,
}

#[derive(Subcommand)]
enum CapturesCommand {
    /// Every capture that the lake has had, by source and time.
    List {
        /// Of this source alone.
        source: Option<String>,
    },
    /// A capture with its files, and what was decided about it.
    Show { source: String, id: String },
    /// Make a capture not count any more. Its files stay, and `restore` takes it back.
    Withdraw {
        source: String,
        id: String,
        #[command(flatten)]
        word: DecisionArgs,
    },
    /// Make a capture count again that was withdrawn or replaced.
    Restore {
        source: String,
        id: String,
        #[command(flatten)]
        word: DecisionArgs,
    },
    /// Put a corrected capture in the place of another, under the same time.
    Replace {
        source: String,
        id: String,
        /// Folder or file of the corrected capture.
        #[arg(long, value_name = "FOLDER")]
        with: PathBuf,
        #[command(flatten)]
        word: DecisionArgs,
    },
}

impl CapturesArgs {
    pub(crate) fn run(self, lake: &Lake, now: DateTime<Utc>) -> anyhow::Result<CommandReport> {
        let writer = || lake.writer("fightdna captures", now);
        match self.command {
            CapturesCommand::List { source } => list_captures(lake, source.as_deref()),
            CapturesCommand::Show { source, id } => show_capture(&lake.known_capture(&source, &id)?),
            CapturesCommand::Withdraw { source, id, word } => {
                let done = writer()?.withdraw_capture(&source, &id, &word.by, &word.reason)?;
                Ok(decision_report(&source, &id, "withdrawn", done))
            }
            CapturesCommand::Restore { source, id, word } => {
                let done = writer()?.restore_capture(&source, &id, &word.by, &word.reason)?;
                Ok(decision_report(&source, &id, "restored", done))
            }
            CapturesCommand::Replace { source, id, with, word } => {
                replace_capture(&writer()?, &source, &id, &with, &word, now)
            }
        }
    }
}

fn decision_report(source: &str, id: &str, what: &str, done: bool) -> CommandReport {
    let line = match done {
        true => format!(
            "capture {id} of {source} is {what}; the next run makes the snapshot that follows from it"
        ),
        false => format!("capture {id} of {source} was {what} already: nothing changed"),
    };
    let code = if done { ExitCode::Done } else { ExitCode::NothingToDo };
    let json = json!({ "source": source, "id": id, "action": what, "changed": done });
    CommandReport::new(line + "\n", &json, code)
}

fn replace_capture(
    writer: &LakeWriter,
    source: &str,
    id: &str,
    with: &std::path::Path,
    word: &DecisionArgs,
    now: DateTime<Utc>,
) -> anyhow::Result<CommandReport> {
    let old = writer.lake().known_capture(source, id)?;
    let given: SourceFolder = format!("{source}={}", with.display()).parse().map_err(|error| {
        error_with_code(ExitCode::Usage, format!("cannot read `{}`: {error}", with.display()))
    })?;
    let new = given.read_captures(CapturedAt::At(old.capture.captured_at), now)?.capture;
    let new = writer.replace_capture(id, new, &word.by, &word.reason)?;
    let text =
        format!("capture {id} of {source} is replaced by {}; the next run makes the snapshot\n", new.id);
    let json = json!({ "source": source, "id": id, "action": "replaced", "with": new.id, "changed": true });
    Ok(CommandReport::done(text, &json))
}

fn list_captures(lake: &Lake, source: Option<&str>) -> anyhow::Result<CommandReport> {
    let log = lake.capture_log()?;
    let unused = unused_captures(lake);
    let why = |known: &LoggedCapture| unused.get(&(known.capture.source.clone(), known.capture.id.clone()));
    let is_asked = |known: &&LoggedCapture| source.is_none_or(|source| known.capture.source == source);
    let captures: Vec<&LoggedCapture> = log.captures.iter().filter(is_asked).collect();
    let line = |known: &&LoggedCapture| {
        let capture = &known.capture;
        let bytes: u64 = capture.files.iter().map(|file| file.bytes).sum();
        let state = match why(known) {
            Some((kind, why)) if known.is_active => format!("{kind}: {why}"),
            _ => describe_state(known),
        };
        format!("{:<13} {:<26} {:>9} KiB  {state}\n", capture.source, capture.id, bytes.div_ceil(1024))
    };
    let text = captures.iter().map(line).collect::<String>() + &format!("{} captures\n", captures.len());
    let json: Value = captures.iter().map(|known| listed_fields(known, why(known))).collect();
    Ok(CommandReport::done(text, &json))
}

/// Captures that no snapshot rests on, by source and id: `held` or `refused`, and why. Facts that cannot be read keep no
/// capture from being listed.
fn unused_captures(lake: &Lake) -> BTreeMap<(String, String), (&'static str, String)> {
    let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
    let of_facts = || -> anyhow::Result<BTreeMap<_, _>> {
        let judged = view.judged_captures()?;
        let held = judged.held.iter().map(|held| {
            let name = (held.source.clone(), held.capture.clone());
            (name, ("held", held.reasons.join("; ")))
        });
        let refused = view
            .refusals()?
            .into_iter()
            .map(|(capture, why)| ((capture.source, capture.id), ("refused", why.join("; "))));
        Ok(held.chain(refused).collect())
    };
    of_facts().unwrap_or_else(|error| {
        tracing::warn!(error = format!("{error:#}"), "which captures are held or refused is not known");
        BTreeMap::new()
    })
}

fn listed_fields(known: &LoggedCapture, unused: Option<&(&str, String)>) -> Value {
    let mut listed = capture_fields(known);
    for kind in ["held", "refused"] {
        listed[kind] = json!(unused.filter(|(own, _)| *own == kind).map(|(_, why)| why));
    }
    listed
}

fn describe_state(known: &LoggedCapture) -> String {
    let last = known.decisions.last();
    match last.filter(|_| !known.is_active) {
        Some(last) => {
            format!("{}: {} ({}, {})", past_tense(last.action), last.reason, last.by, last.at.format("%F"))
        }
        None if known.is_accepted => "accepted".to_owned(),
        None => "active".to_owned(),
    }
}

fn past_tense(action: &str) -> &'static str {
    match action {
        "replace" => "replaced",
        "withdraw" => "withdrawn",
        _ => "decided",
    }
}

fn show_capture(known: &LoggedCapture) -> anyhow::Result<CommandReport> {
    let capture = &known.capture;
    let mut text = format!("{} {}: {}\n", capture.source, capture.id, describe_state(known));
    text += &format!("captured at {}\n", capture.captured_at.to_rfc3339());
    text += &format!("taken in at {} by {}\n", known.added_at.to_rfc3339(), known.added_by);
    for file in &capture.files {
        text += &format!("  {} {:>10} bytes  {}\n", file.sha256, file.bytes, file.name);
    }
    for decision in &known.decisions {
        let with = decision.with.as_ref().map(|with| format!(" with {with}")).unwrap_or_default();
        let at = decision.at.to_rfc3339();
        text += &format!("  {at} {}{with} by {}: {}\n", decision.action, decision.by, decision.reason);
    }
    Ok(CommandReport::done(text, &capture_fields(known)))
}

fn capture_fields(known: &LoggedCapture) -> Value {
    json!({
        "source": known.capture.source,
        "id": known.capture.id,
        "captured_at": known.capture.captured_at.to_rfc3339(),
        "synthetic": known.capture.synthetic,
        "files": known.capture.files,
        "added_at": known.added_at.to_rfc3339(),
        "added_by": known.added_by,
        "is_active": known.is_active,
        "is_accepted": known.is_accepted,
        "decisions": known.decisions,
    })
}

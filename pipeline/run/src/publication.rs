//! Puts a snapshot in the place of the one that is served, for every product: behind the gates, a person's hold and the
//! audits; and in the place of one that is damaged whatever they say, since nothing is lost by it.

use fdna_lake::{LakeError, SnapshotId, SnapshotManifest};

use crate::audits::AuditRule;
use crate::context::Context;
use crate::current_snapshot::{current_manifest, is_damage, is_damaged};
use crate::gates::ClosedGate;
use crate::report::JobReport;
use crate::{audits, gates};

/// State of the current snapshot before publishing.
pub(crate) enum FoundProblems {
    /// The current snapshot is of these inputs, and all its bytes are what they were.
    Whole(SnapshotId),
    /// The current snapshot is damaged: it is published anew.
    Damaged,
    Other,
}

/// Looks at the current snapshot; `is_of` says whether it is made of what is there now.
pub(crate) fn inspect_current(
    ctx: &Context,
    is_of: impl Fn(&SnapshotManifest) -> bool,
) -> Result<FoundProblems, LakeError> {
    let found = ctx.lake.current_snapshot().and_then(|id| {
        let Some(id) = id else { return Ok(FoundProblems::Other) };
        if !is_of(&ctx.lake.snapshot(&id)?) {
            return Ok(FoundProblems::Other);
        }
        verify_hashes(ctx, &id)?;
        Ok(FoundProblems::Whole(id))
    });
    Ok(unless_damaged(found)?.unwrap_or(FoundProblems::Damaged))
}

/// Checks that the current snapshot has all its bytes.
fn verify_hashes(ctx: &Context, current: &SnapshotId) -> Result<(), LakeError> {
    // Writes nothing, since the pointer is there already.
    ctx.writer.set_current(current, ctx.now).map(drop)
}

/// `None` where the current snapshot is damaged.
fn unless_damaged<T>(found: Result<T, LakeError>) -> Result<Option<T>, LakeError> {
    match found {
        Err(error) if is_damage(&error) => {
            tracing::warn!(%error, "the current snapshot is damaged, and is made anew");
            Ok(None)
        }
        found => found.map(Some),
    }
}

/// A person's arguments about publishing.
#[derive(Clone, Copy)]
pub(crate) struct PublishRules<'a> {
    /// Gates that a person accepts; a `*` at the end stands for any text.
    pub(crate) accepted: &'a [String],
    /// Whether the snapshot is audited before it is published.
    pub(crate) audit: Option<AuditRule>,
}

impl PublishRules<'_> {
    /// Points `current` to a snapshot that was just made, unless something keeps it; `before` is done first.
    ///
    /// # Errors
    /// The lake is damaged elsewhere, or cannot be written.
    pub(crate) fn publish_snapshot(
        self,
        ctx: &Context,
        job: &'static str,
        found: &FoundProblems,
        manifest: &SnapshotManifest,
        before: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<JobReport> {
        let line = describe_snapshot(manifest);
        let served = current_manifest(&ctx.lake).ok().flatten();
        if let Some(held) = self.reasons_held(ctx, job, found, served.as_ref(), manifest)? {
            return Ok(held);
        }
        before()?;
        let moved = ctx.writer.set_current(&manifest.id, ctx.now)?;
        Ok(match found {
            FoundProblems::Damaged => JobReport::changed(job, vec![format!("{line}: mended")]),
            _ if moved => JobReport::changed(job, vec![line]),
            _ => JobReport::unchanged(job, format!("{line}: the same tables as before")),
        })
    }

    fn accepts_gate(self, gate: &str) -> bool {
        self.accepted.iter().any(|accepted| match accepted.strip_suffix('*') {
            Some(begin) => gate.starts_with(begin),
            None => accepted == gate,
        })
    }

    /// Reasons that keep a snapshot from being published: a person's hold, audits, or closed gates.
    fn reasons_held(
        self,
        ctx: &Context,
        job: &'static str,
        found: &FoundProblems,
        served: Option<&SnapshotManifest>,
        next: &SnapshotManifest,
    ) -> anyhow::Result<Option<JobReport>> {
        let is_other = served.is_some_and(|served| served.id != next.id);
        if let Some(hold) = ctx.lake.publications()?.hold.filter(|_| is_other) {
            let line = format!(
                "snapshot {} is made and not published: held by {} ({}); `fightdna snapshots release`",
                next.id, hold.by, hold.reason
            );
            return Ok(Some(JobReport { is_held: true, ..JobReport::changed(job, vec![line]) }));
        }
        let mut closed = match served.filter(|_| is_other && matches!(found, FoundProblems::Other)) {
            Some(served) => match gates::closed_gates(&ctx.lake, served, next) {
                // A damaged snapshot keeps no other from taking its place.
                Err(error) if is_damaged(&error) => Vec::new(),
                Ok(closed)
                    if !closed.is_empty() && unless_damaged(verify_hashes(ctx, &served.id))?.is_none() =>
                {
                    Vec::new()
                }
                closed => closed?,
            },
            None => Vec::new(),
        };
        if let Some(AuditRule::Required) = self.audit {
            closed.extend(audits::failed_audits(ctx, &next.id)?);
        }
        closed.retain(|gate| !self.accepts_gate(&gate.gate));
        if closed.is_empty() {
            return Ok(None);
        }
        let line = format!(
            "snapshot {} is made and not published; to publish it: {}",
            next.id,
            arguments_to_accept(&closed)
        );
        let report = JobReport::changed(job, vec![line]);
        Ok(Some(JobReport { closed_gates: closed, is_held: true, ..report }))
    }
}

/// Arguments that let the snapshot pass: each gate by name, or those of one kind together where they are many.
fn arguments_to_accept(closed: &[ClosedGate]) -> String {
    const NAMED: usize = 5;
    let kind = |gate: &ClosedGate| gate.gate.split_once(':').map(|(kind, _)| kind.to_owned());
    let argument = |gate: &ClosedGate| match kind(gate) {
        Some(of) if closed.iter().filter(|other| kind(other).as_ref() == Some(&of)).count() > NAMED => {
            format!("--accept '{of}:*'")
        }
        _ => format!("--accept {}", gate.gate),
    };
    let mut arguments: Vec<String> = closed.iter().map(argument).collect();
    // Those of one kind follow one another.
    arguments.dedup();
    arguments.join(" ")
}

fn describe_snapshot(manifest: &SnapshotManifest) -> String {
    let bytes: u64 = manifest.tables.iter().map(|t| t.bytes).sum();
    format!("{} tables, {} KiB of Parquet", manifest.tables.len(), bytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(gates: &[&str]) -> Vec<ClosedGate> {
        gates.iter().map(|gate| ClosedGate { gate: (*gate).to_owned(), why: "x".to_owned() }).collect()
    }

    #[test]
    fn few_gates_are_accepted_by_name_and_many_of_one_kind_together() {
        let few = closed(&["volume:a", "volume:b", "ids"]);
        assert_eq!(arguments_to_accept(&few), "--accept volume:a --accept volume:b --accept ids");
        let many = closed(&["volume:a", "volume:b", "volume:c", "volume:d", "volume:e", "volume:f", "ids"]);
        assert_eq!(arguments_to_accept(&many), "--accept 'volume:*' --accept ids");
    }
}

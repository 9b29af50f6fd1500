//! `run --metrics-file`: the last run and the lake as a Prometheus text file, for node_exporter's textfile collector.
//! What is not known has no line.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use chrono::{DateTime, Utc};
use fdna_lake::Lake;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::captures::lake_view::LakeView;
use crate::current_snapshot::current_manifest;
use crate::decisions::DecisionFiles;
use crate::exit::{ExitCode, exit_code};
use crate::quarantine::count_quarantined;
use crate::run_log::last_good;

/// A run that is over.
struct RunMetrics {
    started_at: DateTime<Utc>,
    seconds: f64,
    code: ExitCode,
}

/// Tells of a run that is over. One that found another at work was none, and a file that cannot be written changes
/// nothing of how the run ended.
pub fn report_run(
    lake: &Lake,
    path: &Path,
    ended: &anyhow::Result<ExitCode>,
    started_at: DateTime<Utc>,
    took: Duration,
) {
    let code = ended.as_ref().map_or_else(exit_code, |code| *code);
    if code == ExitCode::Locked {
        return;
    }
    let over = RunMetrics { started_at, seconds: took.as_secs_f64(), code };
    if let Err(error) = write_metrics(lake, path, &over) {
        tracing::warn!(error = format!("{error:#}"), "the metrics file could not be written");
    }
}

/// Replaces the file, whole or not at all.
///
/// # Errors
/// It cannot be written.
fn write_metrics(lake: &Lake, path: &Path, over: &RunMetrics) -> anyhow::Result<()> {
    let mut text = String::new();
    encode(&mut text, &build_registry(lake, over))?;
    Ok(fdna_lake::put_file(path, text.as_bytes())?)
}

fn build_registry(lake: &Lake, over: &RunMetrics) -> Registry {
    let mut registry = Registry::with_prefix("fightdna");
    let mut tell = |name: &str, help: &str, value: Option<f64>| {
        let Some(value) = value else { return };
        let gauge = Gauge::<f64, AtomicU64>::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    };
    let code = over.code.as_u8();
    tell(
        "run_last_start_seconds",
        "When the last run began, since 1970",
        Some(unix_seconds(over.started_at)),
    );
    tell("run_last_duration_seconds", "How long it took", Some(over.seconds));
    tell("run_last_exit_code", "The code that it ended with", Some(code.into()));
    tell("run_last_success", "1 if that code is 0", Some(f64::from(u8::from(code == 0))));
    let good =
        last_good(lake).and_then(|run| Some(unix_seconds(run.started_at?) + run.seconds.unwrap_or_default()));
    tell("run_last_success_time_seconds", "When the last run ended that did all it should, since 1970", good);
    let view = LakeView::new(lake.clone(), None, DecisionFiles::default());
    let captures = view.captures().ok().map(|captures| to_number(captures.len()));
    tell("captures", "Captures in the lake", captures);
    let refused = view.describe_refusals().ok().map(|refused| to_number(refused.len()));
    tell("captures_refused", "Captures in the lake that cannot be used", refused);
    let published = current_manifest(lake).ok().flatten();
    let rows = published.as_ref().and_then(|snapshot| count_quarantined(lake, snapshot).ok());
    let rows = rows.map(|kinds| to_number(kinds.iter().map(|(_, n)| n).sum()));
    tell("quarantine_rows", "Rows of the newest capture that are set aside", rows);
    let moved = lake.current_moved_at().ok().flatten();
    tell(
        "snapshot_current_since_seconds",
        "When the snapshot became the current one, since 1970",
        moved.map(unix_seconds),
    );
    let age = moved.map(|moved| unix_seconds(over.started_at) - unix_seconds(moved));
    tell("snapshot_age_seconds", "How long before the run began that was", age);
    let until = published.and_then(|snapshot| snapshot.captured_until()).map(unix_seconds);
    tell("snapshot_captured_until_seconds", "When its newest capture was taken, since 1970", until);
    #[expect(clippy::cast_precision_loss, reason = "a lake of petabytes is exact")]
    let bytes = lake.bytes_on_disk() as f64;
    tell("lake_bytes", "Bytes that the lake takes on disk", Some(bytes));
    registry
}

fn unix_seconds(at: DateTime<Utc>) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this age are exact")]
    let millis = at.timestamp_millis() as f64;
    millis / 1000.0
}

fn to_number(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::INFINITY, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_of_a_run_that_failed_and_what_is_not_known_has_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path().join("lake"));
        let path = folder.path().join("fightdna.prom");
        let started_at = DateTime::from_timestamp(1_734_220_800, 0).unwrap();
        for (code, success) in [(ExitCode::CannotWrite, 0), (ExitCode::NothingToDo, 1)] {
            write_metrics(&lake, &path, &RunMetrics { started_at, seconds: 1.5, code }).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            for line in [
                "fightdna_run_last_start_seconds 1734220800.0".to_owned(),
                "fightdna_run_last_duration_seconds 1.5".to_owned(),
                format!("fightdna_run_last_exit_code {}.0", code.as_u8()),
                format!("fightdna_run_last_success {success}.0"),
                "fightdna_captures 0.0".to_owned(),
            ] {
                assert!(text.lines().any(|found| found == line), "{line}\n{text}");
            }
            assert!(!text.contains("snapshot"), "{text}");
            assert!(!text.contains("last_success_time"), "{text}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing beside it");
    }
}

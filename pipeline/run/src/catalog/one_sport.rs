//! A run of one sport beside runs of others, on machines that share a lake: its lock is held while captures are taken in and
//! while tables are published, not while the models run, which takes most of the time.

use std::path::PathBuf;

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use fdna_lake::Lake;

use super::on_engine::{ModelsPart, ModelsStream, write_models};
use super::publish::served_output;
use super::sports::{SportInputs, sport_inputs};
use crate::captures::lake_view::LakeView;
use crate::exit::ExitCode;
use crate::report::RunReport;
use crate::run_job::RunJob;

/// What the models of a sport made before the lock was taken.
#[derive(Clone)]
pub struct PreparedSport {
    pub(super) part: ModelsPart,
    pub(super) folder: PathBuf,
}

impl PreparedSport {
    /// What was made of one of these sports, unless its facts, models or last tables changed since.
    pub(super) fn read_part(
        &self,
        view: &LakeView,
        sports: &[SportInputs],
    ) -> anyhow::Result<Option<(&'static str, anyhow::Result<ModelsStream>)>> {
        let Some(inputs) = sports.iter().find(|inputs| self.part.is_made_of(inputs)) else { return Ok(None) };
        let earlier = served_output(view, &inputs.stage())?;
        let stream = ModelsStream::new(self.part.clone(), &self.folder);
        Ok(stream.is_made_beside(earlier.as_ref()).then_some((inputs.sport, Ok(stream))))
    }
}

impl RunJob {
    /// Takes captures in, runs the models of one sport, and publishes: the last of these with what other runs published
    /// meanwhile. Models that were run on facts which are not those of then run once more, under the lock.
    pub(crate) fn execute_sport(
        &self,
        sport: &str,
        lake: &Lake,
        now: DateTime<Utc>,
    ) -> anyhow::Result<(RunReport, ExitCode)> {
        let (_, taken_in) = RunJob { until: Some("ingest"), ..self.clone() }.execute_locked(lake, now)?;
        let folder = tempfile::tempdir().context("no folder for what models make")?;
        let prepared = self.prepare_sport(sport, lake, folder.path().to_path_buf())?;
        let publish = RunJob {
            sources: Vec::new(),
            captures: Vec::new(),
            accept: Vec::new(),
            prepared,
            ..self.clone()
        };
        let (report, code) = publish.execute_locked(lake, now)?;
        // That a capture was refused is no less true for what was published after it.
        let code = match code {
            ExitCode::Done | ExitCode::NothingToDo if taken_in != ExitCode::NothingToDo => taken_in,
            code => code,
        };
        Ok((report, code))
    }

    /// `None` where there is nothing to be made.
    fn prepare_sport(
        &self,
        sport: &str,
        lake: &Lake,
        folder: PathBuf,
    ) -> anyhow::Result<Option<PreparedSport>> {
        let view = LakeView::new(lake.clone(), self.known_at, self.decisions.clone());
        let inputs = sport_inputs(&view, &self.licences)?.into_iter().find(|inputs| inputs.sport == sport);
        let is_needed = match inputs {
            Some(inputs) => view.find_stage(&inputs.stage(), &inputs.fingerprint)?.is_none(),
            None => false,
        };
        let make =
            || Ok(PreparedSport { part: write_models(&view, &self.licences, sport, &folder)?, folder });
        is_needed.then(make).transpose()
    }
}

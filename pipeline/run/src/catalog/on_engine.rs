//! Models of sports that an engine runs: each of its tasks a sport, by this program on a worker, which leaves the rows in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fdna_lake::{Fingerprint, StageOutput};
use serde::{Deserialize, Serialize};

use super::models::{ModelsEnd, TableRows, read_models, read_tables};
use super::publish::served_output;
use super::sports::{SportInputs, sport_inputs};
use crate::captures::lake_view::LakeView;
use crate::engine::{EngineReport, ExchangeFolder, ExternalEngine};
use crate::exit::{ExitCode, error_with_code};
use crate::part_file::{PartFile, make_folder, put_whole};

/// The fastest level: what is written is read once.
const ZSTD_LEVEL: i32 = 1;

/// What the models of a sport made, in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelsPart {
    sport: String,
    /// Of facts and models.
    fingerprint: Fingerprint,
    /// Of the output whose tables are not made again where they would be the same.
    earlier: Option<Fingerprint>,
    #[serde(flatten)]
    file: PartFile,
}

impl ModelsPart {
    /// Whether it is of these facts and models.
    pub(super) fn is_made_of(&self, inputs: &SportInputs) -> bool {
        self.sport == inputs.sport && self.fingerprint == inputs.fingerprint
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("models-{}.{}.part", self.sport, self.fingerprint))
    }
}

/// Runs the models of a sport and writes what they make into a folder.
///
/// # Errors
/// The lake has no facts of the sport, its models cannot be run, or the folder cannot be written.
pub fn write_models(
    view: &LakeView,
    licences: &BTreeSet<String>,
    sport: &str,
    into: &Path,
) -> anyhow::Result<ModelsPart> {
    let inputs = sport_inputs(view, licences)?.into_iter().find(|inputs| inputs.sport == sport);
    let inputs = inputs.ok_or_else(|| {
        error_with_code(ExitCode::Unavailable, format!("the lake has no captures of {sport}"))
    })?;
    let earlier = served_output(view, &inputs.stage())?;
    let packed = read_models(view, &inputs, earlier.as_ref(), &[], |mut output| {
        let mut packed = Vec::new();
        zstd::stream::copy_encode(&mut output, &mut packed, ZSTD_LEVEL)
            .context("cannot read what models make")?;
        Ok(packed)
    })?;
    let part = ModelsPart {
        sport: sport.to_owned(),
        fingerprint: inputs.fingerprint,
        earlier: earlier.map(|earlier| earlier.fingerprint),
        file: PartFile::of_bytes(&packed),
    };
    make_folder(into)?;
    put_whole(&part.path(into), &packed)?;
    Ok(part)
}

/// By sport, what an engine made of it.
pub(super) type ModelsParts = BTreeMap<&'static str, anyhow::Result<ModelsStream>>;

/// What an engine made of sports, until it has been read.
pub(super) struct MadeByEngine {
    pub(super) parts: ModelsParts,
    pub(super) report: EngineReport,
    _exchange: ExchangeFolder,
}

/// A file that a worker answered for.
pub(super) struct ModelsStream {
    part: ModelsPart,
    path: PathBuf,
}

/// Has an engine run the models of these sports.
pub(super) fn run_on_engine(
    engine: &ExternalEngine,
    licences: &BTreeSet<String>,
    sports: &[SportInputs],
) -> anyhow::Result<MadeByEngine> {
    let exchange = engine.make_exchange()?;
    let folder = exchange.path();
    let licences = licences.iter().map(String::as_str).collect::<Vec<_>>().join(",");
    let task = |inputs: &SportInputs| {
        let into = exchange.of_workers().display().to_string();
        let options = ["--sport", inputs.sport, "--licences", &licences, "--into", &into];
        ["catalog", "models"].into_iter().chain(options).map(str::to_owned).collect()
    };
    let made = engine.run_tasks::<ModelsPart>(&sports.iter().map(task).collect::<Vec<_>>())?;
    exchange.collect()?;
    let streams = sports.iter().zip(made.answers).map(|(inputs, part)| {
        let checked = part.and_then(|part| {
            if !part.is_made_of(inputs) {
                let what = format!("the models of {} were run on other facts or are others", inputs.sport);
                return Err(error_with_code(ExitCode::BadData, what));
            }
            Ok(ModelsStream::new(part, &folder))
        });
        (inputs.sport, checked)
    });
    Ok(MadeByEngine { parts: streams.collect(), report: made.report, _exchange: exchange })
}

impl ModelsStream {
    pub(super) fn new(part: ModelsPart, folder: &Path) -> Self {
        Self { path: part.path(folder), part }
    }

    /// Whether what it leaves out is in that output.
    pub(super) fn is_made_beside(&self, earlier: Option<&StageOutput>) -> bool {
        self.part.earlier.as_ref() == earlier.map(|earlier| &earlier.fingerprint)
    }

    /// Gives each table to `take` as its rows come, as if the models ran here.
    pub(super) fn read_tables(
        self,
        earlier: Option<&StageOutput>,
        take: impl FnMut(&str, &mut TableRows<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<ModelsEnd> {
        let is_beside = self.is_made_beside(earlier);
        let Self { part, path } = self;
        if !is_beside {
            let what =
                format!("the models of {} were run beside other tables than those of this lake", part.sport);
            return Err(error_with_code(ExitCode::BadData, what));
        }
        let bytes = part.file.read_checked(&path).map_err(|why| {
            let hint = if path.exists() {
                ""
            } else {
                ": --exchange names a folder that workers and this program see"
            };
            error_with_code(ExitCode::BadData, format!("`{}` {why}{hint}", path.display()))
        })?;
        let stream =
            zstd::stream::Decoder::new(Cursor::new(bytes)).context("cannot unpack what models made")?;
        read_tables(BufReader::new(stream), take)
    }
}

//! Deriving on several machines. Each has the lake or a copy of it, derives its shard of the metrics and writes it to a
//! folder, without the lake's lock; one of them then puts the shards together. What comes of it is byte for byte what one
//! machine derives.
//!
//! ```text
//! derive-2-of-7.<fingerprint>.json          what shard 2 is made of, and its parts; written last
//! <metric>.<fingerprint>.part               a metric, whichever shard it is of
//! ```
//!
//! A file is written under a name of its own and then renamed, and its bytes follow from its name: of two machines that write the
//! same shard, neither disturbs the other.

use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fdna_derive::{DnaDerivation, MetricVersions};
use fdna_lake::Fingerprint;
use fdna_model::FactsAsOf;
use fdna_schemas::{Metric, MetricDefinitions};
use serde::{Deserialize, Serialize};

use super::definition::StageName;
use super::derivation_facts::{after_all, load_facts_by_table};
use super::graph;
use crate::captures::lake_view::LakeView;
use crate::engine::{EngineReport, ExchangeFolder, ExternalEngine};
use crate::exit::{ExitCode, error_with_code};
use crate::part_file::{PartFile, make_folder, put_whole};
use crate::progress::RunProgress;
use crate::shard::ShardSpec;

/// Number of the format of the files of a shard.
const FORMAT: u32 = 2;
/// The fastest level: what is written is read once.
const ZSTD_LEVEL: i32 = 1;

/// Inputs of a shard and its parts. Written last: a shard without it is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardManifest {
    format: u32,
    #[serde(flatten)]
    pub shard: ShardSpec,
    /// Of the derive stage: facts, metric definitions, contracts and logic.
    fingerprint: Fingerprint,
    pub metrics: Vec<MetricPart>,
}

/// The file of a metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricPart {
    name: String,
    #[serde(flatten)]
    file: PartFile,
}

impl MetricPart {
    fn path(&self, folder: &Path, fingerprint: &Fingerprint) -> PathBuf {
        folder.join(format!("{}.{fingerprint}.part", self.name))
    }
}

impl ShardManifest {
    fn stem(shard: ShardSpec) -> String {
        format!("derive-{}-of-{}", shard.number, shard.of)
    }

    fn path(folder: &Path, shard: ShardSpec, fingerprint: &Fingerprint) -> PathBuf {
        folder.join(format!("{}.{fingerprint}.json", Self::stem(shard)))
    }

    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.metrics.iter().map(|part| part.file.bytes).sum()
    }

    /// The shard that is in a folder already, whole.
    fn find_whole(folder: &Path, shard: ShardSpec, fingerprint: &Fingerprint) -> Option<Self> {
        let text = std::fs::read(Self::path(folder, shard, fingerprint)).ok()?;
        let found: Self = serde_json::from_slice(&text).ok()?;
        let is_it = found.format == FORMAT && found.shard == shard && found.fingerprint == *fingerprint;
        let is_whole = |part: &MetricPart| part.file.read_checked(&part.path(folder, fingerprint)).is_ok();
        (is_it && found.metrics.iter().all(is_whole)).then_some(found)
    }

    /// Reason why it is none of `n_shards` shards of these inputs; `None` for one that is.
    fn describe_mismatch(&self, n_shards: usize, fingerprint: &Fingerprint) -> Option<String> {
        if self.format != FORMAT {
            return Some(format!("has format {}, this build reads {FORMAT}", self.format));
        }
        if self.shard.of != n_shards {
            return Some(format!("is one of {} shards, others are of {n_shards}", self.shard.of));
        }
        let made_of = &self.fingerprint;
        (made_of != fingerprint).then(|| {
            format!("was derived of other facts or definitions: {made_of}, and this lake has {fingerprint}")
        })
    }
}

/// Derives a shard and writes it into a folder, unless it is there.
///
/// # Errors
/// The lake is not normalised, or the folder cannot be written.
pub fn write_shard(view: &LakeView, shard: ShardSpec, into: &Path) -> anyhow::Result<ShardManifest> {
    let first = || {
        error_with_code(
            ExitCode::Unavailable,
            "no normalised tables; `fightdna normalise` makes them".to_owned(),
        )
    };
    let state = view.stage_state(StageName::Derive)?.ok_or_else(first)?;
    let fingerprint = state.fingerprint();
    if let Some(there) = ShardManifest::find_whole(into, shard, fingerprint) {
        return Ok(there);
    }
    let facts = load_facts_by_table(view, &graph::normalised_outputs(view)?)?;
    let definitions = MetricDefinitions::get();
    let wanted: Vec<&Metric> = shard.select(&definitions.metrics).collect();
    let cut = FactsAsOf::cut_at(&facts, after_all(&facts));
    let derivation = DnaDerivation::of_metrics(cut, definitions, &wanted);
    make_folder(into)?;
    let keep = |metric: &Metric, versions| write_part(into, fingerprint, metric, &versions);
    let metrics = derivation.derive_metrics(wanted, keep)?;
    let manifest = ShardManifest { format: FORMAT, shard, fingerprint: fingerprint.clone(), metrics };
    let text = serde_json::to_vec_pretty(&manifest)?;
    put_whole(&ShardManifest::path(into, shard, fingerprint), &text)?;
    Ok(manifest)
}

fn write_part(
    folder: &Path,
    fingerprint: &Fingerprint,
    metric: &Metric,
    versions: &MetricVersions,
) -> anyhow::Result<MetricPart> {
    let packed = zstd::stream::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
    let packed = postcard::to_io(versions, BufWriter::new(packed)).context("cannot write a shard")?;
    let packed = packed.into_inner().map_err(|error| error.into_error())?.finish()?;
    let part = MetricPart { name: metric.name.clone(), file: PartFile::of_bytes(&packed) };
    put_whole(&part.path(folder, fingerprint), &packed)?;
    Ok(part)
}

/// Where shards are.
#[derive(Debug, Clone)]
pub enum ShardSource {
    /// In a folder, all of them.
    Folder(PathBuf),
    /// An engine makes them.
    Engine(ExternalEngine),
}

impl ShardSource {
    /// # Errors
    /// One is missing, damaged or of other inputs than `fingerprint`, or the engine cannot make it: it is named.
    pub(crate) fn find_shards(
        &self,
        fingerprint: &Fingerprint,
        progress: &RunProgress,
    ) -> anyhow::Result<FoundShards> {
        match self {
            Self::Folder(folder) => find_shards(folder, fingerprint),
            Self::Engine(engine) => {
                progress.show_message("wait for the engine");
                make_shards(engine, fingerprint)
            }
        }
    }
}

/// Every shard, made by an engine.
fn make_shards(engine: &ExternalEngine, fingerprint: &Fingerprint) -> anyhow::Result<FoundShards> {
    let exchange = engine.make_exchange()?;
    let folder = exchange.path();
    let into = exchange.of_workers().display().to_string();
    let of = engine.tasks.min(MetricDefinitions::get().metrics.len());
    let shards = (1..=of).map(|number| ShardSpec { number, of });
    let task = |ShardSpec { number, of }| {
        ["derive", "--shard", &format!("{number}/{of}"), "--into", &into].map(str::to_owned).to_vec()
    };
    let tasks: Vec<Vec<String>> = shards.map(task).collect();
    let (made, report) = engine.run_tasks::<ShardManifest>(&tasks)?.into_all()?;
    exchange.collect()?;
    for manifest in &made {
        if let Some(why) = manifest.describe_mismatch(of, fingerprint) {
            return Err(refuse_folder(&folder, &format!("{} {why}", ShardManifest::stem(manifest.shard))));
        }
    }
    // What workers answered for, and not what the folder has: others may write into it.
    let shards = FoundShards::from_manifests(&folder, fingerprint, &made)?;
    shards.require_files()?;
    Ok(FoundShards { _exchange: Some(exchange), report: Some(report), ..shards })
}

/// Every metric, in files of a folder.
#[derive(Debug)]
pub(crate) struct FoundShards {
    folder: PathBuf,
    /// Of an engine, what it took, and the folder, which goes with this value.
    pub(crate) report: Option<EngineReport>,
    _exchange: Option<ExchangeFolder>,
    fingerprint: Fingerprint,
    parts: BTreeMap<String, MetricPart>,
}

impl FoundShards {
    /// # Errors
    /// They are not all shards: those that are missing are named.
    fn from_manifests<'m>(
        folder: &Path,
        fingerprint: &Fingerprint,
        manifests: impl IntoIterator<Item = &'m ShardManifest>,
    ) -> anyhow::Result<Self> {
        let by_shard: BTreeMap<ShardSpec, &ShardManifest> =
            manifests.into_iter().map(|manifest| (manifest.shard, manifest)).collect();
        let of = by_shard.keys().next().map_or(0, |shard| shard.of);
        let missing = (1..=of).map(|number| ShardSpec { number, of });
        let missing = missing.filter(|shard| !by_shard.contains_key(shard));
        let missing: Vec<String> = missing.map(ShardManifest::stem).collect();
        if !missing.is_empty() {
            let why = format!("{} of {of} are missing: {}", missing.len(), missing.join(", "));
            return Err(refuse_folder(folder, &why));
        }
        let parts = by_shard.into_values().flat_map(|manifest| &manifest.metrics);
        Ok(Self {
            folder: folder.to_owned(),
            report: None,
            _exchange: None,
            fingerprint: fingerprint.clone(),
            parts: parts.map(|part| (part.name.clone(), part.clone())).collect(),
        })
    }

    /// # Errors
    /// A file is not there: workers have left it elsewhere.
    fn require_files(&self) -> anyhow::Result<()> {
        let path = |part: &MetricPart| part.path(&self.folder, &self.fingerprint);
        match self.parts.values().map(path).find(|path| !path.exists()) {
            None => Ok(()),
            Some(missing) => Err(error_with_code(
                ExitCode::Unavailable,
                format!(
                    "workers made their shards, and `{}` is not here: --exchange names a folder that they and this program see",
                    missing.display()
                ),
            )),
        }
    }

    /// # Errors
    /// It is damaged: it is named.
    pub(crate) fn read_metric(&self, metric: &Metric) -> anyhow::Result<MetricVersions> {
        let refuse = |why: String| refuse_folder(&self.folder, &why);
        let missing = || refuse(format!("none of them has the metric {}", metric.name));
        let part = self.parts.get(&metric.name).ok_or_else(missing)?;
        let path = part.path(&self.folder, &self.fingerprint);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = part.file.read_checked(&path).map_err(|why| refuse(format!("{name} {why}")))?;
        let text = zstd::decode_all(&bytes[..]).with_context(|| format!("cannot unpack {name}"))?;
        postcard::from_bytes(&text).with_context(|| format!("cannot parse {name}"))
    }
}

fn refuse_folder(folder: &Path, why: &str) -> anyhow::Error {
    let what = format!("cannot put the shards in `{}` together: {why}", folder.display());
    error_with_code(ExitCode::BadData, what)
}

/// The metrics of all shards of a folder.
///
/// # Errors
/// One is missing or of other inputs than `fingerprint`: it is named.
pub(crate) fn find_shards(folder: &Path, fingerprint: &Fingerprint) -> anyhow::Result<FoundShards> {
    let manifests = read_manifests(folder)?;
    let refuse = |why: String| refuse_folder(folder, &why);
    let Some(of) = manifests.values().map(|manifest| manifest.shard.of).next() else {
        return Err(error_with_code(
            ExitCode::Unavailable,
            format!(
                "no shards in `{}`; `fightdna derive --shard 1/N --into FOLDER` makes them",
                folder.display()
            ),
        ));
    };
    for (path, manifest) in &manifests {
        if let Some(why) = manifest.describe_mismatch(of, fingerprint) {
            return Err(refuse(format!("{} {why}", path.display())));
        }
    }
    FoundShards::from_manifests(folder, fingerprint, manifests.values())
}

fn read_manifests(folder: &Path) -> anyhow::Result<BTreeMap<PathBuf, ShardManifest>> {
    let unreadable = |error| {
        error_with_code(ExitCode::Unavailable, format!("cannot read `{}`: {error}", folder.display()))
    };
    let mut manifests = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read(&path).map_err(unreadable)?;
            let manifest = serde_json::from_slice(&text).map_err(|error| {
                error_with_code(
                    ExitCode::BadData,
                    format!("cannot read the shard {}: {error}", path.display()),
                )
            })?;
            manifests.insert(path, manifest);
        }
    }
    Ok(manifests)
}

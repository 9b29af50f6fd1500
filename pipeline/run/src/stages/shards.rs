//! Deriving on several machines. Each has the lake or a copy of it, derives its shard of the metrics and writes it to a
//! folder, without the lake's lock; one of them then puts the shards together. What comes of it is byte for byte what one
//! machine derives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fdna_derive::{DeriveError, DnaDerivation, MetricVersions};
use fdna_lake::{Fingerprint, put_file, sha256};
use fdna_model::FactsAsOf;
use fdna_schemas::{Metric, MetricDefinitions};
use serde::{Deserialize, Serialize};

use super::definition::StageName;
use super::derivation_facts::{after_all, load_derivation_facts};
use super::graph;
use crate::captures::lake_view::LakeView;
use crate::exit::{ExitCode, error_with_code};
use crate::shard::ShardSpec;

/// Number of the format of the files of a shard.
const FORMAT: u32 = 1;
/// The fastest level: what is written is read once.
const ZSTD_LEVEL: i32 = 1;

/// The files of a shard, without their endings.
fn file_stem(shard: ShardSpec) -> String {
    format!("derive-{}-of-{}", shard.number, shard.of)
}

/// Inputs of a shard and digest of its bytes. Written last: a shard without it is not there.
#[derive(Debug, Serialize, Deserialize)]
pub struct ShardManifest {
    format: u32,
    #[serde(flatten)]
    pub shard: ShardSpec,
    /// Of the derive stage: facts, metric definitions, contracts and logic.
    fingerprint: Fingerprint,
    /// Names of its metrics.
    pub metrics: Vec<String>,
    pub bytes: u64,
    sha256: String,
}

impl ShardManifest {
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

/// Derives a shard and writes it into a folder.
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
    let facts = load_derivation_facts(view, &graph::normalised_outputs(view)?)?;
    let definitions = MetricDefinitions::get();
    let wanted: Vec<&Metric> = shard.select(&definitions.metrics).collect();
    let names = wanted.iter().map(|metric| metric.name.clone()).collect();
    let derivation = DnaDerivation::new(FactsAsOf::cut_at(&facts, after_all(&facts)), definitions);
    let metrics = derivation.derive_metrics(wanted, |_, versions| Ok::<_, DeriveError>(versions))?;
    let bytes = zstd::encode_all(
        &postcard::to_allocvec(&metrics).context("cannot write the shard")?[..],
        ZSTD_LEVEL,
    )?;
    let manifest = ShardManifest {
        format: FORMAT,
        shard,
        fingerprint: state.fingerprint().clone(),
        metrics: names,
        bytes: bytes.len() as u64,
        sha256: sha256(&bytes),
    };
    std::fs::create_dir_all(into).with_context(|| format!("cannot make the folder `{}`", into.display()))?;
    put_file(&into.join(format!("{}.bin", file_stem(shard))), &bytes)?;
    put_file(&into.join(format!("{}.json", file_stem(shard))), &serde_json::to_vec_pretty(&manifest)?)?;
    Ok(manifest)
}

/// The metrics of all shards of a folder, in the order of the metric definitions.
///
/// # Errors
/// One is missing, damaged or of other inputs than `fingerprint`: it is named, and nothing is used.
pub fn read_shards(folder: &Path, fingerprint: &Fingerprint) -> anyhow::Result<Vec<MetricVersions>> {
    let manifests = read_manifests(folder)?;
    let refuse = |why: String| {
        error_with_code(
            ExitCode::BadData,
            format!("cannot put the shards in `{}` together: {why}", folder.display()),
        )
    };
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
    let by_shard: BTreeMap<usize, &ShardManifest> = manifests.values().map(|m| (m.shard.number, m)).collect();
    let missing = (1..=of).filter(|number| !by_shard.contains_key(number));
    let missing: Vec<String> = missing.map(|number| file_stem(ShardSpec { number, of })).collect();
    if !missing.is_empty() {
        return Err(refuse(format!("{} of {of} are missing: {}", missing.len(), missing.join(", "))));
    }
    let n_metrics = MetricDefinitions::get().metrics.len();
    let mut metrics: Vec<Option<MetricVersions>> = (0..n_metrics).map(|_| None).collect();
    for manifest in by_shard.into_values() {
        let stem = file_stem(manifest.shard);
        let bytes = std::fs::read(folder.join(format!("{stem}.bin")));
        let bytes = bytes.map_err(|error| refuse(format!("{stem}.bin cannot be read: {error}")))?;
        if sha256(&bytes) != manifest.sha256 {
            return Err(refuse(format!(
                "{stem}.bin is not what {stem}.json says: it is damaged or of another run"
            )));
        }
        let text = zstd::decode_all(&bytes[..]).with_context(|| format!("cannot unpack {stem}.bin"))?;
        let of_shard: Vec<MetricVersions> =
            postcard::from_bytes(&text).with_context(|| format!("cannot parse {stem}.bin"))?;
        for (place, versions) in manifest.shard.select(0..n_metrics).zip(of_shard) {
            metrics[place] = Some(versions);
        }
    }
    let whole: Option<Vec<MetricVersions>> = metrics.into_iter().collect();
    whole.ok_or_else(|| refuse("they hold fewer metrics than are defined".to_owned()))
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

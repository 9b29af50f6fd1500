//! Inputs of the tables of each sport, as of now.

use std::collections::BTreeSet;

use fdna_lake::{Fingerprint, PipelineStage};
use fdna_schemas::{CatalogSource, modelled_sports, models_digest};

use crate::captures::facts::{CaptureOutput, LOGIC as FACTS_LOGIC};
use crate::captures::lake_view::LakeView;
use crate::stages::graph::add_captures;

/// Raised when the same models make something else of the same facts.
pub(super) const LOGIC: &str = "3";

/// The tables that a sport would be made of now.
pub struct SportInputs {
    pub sport: &'static str,
    pub captures: Vec<CaptureOutput>,
    pub fingerprint: Fingerprint,
}

impl SportInputs {
    pub fn stage(&self) -> PipelineStage {
        PipelineStage::Catalog { sport: self.sport.to_owned() }
    }

    /// Digest of what decides besides the facts what becomes of them.
    pub fn made_by(&self) -> Fingerprint {
        let builder = Fingerprint::builder("made_by")
            .with_text("logic", LOGIC)
            .with_text("readers", FACTS_LOGIC)
            .with_digest("models", models_digest(self.sport));
        let sources = CatalogSource::names().filter_map(CatalogSource::get);
        let sources = sources.filter(|source| source.sport == self.sport);
        sources.fold(builder, |builder, source| builder.with_digest("source", source.digest())).build()
    }
}

/// Inputs of each sport. A sport without a capture that counts is left out.
pub fn sport_inputs(view: &LakeView, licences: &BTreeSet<String>) -> anyhow::Result<Vec<SportInputs>> {
    let all = view.usable_captures()?;
    let of_sport = |sport: &'static str| {
        let counts = |(capture, _): &&CaptureOutput| {
            CatalogSource::get(&capture.source)
                .is_some_and(|source| source.sport == sport && licences.contains(&source.licence))
        };
        let captures: Vec<CaptureOutput> = all.iter().filter(counts).cloned().collect();
        let builder = Fingerprint::builder("models")
            .with_text("logic", LOGIC)
            .with_text("sport", sport)
            .with_digest("models", models_digest(sport));
        let fingerprint = add_captures(builder, &captures).build();
        (!captures.is_empty()).then_some(SportInputs { sport, captures, fingerprint })
    };
    Ok(modelled_sports().into_iter().filter_map(of_sport).collect())
}

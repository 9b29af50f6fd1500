//! Fight DNA of several fighters at once: each what it is alone, or why there is none.

use fdna_api::operations::fighter_dna;
use fdna_api::operations::parameters::AS_OF;
use fdna_api::{DnaOfOne, Failure, Id, MetaExtra};

use super::evidence::MetricEvidence;
use super::fighter::{WantedMetrics, body};
use super::version::AskedVersion;
use crate::dataset::CompleteDataset;
use crate::operations::OperationRequest;
use crate::operations::OperationResponse;
use crate::operations::entity_lookup::{EntityKind, entity_row};

/// In the order in which they were asked.
pub(crate) fn fighters_dna(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (ids, wanted) = (request.params.get(fighter_dna::IDS), WantedMetrics::of(request)?);
    let versions = ids.iter().map(|id| {
        let fighter = entity_row(&data, EntityKind::Fighter, &id.to_string())?;
        let version = AskedVersion::choose(data, fighter, request.params.get(AS_OF))?;
        Ok((MetricEvidence::of(&version), version))
    });
    let versions: Vec<Result<_, Failure>> = versions.collect();
    let items = ids.iter().zip(&versions).map(|(id, version)| {
        let dna = version.as_ref().map_err(Failure::clone);
        let dna = dna.and_then(|(evidence, version)| body(version, evidence, request, &wanted));
        let (dna, error) = match dna {
            Ok(dna) => (Some(dna), None),
            Err(error) => (None, Some(error)),
        };
        DnaOfOne { id: Id(*id), dna, error }
    });
    let items: Vec<DnaOfOne<'_>> = items.collect();
    let found = items.iter().filter(|item| item.dna.is_some()).count();
    request.answer(&items, MetaExtra::Media { requested: ids.len(), found })
}

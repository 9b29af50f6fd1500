//! Fight DNA of several fighters at once: each what it is alone, or why there is none.

use fdna_api::{Failure, Id, MetaExtra};
use uuid::Uuid;

use super::fighter::{WantedMetrics, body};
use super::version::AskedVersion;
use crate::dataset::CompleteDataset;
use crate::json_splice::JsonObject;
use crate::operations::OperationResponse;
use crate::operations::named::{EntityKind, row};
use crate::operations::page::list;
use crate::operations::{OperationRequest, to_json};

/// In the order in which they were asked.
pub(crate) fn fighters_dna(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
) -> Result<OperationResponse, Failure> {
    let (ids, wanted) = (request.params.ids("ids"), WantedMetrics::of(data, request)?);
    let mut found = 0;
    let mut items = Vec::with_capacity(ids.len());
    for id in ids {
        let dna = one(data, request, *id, &wanted);
        found += usize::from(dna.is_ok());
        items.push(item(*id, dna)?);
    }
    Ok(request.answer(list(&items), MetaExtra::Media { requested: ids.len(), found }))
}

fn one(
    data: CompleteDataset<'_>,
    request: &OperationRequest,
    id: Uuid,
    wanted: &WantedMetrics,
) -> Result<Vec<u8>, Failure> {
    let fighter = row(&data, EntityKind::Fighter, &id.to_string())?;
    let version = AskedVersion::choose(data, fighter, request.params.date("as_of"))?;
    body(&version, request, wanted)
}

fn item(id: Uuid, dna: Result<Vec<u8>, Failure>) -> Result<Vec<u8>, Failure> {
    let object = JsonObject::new().field("id", &to_json(&Id(id))?);
    Ok(match dna {
        Ok(dna) => object.field("dna", &dna).field("error", b"null"),
        Err(failure) => object.field("dna", b"null").field("error", &to_json(&failure)?),
    }
    .finish())
}

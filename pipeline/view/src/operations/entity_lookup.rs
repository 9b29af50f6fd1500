//! Looks up the entity that an id names. Nobody has it, or several have: the text of the 404 (not found) is here.

use fdna_api::operations::parameters::{BOUT, EVENT, FIGHTER};
use fdna_api::param::Text;
use fdna_api::{Candidate, ErrorCode, ErrorDetails, Failure, Id, Param};
use uuid::Uuid;

use super::OperationRequest;
use crate::Dataset;
use crate::dataset::ids::{FoundIds, IdIndex};

/// Characters of an id that a message repeats, at most.
const SHOWN: usize = 60;

/// What ids name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntityKind {
    Event,
    Bout,
    Fighter,
}

impl EntityKind {
    fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Bout => "bout",
            Self::Fighter => "fighter",
        }
    }

    /// Where paths of one begin, and the parameter of lists about one.
    pub(crate) fn named_by(self) -> (&'static str, Param<Text>) {
        match self {
            Self::Event => ("/v1/mma/events/{id}", EVENT),
            Self::Bout => ("/v1/mma/bouts/{id}", BOUT),
            Self::Fighter => ("/v1/mma/fighters/{id}", FIGHTER),
        }
    }

    fn ids(self, data: &Dataset) -> &IdIndex {
        match self {
            Self::Event => &data.events.ids,
            Self::Bout => &data.bouts.ids,
            Self::Fighter => &data.fighters.ids,
        }
    }

    /// The id of ours and the name of a row, to be told from others by.
    fn told(self, data: &Dataset, row: usize) -> (Uuid, String) {
        let fighter = |row: usize| data.fighters.rows[row].name.to_string();
        match self {
            Self::Fighter => (data.fighters.rows[row].id, fighter(row)),
            Self::Bout => {
                let bout = &data.bouts.rows[row];
                let [a, b] = bout.fighters.map(fighter);
                (bout.id, format!("{a} vs. {b}, {}", bout.date))
            }
            Self::Event => {
                let event = &data.events.rows[row];
                (event.id, format!("{}, {}", event.name, event.date))
            }
        }
    }
}

/// The row of the fighter in the path.
pub(crate) fn fighter_row(data: &Dataset, request: &OperationRequest) -> Result<usize, Failure> {
    entity_row(data, EntityKind::Fighter, request.id())
}

/// The row of the entity that a list is to be about: the one in the path, or in the parameter of its kind.
///
/// # Errors
/// 404, also of a parameter: an empty list would say that nothing is known of somebody.
pub(crate) fn named_row(
    data: &Dataset,
    kind: EntityKind,
    request: &OperationRequest,
) -> Result<Option<usize>, Failure> {
    let (path, parameter) = kind.named_by();
    let is_in_path = request.operation.path.starts_with(path);
    let id = if is_in_path { Some(request.id()) } else { request.params.find(parameter).flatten() };
    id.map(|id| entity_row(data, kind, id)).transpose()
}

/// The row that an id names.
///
/// # Errors
/// 404: nobody has it, or several have, who are named.
pub(crate) fn entity_row(data: &Dataset, kind: EntityKind, id: &str) -> Result<usize, Failure> {
    match kind.ids(data).find(id) {
        FoundIds::Row(row) => Ok(row),
        FoundIds::Nothing => Err(not_found(kind.name(), id)),
        FoundIds::Several(rows) => Err(ambiguous(data, kind, id, &rows)),
    }
}

/// 404 for an id that the snapshot does not know.
pub(crate) fn not_found(kind: &str, id: &str) -> Failure {
    let id = shown(id);
    let message = match kind {
        "article" => format!("No published article has the slug `{id}`"),
        "fighter" => format!("No fighter has the id `{id}`: use a UUID, a statsdb or feed id, or a slug_id"),
        kind => format!("No {kind} has the id `{id}`: use a UUID, or a statsdb or feed id"),
    };
    Failure::new(ErrorCode::NotFound, message).with(ErrorDetails::of_id(kind, &id))
}

fn ambiguous(data: &Dataset, kind: EntityKind, id: &str, rows: &[usize]) -> Failure {
    let (id, told): (String, Vec<_>) = (shown(id), rows.iter().map(|&row| kind.told(data, row)).collect());
    let names: Vec<String> = told.iter().map(|(id, name)| format!("{name} ({id})")).collect();
    let kind = kind.name();
    let message = format!("The id `{id}` is that of several {kind}s: {}. Use a UUID", names.join("; "));
    let candidates = told.into_iter().map(|(id, name)| Candidate { id: Id(id), name }).collect();
    let details = ErrorDetails { candidates: Some(candidates), ..ErrorDetails::of_id(kind, &id) };
    Failure::new(ErrorCode::NotFound, message).with(details)
}

fn shown(id: &str) -> String {
    id.chars().take(SHOWN).collect()
}

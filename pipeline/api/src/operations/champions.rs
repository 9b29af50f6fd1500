//! `GET /v1/mma/champions`

use super::{DEFAULT, AS_OF, parameter};
use crate::{Champion, Operation, OperationId, Origin, PROMOTIONS, ParameterKind as K, Plan, WEIGHT_CLASSES};
use crate::operation::Response;

pub(super) const OPERATION: Operation = Operation {
    id: OperationId::Champions,
    name: "champions",
    path: "/v1/mma/champions",
    tag: "Core",
    summary: "List champions",
    description: "Class by class: who won the newest bout for the title, and whom the official rankings list, each with its source and day. Where they differ, a title was given up or taken away without a bout. Interim titles are listed until their winner has fought for the undisputed one.",
    parameters: &[
        AS_OF,
        parameter("weight_class", K::Word { words: WEIGHT_CLASSES }, "Titles of this class."),
        parameter("promotion", K::Choice { words: PROMOTIONS, default: "UFC" }, "Titles of this promotion."),
    ],
    example: "as_of=2024-01-01",
    plan: Plan::Developer,
    origin: Origin::SourceFact,
    response: Response::of::<Vec<Champion<'_>>>("Champions"),
    ..DEFAULT
};

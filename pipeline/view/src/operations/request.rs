//! A request for an operation.

use chrono::{DateTime, Utc};
use fdna_api::operations::parameters::{AS_OF, INCLUDE};
use fdna_api::operations::rankings::ON;
use fdna_api::{Failure, MetaExtra, Operation, Params};
use serde::Serialize;

use super::response::{OperationResponse, to_json};
use crate::dataset::images::ImageVisibility;

/// A checked request for an operation.
#[derive(Debug)]
pub struct OperationRequest {
    pub operation: &'static Operation,
    /// Path parameters, in order.
    pub ids: Vec<String>,
    pub params: Params,
    /// When it was asked.
    pub now: DateTime<Utc>,
}

impl OperationRequest {
    /// The images that may be shown: of an answer as of a date, none.
    pub(crate) fn shown(&self) -> ImageVisibility {
        if self.is_of_a_day() { ImageVisibility::NONE } else { ImageVisibility::at(self.now) }
    }

    /// Whether it is asked what was known before a day, or stood on one: that does not change with the time.
    pub fn is_of_a_day(&self) -> bool {
        [AS_OF, ON].iter().any(|param| self.params.find(*param).flatten().is_some())
    }

    /// The `{id}` of the path.
    pub fn id(&self) -> &str {
        self.ids.first().map_or("", String::as_str)
    }

    /// An answer of this operation, with the plan that its includes need.
    ///
    /// # Errors
    /// `data` cannot be serialised: a defect.
    pub fn answer<T: Serialize + ?Sized>(
        &self,
        data: &T,
        meta: MetaExtra,
    ) -> Result<OperationResponse, Failure> {
        Ok(self.answer_prepared(to_json(data)?, meta))
    }

    /// The same of JSON that was written before.
    pub(crate) fn answer_prepared(&self, data: Vec<u8>, meta: MetaExtra) -> OperationResponse {
        let plan = self.operation.plan_with(self.params.find(INCLUDE).unwrap_or_default());
        OperationResponse { data, meta, plan, digest: None }
    }
}

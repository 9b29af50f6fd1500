//! Questions to the operations of the API, within the process.

use fdna_api::ErrorCode;
use fdna_server::LocalApi;
use serde_json::Value;

use crate::Refusal;

/// An answer of the API with its `data` and `meta`.
pub(crate) async fn ask(api: &LocalApi, address: &str) -> Result<Value, Refusal> {
    let (status, body) = api.get(address).await;
    if !status.is_success() {
        return Err(Refusal::of_answer(status.as_u16(), &body));
    }
    serde_json::from_slice(&body)
        .map_err(|_| Refusal::new(ErrorCode::Internal, "an answer of the API could not be read"))
}

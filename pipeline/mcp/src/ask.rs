//! Questions to the operations of the API, within the process.

use fdna_api::ErrorCode;
use fdna_server::LocalApi;
use serde_json::Value;

use crate::{Refusal, parse_exact};

/// A query as it stands in an address; what is `None` is left out.
pub(crate) fn query(pairs: &[(&str, Option<&str>)]) -> String {
    let mut text = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        if let Some(value) = value {
            text.append_pair(name, value);
        }
    }
    let text = text.finish();
    if text.is_empty() { text } else { format!("?{text}") }
}

/// An answer of the API with its `data` and `meta`.
pub(crate) async fn ask(api: &LocalApi, address: &str) -> Result<Value, Refusal> {
    let (status, body) = api.get(address).await;
    if !status.is_success() {
        return Err(Refusal::of_answer(status.as_u16(), &body));
    }
    parse_exact(&body)
        .map_err(|_| Refusal::new(ErrorCode::Internal, "an answer of the API could not be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_written_as_addresses_have_it() {
        assert_eq!(query(&[("q", Some("a&b=c d")), ("limit", None)]), "?q=a%26b%3Dc+d");
        assert_eq!(query(&[("limit", None)]), "");
    }
}

//! Secrets that a client puts where they do not belong, kept out of logs.

/// Parameters whose values are not for a log. A key in the address is refused, and yet it was sent.
const NAMES: [&str; 10] = [
    "key",
    "apikey",
    "api_key",
    "api-key",
    "x-api-key",
    "token",
    "access_token",
    "authorization",
    "secret",
    "password",
];

/// Beginning of our own keys.
const PREFIX: &str = "fdk_";

/// A text of the client's, unless it holds a key.
pub(crate) fn without_key(text: &str) -> &str {
    if text.contains(PREFIX) { "***" } else { text }
}

/// A query without the values of parameters that may be credentials.
pub(crate) fn without_secrets(query: &str) -> String {
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if is_secret(name, value) => format!("{name}=***"),
        None if pair.contains(PREFIX) => "***".to_owned(),
        _ => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str()) || name.contains('%') || value.contains(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_may_be_credentials_are_left_out() {
        for (query, shown) in [
            ("limit=5&q=jon+jones", "limit=5&q=jon+jones"),
            ("API_KEY=abc&limit=5", "API_KEY=***&limit=5"),
            ("q=fdk_live_abc", "q=***"),
            ("fdk_live_abc", "***"),
            ("a%70i_key=abc", "a%70i_key=***"),
            ("", ""),
        ] {
            assert_eq!(without_secrets(query), shown);
        }
    }
}

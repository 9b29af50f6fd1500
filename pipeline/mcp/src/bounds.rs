//! An answer of at most so many bytes: the longest list is cut at its end until the rest fits, and the answer says so.

use serde_json::{Value, json};

/// Bytes of an answer as JSON, at most.
pub const MAX_BYTES: usize = 64_000;

/// Bytes left for what says that a list was cut.
const RESERVE: usize = 1_000;

/// Lists that are cut before an answer is given up.
const MAX_CUTS: usize = 16;

/// Cuts an answer that is too long, and says in `cut` which lists, how much of them is left and how to go on. `None` where no
/// list is left to be cut.
pub(crate) fn fit(mut answer: Value, go_on: &str) -> Option<Value> {
    let mut cuts = Vec::new();
    while byte_size(&answer) > MAX_BYTES - RESERVE {
        if cuts.len() == MAX_CUTS {
            return None;
        }
        let over = byte_size(&answer) - (MAX_BYTES - RESERVE);
        let (_, path) = longest_list(&answer, String::new())?;
        let list = answer.pointer_mut(&path)?.as_array_mut()?;
        let total = list.len();
        let mut freed = 0;
        while freed < over {
            // A list of nothing is cut no further.
            let Some(last) = list.pop() else { break };
            freed += byte_size(&last) + 1;
        }
        let list_name = path.trim_start_matches('/').replace('/', ".");
        cuts.push(json!({"list": list_name, "given": list.len(), "total": total}));
    }
    if !cuts.is_empty() {
        let why = format!("The answer would be longer than {MAX_BYTES} bytes.");
        answer["cut"] = json!({"why": why, "lists": cuts, "how_to_go_on": go_on});
    }
    Some(answer)
}

fn byte_size(value: &Value) -> usize {
    serde_json::to_vec(value).map_or(0, |text| text.len())
}

/// The list with the most bytes, and its path as RFC 6901 writes it; the outer one of two that hold each other.
fn longest_list(value: &Value, path: String) -> Option<(usize, String)> {
    match value {
        Value::Array(items) if !items.is_empty() => Some((byte_size(value), path)),
        Value::Object(fields) => fields
            .iter()
            .filter_map(|(name, field)| longest_list(field, format!("{path}/{name}")))
            .max_by_key(|(size, _)| *size),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize) -> Value {
        (0..n).map(|at| json!({"at": at, "text": "x".repeat(90)})).collect()
    }

    #[test]
    fn a_short_answer_stays_as_it_is() {
        let answer = json!({"data": rows(10), "meta": {}});
        assert_eq!(fit(answer.clone(), "").unwrap(), answer);
    }

    #[test]
    fn the_longest_list_is_cut_at_its_end_and_the_answer_says_how_to_go_on() {
        let answer = json!({"data": {"few": rows(5), "many": rows(2000)}});
        let cut = fit(answer.clone(), "Ask for less.").unwrap();
        let given = cut["data"]["many"].as_array().unwrap().len();
        assert!(
            byte_size(&cut) <= MAX_BYTES && byte_size(&cut) > MAX_BYTES - 2 * RESERVE,
            "{}",
            byte_size(&cut)
        );
        assert_eq!(cut["data"]["few"], answer["data"]["few"]);
        assert_eq!(cut["data"]["many"][given - 1], answer["data"]["many"][given - 1]);
        assert_eq!(cut["cut"]["lists"], json!([{"list": "data.many", "given": given, "total": 2000}]));
        assert_eq!(cut["cut"]["how_to_go_on"], "Ask for less.");
    }

    #[test]
    fn an_answer_without_lists_is_given_up() {
        assert_eq!(fit(json!({"data": "x".repeat(MAX_BYTES)}), ""), None);
        assert_eq!(fit(json!({"data": ["x".repeat(MAX_BYTES)], "text": "x".repeat(MAX_BYTES)}), ""), None);
    }
}

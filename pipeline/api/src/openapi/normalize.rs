//! Small things that readers of the document expect otherwise than they are generated.

use serde_json::Value;

/// Formats that no registry knows, and what generated code would be none the wiser for.
const UNKNOWN_FORMATS: [&str; 5] = ["uint", "uint8", "uint16", "uint32", "uint64"];

/// Lines of one paragraph become one line, and formats that nobody knows go.
pub(super) fn tidy(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(fields) => {
            if fields.get("format").and_then(Value::as_str).is_some_and(|f| UNKNOWN_FORMATS.contains(&f)) {
                fields.remove("format");
            }
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = unwrapped(text);
            }
            fields.values_mut().for_each(tidy);
        }
        _ => {}
    }
}

/// Paragraphs and list items on a line of their own, whatever the source's width.
fn unwrapped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let begins = line.is_empty() || line.starts_with(['-', '#', '|']);
        match out.chars().last() {
            None => {}
            Some(_) if begins => out.push('\n'),
            Some('\n') => out.push('\n'),
            Some(_) => out.push(' '),
        }
        out += line;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_is_one_line() {
        assert_eq!(unwrapped("a\nb\n\nc\n- d\n- e"), "a b\n\nc\n- d\n- e");
    }
}

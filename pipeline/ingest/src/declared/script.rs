//! Modules of JavaScript whose exported constants are literals, as one document: `export const GAMES = [...]` is its field
//! `GAMES`, and `export default {...}` its field `default`. Nothing is run; a constant that is no literal is passed over.

use serde_json::{Map, Value};

/// Begins what is exported, at the beginning of a line.
const EXPORT: &str = "export ";

/// The constants that are lists or objects. `None` if a literal is not whole, or stands twice.
pub(super) fn document(text: &str) -> Result<Value, String> {
    let mut constants = Map::new();
    let mut rest = text;
    while let Some(at) = rest.find(EXPORT) {
        let is_line = at == 0 || rest.as_bytes()[at - 1] == b'\n';
        rest = &rest[at + EXPORT.len()..];
        let Some((name, value)) = Some(rest).filter(|_| is_line).and_then(named_value) else { continue };
        let value = value.trim_start();
        if !value.starts_with(['[', '{']) {
            continue;
        }
        let name = name.trim();
        let end = literal_end(value).ok_or_else(|| format!("constant `{name}` is not whole"))?;
        let literal = json5::from_str(&value[..end]).map_err(|e| format!("constant `{name}`: {e}"))?;
        if constants.insert(name.to_owned(), literal).is_some() {
            return Err(format!("constant `{name}` is there twice"));
        }
        rest = &value[end..];
    }
    Ok(Value::Object(constants))
}

/// The name of what is exported, and what stands behind it. A name ends on its line: a file of names alone would else be
/// looked through to its end for each.
fn named_value(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix("const ") {
        Some(constant) => {
            let end = memchr::memchr2(b'=', b'\n', constant.as_bytes())?;
            let (name, value) = constant.split_at(end);
            Some((name, value.strip_prefix('=')?))
        }
        None => Some(("default", text.strip_prefix("default ")?)),
    }
}

/// Where a list or an object ends that begins a text. Brackets in texts and comments do not count.
fn literal_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = text_end(bytes, at, quote)?,
            b'/' if bytes[at..].starts_with(b"//") => {
                at += bytes[at..].iter().position(|byte| *byte == b'\n')?;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                at += bytes[at..].windows(2).position(|two| two == b"*/")? + 1;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the text ends that a quote begins.
fn text_end(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut at = from + 1;
    while *bytes.get(at)? != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn constants_that_are_literals_are_read_and_code_is_not() {
        let text = "// [not read\nexport const SEASON = 2026\nexport const GAMES = [\n  { id: '1', // it's ]\n home: \"N]Y\", },\n]\n\n\
                    export const BY_ID = Object.fromEntries(GAMES.map((g) => [g.id, g]))\nexport const SIZE = { R1: 3 };\n";
        assert_eq!(document(text), Ok(json!({"GAMES": [{"id": "1", "home": "N]Y"}], "SIZE": {"R1": 3}})));
        assert_eq!(document("export default {\n  games: [1] };\n"), Ok(json!({"default": {"games": [1]}})));
        assert_eq!(document("export default main;\nexport function f() { return [1] }"), Ok(json!({})));
        for (broken, why) in [
            ("export const A = [1, 2", "not whole"),
            ("export const A = [f(1)]", "constant `A`"),
            ("export const A = []\nexport const A = []", "twice"),
        ] {
            assert!(document(broken).unwrap_err().contains(why), "{broken}");
        }
    }

    #[test]
    fn names_without_values_take_time_by_their_length_and_not_its_square() {
        let text = "export const \n".repeat(1_000_000);
        assert_eq!(document(&format!("{text}export const A = [1]\n")), Ok(json!({"A": [1]})));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(export const A = |export default |[\\[\\]{}'\"/*,:\\\\a\n]){0,24}") {
            drop(document(&text));
        }
    }
}
